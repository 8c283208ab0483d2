/**
 * The statements and functions of docs/databases.md with the real stores: rows written twice exist once, unknown values are
 * null, and every query returns the written values.
 */
import should from 'should';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../../src/formats/rows';
import { periodContaining, previousPeriod } from '../../../src/calendar/periods';
import type { SeriesPayload, WebhookPayload } from '../../../src/model/payload';
import { createFormatter } from '../../../src/formats/formatter';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { dayMs, hourMs, millis } from '../../../src/time/units';
import { houseDay, realtime } from '../../support/formats/payloads';
import { balance, meter, minutesFrom, prices } from '../../support/balance/small-house';
import { startInfluxDb, type InfluxDb } from '../../support/servers/influxdb';
import { projectDir } from '../../support/node-red/installed-package';
import { collector, freePort, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';
import { startPostgres, type Postgres } from '../../support/servers/postgres';
import { folderFor, programPath } from '../../support/servers/server-program';
import { snippetsOf } from '../../support/docs/snippets';

const page = readFileSync(join(projectDir, 'docs/databases.md'), 'utf8');
/** The monitor of the queries on the page. */
const documented = '001a2b3c4d5e';
const hmacKey = randomBytes(32).toString('hex');
/** The simulated monitor. */
let ours = documented;

function blocks(language: string, heading: string): string[] {
  return snippetsOf(page, language)
    .filter((snippet) => snippet.heading === heading)
    .map(({ code }) => code);
}

/** The query for this monitor. */
function ofOurs(query: string): string {
  query.should.containEql(documented);
  return query.replaceAll(documented, ours);
}

/** Local days of the clock changes, with the power of each of their minutes: 600 W. */
const changes = [
  { day: '2026-03-29', start: Date.parse('2026-03-29T00:00:00+01:00'), hours: 23 },
  { day: '2026-10-25', start: Date.parse('2026-10-25T00:00:00+02:00'), hours: 25 },
];
const minutesOf = ({ start, hours }: (typeof changes)[number]) =>
  Array.from({ length: hours * 60 }, (_, minute) => ({ ts: start + minute * 60_000, value: 600 }));

function func(id: string, code: string, next: string): FlowNode {
  return { id, type: 'function', z: 'flow', func: code, outputs: 1, wires: [[next]] };
}

/** The previous and the current period. */
function series(id: string, period: string): FlowNode {
  return {
    id,
    type: 'cemm-series',
    z: 'flow',
    connection: 'connection',
    alias: 'p1',
    interval: 0,
    period,
    span: 'range',
    fromType: 'previous',
    toType: 'current',
    wires: [['step', 'influx', 'sent']],
  };
}

/** The flow of the page: all payloads become parameters of PostgreSQL and of SQLite, and lines for InfluxDB. */
function flow(host: string): FlowNode[] {
  const rule = { t: 'set', p: 'step', pt: 'msg', to: 'payload.period.step', tot: 'msg' };
  const [[postgres = ''], [sqlite = '']] = [blocks('js', 'PostgreSQL'), blocks('js', 'SQLite')];
  return [
    tab(),
    { id: 'connection', type: 'cemm-connection', mode: 'local', host, timezone: 'Europe/Amsterdam' },
    { id: 'go', type: 'inject', z: 'flow', props: [], repeat: '', wires: [['days', 'minutes', 'reading', 'house']] },
    series('days', 'month'),
    series('minutes', 'day'),
    { id: 'deliveries', type: 'cemm-webhook-in', z: 'flow', path: '/cemm', hmac: true, wires: [['delivered'], []] },
    func('reading', `msg.payload = ${JSON.stringify(realtime)}; return msg;`, 'step'),
    func('house', `msg.payload = ${JSON.stringify(houseDay)}; return msg;`, 'step'),
    { id: 'step', type: 'change', z: 'flow', rules: [rule], wires: [['rows']] },
    { id: 'rows', type: 'cemm-format', z: 'flow', format: 'rows', wires: [['postgres', 'sqlite', 'csv']] },
    { id: 'csv', type: 'csv', z: 'flow', sep: ',', hdrout: 'all', ret: '\\n', spec: 'rfc', wires: [['csv-text']] },
    func('postgres', postgres, 'for-postgres'),
    func('for-postgres', 'return { payload: msg.params };', 'postgres-params'),
    func('sqlite', sqlite, 'for-sqlite'),
    func('for-sqlite', 'return { payload: msg.params };', 'sqlite-params'),
    { id: 'influx', type: 'cemm-format', z: 'flow', format: 'influx-lines', wires: [['influx-lines']] },
    ...['sent', 'delivered', 'postgres-params', 'sqlite-params', 'csv-text', 'influx-lines'].flatMap((name) =>
      collector(name),
    ),
  ];
}

describe('the databases of docs/databases.md', function () {
  this.timeout(180_000);
  let monitor: Simulator;
  let nodeRed: NodeRed;
  let sent: SeriesPayload[];
  /** A delivery of the monitor, which has yesterday as a whole. */
  let delivery: WebhookPayload;

  before(async () => {
    const port = await freePort();
    const webhook = { url: `http://127.0.0.1:${port}/cemm`, hmacKey, everySeconds: 1 };
    monitor = await startSimulator({ localPort: 0, since: millis(Date.now() - 70 * dayMs), webhook });
    ours = String(monitor.monitors[0]?.mac).replaceAll(':', '').toLowerCase();
    const credentials = { deliveries: { hmacKey } };
    nodeRed = await NodeRed.start({ port, flows: flow(new URL(String(monitor.local)).host), credentials });
    await nodeRed.inject('go');
    sent = (await nodeRed.waitForMessages('sent', 4)).map(({ payload }) => payload as SeriesPayload);
    await nodeRed.waitForMessages('influx-lines', 4);
    const [first] = await nodeRed.waitForMessages('delivered', 1);
    delivery = first?.payload as WebhookPayload;
  });

  after(async () => {
    await nodeRed.stop();
    await monitor.close();
  });

  function pointsOf(unit: 'day' | 'month'): SeriesPayload['points'] {
    return sent.flatMap(({ period, points }) => (period.unit === unit ? points : []));
  }

  /** The day before the delivery, and what flowed in it. */
  function dayBefore(): { start: number; label: string; flowed: { import: number; export: number } } {
    const today = periodContaining('day', 'Europe/Amsterdam', millis(delivery.ts));
    const { start, end, label } = previousPeriod(today);
    return { start, label, flowed: monitor.truth(start, end) };
  }

  /** The query for the sender of the delivery. */
  function ofDelivery(query: string): string {
    return query.replace(documented, String(delivery.monitor.cemm));
  }

  /** Net kWh of each day, as sent by the monitor. */
  function netByDay(): Map<string, number | null> {
    const inZone = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
    return new Map(pointsOf('month').map(({ ts, energy_net_kwh: kwh }) => [inZone.format(ts), kwh ?? null]));
  }

  function highestOf(hour: number): number {
    const inHour = pointsOf('day').filter(({ ts }) => ts >= hour && ts < hour + hourMs);
    return Math.max(...inHour.flatMap(({ power_w: watt }) => (typeof watt === 'number' ? [watt] : [])));
  }

  function shouldBeHighest(hours: readonly (readonly [time: number, watt: unknown])[]): void {
    for (const [time, watt] of hours) should(watt).equal(highestOf(time));
  }

  it('have their statements run here, but for two languages of InfluxDB', () => {
    const headings = new Set(snippetsOf(page, 'sql').map(({ heading }) => heading));
    const tested = ['InfluxDB', 'PostgreSQL', 'TimescaleDB', 'SQLite'];
    [...headings].sort().should.deepEqual([...tested, 'Flux and SQL of InfluxDB'].sort());
  });

  describe('PostgreSQL', () => {
    let postgres: Postgres | undefined;
    /** Debian's own suite has no TimescaleDB; with it, all tests below have a hypertable. */
    let hasTimescale = false;
    const hypertable = blocks('sql', 'TimescaleDB');
    const [create = '', insert = '', days = '', hours = '', amounts = '', delivered = '', grafana = '', ...others] =
      blocks('sql', 'PostgreSQL');

    before(async () => {
      postgres = await startPostgres();
      await postgres.execute(create);
      const found = await postgres.query("SELECT name FROM pg_available_extensions WHERE name = 'timescaledb'");
      hasTimescale = found.length > 0;
      if (hasTimescale) await postgres.execute(['CREATE EXTENSION timescaledb;', ...hypertable].join('\n'));
    });

    after(async () => {
      await postgres?.stop();
    });

    function running(): Postgres {
      if (postgres === undefined) throw new Error('not running');
      return postgres;
    }

    async function insertRows(all: readonly (readonly [rows: string, step: string])[]): Promise<void> {
      const calls = all.map(([rows, step]) => `EXECUTE store($rows$${rows}$rows$, '${step}');`);
      await running().execute([`PREPARE store AS ${insert}`, ...calls].join('\n'));
    }

    it('TD23: has every value once, after it was written twice, and null where a value is not known', async () => {
      const messages = await nodeRed.waitForMessages('postgres-params', 6);
      const params = messages.map(({ payload }) => payload as [rows: string, step: string]);
      const rows = params.flatMap(([given, step]) => (JSON.parse(given) as Row[]).map((row) => ({ ...row, step })));
      new Set(params.map(([, step]) => step)).should.deepEqual(new Set(['P1D', 'PT1M', '', 'PT1H']));
      for (let times = 0; times < 2; times += 1) {
        await insertRows(params);
        const [stored] = await running().query('SELECT count(*) AS rows, count(value) AS known, sum(value) FROM cemm');
        should(stored?.['rows']).equal(rows.length);
        should(stored?.['known']).equal(rows.filter(({ value }) => value !== null).length);
        const sum = rows.reduce((all, { value }) => all + (value ?? 0), 0);
        should(stored?.['sum']).be.approximately(sum, 1e-6 * Math.abs(sum));
      }
      const [unknown] = await running().query(
        "SELECT value FROM cemm WHERE field = 'energy_import_t2_kwh' AND step = ''",
      );
      should(unknown).deepEqual({ value: null });
    });

    it('keeps a known value when it is not known any more, and takes a corrected one', async () => {
      const row = { ts: 1_700_000_000_000, monitor: 'm', meter: 'p1', field: 'f', unit: 'W' };
      const after = async (value: number | null) => {
        await insertRows([[JSON.stringify([{ ...row, value }]), 'PT1M']]);
        return (await running().query("SELECT value FROM cemm WHERE monitor = 'm'")).map(({ value: stored }) => stored);
      };
      should(await after(null)).deepEqual([null]);
      should(await after(5)).deepEqual([5]);
      should(await after(null)).deepEqual([5]);
      should(await after(0)).deepEqual([0]);
    });

    it('answers with the days, the hours and the amounts that were written', async () => {
      const known = netByDay();
      const asked = await running().query(ofOurs(days));
      // On the first of March there are the 28 days of February, and that day.
      asked.length.should.be.within(28, 32);
      for (const { day, kwh } of asked) should(kwh).equal(known.get(String(day)));

      const highest = await running().query(ofOurs(hours));
      // The running hour has no minute yet in its first one.
      highest.length.should.be.within(23, 24);
      shouldBeHighest(highest.map(({ hour, watt }) => [Date.parse(String(hour)), watt]));

      const measured = await running().query(ofOurs(amounts));
      const yesterday = sent.find(({ period: { unit } }) => unit === 'day');
      const powers = (yesterday?.points ?? []).flatMap(({ power_w: watt }) => (typeof watt === 'number' ? [watt] : []));
      const sum = (sign: 1 | -1) => powers.reduce((all, watt) => all + Math.max(0, sign * watt), 0) / 60_000;
      const [first] = measured;
      should(Date.parse(String(first?.['day']))).equal(yesterday?.period.start);
      should(first?.['import_kwh']).be.approximately(sum(1), 1e-9);
      should(first?.['export_kwh']).be.approximately(sum(-1), 1e-9);
      should(first?.['measured']).be.approximately(powers.length / 1440, 1e-9);
      should(others).be.empty();
    });

    it('has whole kWh on the days of 23 and 25 hours, and none of another monitor', async () => {
      for (const change of changes) {
        const { day, start, hours: length } = change;
        const [own, other] = [`own of ${day}`, `other of ${day}`];
        const rows = (name: string, field: string, values: readonly object[]) =>
          JSON.stringify(values.map((row) => ({ ...row, monitor: name, meter: 'p1', field, unit: '' })));
        const minutes = minutesOf(change);
        await insertRows(
          [own, other].flatMap((name): [string, string][] => [
            [rows(name, 'power_w', minutes), 'PT1M'],
            [rows(name, 'energy_net_kwh', [{ ts: start, value: 0.6 * length }]), 'P1D'],
          ]),
        );
        const ask = (query: string, daysLater = 3) => {
          const later = `timestamptz '${new Date(start + daysLater * dayMs).toISOString()}'`;
          return running().query(query.replaceAll(documented, own).replaceAll('now()', later));
        };
        // The first day of the answer is whole: of the day before there is nothing.
        should(await ask(amounts, 30.5)).eql(await ask(amounts));
        should(await ask(amounts, 31.5)).be.empty();
        const [measured, ...more] = await ask(amounts);
        should(more).be.empty();
        should(Date.parse(String(measured?.['day']))).equal(start);
        should(measured?.['import_kwh']).be.approximately(0.6 * length, 1e-9);
        should(measured?.['measured']).equal(1);
        // Nothing was exported, which is known.
        should(measured?.['export_kwh']).equal(0);
        should(await ask(days)).eql([{ day, kwh: 0.6 * length }]);
      }
    });

    it('has no kWh for a day of which no minute is known', async () => {
      const minutes = [
        { ts: 1_700_000_040_000, value: null, monitor: 'silent', meter: 'p1', field: 'power_w', unit: 'W' },
      ];
      await insertRows([[JSON.stringify(minutes), 'PT1M']]);
      const query = amounts.replaceAll(documented, 'silent').replaceAll('now()', "timestamptz '2023-11-16T12:00:00Z'");
      const [day] = await running().query(query);
      should(day).containEql({ import_kwh: null, export_kwh: null, measured: 0 });
    });

    it('has the day before a delivery as a whole, after it was written twice', async () => {
      const [rows] = createFormatter('rows')({ payload: delivery });
      for (let times = 0; times < 2; times += 1) await insertRows([[JSON.stringify(rows?.payload), '']]);
      const { label, flowed } = dayBefore();
      const [day, ...more] = await running().query(ofDelivery(delivered));
      should(more).be.empty();
      should(day?.['day']).equal(label);
      should(day?.['import_kwh']).be.approximately(flowed.import, 1e-5);
      should(day?.['export_kwh']).be.approximately(flowed.export, 1e-5);
    });

    it('answers a panel of Grafana with the values of its range', async () => {
      const [from, to] = [Date.now() - 5 * hourMs, Date.now() - hourMs].map((at) => new Date(at).toISOString());
      // As expanded by Grafana.
      const expanded = ofOurs(grafana).replace('$__timeFilter(time)', `time BETWEEN '${from}' AND '${to}'`);
      const rows = await running().query(expanded);
      rows.length.should.be.within(239, 241);
      const byTime = new Map(pointsOf('day').map(({ ts, power_w: watt }) => [ts, watt]));
      for (const { time, power } of rows) should(power).equal(byTime.get(Date.parse(String(time))));
    });

    it('has the time in its unique key as a column, as a hypertable of TimescaleDB wants it', async () => {
      const indexes = await running().query("SELECT indexdef FROM pg_indexes WHERE tablename = 'cemm'");
      const keys = indexes.filter(({ indexdef }) => String(indexdef).startsWith('CREATE UNIQUE'));
      should(keys).have.length(1);
      should(keys[0]?.['indexdef']).match(/\(monitor, meter, field, step, "time"\)$/);
      hypertable.should.deepEqual(["SELECT create_hypertable('cemm', 'time');\n"]);
      if (!hasTimescale) return;
      const [table] = await running().query(
        'SELECT hypertable_name, num_chunks FROM timescaledb_information.hypertables',
      );
      should(table?.['hypertable_name']).equal('cemm');
      should(table?.['num_chunks']).be.above(1);
    });
  });

  describe('SQLite', () => {
    it('TD23: has every value once, after it was written twice, and the days that were written', async () => {
      const sqlite = programPath('sqlite3', 'sqlite3');
      const [create = '', insert = '', days = '', ...others] = blocks('sql', 'SQLite');
      should(others).be.empty();
      interface Params {
        readonly $rows: string;
        readonly $step: string;
      }
      const messages = await nodeRed.waitForMessages('sqlite-params', 6);
      const params = messages.map(({ payload }) => payload as Params);
      const rows = params.flatMap(({ $rows }) => JSON.parse($rows) as Row[]);
      const inserts = params.map(({ $rows, $step }) =>
        insert.replace('$rows', `'${$rows}'`).replaceAll('$step', `'${$step}'`),
      );
      const counts = 'SELECT count(*), count(value) FROM cemm;\n';
      // As in a container.
      const zone = { ...process.env, TZ: 'UTC' };
      const whole = changes.map(({ start, hours }) => ({ ts: start, value: 0.6 * hours, field: 'energy_net_kwh' }));
      const twice = [documented, 'another'].map((name) =>
        insert
          .replace('$rows', `'${JSON.stringify(whole.map((row) => ({ ...row, monitor: name, meter: 'p1' })))}'`)
          .replaceAll('$step', "'P1D'"),
      );
      const input = [create, ...inserts, counts, ...inserts, counts, '.mode json\n', ofOurs(days), ...twice, days].join(
        '\n',
      );
      const output = execFileSync(sqlite, [':memory:'], { input, env: zone, encoding: 'utf8' });
      const known = rows.filter(({ value }) => value !== null).length;
      const [once, again, ...json] = output.split('\n');
      [once, again].should.deepEqual(Array(2).fill(`${rows.length}|${known}`));
      const [answer = [], changed = []] = json
        .join('\n')
        .split(/(?<=\])\n/)
        .filter(Boolean)
        .map((one) => JSON.parse(one) as { day: string; kwh: number | null }[]);
      changed.should.eql(changes.map(({ day, hours }) => ({ day, kwh: 0.6 * hours })));
      new Map(answer.map(({ day, kwh }) => [day, kwh])).should.deepEqual(netByDay());
    });
  });

  describe('a CSV file', () => {
    it('has an unknown value as the word of the help of cemm-format, and imports into SQLite', async () => {
      const help = readFileSync(join(projectDir, 'nodes/cemm-format/locales/en-US.html'), 'utf8');
      const [, known = ''] = /<code>(nullif\(.*?\))<\/code> in SQLite/.exec(help) ?? [];
      const files = (await nodeRed.waitForMessages('csv-text', 6)).map(({ payload }) => String(payload));
      const messages = await nodeRed.waitForMessages('sqlite-params', 6);
      const rows = messages.flatMap(({ payload }) => JSON.parse((payload as { $rows: string }).$rows) as Row[]);
      const folder = await folderFor('csv');
      try {
        const imports = files.map((text, index) => {
          writeFileSync(join(folder, `${index}.csv`), text);
          return `.import --csv --skip ${index === 0 ? 0 : 1} ${index}.csv file\n`;
        });
        const input = `${imports.join('')}SELECT count(*), count(${known}), total(${known}) FROM file;\n`;
        const output = execFileSync(programPath('sqlite3', 'sqlite3'), [], { input, cwd: folder, encoding: 'utf8' });
        const [all, some, sum] = output.trim().split('|').map(Number);
        const values = rows.flatMap(({ value }) => (value === null ? [] : [value]));
        should([all, some]).eql([rows.length, values.length]);
        should(sum).be.approximately(
          values.reduce((total, value) => total + value, 0),
          1e-3,
        );
        should(some).be.below(rows.length);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

  describe('InfluxQL', () => {
    let influx: InfluxDb | undefined;

    before(async () => {
      influx = await startInfluxDb('energy');
      const url = `http://127.0.0.1:${influx.port}/write?db=energy&precision=ms`;
      for (const { payload } of await nodeRed.messages('influx-lines')) {
        const response = await fetch(url, { method: 'POST', body: String(payload) });
        response.status.should.equal(204);
      }
    });

    after(async () => {
      await influx?.stop();
    });

    it('answers with the days, the hours and the range that were written', async () => {
      const query = async (statement: string) => (await influx?.query(statement)) ?? [];
      const [days = '', hours = '', grafana = '', , , ...others] = blocks('sql', 'InfluxDB');
      should(others).be.empty();

      const inZone = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' });
      const asked = (await query(ofOurs(days))).filter(({ kwh }) => kwh !== null);
      asked.length.should.be.within(28, 31);
      const known = netByDay();
      for (const { time, kwh } of asked) should(kwh).equal(known.get(inZone.format(Number(time))));

      const highest = (await query(ofOurs(hours))).filter(({ watt }) => watt !== null);
      highest.length.should.be.within(24, 25);
      // The first one is a part.
      shouldBeHighest(highest.slice(1).map(({ time, watt }) => [Number(time), watt]));

      const [from, to] = [Date.now() - 5 * hourMs, Date.now() - hourMs];
      const expanded = ofOurs(grafana)
        .replace('$timeFilter', `time >= ${from}ms and time <= ${to}ms`)
        .replace('$__interval', '1m');
      const values = (await query(expanded)).filter(({ mean }) => mean !== null);
      values.length.should.be.within(239, 241);
      const byTime = new Map(pointsOf('day').map(({ ts, power_w: watt }) => [ts, watt]));
      for (const { time, mean } of values) should(mean).equal(byTime.get(Number(time)));
    });

    it('has whole kWh on the days of 23 and 25 hours, and none of another monitor', async () => {
      const [days = ''] = blocks('sql', 'InfluxDB');
      const url = `http://127.0.0.1:${influx?.port}/write?db=energy&precision=ms`;
      const lines = changes.flatMap(({ start, hours }) =>
        [documented, 'another'].map(
          (name) => `cemm_series,monitor=${name},meter=p1,step=P1D energy_net_kwh=${0.6 * hours} ${start}`,
        ),
      );
      (await fetch(url, { method: 'POST', body: lines.join('\n') })).status.should.equal(204);
      for (const { start, hours } of changes) {
        const later = `'${new Date(start + 3 * dayMs).toISOString()}'`;
        const answers = (await influx?.query(days.trim().replace('now()', later))) ?? [];
        const [first, ...more] = answers.filter(({ kwh, time }) => kwh !== null && Number(time) < start + 3 * dayMs);
        should(more).be.empty();
        should(first?.['time']).equal(start);
        should(first?.['kwh']).be.approximately(0.6 * hours, 1e-9);
      }
    });

    it('has the day before a delivery as a whole, after it was written twice', async () => {
      const [, , , , delivered = ''] = blocks('sql', 'InfluxDB');
      const [lines] = createFormatter('influx-lines')({ payload: delivery });
      const url = `http://127.0.0.1:${influx?.port}/write?db=energy&precision=ms`;
      for (let times = 0; times < 2; times += 1)
        (await fetch(url, { method: 'POST', body: lines?.payload ?? '' })).status.should.equal(204);
      const { start, flowed } = dayBefore();
      const days = (await influx?.query(ofDelivery(delivered))) ?? [];
      const [day, ...more] = days.filter(({ import: kwh }) => kwh !== null);
      should(more).be.empty();
      should(day?.['time']).equal(start);
      should(day?.['import']).be.approximately(flowed.import, 1e-5);
      should(day?.['export']).be.approximately(flowed.export, 1e-5);
    });

    it('has the costs of the house without those of its devices, which are a part of them', async () => {
      const [, , , costs = ''] = blocks('sql', 'InfluxDB');
      const use = (watts: number) => minutesFrom(Date.parse('2026-06-14T22:00:00Z'), Array<number>(1440).fill(watts));
      const payload = balance(
        '2026-06-15',
        [
          meter('p1', 'grid', { shapes: { import: use(500), export: use(0) } }),
          meter('mb2', 'consumption', { shapes: { used: use(200), returned: use(0) } }),
        ],
        { prices: prices({ currency: 'EUR', import: 0.25 }) },
      );
      const [lines] = createFormatter('influx-lines')({ payload });
      lines?.payload.should.match(/meter=mb2,step=P1D.*cost=/);
      const url = `http://127.0.0.1:${influx?.port}/write?db=energy&precision=ms`;
      (await fetch(url, { method: 'POST', body: lines?.payload ?? '' })).status.should.equal(204);
      const query = costs.replace(documented, payload.monitor.id ?? '').replace('now()', "'2026-06-17T12:00:00Z'");
      const days = (await influx?.query(query)) ?? [];
      const [day, ...more] = days.filter(({ cost }) => cost !== null);
      should(more).be.empty();
      should(day?.['time']).equal(Date.parse('2026-06-14T22:00:00Z'));
      should(day?.['cost']).be.approximately(12 * 0.25, 1e-9);
    });
  });
});
