/** The example backfill-influxdb with a real VictoriaMetrics: a year of minutes, written twice, is stored once. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../support/node-red/installed-package';
import { collector, NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { snippetsOf } from '../../support/docs/snippets';
import { startVictoriaMetrics, type StoredSeries, type VictoriaMetrics } from '../../support/servers/victoria-metrics';
import { until } from '../../support/until';
import { hourMs } from '../../../src/time/units';

const daysOfYear = 365;

interface Sent {
  readonly count: number;
  readonly sum: number;
}

/** The example with its demo monitor and this store, which also gets the days of two months. */
function flow(url: string): FlowNode[] {
  const example = JSON.parse(
    readFileSync(join(projectDir, 'examples/influxdb/backfill-influxdb.json'), 'utf8'),
  ) as FlowNode[];
  const env = [
    { name: 'INFLUX_URL', type: 'str', value: url },
    { name: 'INFLUX_ORG', type: 'str', value: 'home' },
    { name: 'INFLUX_BUCKET', type: 'str', value: 'energy' },
  ];
  const changes: Readonly<Record<string, object>> = {
    'cemm-influx': { env },
    // New samples would not be in any message of the year.
    'cemm-influx-new': { interval: 0 },
    'cemm-influx-year': { wires: [['cemm-influx-points', 'summary']] },
    'cemm-influx-write': { wires: [['cemm-influx-written', 'status']] },
    'cemm-influx-errors': { wires: [['caught']] },
  };
  const months: FlowNode = {
    ...example.find(({ id }) => id === 'cemm-influx-year'),
    id: 'months',
    type: 'cemm-series',
    period: 'month',
    fromType: 'previous',
    toType: 'current',
    wires: [['cemm-influx-points', 'month']],
  };
  const own = (id: string, func: string, next: string): FlowNode => ({
    id,
    type: 'function',
    z: 'cemm-influx',
    func,
    outputs: 1,
    wires: [[next]],
  });
  return [
    ...example.map((node) => ({ ...node, ...changes[node.id] })),
    months,
    { id: 'go', type: 'inject', z: 'cemm-influx', props: [], repeat: '', once: false, wires: [['months']] },
    own('summary', `return { payload: (${summary.toString()})(msg.payload.points) };`, 'sent'),
    own('status', 'return { payload: msg.statusCode };', 'written'),
    own('month', 'return { payload: msg.payload.points };', 'days'),
    ...['sent', 'written', 'days', 'caught'].flatMap((name) => collector(name, 'cemm-influx')),
  ];
}

/** Runs inside Node-RED, so it cannot use other code. */
function summary(points: Record<string, number | null>[]): Sent {
  const known = points.flatMap(({ power_w: power }) => (typeof power === 'number' ? [power] : []));
  return { count: known.length, sum: known.reduce((sum, power) => sum + power, 0) };
}

