/** Whole Node-RED: every meter of a monitor under its own identity, and refusals that stop only what they are about. */
import should from 'should';
import type { MeterInfo, MeterPayload, RealtimePayload, SeriesPayload } from '../../src/model/payload';
import type { FaultName } from '../../src/simulator/faults';
import type { Simulator, SimulatorOptions } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { millis } from '../../src/protocol/time';
import { NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red';
import { until } from '../support/until';
import {
  asking,
  CREDENTIALS,
  errorOf,
  fire,
  KEY,
  localConnection,
  remoteConnection,
  requestsTo,
  trigger,
  watchers,
} from './remote-flow';

const DAY = 86_400_000;
const UNITS = ['day', 'month', 'year'] as const;
/** I/O behind each remote alias where a pulse gas meter is listed first. */
const REMOTE_METERS = { s02: 4, p1: 1, 'p1-gas': 2, s01: 3 } as const;
/** The same house as its monitor lists it. */
const LOCAL_METERS = { 'pulse-3': 4, p1: 1, 'p1-gas': 2, s01: 3, mb5: 6, 'pulse-2': 5 } as const;

describe('every meter', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  const simulators: Simulator[] = [];
  let earlier: Record<string, number> = {};

  before(async () => {
    nodeRed = await NodeRed.start();
  });
  after(() => nodeRed.stop());
  afterEach(async () => {
    await nodeRed.deploy([tab()]);
    await Promise.all(simulators.splice(0).map((simulator) => simulator.close()));
  });

  async function simulate(faults: FaultName[], options: SimulatorOptions = {}): Promise<Simulator> {
    const ports = { localPort: 0, remotePort: 0, apiKey: KEY };
    const simulator = await startSimulator({ ...ports, since: millis(Date.now() - 800 * DAY), faults, ...options });
    simulators.push(simulator);
    return simulator;
  }

  async function deploy(nodes: readonly FlowNode[]): Promise<void> {
    for (const name of ['out', 'caught', 'availability', 'completed']) {
      earlier = { ...earlier, [name]: (await nodeRed.messages(name)).length };
    }
    const ours = nodes.filter(({ type }) => /^cemm-(?!connection)/.test(type)).map(({ id }) => id);
    await nodeRed.deploy([tab(), ...nodes, ...watchers(ours)], 'full', CREDENTIALS);
  }

  async function next(name: string, enough: (messages: CollectedMessage[]) => boolean): Promise<CollectedMessage[]> {
    const skipped = earlier[name] ?? 0;
    return (await nodeRed.waitFor(name, (messages) => enough(messages.slice(skipped)), 180_000)).slice(skipped);
  }

  const soFar = async (name: string) => (await nodeRed.messages(name)).slice(earlier[name] ?? 0);

  const readingsOf = (messages: readonly CollectedMessage[], monitor: string | null) =>
    messages.map(({ payload }) => payload as RealtimePayload).filter((reading) => reading.monitor.id === monitor);

  const ids = (simulator: Simulator) => simulator.monitors.map(({ mac }) => mac.replaceAll(':', '').toLowerCase());

  /** One series node per meter and kind of period, of the one before the present one. */
  const seriesOf = (connection: string, aliases: readonly string[], monitor = '') =>
    aliases.flatMap((alias) =>
      UNITS.map((period) =>
        asking('series', `${alias} ${period}`, { connection, monitor, alias, period, dateType: 'previous' }),
      ),
    );

  const whoIs = ({ alias, ioId, type }: MeterInfo) => [alias, ioId, type];

  for (const side of ['remote', 'local'] as const) {
    it(`RA38: is read by day, month and year under its own identity, without false gaps (${side})`, async () => {
      const simulator = await simulate(['pulse-gas', 'monitor-forbidden'], { monitors: 2 });
      const [own = ''] = ids(simulator);
      const meters: Readonly<Record<string, number>> = side === 'remote' ? REMOTE_METERS : LOCAL_METERS;
      const aliases = Object.keys(meters);
      const nodes = seriesOf(`${side}-connection`, aliases, side === 'remote' ? own : '');
      const connection = side === 'remote' ? remoteConnection : localConnection;
      const properties = { deadline: 60 };
      await deploy([
        connection(simulator, properties),
        ...nodes,
        trigger(
          'go',
          nodes.map(({ id }) => id),
        ),
      ]);
      await fire(nodeRed, 'go');
      const messages = await next('out', ({ length }) => length === nodes.length);
      (await soFar('caught')).should.be.empty();
      const series = messages.map(({ payload }) => payload as SeriesPayload);
      for (const { meter, period, stats, complete, points } of series) {
        const about = `${String(meter.alias)} ${period.label} ${JSON.stringify(stats)}`;
        should(meter.ioId).equal(meters[String(meter.alias)], about);
        stats.gaps.should.equal(0, about);
        // Over remote the day of a gas meter has a minute of the next one.
        if (side === 'local') stats.outside.should.equal(0, about);
        complete.should.be.true(about);
        const shown = points.some(({ ts, ...fields }) => ts > 0 && Object.values(fields).some((value) => value !== 0));
        shown.should.be.true(about);
      }
      const kinds = (alias: string) =>
        series.filter(({ meter }) => meter.alias === alias).map(({ period }) => period.unit);
      for (const alias of aliases)
        kinds(alias)
          .sort()
          .should.deepEqual([...UNITS].sort());
    });
  }

  it('RA34: is polled while its key is refused for another monitor, and that one is rarely polled', async () => {
    const simulator = await simulate(['pulse-gas', 'monitor-forbidden'], { monitors: 2 });
    const [own = '', other = ''] = ids(simulator);
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'own', { monitor: own, alias: '', interval: 10 }),
      asking('realtime', 'other', { monitor: other, alias: '', interval: 10 }),
      asking('series', 'other-series', { monitor: other, interval: 10 }),
    ]);
    const toOther = () => requestsTo(simulator, simulator.monitors[1]?.mac.replaceAll(':', '-') ?? '?');
    // Two refusals are told: that of the poll, and that of the series.
    const caught = await next('caught', ({ length }) => length >= 2);
    caught.map((message) => errorOf(message).code).should.deepEqual(['AUTH', 'AUTH']);
    const refused = toOther();
    const told = (await soFar('out')).length;
    const aliases = Object.keys(REMOTE_METERS);
    // Three rounds later all four meters have been read, and the other monitor was left alone.
    const messages = await next('out', ({ length }) => length >= told + 3 * aliases.length);
    const readings = readingsOf(messages, own);
    readings.length.should.equal(messages.length);
    new Set(readings.map(({ meter }) => meter.alias)).should.deepEqual(new Set(aliases));
    for (const { meter } of readings) {
      should(meter.ioId).equal((REMOTE_METERS as Readonly<Record<string, number>>)[String(meter.alias)]);
    }
    toOther().should.equal(refused);
    (await soFar('caught')).should.have.length(2);
  });

  it('RA38: is found at its pulse input when the smart meter has no gas meter', async () => {
    const simulator = await simulate(['pulse-gas', 'no-p1-gas']);
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'all', { alias: '' }),
      { ...asking('realtime', 'list'), type: 'cemm-discovery', scope: 'meters', emit: 'each', wires: [['out']] },
      trigger('go', ['all']),
      trigger('look', ['list']),
    ]);
    await fire(nodeRed, 'go');
    const readings = (await next('out', ({ length }) => length === 3)).map(({ payload }) => payload as RealtimePayload);
    readings
      .map(({ meter }) => whoIs(meter))
      .should.deepEqual([
        ['s02', 4, 'gas'],
        ['p1', 1, 'p1'],
        ['s01', 3, 'solar_energy'],
      ]);
    should(readings[0]?.values.gas_m3).be.above(0);
    (await soFar('caught')).should.be.empty();
    await fire(nodeRed, 'look');
    const listed = (await next('out', ({ length }) => length === 8)).slice(3);
    listed
      .map(({ payload }) => whoIs((payload as MeterPayload).meter))
      .should.deepEqual([
        ['s02', 4, 'gas'],
        ['p1', 1, 'p1'],
        ['s01', 3, 'solar_energy'],
        [undefined, 6, 'solar_energy'],
        [undefined, 5, 'water'],
      ]);
  });

  it('LA20: is found at a high Modbus address of a monitor that lists no I/Os, and cached', async () => {
    const simulator = await simulate(['no-io'], { modbus: 20 });
    await deploy([
      // One request per alias, with the pauses that a real device needs.
      localConnection(simulator, { deadline: 60 }),
      asking('realtime', 'all', { connection: 'local-connection', alias: '' }),
      {
        ...asking('realtime', 'list', { connection: 'local-connection' }),
        type: 'cemm-discovery',
        scope: 'meters',
        emit: 'each',
        wires: [['out']],
      },
      trigger('go', ['all']),
      trigger('look', ['list']),
    ]);
    await fire(nodeRed, 'go');
    const found = ['p1', 'p1-gas', 's01', 'pulse-2', 'usage', 'mb20'];
    const readings = await next('out', ({ length }) => length === found.length);
    readings.map(({ payload }) => (payload as RealtimePayload).meter.alias).should.deepEqual(found);
    const addresses = () =>
      new Set([...simulator.requests.keys()].flatMap((path) => /\/mb\d+\//.exec(path)?.[0] ?? []));
    addresses().size.should.equal(44);
    // Who asks for the list has the search go on, and what was found stays.
    await fire(nodeRed, 'look');
    const listed = (await next('out', ({ length }) => length === 2 * found.length)).slice(found.length);
    listed.map(({ payload }) => (payload as MeterPayload).meter.alias).should.deepEqual(found);
    addresses().size.should.equal(44 + 32);
    (await soFar('caught')).should.be.empty();
  });

  it('RA35: is requested once more by a user after a 412, and polled again after a success', async () => {
    const simulator = await simulate(['alias-unsupported']);
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'polls', { interval: 10 }),
      asking('realtime', 'asked', { wires: [[], []] }),
      trigger('go', ['asked']),
    ]);
    const asked = () => requestsTo(simulator, '/p1/realtime');
    await next('caught', ({ length }) => length === 1);
    asked().should.equal(1);
    await fire(nodeRed, 'go');
    const caught = await next('caught', ({ length }) => length === 2);
    caught.map((message) => errorOf(message).code).should.deepEqual(['ALIAS', 'ALIAS']);
    asked().should.equal(2);
    simulator.faults.clear();
    await fire(nodeRed, 'go');
    await until('the poll to go on', async () => (await soFar('out')).length >= 1);
    (await soFar('caught')).should.have.length(2);
  });
});
