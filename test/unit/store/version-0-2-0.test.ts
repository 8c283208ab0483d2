/** Files of version 0.2.0 (src/store/version-0-2-0.ts). Those in `test/recorded/kept-0.2.0` are written by that version. */
import should from 'should';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptReadings } from '../../../nodes/cemm-connection/kept-days';
import { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { readState } from '../../../src/balance/messages/stored-state';
import { type SeriesPeriod, periodFromLabel } from '../../../src/calendar/periods';
import { connectTo } from '../../support/clients/in-process';
import { PastDays } from '../../../src/store/past-days';
import { dayMs, hourMs } from '../../../src/time/units';
import { MONITOR } from '../../support/clients/fake-client';
import { FaultyMonitor, flowed, truth, World, zone } from '../../support/store/faulty-house';

const day = periodFromLabel('2026-05-12', zone);
const before = periodFromLabel('2026-05-11', zone);

describe('the store of version 0.2.0', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-old-'));
    await cp(join(__dirname, '../../recorded/kept-0.2.0'), join(folder, MONITOR), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const ask = { signal: new AbortController().signal };

  function open(at: number) {
    const world = new World(at);
    const monitor = new FaultyMonitor(world, 'local', ['p1', 's01', 's02']);
    const past = new PastDays({ folder, clock: world, onProblem: (problem) => should(problem).be.undefined() });
    const connection = connectTo({ client: monitor, clock: world, past });
    const series = (alias: string, period: SeriesPeriod) =>
      connection.readSeries({ monitor: null, alias, role: 'auto' }, period, ask);
    const asked = (alias: string): number => monitor.requests.filter((one) => one.includes(`"${alias}","unit"`)).length;
    return { past, monitor, connection, world, series, asked };
  }

  it('PD16: is read, and days count as read once', async () => {
    const { series, asked, monitor, past, world, connection } = open(day.end + 10 * hourMs);
    for (const period of [day, before]) {
      const { points, source } = await series('p1', period);
      points.length.should.equal(1440);
      for (const { ts, power_w: power } of points) should(power).equal(truth('p1', ts));
      source.kept?.should.be.true();
    }
    should((await series('s01', day)).points[720]).have.property('power_w', truth('s01', day.start + 12 * hourMs));
    asked('p1').should.equal(0);
    asked('s01').should.equal(0);
    // A response for a series says over which interface it came.
    should((await series('s02', day)).source.kept).be.true();
    await past.flush();
    // The list of meters is of this version, in two copies.
    const [readings, copy] = ['2026-05.readings', '2026-05.readings-2'];
    (await readdir(join(folder, MONITOR))).sort().should.deepEqual([readings, copy, '2026-05.series', 'other.json']);
    world.moment = day.end + 3 * dayMs;
    monitor.forgottenBefore = world.moment;
    const balances = new Balances({ reader: connection, clock: world });
    const target = { monitor: null, meters: everyMeter, period: day, step: 'PT1H', prices: null } as const;
    const { values } = await balances.read({ ...target, wantsPeak: false, counters: null }, ask);
    should(values['energy_import_kwh']).be.approximately(flowed('p1', day.start, day.end), 1e-6);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    // The second time, in the background.
    asked('p1').should.equal(1);
  });

  it('PD16: has the amounts of balances, and asks for those of s02 again, which is another input over the internet', async () => {
    await rm(join(folder, MONITOR, '2026-05.series.json'));
    const { series, asked } = open(day.end + 10 * hourMs);
    for (const alias of ['p1', 's01'] as const) {
      const { points, source } = await series(alias, day);
      should(source.kept).be.true();
      for (const { ts, power_w: power } of points) should(power).equal(truth(alias, ts));
      asked(alias).should.equal(0);
    }
    should((await series('s02', day)).source.kept).be.undefined();
    asked('s02').should.equal(1);
  });

  it('PD16: has the readings of 400 midnights, which are then in files by month', async () => {
    const { past } = open(day.end);
    const readings = keptReadings(past);
    const state = readState(await readings.load(MONITOR));
    if (state === null) throw new Error('no readings');
    Object.keys(state.meters['p1']?.midnights ?? {}).length.should.equal(400);
    (await readings.save(MONITOR, state)).should.be.true();
    const names = await readdir(join(folder, MONITOR));
    names.should.not.containEql('other.json');
    names.filter((name) => name.endsWith('.readings')).length.should.be.within(14, 15);
    names.filter((name) => name.endsWith('.readings-2')).length.should.be.within(14, 15);
    for (const name of names.filter((one) => one.endsWith('.readings'))) {
      const path = join(folder, MONITOR, name);
      const bytes = await readFile(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(path, bytes);
    }
    const told: string[] = [];
    const damaged = new PastDays({ folder, clock: new World(day.end), onProblem: (problem) => told.push(problem) });
    should(await keptReadings(damaged).load(MONITOR)).deepEqual(state);
    told.should.deepEqual(['damaged']);
  });

  it('PD16: is left alone where a file is damaged', async () => {
    const path = join(folder, MONITOR, '2026-05.series.json');
    const text = await readFile(path, 'utf8');
    for (const bad of [text.slice(0, -1), text.replace('day', 'yad'), '', '{}']) {
      await writeFile(path, bad);
      const { series, asked } = open(day.end + 10 * hourMs);
      (await series('p1', before)).points.length.should.equal(1440);
      asked('p1').should.equal(1);
    }
  });
});