describe('a real VictoriaMetrics', function () {
  this.timeout(900_000);
  let store: VictoriaMetrics | undefined;
  let nodeRed: NodeRed | undefined;
  const queries = snippetsOf(readFileSync(join(projectDir, 'docs/databases.md'), 'utf8'), 'promql');

  before(async () => {
    store = await startVictoriaMetrics();
    // At noon, as the end of the day before can still grow until four in the morning.
    const noon = `${new Date().toISOString().slice(0, 10)}T12:00:00Z`;
    nodeRed = await NodeRed.start({ flows: flow(store.url), env: { CEMM_TEST_CLOCK: noon } });
  });

  after(async () => {
    await nodeRed?.stop();
    await store?.stop();
  });

  function running(): { store: VictoriaMetrics; nodeRed: NodeRed } {
    if (store === undefined || nodeRed === undefined) throw new Error('not running');
    return { store, nodeRed };
  }

  /** Presses the button of the example; resolves when the whole year is written. */
  async function writeYear(): Promise<Sent> {
    const { nodeRed } = running();
    const [sent, written] = [(await nodeRed.messages('sent')).length, (await nodeRed.messages('written')).length];
    await nodeRed.inject('cemm-influx-start');
    const answers = await nodeRed.waitForMessages('written', written + daysOfYear, 400_000);
    new Set(answers.map(({ payload }) => payload)).should.deepEqual(new Set([204]));
    (await nodeRed.messages('caught')).should.deepEqual([]);
    const days = (await nodeRed.messages('sent')).slice(sent).map(({ payload }) => payload as Sent);
    days.should.have.length(daysOfYear);
    return {
      count: days.reduce((all, { count }) => all + count, 0),
      sum: days.reduce((all, { sum }) => all + sum, 0),
    };
  }

  /** The server shows rows that it is just moving to disk only afterwards: it has fewer for a moment, and never more. */
  function storedMinutes(count: number): Promise<StoredSeries[]> {
    return until(`${count} minutes in the store`, async () => {
      const stored = await running().store.stored('cemm_series_power_w{step="PT1M"}');
      return (stored[0]?.values.length ?? 0) >= count && stored;
    });
  }

  it('TD23: has every minute of a year once, after it was written twice', async () => {
    const sent = await writeYear();
    // The clocks change twice, and a year of 365 days can begin and end on either side.
    Math.abs(sent.count - daysOfYear * 1440).should.be.belowOrEqual(60);
    for (const isWrittenAgain of [true, false]) {
      const [series, ...others] = await storedMinutes(sent.count);
      should(others).be.empty();
      should(series?.values.length).equal(sent.count);
      new Set(series?.timestamps).size.should.equal(sent.count);
      should(series?.values.reduce((sum, value) => sum + value, 0)).equal(sent.sum);
      Object.keys(series?.metric ?? {})
        .sort()
        .should.deepEqual(['__name__', 'meter', 'monitor', 'step']);
      if (isWrittenAgain) (await writeYear()).should.deepEqual(sent);
    }
  });

  it('answers the queries of docs/databases.md with what was written', async () => {
    const { store, nodeRed } = running();
    await nodeRed.inject('go');
    const days = (await nodeRed.waitForMessages('days', 2)).flatMap(
      ({ payload }) => payload as Record<string, number>[],
    );
    await nodeRed.waitForMessages('written', (await nodeRed.messages('sent')).length + 2);
    const [stored] = await store.stored('cemm_series_power_w{step="PT1M"}');
    const [highest = '', energy = '', share = '', ...others] = queries.map(({ code }) => {
      code.should.containEql('001a2b3c4d5e');
      return code.replaceAll('001a2b3c4d5e', String(stored?.metric['monitor']));
    });
    should(others).be.empty();

    const [minutes] = await store.stored('cemm_series_power_w{step="PT1M"}');
    const until = Math.floor(Math.max(...(minutes?.timestamps ?? []).slice(-1)) / hourMs) * hourMs;
    const hours = await store.queryHours(highest, until - 20 * hourMs, until);
    hours.should.have.length(21);
    for (const [time, value] of hours) {
      const inHour = minutes?.values.filter((_, index) => {
        const at = minutes.timestamps[index] ?? 0;
        return at >= time - hourMs && at < time;
      });
      should(value).equal(Math.max(...(inHour ?? [])));
    }

    const now = Date.now();
    const recent = days.filter(({ ts = 0 }) => ts > now - 30 * 24 * hourMs && ts <= now);
    const sum = recent.reduce((all, { energy_net_kwh: kwh = NaN }) => all + kwh, 0);
    const [measured = NaN] = await store.query(energy);
    measured.should.be.approximately(sum, 1e-6);

    // The year ends yesterday: the missing part of the last day is today's.
    const [known = NaN] = await store.query(share);
    const expected = (minutes?.timestamps ?? []).filter((at) => at > now - 24 * hourMs).length / 1440;
    known.should.be.approximately(expected, 2 / 1440);
  });
});
