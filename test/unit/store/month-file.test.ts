/** Files of kept days: damage, two writers, permissions (src/store/month-file.ts). */
import should from 'should';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Entries, mergeMonth, readMonth } from '../../../src/store/month-file';

describe('a file of kept days', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-month-'));
    path = join(folder, '001122aabbcc', '2026-03.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const some = (name: string, readAt = 1): Entries => new Map([[name, { readAt, value: { amount: [1.5, null] } }]]);

  it('has what was written, for its owner alone', async () => {
    await mergeMonth(path, some('a'));
    const { entries, wasDamaged } = await readMonth(path);
    should(entries.get('a')).deepEqual({ readAt: 1, value: { amount: [1.5, null] } });
    wasDamaged.should.be.false();
    ((await stat(path)).mode & 0o777).should.equal(0o600);
    ((await stat(join(folder, '001122aabbcc'))).mode & 0o777).should.equal(0o700);
    (await readdir(join(folder, '001122aabbcc'))).should.deepEqual(['2026-03.json']);
  });

  it('is none where there is no file', async () => {
    (await readMonth(path)).should.deepEqual({ entries: new Map(), wasDamaged: false });
  });

  it('keeps the fact that was read later', async () => {
    await mergeMonth(path, some('a', 5));
    await mergeMonth(path, some('a', 4));
    should((await readMonth(path)).entries.get('a')?.readAt).equal(5);
    await mergeMonth(path, some('a', 6));
    should((await readMonth(path)).entries.get('a')?.readAt).equal(6);
  });

  it('keeps the facts of all who write at the same time', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `fact ${index}`);
    await Promise.all(names.map((name) => mergeMonth(path, some(name))));
    [...(await readMonth(path)).entries.keys()].sort().should.deepEqual([...names].sort());
  });

  it('is set aside once, whole, wherever it was cut', async () => {
    await mergeMonth(path, some('a'));
    const text = await readFile(path, 'utf8');
    for (let length = 0; length < text.length; length += 1) {
      await writeFile(path, text.slice(0, length));
      const { entries, wasDamaged } = await readMonth(path);
      entries.size.should.equal(0);
      wasDamaged.should.be.true();
      (await readFile(`${path}.bad`, 'utf8')).should.equal(text.slice(0, length));
    }
    (await readMonth(path)).wasDamaged.should.be.false();
  });

  it('is set aside if one character is another one', async () => {
    await mergeMonth(path, some('a'));
    const text = await readFile(path, 'utf8');
    for (let place = 0; place < text.length; place += 1) {
      const other = text[place] === '1' ? '2' : '1';
      await writeFile(path, `${text.slice(0, place)}${other}${text.slice(place + 1)}`);
      (await readMonth(path)).entries.size.should.equal(0);
    }
  });

  it('goes on after a process that ended while it wrote', async () => {
    await mergeMonth(path, some('a'));
    const lock = `${path}.lock`;
    await writeFile(lock, '');
    const long = new Date(Date.now() - 60_000);
    await utimes(lock, long, long);
    await writeFile(`${path}.1-00000000.tmp`, 'half');
    await mergeMonth(path, some('b'));
    [...(await readMonth(path)).entries.keys()].should.deepEqual(['a', 'b']);
  });

  it('is as before where it cannot be written', async () => {
    await mergeMonth(path, some('a'));
    // A folder in place of the file, because root may write in any folder.
    const taken = join(folder, 'taken.json');
    await mergeMonth(join(taken, 'x.json'), some('a'));
    await mergeMonth(taken, some('a')).should.be.rejected();
    (await readdir(folder)).sort().should.deepEqual(['001122aabbcc', 'taken.json']);
    await chmod(path, 0o600);
    should((await readMonth(path)).entries.size).equal(1);
  });
});
