/** Messages that ask a balance node, whatever it is set to: `{ "balance": "day", "question": 7 }`. */
import should from 'should';
import type { BalancePayload } from '../../src/model/payload';
import { dayMs, hourMs } from '../../src/time/units';
import { Flow, type FlowNode, type Received, unload, watched } from '../support/flow/flow';
import {
  endSimulators,
  localConnection,
  remoteConnection,
  remoteCredentials,
  simulate,
} from '../support/flow/simulated';
import { until } from '../support/until';

const onePrice = { currency: 'EUR', import: 0.25, export: 0.05, per_day: 0.3 };

function balance(properties: object = {}): FlowNode {
  return { id: 'balance', type: 'cemm-balance', connection: 'connection', interval: 0, ...properties };
}

function payloadOf(message: Received | undefined): BalancePayload {
  return message?.payload as BalancePayload;
}

/** The answer to the question of this name. */
async function answerOf(flow: Flow, question: string | number): Promise<BalancePayload> {
  const isAnswer = (message: Received): boolean => payloadOf(message).question === question;
  return payloadOf(await until(`the answer to ${question}`, () => flow.at('out').find(isAnswer)));
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}

describe('questions to cemm-balance', function () {
  this.timeout(180_000);
  afterEach(async () => {
    await unload();
    await endSimulators();
  });

  it('about a day and about a month are answered while a year is read', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(balance())]);
    flow.send('balance', { payload: { balance: 'year', question: 'year' } });
    flow.send('balance', { payload: { balance: 'day', question: 'day' } });
    flow.send('balance', { payload: { balance: 'month', question: 'month' } });
    await answerOf(flow, 'month');
    should(flow.at('out').map((message) => payloadOf(message).question)).eql(['day', 'month']);
    flow.send('balance', { stop: true });
  });

  it('about a year with its hours are answered with what flowed from and to the grid', async () => {
    const simulator = await simulate();
    const nodes = [remoteConnection(simulator), ...watched(balance())];
    const flow = await Flow.load(nodes, { credentials: remoteCredentials });
    flow.send('balance', { payload: { balance: 'day', date: daysAgo(3), question: 'day' } });
    const day = await answerOf(flow, 'day');
    const label = day.period?.label.slice(0, 4) ?? '';
    flow.send('balance', { payload: { balance: 'year', date: label, question: 'plain' } });
    (await answerOf(flow, 'plain')).should.not.have.property('hours');
    flow.send('balance', { payload: { balance: 'year', date: label, hours: true, question: 'hours' } });
    const { hours = {}, period } = await answerOf(flow, 'hours');
    should(Object.keys(hours)).eql(['energy_import_kwh', 'energy_export_kwh']);
    const { energy_import_kwh: taken = [], energy_export_kwh: given = [] } = hours;
    const points = day.points ?? [];
    should(points.length).be.aboveOrEqual(23);
    for (const { ts, energy_net_kwh: net } of points) {
      const index = (ts - (period?.start ?? 0)) / hourMs;
      should(taken[index]).be.a.Number();
      // Minutes alone show what the counters of the day show, except for their rounding.
      should(Number(taken[index]) - Number(given[index])).be.approximately(
        1000 * Number(net),
        10 + 30 * Math.abs(Number(net)),
      );
    }
  });

  it('are answered by the connection, whatever the node is set to, and other messages as before', async () => {
    const simulator = await simulate();
    const nodes = [remoteConnection(simulator), ...watched(balance({ period: 'month' }))];
    const flow = await Flow.load(nodes, { credentials: remoteCredentials });
    for (const unit of ['now', 'day', 'week', 'year'] as const) {
      flow.send('balance', { payload: { balance: unit, question: unit } });
      const { period } = await answerOf(flow, unit);
      should(period?.unit).equal(unit === 'now' ? undefined : unit);
    }
    flow.send('balance', { payload: { balance: 'day', date: daysAgo(3), question: 4 } });
    should((await answerOf(flow, 4)).period?.label).equal(daysAgo(3));
    flow.send('balance', { payload: { balance: 'week', date: daysAgo(7), question: 5 } });
    const week = await answerOf(flow, 5);
    should(week.period?.label).match(/^\d{4}-W\d{2}$/);
    should(week.period?.step).equal('P1D');
    const days = (week.points ?? []).map((point) => point['energy_import_kwh']);
    should(days).have.length(7);
    const sum = days.reduce<number>((total, kwh) => total + Number(kwh), 0);
    should(week.values['energy_import_kwh']).be.approximately(sum, 1e-6);
    should(sum).be.above(1);
    for (const payload of [{ balance: 12 }, { balance: 'decade' }, 'day', undefined]) {
      const before = flow.at('out').length;
      flow.send('balance', { payload });
      const message = payloadOf((await flow.next('out', before + 1))[before]);
      should(message.period?.unit).equal('month');
      message.should.not.have.property('question');
    }
    flow.at('errors').should.be.empty();
  });

  it('are answered with a bill, while questions of now go on', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(balance({ period: 'now' }))]);
    const asked = {
      balance: 'bill',
      from: daysAgo(20),
      to: daysAgo(2),
      prices: [onePrice, { ...onePrice, import: 0.3 }],
    };
    flow.send('balance', { payload: { ...asked, batteries_kwh: [5, 10], question: 'bill' } });
    flow.send('balance', { payload: { balance: 'now', question: 'now' } });
    await answerOf(flow, 'now');
    should(flow.at('out').length).equal(1, 'the bill was answered first');
    const bill = await answerOf(flow, 'bill');
    should(bill.period).containEql({ unit: 'range', label: `${daysAgo(20)}/${daysAgo(2)}` });
    should(bill.share).equal(1);
    const { energy_import_kwh: taken, energy_export_kwh: given } = bill.values;
    should(bill.bills?.[0]?.total).be.approximately(Number(taken) * 0.25 - Number(given) * 0.05 + 19 * 0.3, 1e-6);
    should(bill.bills?.[1]?.import).be.approximately(Number(taken) * 0.3, 1e-6);
    should(bill.moved).be.above(0);
    const [small, large] = bill.batteries ?? [];
    should(small?.kwh).equal(5);
    should(large?.saved).be.aboveOrEqual(Number(small?.saved));
    should(small?.saved).be.above(0);
    flow
      .statuses('statuses')
      .some((text) => /^\d+ \/ \d+$/.test(text))
      .should.be.true();
  });

  it('end with CANCELLED when the node is stopped, and the next one is answered', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(balance())]);
    flow.send('balance', { payload: { balance: 'bill', from: daysAgo(60), to: daysAgo(2), prices: [onePrice] } });
    await until('progress', () => flow.statuses('statuses').some((text) => /^[1-9]\d* \/ \d+$/.test(text)));
    flow.send('balance', { stop: true });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('CANCELLED');
    flow.at('out').should.be.empty();
    flow.send('balance', { payload: { balance: 'now', question: 1 } });
    await answerOf(flow, 1);
  });

  it('are refused with a sentence about their wrong part', async () => {
    const simulator = await simulate();
    const tomorrow = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10);
    const bill = { balance: 'bill', from: daysAgo(3), to: daysAgo(2), prices: [onePrice] };
    const wrong: [object, RegExp][] = [
      [{ balance: 'day', date: 'soon' }, /“msg\.payload\.date” is not a date/],
      [{ balance: 'month', date: tomorrow.replace(/^\d+/, '2099') }, /“msg\.payload\.date” is 2099.* not begun/],
      [{ balance: 'day', question: { a: 1 } }, /“msg\.payload\.question” must be a number, or a text of at most 200/],
      [{ balance: 'day', question: 'x'.repeat(201) }, /“msg\.payload\.question”/],
      [{ ...bill, from: undefined }, /“msg\.payload\.from” is not a date/],
      [{ ...bill, to: null }, /“msg\.payload\.to” is not a date/],
      [{ ...bill, to: tomorrow }, /“msg\.payload\.to” is .* not begun/],
      [{ ...bill, from: daysAgo(1) }, /range ends before it starts/],
      [{ ...bill, from: '2020-01-01' }, /too many periods/],
      [{ ...bill, prices: onePrice }, /“msg\.payload\.prices” is missing, not valid/],
      [{ ...bill, prices: [onePrice, onePrice, onePrice] }, /“msg\.payload\.prices”/],
      [{ ...bill, prices: [onePrice, { ...onePrice, imprt: 1 }] }, /“msg\.payload\.prices\[1\]\.imprt”/],
      [{ ...bill, prices: [{ ...onePrice, import: [{ start: 'x', value: 1 }] }] }, /prices\[0\]\.import\[0\]\.start/],
      [{ ...bill, batteries_kwh: 5 }, /“msg\.payload\.batteries_kwh” must be a list of at most 10 sizes/],
      [{ ...bill, batteries_kwh: [5, 0] }, /“msg\.payload\.batteries_kwh”/],
      [{ ...bill, batteries_kwh: Array(11).fill(5) }, /“msg\.payload\.batteries_kwh”/],
    ];
    for (const source of ['ask', 'messages']) {
      const flow = await Flow.load([
        localConnection(simulator),
        {
          id: 'p1',
          type: 'cemm-realtime',
          connection: 'connection',
          alias: 'p1',
          interval: 0,
          wires: [['balance'], []],
        },
        ...watched(balance({ source })),
      ]);
      if (source === 'messages') {
        flow.send('p1');
        await flow.next('completed');
      }
      for (const [index, [payload, sentence]] of wrong.entries()) {
        flow.send('balance', { payload });
        const { error } = (await flow.next('errors', index + 1))[index] ?? {};
        should(error?.code).equal('INPUT', JSON.stringify(payload));
        should(error?.message).match(sentence);
      }
      flow.at('out').should.be.empty();
      await unload();
    }
  });

  it('are answered by what was added up, whatever the node is set to', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([
      localConnection(simulator),
      { id: 'all', type: 'cemm-realtime', connection: 'connection', interval: 0, wires: [['balance'], []] },
      ...watched(balance({ source: 'messages', connection: '', period: 'month' })),
    ]);
    flow.send('balance', { payload: { balance: 'now' } });
    const [nothing] = await flow.next('errors');
    should(nothing?.error?.message).match(/nothing to add up/);
    // A page says so in the words of a house owner, in its own language.
    flow.send('balance', { payload: { balance: 'day', question: 7 } });
    const [, ofPage] = await flow.next('errors', 2);
    should(ofPage?.error?.message).match(/No reading of this house has arrived yet/);
    should(ofPage?.error).containDeep({ code: 'INPUT', cause: { reason: 'nothing_yet' } });
    flow.send('all');
    await until('readings', () => flow.at('completed').length >= 5);
    flow.send('balance', { payload: { balance: 'now', question: 1 } });
    const now = await answerOf(flow, 1);
    should(now.period).be.undefined();
    should(now.values['power_house_w']).be.a.Number();
    for (const unit of ['day', 'month', 'year'] as const) {
      flow.send('balance', { payload: { balance: unit, question: unit } });
      should((await answerOf(flow, unit)).period?.unit).equal(unit);
    }
    const bill = { balance: 'bill', prices: [onePrice, onePrice], batteries_kwh: [5], question: 'bill' };
    flow.send('balance', { payload: bill });
    const { share, bills, moved, batteries, missing, period } = await answerOf(flow, 'bill');
    should(period?.unit).equal('range');
    should(share).equal(0);
    should({ bills, moved, batteries }).deepEqual({
      bills: [null, null],
      moved: null,
      batteries: [{ kwh: 5, saved: null }],
    });
    should(missing['bills.1']).equal('too_few_days');
  });

  it('use the prices of the node for both bills, where they have none', async () => {
    const simulator = await simulate();
    const node = balance({ prices: JSON.stringify(onePrice), pricesType: 'json' });
    const flow = await Flow.load([localConnection(simulator), ...watched(node)]);
    const days = { from: daysAgo(3), to: daysAgo(2), batteries_kwh: [5] };
    flow.send('balance', { payload: { balance: 'bill', ...days, question: 1 } });
    const { bills, moved, batteries, missing } = await answerOf(flow, 1);
    should(bills?.map((bill) => bill?.fixed)).eql([0.6, 0.6]);
    should(bills?.[0]?.total).equal(bills?.[1]?.total);
    should(bills?.[1]?.netted).be.null();
    should(moved).be.a.Number();
    should(batteries?.[0]?.saved).be.a.Number();
    missing.should.not.have.properties(['bills.1', 'moved', 'batteries']);
  });

  it('about a day are answered with points of the step of the question, otherwise of the node', async () => {
    const simulator = await simulate();
    const all = { id: 'all', type: 'cemm-realtime', connection: 'connection', interval: 0, wires: [['balance'], []] };
    for (const source of ['ask', 'messages']) {
      const nodes = [localConnection(simulator), all, ...watched(balance({ source, step: '15m', period: 'month' }))];
      const flow = await Flow.load(nodes);
      if (source === 'messages') {
        flow.send('all');
        await until('readings', () => flow.at('completed').length >= 5);
      }
      const steps: Record<string, string | undefined> = {};
      for (const step of ['1m', '15m', '1h', 'soon', undefined]) {
        const question = `${source} ${step}`;
        flow.send('balance', { payload: { balance: 'day', step, question } });
        steps[String(step)] = (await answerOf(flow, question)).period?.step;
      }
      should(steps).eql({ '1m': 'PT1M', '15m': 'PT15M', '1h': 'PT1H', soon: 'PT15M', undefined: 'PT15M' });
      await unload();
    }
  });
});
