import should from 'should';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import type { SeriesPayload } from '../../src/model/payload';
import { dayMs } from '../../src/time/units';
import { until } from '../support/until';
import { ContextOnDisk } from '../support/flow/context-on-disk';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import {
  endSimulators,
  localConnection,
  remoteConnection,
  remoteCredentials,
  simulate,
} from '../support/flow/simulated';

function series(properties: object = {}): FlowNode {
  return { id: 'series', type: 'cemm-series', connection: 'connection', alias: 'p1', interval: 0, ...properties };
}

function payloadOf(message: { payload: unknown } | undefined): SeriesPayload {
  return message?.payload as SeriesPayload;
}

function moments(messages: readonly { payload: unknown }[]): number[] {
  return messages.flatMap((message) => payloadOf(message).points.map(({ ts }) => ts));
}

function label(daysAgo: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' }).format(Date.now() - daysAgo * dayMs);
}

describe('cemm-series', function () {
  this.timeout(120_000);
  afterEach(async () => {
    await unload();
    await endSimulators();
  });

  it('sends the running day, and another that the message names', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(series({ date: 'when', dateType: 'msg' }))]);
    flow.send('series', { when: label(3), keep: 'me' });
    flow.send('series', { when: Date.now() });
    flow.send('series', { when: new Date(Date.now() - dayMs) });
    await flow.next('completed', 3);
    const messages = flow.at('out');
    messages.map((message) => payloadOf(message).period.label).should.eql([label(3), label(0), label(1)]);
    should(messages[0]?.['keep']).equal('me');
    payloadOf(messages[0]).complete.should.be.true();
    payloadOf(messages[0]).points.should.have.length(1440);
    should(messages[0]?.topic).match(/^cemm\/[0-9a-f]{12}\/p1\/series$/);
    flow.at('errors').should.have.length(0);
  });

  const units = [
    ['day', 'current', 'PT1M'],
    ['month', 'current', 'P1D'],
    ['year', 'current', 'P1M'],
    ['month', 'previous', 'P1D'],
  ] as const;
  for (const [period, dateType, step] of units) {
    it(`asks for the ${dateType} ${period}`, async () => {
      const simulator = await simulate();
      const flow = await Flow.load([localConnection(simulator), ...watched(series({ period, dateType }))]);
      flow.send('series');
      const [message] = await flow.next('out');
      payloadOf(message).period.should.containEql({ unit: period, step });
    });
  }

  it('sends a range in order, one message per period with parts, two requests at most in flight', async () => {
    const asked = new Set<unknown>();
    let most = 0;
    const simulator = await simulate({
      promiseMs: 1,
      log: (line) => {
        if (!String(line['path']).includes('/data/day/')) return;
        asked.add(line['path']);
        most = Math.max(most, asked.size - flow.at('out').length);
      },
    });
    const range = series({ span: 'range', from: label(3), fromType: 'str', to: 'until', toType: 'msg' });
    const flow = await Flow.load([remoteConnection(simulator), ...watched(range)], { credentials: remoteCredentials });
    flow.send('series', { until: label(0) });
    await until('all four days', () => flow.at('completed').length === 1);
    const messages = flow.at('out');
    messages.map((message) => payloadOf(message).period.label).should.eql([3, 2, 1, 0].map(label));
    const parts = messages.map((message) => message['parts'] as { id: string; index: number; count: number });
    parts.map(({ index }) => index).should.eql([0, 1, 2, 3]);
    new Set(parts.map(({ id, count }) => `${id} ${count}`)).size.should.equal(1);
    parts[0]?.count.should.equal(4);
    flow
      .statuses('statuses')
      .some((text) => /^\d \/ 4$/.test(text))
      .should.be.true();
    await until('the end of the range in the status', () =>
      flow.statuses('statuses').some((text) => /^4 \/ 4 · \d\d:\d\d$/.test(text)),
    );
    asked.size.should.equal(4);
    most.should.equal(2);
    flow.at('errors').should.have.length(0);
  });

  it('stops at msg.stop: no further message, and the stopped one ends with CANCELLED', async () => {
    const simulator = await simulate();
    const range = series({ span: 'range', from: label(60), fromType: 'str', toType: 'current' });
    const flow = await Flow.load([localConnection(simulator), ...watched(range)]);
    flow.send('series', { first: true });
    await flow.next('out', 2);
    flow.send('series', { stop: true });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('CANCELLED');
    should(caught?.['first']).equal(true);
    const [completed] = await flow.next('completed');
    should(completed?.['stop']).equal(true);
    const count = flow.at('out').length;
    count.should.be.below(61);
    await until('the status', () => flow.statuses('statuses').includes('stopped'));
    // The node still works after it.
    flow.send('series', { again: true });
    await until('a message of the new range', () => flow.at('out').some((message) => message['again'] === true));
    flow
      .at('out')
      .filter((message) => message['first'] === true)
      .should.have.length(count);
  });

  const refusals: readonly (readonly [string, object, object, RegExp])[] = [
    ['no date', { date: 'when', dateType: 'msg' }, {}, /has no value/],
    ['a date that is none', { date: 'when', dateType: 'msg' }, { when: 'tomorrow' }, /is not a date/],
    [
      'a day that does not exist',
      { date: 'when', dateType: 'msg' },
      { when: '2026-02-30' },
      /does not exist|no calendar has/,
    ],
    ['a number that is no moment', { date: 'when', dateType: 'msg' }, { when: 42 }, /between 2010 and 2100/],
    [
      'a range that ends first',
      { span: 'range', from: '2026-03-02', fromType: 'str', to: 'last', toType: 'msg' },
      { last: '2026-03-01' },
      /ends before it starts/,
    ],
    [
      'a range of thirteen years of days',
      { span: 'range', from: '2011-01-01', fromType: 'str', to: '2024-01-01', toType: 'str' },
      {},
      /too many periods/,
    ],
    ['a day that has not begun', { date: '2099-06-01', dateType: 'str' }, {}, /“Which one” is 2099-06-01, .*not begun/],
    ['a month that has not begun', { period: 'month', date: '2099-06-01', dateType: 'str' }, {}, /2099-06,.*not begun/],
    [
      'a range in the future',
      { span: 'range', from: '2099-06-01', fromType: 'str', to: '2099-06-03', toType: 'str' },
      {},
      /“From” is 2099-06-01, .*not begun/,
    ],
    [
      'TD17: a range that ends in the future',
      { span: 'range', from: label(1), fromType: 'str', to: '2099-06-03', toType: 'str' },
      {},
      /“.+” is 2099-06-03, .*not begun/,
    ],
    ['since that is no date', { span: 'new' }, { since: {} }, /“msg.since” is not a date/],
    ['since in the future', { span: 'new' }, { since: '2099-06-01' }, /“msg.since” is 2099-06-01, .*not begun/],
    [
      'a day written the Dutch way',
      { date: 'when', dateType: 'msg' },
      { when: '20-11-2026' },
      /Write the year first, such as 2026-11-20/,
    ],
    ['no meter', { alias: 'wanted', aliasType: 'msg' }, { wanted: '' }, /“Meter” is blank/],
  ];
  const stored: readonly (readonly [name: string, properties: object, sentence: RegExp])[] = [
    ['a day that does not exist', { date: '2026-02-30', dateType: 'str' }, /“Which one” .* This is not a date/],
    ['a day written the Dutch way', { date: '20-11-2026', dateType: 'str' }, /Write the year first: 2026-11-20/],
    [
      'a range that ends first',
      { span: 'range', from: '2026-03-02', fromType: 'str', to: '2026-03-01', toType: 'str' },
      /The end is before the start/,
    ],
    ['no meter', { alias: '' }, /“Meter” .* Enter the short name of the meter/],
  ];
  for (const [name, properties, sentence] of stored) {
    it(`${name} in the node: CONFIG, at the start and with the message`, async () => {
      const simulator = await simulate();
      const flow = await Flow.load([localConnection(simulator), ...watched(series(properties))]);
      flow.send('series', {});
      for (const { error } of await flow.next('errors', 2)) {
        should(error?.code).equal('CONFIG');
        should(error?.message).match(sentence);
      }
      flow.at('out').should.have.length(0);
    });
  }

  for (const [name, properties, message, sentence] of refusals) {
    it(`${name}: INPUT, reported with the message`, async () => {
      const simulator = await simulate();
      const flow = await Flow.load([localConnection(simulator), ...watched(series(properties))]);
      flow.send('series', { ...message });
      const [caught] = await flow.next('errors');
      should(caught?.error?.code).equal('INPUT');
      should(caught?.error?.message).match(sentence);
      flow.at('out').should.have.length(0);
      flow.at('completed').should.have.length(0);
    });
  }

  describe('span: new', () => {
    it('sends the closed minutes of the running day, and nothing twice', async () => {
      const simulator = await simulate({ clock: createSimulatedClock({ speed: 0 }) });
      const flow = await Flow.load([localConnection(simulator), ...watched(series({ span: 'new' }))]);
      flow.send('series', { round: 1 });
      await flow.next('completed', 1);
      flow.send('series', { round: 2 });
      await flow.next('completed', 2);
      const sent = moments(flow.at('out'));
      new Set(sent).size.should.equal(sent.length);
      flow
        .at('out')
        .every((message) => message['round'] === 1)
        .should.be.true();
      await until('the status', () => flow.statuses('statuses').includes('up to date'));
    });

    it('starts at msg.since, fetches every missed day, and sends every minute once', async () => {
      const simulator = await simulate({ clock: createSimulatedClock({ speed: 0 }) });
      const flow = await Flow.load([localConnection(simulator), ...watched(series({ span: 'new' }))]);
      const since = Math.floor(Date.now() / 60_000) * 60_000 - 3 * dayMs;
      flow.send('series', { since });
      await flow.next('completed');
      flow.send('series', { since: since - dayMs });
      await flow.next('completed', 2);
      const sent = moments(flow.at('out'));
      sent[0]?.should.equal(since);
      sent.should.eql(sent.map((_, index) => since + index * 60_000));
      sent.length.should.be.aboveOrEqual(3 * 1440 - 2);
      flow.at('out').length.should.be.within(3, 4);
    });

    it('stores over a restart what it has sent, and repeats what was in flight under the same id', async () => {
      const simulator = await simulate({ clock: createSimulatedClock({ speed: 0 }) });
      const nodes = [localConnection(simulator), ...watched(series({ span: 'new' }))];
      const since = Math.floor(Date.now() / 60_000) * 60_000 - dayMs / 2;
      const disk = new ContextOnDisk();
      try {
        const flow = await Flow.load(nodes, { context: disk });
        flow.send('series', { since });
        await flow.next('completed');
        const first = flow.at('out');
        first.length.should.be.above(0);
        await unload();

        const restarted = await Flow.load(nodes, { context: disk });
        restarted.send('series', { since });
        await restarted.next('completed');
        restarted.at('out').should.have.length(0);

        // The state after a kill between sending and remembering.
        const remembered = (await restarted.nodeContext('series', 'sent')) as Record<string, { last: { ts: number } }>;
        const [name, record] = Object.entries(remembered)[0] ?? [];
        const last = payloadOf(first.at(-1));
        const killed = { last: null, sending: { first: last.points[0]?.ts, last: record?.last.ts } };
        await restarted.setNodeContext('series', 'sent', { [String(name)]: killed });
        await unload();

        const afterKill = await Flow.load(nodes, { context: disk });
        afterKill.send('series', { since: last.points[0]?.ts });
        const [again] = await afterKill.next('out');
        payloadOf(again).id.should.equal(last.id);
        payloadOf(again).points.should.eql(last.points);
      } finally {
        await unload();
        disk.remove();
      }
    });

    it('continues after an error where it stopped', async () => {
      const simulator = await simulate({ clock: createSimulatedClock({ speed: 0 }) });
      const flow = await Flow.load([localConnection(simulator), ...watched(series({ span: 'new' }))]);
      const since = Math.floor(Date.now() / 60_000) * 60_000 - 2 * dayMs;
      simulator.faults.add('truncated');
      flow.send('series', { since });
      await flow.next('errors');
      simulator.faults.delete('truncated');
      flow.send('series', { since });
      await flow.next('completed');
      const sent = moments(flow.at('out'));
      sent.should.eql(sent.map((_, index) => since + index * 60_000));
      sent.length.should.be.aboveOrEqual(2 * 1440 - 2);
    });

    it('polls', async () => {
      const simulator = await simulate();
      const flow = await Flow.load([localConnection(simulator), ...watched(series({ span: 'new', interval: 5 }))]);
      await flow.next('out');
      const before = [...simulator.requests.values()].reduce((sum, count) => sum + count, 0);
      await until('the next round', () => [...simulator.requests.values()].reduce((sum, n) => sum + n, 0) > before);
      flow.at('errors').should.have.length(0);
      flow.at('completed').should.have.length(0);
    });
  });
});
