/** The store of what is over: memory, limits and failures (src/store/past-days.ts). */
import should from 'should';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { FactName } from '../../../src/store/fact-name';
import { type KeepProblem, PastDays } from '../../../src/store/past-days';
import { MONITOR, OTHER } from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';

describe('the store of what is over', () => {
  let folder: string;
  let clock: FakeClock;
  let problems: [KeepProblem, string][];
  const open = (where: string | null = folder): PastDays =>
    new PastDays({ folder: where, clock, onProblem: (problem, path) => problems.push([problem, path]) });
  const march = Date.parse('2026-03-15T00:00:00Z');
  const fact = (name: string, start = march, house: string = MONITOR): FactName => ({
    kind: 'series',
    house,
    start,
    name,
  });
  const reading = (name: string, start = march): FactName => ({ ...fact(name, start), kind: 'readings' });
  const newer = (_known: unknown, added: unknown): unknown => added;
  const both = (known: unknown, added: unknown): unknown => [...(known as number[]), ...(added as number[])];

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'cemm-past-')), 'cemm');
    clock = new FakeClock();
    problems = [];
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  it('has a fact at once, after two seconds in the file, and after a restart', async () => {
    const past = open();
    await past.keep(fact('a'), [1, null], newer);
    should(await past.get(fact('a'))).deepEqual([1, null]);
    should(await stat(folder).catch(() => null)).be.null();
    clock.tick(2_000);
    await past.flush();
    (await readdir(join(folder, MONITOR))).should.deepEqual(['2026-03.series']);
    const again = open();
    should(await again.get(fact('a'))).deepEqual([1, null]);
    should(await again.get(fact('b'))).be.undefined();
    should(await again.get(fact('a', march, OTHER))).be.undefined();
    should(await again.get(fact('a', Date.parse('2026-04-01T00:00:00Z')))).be.undefined();
  });

  it('writes a fact that can grow after an hour, or with others, and when it is closed', async () => {
    const past = open();
    await past.keep(fact('a'), 1, newer, true);
    should(clock.msToNextTimer).equal(3_600_000);
    await past.keep(fact('b'), 1, newer);
    should(clock.msToNextTimer).equal(2_000);
    await past.flush();
    clock.msToNextTimer.should.equal(Infinity);
    should(await open().get(fact('a'))).equal(1);
  });

  it('keeps what two programs write', async () => {
    const [one, other] = [open(), open()];
    await one.get(fact('a'));
    await one.keep(fact('a'), [1], both);
    await other.keep(fact('a'), [2], both);
    await Promise.all([one.flush(), other.flush()]);
    const all = await open().get(fact('a'));
    should([...(all as number[])].sort()).deepEqual([1, 2]);
  });

  it('joins a fact with what is known, and writes nothing for what is the same', async () => {
    const past = open();
    should(await past.keep(fact('a'), [1], both)).deepEqual([1]);
    should(await past.keep(fact('a'), [2], both)).deepEqual([1, 2]);
    await past.flush();
    const { mtimeMs } = await stat(join(folder, MONITOR, '2026-03.series'));
    await past.keep(fact('a'), [], both);
    clock.msToNextTimer.should.equal(Infinity);
    await past.flush();
    (await stat(join(folder, MONITOR, '2026-03.series'))).mtimeMs.should.equal(mtimeMs);
  });

  it('keeps in memory without a folder', async () => {
    const past = open(null);
    await past.keep(fact('a'), 1, newer);
    await past.flush();
    should(await past.get(fact('a'))).equal(1);
    await past.readAgain(null);
    should(await past.round(march)).be.above(0);
    (await past.size()).should.deepEqual({ months: 0, bytes: 0 });
    should(await open(null).get(fact('a'))).be.undefined();
  });

  it('PD12: deletes the oldest months of series above its limit, and readings of 26 months never', async () => {
    const past = open();
    const text = randomBytes(600_000).toString('base64');
    for (let month = 0; month < 40; month += 1) await past.keep(reading('a', Date.UTC(2023, month, 15)), text, newer);
    for (let month = 0; month < 6; month += 1) await past.keep(fact('a', Date.UTC(2023, month, 15)), text, newer);
    await past.flush();
    should(await past.size()).have.property('months', 40);
    const small = new PastDays({ folder, clock, onProblem: () => undefined, mostBytes: 40_000_000 });
    await small.keep(reading('b', Date.UTC(2026, 3, 15)), 1, newer);
    await small.flush();
    const names = await readdir(join(folder, MONITOR));
    names.filter((name) => name.endsWith('.series')).should.be.empty();
    const readings = names.filter((name) => name.endsWith('.readings')).sort();
    readings.length.should.be.within(26, 39);
    should(readings.at(-1)).equal('2026-04.readings');
  });

  it('is asked again for a month or for all: what is known stays', async () => {
    const past = open();
    await past.keep(fact('a'), 1, newer);
    await past.flush();
    should(await past.round(march)).equal(0);
    await past.readAgain('2026-04');
    should(await past.round(march)).equal(0);
    await past.readAgain('2026-03');
    const first = await past.round(march);
    first.should.be.above(0);
    await past.readAgain(null);
    const second = await open().round(march);
    second.should.be.above(first);
    should(await open().get(fact('a'))).equal(1);
    await past.readAgain('yesterday');
    should(await past.round(march)).equal(second);
    await rm(join(folder, 'rounds.json'));
    clock.tick(10_000);
    const lost = open();
    await lost.readAgain(null);
    (await lost.round(march)).should.be.above(second);
  });

  it('PD15: removes what a killed program left', async () => {
    const past = open();
    await past.keep(fact('a'), 1, newer);
    await past.flush();
    await past.readAgain(null);
    const own = 'notes.4194305-0a1b2c3d.txt';
    const long = new Date(Date.now() - 60_000);
    for (const name of [
      join(MONITOR, '2026-03.series.4194305-0a1b2c3d.tmp'),
      'rounds.json.4194305-0a1b2c3d.tmp',
      'other.json.4194305-0a1b2c3d.tmp',
      own,
    ]) {
      await writeFile(join(folder, name), 'half');
      await utimes(join(folder, name), long, long);
    }
    should(await open().get(fact('a'))).equal(1);
    (await readdir(join(folder, MONITOR))).should.deepEqual(['2026-03.series']);
    (await readdir(folder)).sort().should.deepEqual([MONITOR, own, 'rounds.json']);
  });

  it('counts its files again when what it has written may be above the limit, and after an hour', async () => {
    const past = new PastDays({ folder, clock, onProblem: () => undefined, mostBytes: 20_000 });
    const old = join(folder, OTHER, '2020-01.series');
    const hasOld = async (): Promise<boolean> => (await stat(old).catch(() => null)) !== null;
    const write = async (name: string, value: unknown): Promise<void> => {
      await past.keep(fact(name), value, newer);
      await past.flush();
    };
    await write('a', 1);
    await mkdir(join(folder, OTHER));
    const anHour = (): Promise<void> => {
      clock.tick(3_600_000);
      return Promise.resolve();
    };
    const much = (): Promise<void> => write('b', randomBytes(6_000).toString('hex'));
    for (const again of [anHour, much]) {
      // Of another process.
      await writeFile(old, randomBytes(30_000));
      await write('c', Math.random());
      (await hasOld()).should.be.true();
      await again();
      await write('c', Math.random());
      (await hasOld()).should.be.false();
    }
  });

  it('keeps a thousand houses, and says so once', async () => {
    const past = open();
    const house = (index: number): string => index.toString(16).padStart(12, '0');
    for (let index = 0; index < 999; index += 1) await mkdir(join(folder, house(index)), { recursive: true });
    for (let index = 999; index < 1002; index += 1) await past.keep(fact('a', march, house(index)), 1, newer);
    await past.flush();
    (await readdir(folder)).length.should.equal(1000);
    problems.map(([problem]) => problem).should.deepEqual(['too_many']);
    await past.keep(fact('b', march, house(3)), 1, newer);
    (await past.flush()).should.be.true();
  });

  it('names a damaged file once, and goes on with its copy, or without it', async () => {
    const past = open();
    await past.keep(fact('a'), 1, newer);
    await past.keep(reading('a'), 1, newer);
    await past.flush();
    const path = join(folder, MONITOR, '2026-03.series');
    await writeFile(path, 'cemm/past/1');
    await writeFile(join(folder, MONITOR, '2026-03.readings'), '');
    const again = open();
    should(await again.get(fact('a'))).be.undefined();
    should(await again.get(reading('a'))).equal(1);
    problems.should.deepEqual([['damaged', path]]);
    await again.keep(fact('a'), 2, newer);
    await again.flush();
    should(await open().get(fact('a'))).equal(2);
    (await readdir(join(folder, MONITOR))).should.containEql('2026-03.series.bad');
  });

  it('warns once where nothing can be written, and never throws', async () => {
    await writeFile(join(folder, '..', 'file'), '');
    const past = open(join(folder, '..', 'file'));
    for (let index = 0; index < 3; index += 1) {
      await past.keep(fact(`a${index}`, Date.UTC(2026, index, 15)), 1, newer);
      (await past.flush()).should.be.false();
    }
    should(await past.get(fact('a1'))).be.undefined();
    await past.readAgain(null);
    (await past.size()).should.deepEqual({ months: 0, bytes: 0 });
    await past.forget();
    problems.map(([problem]) => problem).should.deepEqual(['not_kept']);
  });

  it('forgets everything but other files of the folder', async () => {
    const past = open();
    await past.keep(fact('a'), 1, newer);
    await past.keep(reading('a'), 1, newer);
    await past.flush();
    await past.readAgain(null);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    (await past.monthsOf(MONITOR)).should.deepEqual([Date.UTC(2026, 2, 1)]);
    await past.forget();
    (await readdir(folder)).should.deepEqual(['notes.txt']);
    should(await past.get(reading('a'))).be.undefined();
    (await past.monthsOf(MONITOR)).should.be.empty();
  });
});
