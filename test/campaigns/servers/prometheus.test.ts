/** The example `prometheus` with the real Prometheus: a scrape, queries, a restart of Node-RED, and a monitor that disappears. */
import should from 'should';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dayMs, hourMs, millis, minuteMs } from '../../../src/time/units';
import type { SimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { projectDir } from '../../support/node-red/installed-package';
import { freePort, NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { folderFor, launch, programPath, type Server } from '../../support/servers/server-program';
import { scrapeJobs, startVictoriaMetrics } from '../../support/servers/victoria-metrics';
import { until } from '../../support/until';

interface Result {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [time: number, value: string];
  readonly values?: readonly (readonly [time: number, value: string])[];
}

interface Prometheus extends Server {
  /** @param at moment of the answer, Unix ms; default: now */
  query(promql: string, at?: number): Promise<Result[]>;
  targets(): Promise<readonly { health: string; lastError: string }[]>;
}

/**
 * Shows a value for 15 seconds after its time instead of five minutes, and scrapes every second.
 * @param past OpenMetrics with the values that it already has
 */
async function startPrometheus(target: string, past: string | null = null): Promise<Prometheus> {
  const program = programPath('prometheus', 'prometheus');
  const [folder, port] = [await folderFor('prometheus'), await freePort()];
  if (past !== null) {
    await writeFile(join(folder, 'past.txt'), past);
    const create = ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'past.txt'), join(folder, 'data')];
    await promisify(execFile)('promtool', create);
  }
  await writeFile(join(folder, 'prometheus.yml'), scrapeJobs(target));
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--query.lookback-delta=15s',
  ];
  const server = await launch({ program, folder, args, isReady });
  async function ask<T>(path: string): Promise<T> {
    const { status, data } = (await (await fetch(`${url}/api/v1/${path}`)).json()) as { status: string; data: T };
    status.should.equal('success');
    return data;
  }
  return {
    ...server,
    query: async (promql, at = Date.now()) =>
      (await ask<{ result: Result[] }>(`query?query=${encodeURIComponent(promql)}&time=${at / 1000}`)).result,
    targets: async () =>
      (await ask<{ activeTargets: { health: string; lastError: string }[] }>('targets?state=active')).activeTargets,
  };
}

/** The query of docs/prometheus.md whose description begins so. */
function documentedQuery(description: string): string {
  const text = readFileSync(join(projectDir, 'docs/prometheus.md'), 'utf8');
  const found = documentedQueries(text).find(([about]) => about.startsWith(description));
  should(found).be.ok();
  return found?.[1] ?? '';
}

