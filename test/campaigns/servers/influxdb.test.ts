/** A year of a meter in a real InfluxDB, through the community nodes: written twice, stored once. */
import should from 'should';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { millis } from '../../../src/time/units';
import { houseDay } from '../../support/formats/payloads';
import { startInfluxDb, type InfluxDb } from '../../support/servers/influxdb';
import { collector, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';

const database = 'energy';
/** The last complete year. */
const year = new Date().getUTCFullYear() - 1;
const daysOfYear = (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / 86_400_000;

function range(properties: object): FlowNode {
  return {
    id: 'series',
    type: 'cemm-series',
    z: 'flow',
    connection: 'connection',
    alias: 'p1',
    span: 'range',
    fromType: 'str',
    toType: 'str',
    interval: 0,
    wires: [['format', 'summary']],
    ...properties,
  };
}

function flow(monitor: string, influxPort: number, source: FlowNode): FlowNode[] {
  return [
    tab(),
    { id: 'connection', type: 'cemm-connection', mode: 'local', host: monitor, timezone: 'Europe/Amsterdam' },
    { id: 'go', type: 'inject', z: 'flow', props: [], once: true, onceDelay: 0.1, repeat: '', wires: [[source.id]] },
    source,
    { id: 'format', type: 'cemm-format', z: 'flow', format: 'influx', wires: [['write']] },
    { id: 'write', type: 'influxdb batch', z: 'flow', influxdb: 'influx', precision: '', retentionPolicy: '' },
    { id: 'influx', type: 'influxdb', hostname: '127.0.0.1', port: String(influxPort), database },
    { id: 'complete', type: 'complete', z: 'flow', scope: ['write'], uncaught: false, wires: [['moment']] },
    { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught']] },
    // Months of minutes are too much to be read back, so the test compares the number of values and their sum.
    {
      id: 'summary',
      type: 'function',
      z: 'flow',
      func: `return { payload: (${summary.toString()})(msg.payload.points) };`,
      outputs: 1,
      wires: [['sent']],
    },
    {
      id: 'moment',
      type: 'function',
      z: 'flow',
      func: 'return { topic: msg.topic };',
      outputs: 1,
      wires: [['written']],
    },
    ...collector('sent'),
    ...collector('written'),
    ...collector('caught'),
  ];
}

interface Sum {
  count: number;
  sum: number;
}
type Sums = Record<string, Sum>;

/** Runs inside Node-RED, so it cannot use other code. */
function summary(points: Record<string, number | null>[]): Sums {
  const sums: Sums = {};
  for (const point of points) {
    for (const [field, value] of Object.entries(point)) {
      if (field === 'ts' || value === null) continue;
      const { count, sum } = sums[field] ?? { count: 0, sum: 0 };
      sums[field] = { count: count + 1, sum: sum + value };
    }
  }
  return sums;
}

function together(all: readonly Sums[]): Sums {
  const sums: Sums = {};
  for (const one of all) {
    for (const [field, { count, sum }] of Object.entries(one)) {
      const before = sums[field] ?? { count: 0, sum: 0 };
      sums[field] = { count: before.count + count, sum: before.sum + sum };
    }
  }
  return sums;
}

describe('cemm-format and a real InfluxDB', function () {
  this.timeout(300_000);
  let influx: InfluxDb | undefined;
  let monitor: Simulator;
  let nodeRed: NodeRed | undefined;
  let host: string;

  before(async () => {
    influx = await startInfluxDb(database);
    monitor = await startSimulator({ localPort: 0, since: millis(Date.UTC(year - 1, 11)) });
    host = new URL(String(monitor.local)).host;
    const modules = ['node-red-contrib-influxdb'];
    nodeRed = await NodeRed.start({ modules });
  });

  after(async () => {
    if (influx === undefined) return;
    await nodeRed?.stop();
    await monitor.close();
    await influx.stop();
  });

  /** Runs the flow again and returns the sums of its messages, after all are written. */
  async function write(source: FlowNode, messages: number): Promise<Sums> {
    if (influx === undefined || nodeRed === undefined) throw new Error('nothing to write to');
    const [sent, written] = [await nodeRed.messages('sent'), await nodeRed.messages('written')];
    await nodeRed.deploy(flow(host, influx.port, source));
    await nodeRed.waitForMessages('written', written.length + messages, 120_000);
    (await nodeRed.messages('caught')).should.deepEqual([]);
    return together((await nodeRed.messages('sent')).slice(sent.length).map(({ payload }) => payload as Sums));
  }

  async function stored(step: string): Promise<Sums> {
    if (influx === undefined) throw new Error('nothing to ask');
    const sums: Sums = {};
    for (const { fieldKey } of await influx.query('SHOW FIELD KEYS FROM cemm_series')) {
      const field = String(fieldKey);
      const statement = `SELECT COUNT("${field}"), SUM("${field}") FROM cemm_series WHERE step = '${step}'`;
      const [row] = await influx.query(statement);
      if (row !== undefined) sums[field] = { count: Number(row['count']), sum: Number(row['sum']) };
    }
    return sums;
  }

  function shouldMatch(actual: Sums, expected: Sums): void {
    Object.keys(actual).sort().should.deepEqual(Object.keys(expected).sort());
    for (const [field, { count, sum }] of Object.entries(expected)) {
      should(actual[field]?.count).equal(count, field);
      // Added up in another order.
      should(actual[field]?.sum).be.approximately(sum, 1e-6 * Math.max(1, Math.abs(sum)));
    }
  }

  async function writtenTwice(source: FlowNode, messages: number, step: string): Promise<Sums> {
    const sent = await write(source, messages);
    const once = await stored(step);
    shouldMatch(once, sent);
    (await write(source, messages)).should.deepEqual(sent);
    (await stored(step)).should.deepEqual(once);
    return once;
  }

  it('TD23: has every day of a year once, after it was written twice', async () => {
    const months = range({ period: 'month', from: `${year}-01`, to: `${year}-12` });
    const counts = Object.values(await writtenTwice(months, 12, 'P1D')).map(({ count }) => count);
    Math.max(...counts).should.equal(daysOfYear);
  });

  it('TD23: has every minute of the month with 25 hours in one day once, after it was written twice', async () => {
    const days = range({ period: 'day', from: `${year}-10-01`, to: `${year}-10-31` });
    const { power_w: power } = await writtenTwice(days, 31, 'PT1M');
    should(power?.count).equal(31 * 1440 + 60);
  });

  it('has the points and the sums of a balance once, told apart by their step, after they were written twice', async () => {
    const func = `msg.payload = ${JSON.stringify(houseDay)}; return msg;`;
    const balance = { id: 'balance', type: 'function', z: 'flow', func, outputs: 1, wires: [['format', 'summary']] };
    await write(balance, 1);
    await write(balance, 1);
    const of = async (step: string) =>
      (await influx?.query(`SELECT energy_import_kwh, cost FROM cemm_balance WHERE step = '${step}'`))?.map(
        ({ energy_import_kwh: energy, cost }) => [energy, cost],
      );
    should(await of('PT1H')).deepEqual([
      [0.25, 0.04],
      [1, null],
    ]);
    should(await of('P1D')).deepEqual([[1.25, 1.48]]);
    const tags = (await influx?.query('SHOW TAG KEYS FROM cemm_balance')) ?? [];
    tags.map(({ tagKey }) => tagKey).should.deepEqual(['monitor', 'step']);
  });

  it('has floats only, and tags that say what a value is about', async () => {
    const types = (await influx?.query('SHOW FIELD KEYS FROM cemm_series')) ?? [];
    types.length.should.be.above(2);
    new Set(types.map(({ fieldType }) => fieldType)).should.deepEqual(new Set(['float']));
    const tags = (await influx?.query('SHOW TAG KEYS FROM cemm_series')) ?? [];
    tags.map(({ tagKey }) => tagKey).should.deepEqual(['meter', 'monitor', 'step']);
  });
});
