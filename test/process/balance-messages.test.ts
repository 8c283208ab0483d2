/** The balance of a house from deliveries in a whole Node-RED: in any order, some twice, and across a restart. */
import should from 'should';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { periodContaining, previousPeriod } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { toMonitorId } from '../../src/protocol/mac';
import { quarterMs, millis } from '../../src/time/units';
import { createHousehold } from '../../src/simulator/household';
import type { Registers } from '../../src/simulator/register-sums';
import { chooseHouse } from '../../src/simulator/houses';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import { buildDelivery } from '../../src/simulator/webhook-payload';
import { collector, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { Random } from '../support/random';
import { statusTexts, trigger } from '../support/node-red/remote-flow';
import { until } from '../support/until';

const zone = 'Europe/Amsterdam';
const now = Date.parse('2026-06-15T09:00:00Z');
const today = periodContaining('day', zone, millis(now));
const yesterday = previousPeriod(today);
const question = '{ "balance": "day", "date": "2026-06-14" }';
const env = { CEMM_TEST_CLOCK: new Date(now).toISOString(), CEMM_TEST_CLOCK_SPEED: '0' };
const persistent = `contextStorage: { default: { module: 'localfilesystem', config: { cache: false } } },`;

const importKwh = (r: Registers): number => r.importT1Kwh + r.importT2Kwh;
const exportKwh = (r: Registers): number => r.exportT1Kwh + r.exportT2Kwh;
const roofKwh = (r: Registers): number => r.solarT1Kwh + r.solarT2Kwh - r.solarOwnT1Kwh - r.solarOwnT2Kwh;

function flows(properties: object = {}): FlowNode[] {
  return [
    tab(),
    {
      id: 'hook',
      type: 'cemm-webhook-in',
      z: 'flow',
      path: '/cemm',
      open: true,
      hmac: false,
      maxAge: 0,
      wires: [['balance', 'sent'], []],
    },
    {
      id: 'balance',
      type: 'cemm-balance',
      z: 'flow',
      source: 'messages',
      grid: 'smartmeter-dsmr',
      production: 'zon',
      interval: 0,
      wires: [['out']],
      ...properties,
    },
    trigger('question', ['balance'], { payload: [question, 'json'] }),
    trigger('wrong', ['balance'], { payload: ['{ "balance": "week" }', 'json'] }),
    ...['out', 'sent', 'caught', 'statuses'].flatMap((name) => collector(name)),
    { id: 'catch', type: 'catch', z: 'flow', scope: ['balance'], uncaught: false, wires: [['caught']] },
    { id: 'status', type: 'status', z: 'flow', scope: ['balance'], wires: [['statuses']] },
  ];
}

describe('the balance of a house out of messages in Node-RED', function () {
  this.timeout(240_000);
  const household = createHousehold({
    seed: 3,
    timezone: zone,
    house: chooseHouse('inverter-6w'),
    now: millis(now),
    since: millis(yesterday.start - 86_400_000),
  });
  let nodeRed: NodeRed;
  afterEach(() => nodeRed.stop());

  async function deliver(at: number): Promise<number> {
    return post(buildDelivery(household, 24000001, millis(at), ['realtime', 'reading', 'last/15minutes']));
  }

  /** A second monitor, to the second webhook node. */
  async function postOther(at: number): Promise<number> {
    return post(buildDelivery(household, 24000002, millis(at), ['reading', 'last/15minutes']), '/other');
  }

  async function post(body: object, path = '/cemm'): Promise<number> {
    const response = await fetch(`${nodeRed.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.status;
  }

  /** Waits until the readings of a delivery are on their way to the balance: it is answered before they are sent. */
  async function untilSent(at: number): Promise<void> {
    await nodeRed.waitFor('sent', (all) => all.some(({ payload }) => JSON.stringify(payload).includes(String(at))));
  }

  it('BA7: is what the counters counted, whatever the order and the repetition, also after a restart @node-red-5', async () => {
    nodeRed = await NodeRed.start({ flows: flows(), env });
    const moments: number[] = [];
    for (let at: number = yesterday.start; at <= yesterday.end; at += quarterMs) moments.push(at);
    const random = new Random(11);
    const shuffled = [...moments, ...moments.slice(0, 20)]
      .map((at) => [random.next(), at] as const)
      .sort(([a], [b]) => a - b)
      .map(([, at]) => at);
    for (const at of shuffled) (await deliver(at)).should.equal(200);
    await nodeRed.waitFor('statuses', (all) => statusTexts(all).some((text) => /00:00/.test(text)));
    await nodeRed.inject('question');
    const [message] = await nodeRed.waitForMessages('out', 1);
    const day = message?.payload as BalancePayload;
    const change = (of: (r: Registers) => number): number =>
      of(household.registers(yesterday.end)) - of(household.registers(yesterday.start));
    const { values, points = [], method, coverage } = day;
    const near = (found: number | null | undefined, truth: number, what: string): void => {
      should(found).be.approximately(truth, 0.001, what);
    };
    near(values['energy_import_kwh'], change(importKwh), 'import');
    near(values['energy_export_kwh'], change(exportKwh), 'export');
    near(values['energy_production_kwh'], change(roofKwh), 'production');
    near(values['energy_house_kwh'], change(importKwh) - change(exportKwh) + change(roofKwh), 'house');
    method.should.containEql({ energy_import_kwh: 'registers' });
    coverage.should.containEql({ energy_house_kwh: 1 });
    points.length.should.equal(24);
    should(message?.topic).equal('cemm/24000001/balance');

    // The newest delivery was counted before the first question, all others before the second one.
    await nodeRed.inject('question');
    const [, before] = await nodeRed.waitForMessages('out', 2);
    await nodeRed.stop({ keep: true });
    nodeRed = await NodeRed.start({ userDir: nodeRed.userDir, env });
    await nodeRed.inject('question');
    const [, , after] = await nodeRed.waitForMessages('out', 3);
    for (const part of ['values', 'points'] as const)
      should((after?.payload as BalancePayload)[part]).deepEqual((before?.payload as BalancePayload)[part]);
  });

  it('BA7: is kept where a demo connection gives time zone and prices, under its own number and without the demo monitor', async () => {
    const demo = { id: 'simulated', type: 'cemm-connection', mode: 'demo', timezone: zone };
    const realtime = {
      id: 'realtime',
      type: 'cemm-realtime',
      z: 'flow',
      connection: 'simulated',
      alias: 'p1',
      interval: 0,
    };
    nodeRed = await NodeRed.start({
      flows: [
        demo,
        ...flows({ connection: 'simulated' }).map((node) =>
          node.id === 'hook' ? { ...node, connection: 'simulated' } : node,
        ),
        { ...realtime, wires: [['balance', 'sent'], []] },
        trigger('read', ['realtime']),
      ],
      env,
    });
    for (let at: number = yesterday.start; at <= today.start; at += quarterMs) (await deliver(at)).should.equal(200);
    await untilSent(today.start);
    await nodeRed.inject('read');
    await nodeRed.waitFor(
      'sent',
      (all) => all.some(({ payload }) => JSON.stringify(payload).includes('"demo"')),
      60_000,
    );
    await nodeRed.inject('question');
    const isDelivered = ({ payload }: { payload?: unknown }): boolean =>
      (payload as BalancePayload).monitor.cemm === 24000001;
    const delivered = async (count: number): Promise<BalancePayload | undefined> => {
      const all = await nodeRed.waitFor('out', (found) => found.filter(isDelivered).length >= count, 60_000);
      return all.filter(isDelivered)[count - 1]?.payload as BalancePayload | undefined;
    };
    const before = await delivered(1);
    should(before?.values['energy_house_kwh']).be.above(0);
    await nodeRed.stop({ keep: true });
    (await readdir(join(nodeRed.userDir, 'cemm')))
      .filter((name) => !name.startsWith('.'))
      .should.eql(['cemm-24000001']);
    nodeRed = await NodeRed.start({ userDir: nodeRed.userDir, env });
    await nodeRed.inject('question');
    should((await delivered(2))?.points).deepEqual(before?.points);
  });

  it('BA7: stays one house when its connection becomes that of its CEMM 3.0, and in a restart while that is away', async () => {
    const simulator = await startSimulator({
      localPort: 0,
      clock: createSimulatedClock({ start: millis(now), speed: 0 }),
    });
    const [monitor] = simulator.monitors;
    if (monitor === undefined) throw new Error('no monitor');
    const flowsWith = (connection: object): FlowNode[] => [
      { id: 'house', type: 'cemm-connection', timezone: zone, allowLoopback: true, ...connection },
      ...flows({ connection: 'house', monitor: String(monitor.cemm) }).map((node) =>
        node.id === 'hook' ? { ...node, connection: 'house' } : node,
      ),
    ];
    const sendUntil = async (from: number, until: number): Promise<void> => {
      for (let at = from; at <= until; at += quarterMs) {
        (await post(buildDelivery(household, monitor.cemm, millis(at), ['reading', 'last/15minutes']))).should.equal(
          200,
        );
      }
      await untilSent(until);
    };
    const hoursOf = async (count: number): Promise<unknown[]> => {
      await nodeRed.inject('question');
      const all = await nodeRed.waitForMessages('out', count);
      const { points = [] } = all[count - 1]?.payload as BalancePayload;
      return points.map((point) => point['energy_import_kwh']);
    };
    nodeRed = await NodeRed.start({ flows: flowsWith({ mode: 'demo' }), env });
    await sendUntil(yesterday.start, yesterday.start + 36 * quarterMs);
    await nodeRed.deploy(flowsWith({ mode: 'public', host: simulator.local }), 'full');
    const isKnown = ({ payload }: { payload?: unknown }): boolean =>
      (payload as BalancePayload).monitor.id === toMonitorId(monitor.mac);
    // The monitor answers while deliveries arrive.
    let next = yesterday.start + 37 * quarterMs;
    await until('the MAC address', async () => {
      await sendUntil(next, next);
      next += quarterMs;
      return (await nodeRed.messages('sent')).some(isKnown);
    });
    const { length: before } = await nodeRed.messages('sent');
    await nodeRed.stop({ keep: true });
    await simulator.close();
    nodeRed = await NodeRed.start({ userDir: nodeRed.userDir, env });
    await sendUntil(next, today.start);
    const later = (await nodeRed.messages('sent')).slice(before);
    should(later.length > 0 && later.every(isKnown)).equal(true);
    const hours = await hoursOf(1);
    hours.length.should.equal(24);
    for (const [index, kwh] of hours.entries()) {
      const [start, end] = [index, index + 1].map((hour) =>
        importKwh(household.registers(millis(yesterday.start + hour * 3_600_000))),
      );
      should(kwh).be.approximately((end ?? NaN) - (start ?? NaN), 0.001, `hour ${index}`);
    }
  });

  it('BA7: gives a page the house that its messages are of, and none before, where the folder has two after a restart', async () => {
    const other = { id: 'other', wires: [['out-of-other']] };
    const hook = { id: 'other-hook', path: '/other', wires: [['other', 'sent'], []] };
    const [, firstHook, first] = flows();
    const page = JSON.stringify({ balance: 'day', date: '2026-06-14', question: 'of a page' });
    nodeRed = await NodeRed.start({
      flows: [
        ...flows(),
        ...[
          { ...firstHook, ...hook },
          { ...first, ...other },
        ].map((node) => ({ type: '', ...node })),
        trigger('page', ['other'], { payload: [page, 'json'] }),
        ...collector('out-of-other'),
        { id: 'other-catch', type: 'catch', z: 'flow', scope: ['other'], uncaught: false, wires: [['caught']] },
      ],
      env,
    });
    const both = async (at: number): Promise<void> => {
      (await deliver(at)).should.equal(200);
      (await postOther(at)).should.equal(200);
    };
    for (let at: number = yesterday.start; at <= today.start; at += quarterMs) await both(at);
    await nodeRed.waitFor('sent', (all) => all.length >= 2 * 97);
    await nodeRed.stop({ keep: true });
    nodeRed = await NodeRed.start({ userDir: nodeRed.userDir, env });
    await nodeRed.inject('page');
    const [failure] = await nodeRed.waitForMessages('caught', 1, 60_000);
    should((failure?.['error'] as { message: string }).message).match(/no reading of this house/i);
    (await postOther(today.start + quarterMs)).should.equal(200);
    await untilSent(today.start + quarterMs);
    await nodeRed.inject('page');
    await nodeRed.waitForMessages('out-of-other', 1);
    await nodeRed.inject('page');
    const answers = await nodeRed.waitForMessages('out-of-other', 2);
    const houses = answers.map(({ payload }) => (payload as BalancePayload).monitor.cemm);
    houses.should.eql([24000002, 24000002]);
  });

  it('PD17: knows a day that is over after a kill, for a meter that has a role only then', async () => {
    nodeRed = await NodeRed.start({ flows: flows({ grid: '', production: '' }), env });
    const quarter = (at: number, key: string) => {
      const whole = buildDelivery(household, 24000001, millis(at), ['reading', 'last/15minutes']);
      return { ...whole, data: { 'smartmeter-dsmr': whole.data['smartmeter-dsmr'], [key]: whole.data['zon'] } };
    };
    for (let at: number = yesterday.start; at <= today.start + 3_600_000; at += quarterMs) {
      (await post(quarter(at, 'dak'))).should.equal(200);
    }
    await untilSent(today.start + 3_600_000);
    await nodeRed.inject('question');
    const [before] = await nodeRed.waitForMessages('out', 1);
    should((before?.payload as BalancePayload).unknownMeters).deepEqual(['dak']);
    // Messages are stored five seconds after the first one, and a day that is over is written two seconds later.
    await new Promise((resolve) => setTimeout(resolve, 9_000));
    await nodeRed.stop({ keep: true, signal: 'SIGKILL' });
    nodeRed = await NodeRed.start({
      userDir: nodeRed.userDir,
      flows: flows({ grid: '', production: 'dak' }),
      env,
    });
    await nodeRed.inject('question');
    const [, message] = await nodeRed.waitForMessages('out', 2);
    const { values, complete, points = [] } = message?.payload as BalancePayload;
    const roof = roofKwh(household.registers(yesterday.end)) - roofKwh(household.registers(yesterday.start));
    should(values['energy_production_kwh']).be.approximately(roof, 0.001);
    should(values['energy_house_kwh']).be.above(0);
    should(complete).equal(true);
    should(points.every((point) => typeof point['energy_production_kwh'] === 'number')).equal(true);
  });

  it('PD23: has all deliveries after a restart, although the disk took seconds to write them', async () => {
    nodeRed = await NodeRed.start({ flows: flows(), env });
    const moments = Array.from({ length: 97 }, (_, index) => yesterday.start + index * quarterMs);
    for (const at of moments.slice(0, 60)) (await deliver(at)).should.equal(200);
    // Another process writes the same file, for longer than a node may take that has nothing to write.
    const folder = `${nodeRed.userDir}/cemm/cemm-24000001`;
    await mkdir(folder, { recursive: true });
    const lock = `${folder}/2026-06.series.lock`;
    const take = (): Promise<boolean> =>
      writeFile(lock, `${hostname()} ${process.pid}`, { flag: 'wx' }).then(() => true);
    await until('the file of others to be free', () => take().catch(() => false));
    for (const at of moments.slice(60)) (await deliver(at)).should.equal(200);
    await untilSent(yesterday.end);
    await nodeRed.inject('question');
    const [before] = await nodeRed.waitForMessages('out', 1);
    const stopped = nodeRed.stop({ keep: true });
    await sleep(2_000);
    await rm(lock, { force: true });
    await stopped;
    nodeRed = await NodeRed.start({ userDir: nodeRed.userDir, env });
    await nodeRed.inject('question');
    const [, after] = await nodeRed.waitForMessages('out', 2);
    should((after?.payload as BalancePayload).points).deepEqual((before?.payload as BalancePayload).points);
  });

  it('BA26: has no use of the house while a meter of another webhook is in no list', async () => {
    nodeRed = await NodeRed.start({
      flows: flows({ grid: 'smartmeter-dsmr', production: '' }),
      settings: persistent,
      env,
    });
    for (const at of [yesterday.start, yesterday.end]) {
      for (const meter of ['smartmeter-dsmr', 'garage']) {
        const whole = buildDelivery(household, 24000001, millis(at), ['realtime', 'reading']);
        const own = meter === 'garage' ? whole.data['zon'] : whole.data[meter];
        (await post({ ...whole, data: { [meter]: own } })).should.equal(200);
      }
    }
    await nodeRed.waitFor('statuses', (all) => statusTexts(all).some((text) => /00:00/.test(text)));
    await nodeRed.inject('question');
    const [message] = await nodeRed.waitForMessages('out', 1);
    const { values, missing, complete, unknownMeters } = message?.payload as BalancePayload;
    should(unknownMeters).deepEqual(['garage']);
    should(values['energy_import_kwh']).be.above(0);
    should(values['energy_house_kwh']).equal(null);
    should(missing).containEql({ energy_house_kwh: 'unknown_meter' });
    should(complete).equal(false);
  });

  it('BA8: says in its status that a restart will forget it, without kept days and with the usual context store', async () => {
    nodeRed = await NodeRed.start({ flows: flows({ keepDays: false }), env });
    (await deliver(today.start)).should.equal(200);
    await nodeRed.waitFor('statuses', (all) => statusTexts(all).at(-1) === '00:00 · lost at a restart');
  });

  it('BA9: refuses a question that it does not know, and one before there is anything', async () => {
    nodeRed = await NodeRed.start({ flows: flows(), env });
    await nodeRed.inject('wrong');
    await nodeRed.inject('question');
    const caught = await nodeRed.waitForMessages('caught', 2);
    const sentences = caught.map((message) => (message['error'] as { message: string }).message);
    should(sentences[0]).match(/now|day, month, year/);
    should(sentences[1]).match(/nothing to add up/);
  });

  it('is of this moment as soon as every meter has told its power', async () => {
    nodeRed = await NodeRed.start({ flows: flows({ period: 'now' }), env });
    const at = now - 60_000;
    (await deliver(at)).should.equal(200);
    const [message] = await nodeRed.waitForMessages('out', 1);
    const { values, period, missing } = message?.payload as BalancePayload;
    should(period).be.undefined();
    missing.should.deepEqual({});
    const power = (name: string): number => values[`power_${name}_w`] ?? NaN;
    power('production').should.be.above(100);
    power('house').should.be.approximately(power('import') - power('export') + power('production'), 1e-9);
  });
});
