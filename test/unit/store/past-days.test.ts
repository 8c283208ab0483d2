/** The room of kept days: memory, limits and failures (src/store/past-days.ts). */
import should from 'should';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FactName, type KeepProblem, PastDays } from '../../../src/store/past-days';
import { MONITOR, OTHER } from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';

describe('kept days', () => {
  let folder: string;
  let clock: FakeClock;
  let problems: [KeepProblem, string][];
  const open = (where = folder): PastDays =>
    new PastDays({ folder: where, clock, onProblem: (problem, path) => problems.push([problem, path]) });
  const march = Date.parse('2026-03-15T00:00:00Z');
  const fact = (name: string, start = march, monitor = MONITOR): FactName => ({
    kind: 'balance',
    monitor,
    start,
    name,
  });
  const series = (name: string, start = march): FactName => ({ ...fact(name, start), kind: 'series' });

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'cemm-past-')), 'cemm');
    clock = new FakeClock();
    problems = [];
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  it('are there at once, after two seconds in the file, and after a restart', async () => {
    const past = open();
    past.put(fact('a'), [1, null]);
    should((await past.get(fact('a')))?.value).deepEqual([1, null]);
    should(await stat(folder).catch(() => null)).be.null();
    clock.tick(2_000);
    await past.flush();
    (await readdir(join(folder, MONITOR))).should.deepEqual(['2026-03.json']);
    const again = open();
    const entry = await again.get(fact('a'));
    should(entry?.value).deepEqual([1, null]);
    should(entry?.readAt).equal(clock.now() - 2_000);
    should(await again.get(fact('b'))).be.null();
    should(await again.get(fact('a', march, OTHER))).be.null();
    should(await again.get(fact('a', Date.parse('2026-04-01T00:00:00Z')))).be.null();
  });

  it('are written when the room is closed', async () => {
    const past = open();
    past.put(fact('a'), 1);
    await past.flush();
    clock.msToNextTimer.should.equal(Infinity);
    should((await open().get(fact('a')))?.value).equal(1);
  });

  it('leave what two of them write', async () => {
    const [one, other] = [open(), open()];
    await one.get(fact('a'));
    one.put(fact('a'), 1);
    other.put(fact('b'), 2);
    await Promise.all([one.flush(), other.flush()]);
    one.put(fact('c'), 3);
    await one.flush();
    const values = await Promise.all(['a', 'b', 'c'].map(async (name) => (await open().get(fact(name)))?.value));
    values.should.deepEqual([1, 2, 3]);
  });

  it('have at most 2 MB per year and monitor, and lose the oldest months first', async () => {
    const past = open();
    const text = 'x'.repeat(450_000);
    for (let month = 0; month < 6; month += 1) past.put(fact('a', Date.UTC(2025, month, 15)), text);
    past.put(fact('a', Date.UTC(2026, 0, 15)), text);
    past.put(fact('a', Date.UTC(2025, 0, 15), OTHER), text);
    await past.flush();
    (await readdir(join(folder, MONITOR)))
      .sort()
      .should.deepEqual([...['2025-03.json', '2025-04.json', '2025-05.json', '2025-06.json', '2026-01.json']]);
    (await readdir(join(folder, OTHER))).should.deepEqual(['2025-01.json']);
    should(await past.get(fact('a', Date.UTC(2025, 0, 15)))).be.null();
    const { months, bytes } = await past.size();
    months.should.equal(6);
    bytes.should.be.within(2_700_000, 2_750_000);
  });

  it('lose the months of series before those of balances, and both when they are read again', async () => {
    const past = open();
    const text = 'x'.repeat(450_000);
    past.put(fact('a', Date.UTC(2025, 0, 15)), text);
    past.put(fact('a', Date.UTC(2025, 5, 15)), text);
    past.put(fact('a', Date.UTC(2025, 5, 15), OTHER), 'x');
    for (const month of [0, 5, 6]) past.put(series('a', Date.UTC(2025, month, 15)), text);
    await past.flush();
    (await readdir(join(folder, MONITOR)))
      .sort()
      .should.deepEqual(['2025-01.json', '2025-06.json', '2025-06.series.json', '2025-07.series.json']);
    should(await past.get(series('a', Date.UTC(2025, 0, 15)))).be.null();
    should(await past.get(fact('a', Date.UTC(2025, 0, 15)))).not.be.null();
    const { months, bytes } = await past.size();
    // January, June and July, and June of the other monitor.
    months.should.equal(4);
    bytes.should.be.within(1_800_000, 1_850_000);
    await past.forgetMonths();
    (await readdir(join(folder, MONITOR))).should.be.empty();
    (await past.size()).should.deepEqual({ months: 0, bytes: 0 });
  });

  it('are as old as what the monitor sent', async () => {
    const past = open();
    const readAt = clock.now() - 1_000;
    past.put(fact('a'), 1, readAt);
    past.put(series('a'), 2);
    await past.flush();
    should(await open().get(fact('a'))).deepEqual({ readAt, value: 1 });
    should(await open().get(series('a'))).deepEqual({ readAt: clock.now(), value: 2 });
  });

  it('name a damaged file once, and go on without it', async () => {
    const past = open();
    past.put(fact('a'), 1);
    past.put(fact('a', Date.UTC(2025, 0, 15)), 1);
    await past.flush();
    const path = join(folder, MONITOR, '2026-03.json');
    await writeFile(path, '{"format":');
    await writeFile(join(folder, MONITOR, '2025-01.json'), '');
    const again = open();
    should(await again.get(fact('a'))).be.null();
    should(await again.get(fact('a', Date.UTC(2025, 0, 15)))).be.null();
    problems.should.deepEqual([['damaged', path]]);
    again.put(fact('a'), 2);
    await again.flush();
    should((await open().get(fact('a')))?.value).equal(2);
    (await readdir(join(folder, MONITOR))).should.containEql('2026-03.json.bad');
  });

  it('warn once where nothing can be written, and never throw', async () => {
    await writeFile(join(folder, '..', 'file'), '');
    const past = open(join(folder, '..', 'file'));
    for (let index = 0; index < 3; index += 1) {
      past.put(fact(`a${index}`, Date.UTC(2026, index, 15)), 1);
      await past.flush();
    }
    should(await past.get(fact('a1'))).be.null();
    (await past.save(MONITOR, 'readings', {}, (_known, added) => added)).should.be.false();
    should(await past.load(MONITOR, 'readings')).be.null();
    (await past.size()).should.deepEqual({ months: 0, bytes: 0 });
    await past.forget();
    problems.map(([problem]) => problem).should.deepEqual(['not_kept']);
  });

  it('join what belongs to no month, which stays when days are read again', async () => {
    const past = open();
    const join = (known: unknown, added: unknown): unknown => [...(known as number[]), ...(added as number[])];
    (await past.save(MONITOR, 'readings', [1], join)).should.be.true();
    (await open().save(MONITOR, 'readings', [2], join)).should.be.true();
    (await past.save(MONITOR, 'readings', [3], join)).should.be.true();
    past.put(fact('a'), 1);
    await past.flush();
    await past.forgetMonths();
    should(await past.get(fact('a'))).be.null();
    should(await past.load(MONITOR, 'readings')).deepEqual([1, 2, 3]);
    (await past.size()).should.deepEqual({ months: 0, bytes: 0 });
    await past.forget();
    should(await past.load(MONITOR, 'readings')).be.null();
    (await readdir(folder)).should.deepEqual([]);
  });

  it('leave other files of the folder alone', async () => {
    const past = open();
    past.put(fact('a'), 1);
    await past.flush();
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await writeFile(join(folder, MONITOR, 'notes.txt'), 'mine');
    await past.forgetMonths();
    (await readdir(folder)).sort().should.deepEqual([MONITOR, 'notes.txt'].sort());
    (await readdir(join(folder, MONITOR))).should.deepEqual(['notes.txt']);
  });
});