function documentedQueries(text: string): (readonly [description: string, query: string])[] {
  return [...text.matchAll(/^\| ([^`|]+) \| `(.+)` \|$/gm)].map(
    ([, about = '', query = '']) => [about, query] as const,
  );
}

/** The samples of a counter in OpenMetrics. */
function samplesOf(name: string, labels: string, counter: ReadonlyMap<number, number>): string {
  return [...counter].map(([at, value]) => `${name}_total{${labels}} ${value} ${at / 1000}\n`).join('');
}

/** Complaints of `promtool check metrics`. */
function flawsIn(page: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile('promtool', ['check', 'metrics'], (error, stdout, stderr) => {
      resolve(`${error === null ? '' : error.message}${stdout}${stderr}`);
    });
    child.stdin?.end(page);
  });
}

describe('the example prometheus and a real Prometheus @node-red-5', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed | undefined;
  let monitor: Simulator | undefined;
  let prometheus: Prometheus | undefined;
  let monitorPort: number;
  const clock: SimulatedClock = { speed: 1, now: () => millis(Date.now()) };

  before(async () => {
    programPath('promtool', 'prometheus');
    const port = await freePort();
    prometheus = await startPrometheus(`127.0.0.1:${port}`);
    monitorPort = await freePort();
    monitor = await startSimulator({ localPort: monitorPort, clock });
    const text = readFileSync(join(projectDir, 'examples/prometheus.json'), 'utf8');
    const changes: Readonly<Record<string, object>> = {
      'cemm-demo-monitor': { mode: 'local', host: `127.0.0.1:${monitorPort}`, deadline: 5 },
      'cemm-prom-meters': { interval: 5 },
    };
    const flows = (JSON.parse(text) as FlowNode[])
      .filter(({ type }) => type !== 'cemm-webhook-in')
      .map((node) => ({ ...node, ...changes[node.id] }));
    nodeRed = await NodeRed.start({ port, flows });
  });

  after(async () => {
    await prometheus?.stop();
    await nodeRed?.stop();
    await monitor?.close();
  });

  function running(): { nodeRed: NodeRed; prometheus: Prometheus } {
    if (nodeRed === undefined || prometheus === undefined) throw new Error('not running');
    return { nodeRed, prometheus };
  }

  async function first(promql: string): Promise<number> {
    const [result] = await until(promql, async () => {
      const results = await running().prometheus.query(promql);
      return results.length > 0 && results;
    });
    return Number(result?.value?.[1]);
  }

  it('is scraped without an error, and the text format passes promtool', async () => {
    (await first('cemm_energy_import_t1_kwh_total{meter="p1"}')).should.be.above(0);
    const { nodeRed, prometheus } = running();
    const [target] = await prometheus.targets();
    should(target).containEql({ health: 'up', lastError: '' });
    const page = await (await fetch(`${nodeRed.url}/metrics`)).text();
    page.should.match(/^cemm_energy_import_t1_kwh_total\{/m);
    (await flawsIn(page)).should.equal('');
  });

  it('is scraped by VictoriaMetrics with the same names and values', async () => {
    const store = await startVictoriaMetrics(new URL(running().nodeRed.url).host);
    try {
      // Not by a query, which leaves out what is younger than 30 seconds.
      await until('the target to be up', async () => (await store.stored('up'))[0]?.values.includes(1));
      const household = monitor?.monitors[0]?.household;
      const { values, timestamps } = await until('a reading', async () => {
        const [series] = await store.stored('cemm_power_w{meter="p1"}');
        return series;
      });
      for (const [index, value] of values.entries()) {
        should(value).equal(household?.step(millis(timestamps[index] ?? 0)).gridW);
      }
      (await store.stored('cemm_energy_import_t1_kwh_total{meter="p1"}')).should.have.length(1);
    } finally {
      await store.stop();
    }
  });

  it('has each value at the time at which the monitor measured it', async () => {
    const { prometheus } = running();
    const household = monitor?.monitors[0]?.household;
    const samples = await until('three readings', async () => {
      const [series] = await prometheus.query('cemm_power_w{meter="p1"}[1m]');
      return series?.values !== undefined && series.values.length >= 3 && series.values;
    });
    for (const [time, value] of samples) should(Number(value)).equal(household?.step(millis(time * 1000)).gridW);
    const [{ value: [, total] = [] } = {}] = await prometheus.query('sum by (monitor) (cemm_water_m3_total)');
    Number(total).should.be.above(0);
    (await first('last_over_time(cemm_gas_m3_total{meter="p1-gas"}[2h])')).should.be.above(0);
  });

  it('answers the queries of docs/prometheus.md', async () => {
    const text = readFileSync(join(projectDir, 'docs/prometheus.md'), 'utf8');
    const queries = documentedQueries(text).map(([, query]) => query);
    queries.should.have.length(6);
    for (const query of queries) {
      const results = await running().prometheus.query(query);
      // No reading is late, none was refused, and there is none of a day ago.
      if (!/ > 600|refused|offset 1d/.test(query)) results.length.should.be.above(0, query);
    }
  });

  it('goes on after a restart of Node-RED: no counter of a meter starts again', async () => {
    const { nodeRed: before, prometheus } = running();
    const { userDir, port } = before;
    await before.stop({ keep: true });
    await until('a scrape that fails', async () => (await prometheus.targets())[0]?.health === 'down');
    nodeRed = await NodeRed.start({ userDir, port });
    const restarted = Date.now() / 1000;
    await until('a value after the restart', async () => {
      const [series] = await prometheus.query('timestamp(cemm_energy_import_kwh_total{meter="p1"})');
      return Number(series?.value?.[1]) > restarted;
    });
    for (const field of ['energy_import_t1_kwh', 'energy_export_kwh', 'gas_m3', 'water_m3']) {
      const results = await prometheus.query(`resets(cemm_${field}_total[10m])`);
      results.length.should.be.above(0, field);
      for (const { value } of results) should(value?.[1]).equal('0', field);
    }
    const increases = await prometheus.query('increase(cemm_energy_import_kwh_total{meter="p1"}[10m])');
    Number(increases[0]?.value?.[1]).should.be.within(0, 1);
  });

  it('FO2: ends the graph of a monitor that goes away, and counts the failed requests', async () => {
    const { prometheus } = running();
    await monitor?.close();
    monitor = undefined;
    await until(
      'no value any more',
      async () => (await prometheus.query('{__name__=~"cemm_(power_w|energy.*)",meter="p1"}')).length === 0,
      60_000,
    );
    await until('an age that grows', async () => (await first('max(cemm_reading_age_seconds{meter="p1"})')) > 20);
    (await first('sum by (code) (cemm_polls_failed_total{code="NETWORK"})')).should.be.above(0);
    (await first('min(cemm_online)')).should.equal(0);
    monitor = await startSimulator({ localPort: monitorPort, clock });
    await until('values again', async () => (await prometheus.query('cemm_power_w{meter="p1"}')).length === 1, 90_000);
  });
});

describe('the sums of docs/prometheus.md for a house with a heat pump and a car', function () {
  this.timeout(120_000);
  let prometheus: Prometheus | undefined;
  let house: Simulator | undefined;
  /** Ten minutes past an hour, so that the gas of the last hour is there. */
  const now = Math.floor(Date.now() / hourMs) * hourMs + 10 * minuteMs - 2 * hourMs;
  const start = now - 26 * hourMs;

  before(async () => {
    house = await startSimulator({ house: 'demo', since: millis(start - dayMs) });
    prometheus = await startPrometheus(`127.0.0.1:${await freePort()}`, pastOf(house));
  });

  after(async () => {
    await prometheus?.stop();
    await house?.close();
  });

  /** One house as it was, one whose monitor was away when the day began, and one with a new smart meter and gas meter. */
  function pastOf({ truth }: Simulator): string {
    const counter = (what: 'import' | 'heatPump' | 'car' | 'gas', stepMs: number, first: number) => {
      const from = Math.ceil(start / stepMs) * stepMs;
      const moments = Array.from({ length: Math.floor((now - from) / stepMs) + 1 }, (_, step) => from + step * stepMs);
      return new Map(moments.map((at) => [at, first + truth(millis(start), millis(at))[what]]));
    };
    const [grid, gas] = [counter('import', minuteMs / 2, 10_000), counter('gas', hourMs, 5_000)];
    const keep = (all: ReadonlyMap<number, number>, isKept: (at: number) => boolean) =>
      new Map([...all].filter(([at]) => isKept(at)));
    const isHere = (at: number) => Math.abs(at - (now - dayMs)) > 3 * hourMs;
    const exchanged = (all: ReadonlyMap<number, number>, first: number) =>
      new Map([...all].map(([at, value]) => [at, at < now - 6 * hourMs ? value : value - first]));
    const [energy, volume] = ['cemm_energy_import_kwh', 'cemm_gas_m3'];
    const labels = (monitor: string, meter: string) => `monitor="${monitor}",meter="${meter}"`;
    return [
      `# TYPE ${energy} counter\n`,
      samplesOf(energy, labels('whole', 'p1'), grid),
      samplesOf(energy, labels('whole', 'mb2'), counter('heatPump', minuteMs / 2, 700)),
      samplesOf(energy, labels('whole', 'mb3'), counter('car', minuteMs / 2, 900)),
      samplesOf(energy, labels('away', 'p1'), keep(grid, isHere)),
      samplesOf(energy, labels('exchanged', 'p1'), exchanged(grid, 9_990)),
      `# TYPE ${volume} counter\n`,
      ...['p1', 'p1-gas'].map((meter) => samplesOf(volume, labels('whole', meter), gas)),
      samplesOf(volume, labels('away', 'p1'), keep(gas, isHere)),
      samplesOf(volume, labels('exchanged', 'p1'), exchanged(gas, 4_990)),
      '# EOF\n',
    ].join('');
  }

  async function answers(description: string): Promise<Map<string, number>> {
    const results = (await prometheus?.query(documentedQuery(description), now)) ?? [];
    return new Map(results.map(({ metric, value }) => [String(metric['monitor']), Number(value?.[1])]));
  }

  it('are what the smart meter counted, and nothing where a reading of the day before is missing or of another meter', async () => {
    const flowed = house?.truth(millis(now - dayMs), millis(now));
    const imported = await answers('import of the last 24 hours');
    should(imported.get('whole')).be.approximately(flowed?.import ?? NaN, 0.05);
    [...imported.keys()].should.eql(['whole']);
  });

  it('have the gas of 24 hours, of a meter that reports each hour', async () => {
    const hour = Math.floor(now / hourMs) * hourMs;
    const flowed = house?.truth(millis(hour - dayMs), millis(hour));
    const gas = await answers('gas of the last 24 hours');
    should(gas.get('whole')).be.approximately(flowed?.gas ?? NaN, 1e-6);
    [...gas.keys()].should.eql(['whole']);
  });
});
