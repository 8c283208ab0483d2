/** Files of what is kept: damage, copies, two writers, permissions (src/store/month-file.ts). */
import should from 'should';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Added, isAbandoned, mergeMonth, packJson, readMonth, unpackValue } from '../../../src/store/month-file';

describe('a file of what is kept', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-month-'));
    path = join(folder, '001122aabbcc', '2026-03.series');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const sum: Added['join'] = (known, added) => Number(known) + Number(added);
  const some = (name: string, value: unknown = 1): Map<string, Added> => new Map([[name, { value, join: sum }]]);
  const valuesIn = async (hasCopy = false): Promise<[string, unknown][]> =>
    [...(await readMonth(path, hasCopy)).entries].map(([name, bytes]) => [name, unpackValue(bytes)]);

  it('has what was written, for its owner alone', async () => {
    await mergeMonth(path, some('a', { amount: [1.5, null] }));
    await mergeMonth(path, some('__proto__\n"', 'x'));
    (await valuesIn()).should.deepEqual([
      ['a', { amount: [1.5, null] }],
      ['__proto__\n"', 'x'],
    ]);
    ((await stat(path)).mode & 0o777).should.equal(0o600);
    ((await stat(join(folder, '001122aabbcc'))).mode & 0o777).should.equal(0o700);
    (await readdir(join(folder, '001122aabbcc'))).should.deepEqual(['2026-03.series']);
  });

  it('is none where there is no file', async () => {
    (await readMonth(path)).should.deepEqual({ entries: new Map(), wasDamaged: false });
  });

  it('joins a fact with that of the file, which another program may have written', async () => {
    for (const value of [5, 4, 6]) await mergeMonth(path, some('a', value));
    (await valuesIn()).should.deepEqual([['a', 15]]);
  });

  it('keeps the facts of all who write at the same time', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `fact ${index}`);
    await Promise.all(names.map((name) => mergeMonth(path, some(name))));
    [...(await readMonth(path)).entries.keys()].sort().should.deepEqual([...names].sort());
  });

  it('is set aside once, whole, wherever it was cut', async () => {
    await mergeMonth(path, some('a'));
    const bytes = await readFile(path);
    for (let length = 0; length < bytes.length; length += 1) {
      await writeFile(path, bytes.subarray(0, length));
      const { entries, wasDamaged } = await readMonth(path);
      entries.size.should.equal(0);
      wasDamaged.should.be.true();
      (await readFile(`${path}.bad`)).should.deepEqual(bytes.subarray(0, length));
    }
    (await readMonth(path)).wasDamaged.should.be.false();
  });

  it('PD14: loses one of its two copies when a bit is another one', async () => {
    await mergeMonth(path, some('a'), true);
    const bytes = await readFile(path);
    for (const file of [path, `${path}-2`]) {
      for (let place = 0; place < bytes.length; place += 1) {
        const other = Buffer.from(bytes);
        other[place] = (other[place] ?? 0) ^ 4;
        await writeFile(file, other);
        (await valuesIn(true)).should.deepEqual([['a', 1]]);
        if (file === path) (await readMonth(path)).entries.size.should.equal(0);
        await writeFile(path, bytes);
      }
      await writeFile(file, bytes);
    }
    await rm(path);
    await mergeMonth(path, some('a', 2), true);
    (await valuesIn()).should.deepEqual([['a', 3]]);
  });

  it('goes on at once after a process that ended while it wrote', async () => {
    await mergeMonth(path, some('a'));
    await writeFile(`${path}.lock`, `${hostname()} 4194305`);
    await mergeMonth(path, some('b'));
    (await valuesIn()).map(([name]) => name).should.deepEqual(['a', 'b']);
  });

  it('waits for another process, although the clock jumps ahead while that one writes', async () => {
    await mergeMonth(path, some('a'));
    const lock = `${path}.lock`;
    await writeFile(lock, `${hostname()} ${process.ppid}`);
    const long = new Date(Date.now() - 60_000);
    await utimes(lock, long, long);
    const order: string[] = [];
    const merged = mergeMonth(path, some('b')).then(() => order.push('merged'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    order.push('released');
    await rm(lock);
    await merged;
    order.should.deepEqual(['released', 'merged']);
  });

  it('PD15: is not the unfinished file of a process that has ended', async () => {
    const isLeft = async (name: string, age = 60_000): Promise<boolean> => {
      const written = new Date(Date.now() - age);
      await writeFile(join(folder, name), '');
      await utimes(join(folder, name), written, written);
      return isAbandoned(join(folder, name));
    };
    should(await isLeft('2026-03.series.4194305-0a1b2c3d.tmp')).be.true();
    should(await isLeft(`2026-03.series.${process.pid}-0a1b2c3d.tmp`)).be.true();
    // Another machine or another part of this program may write it.
    should(await isLeft('2026-03.series.4194305-0a1b2c3d.tmp', 1_000)).be.false();
    should(await isLeft(`2026-03.series.${process.ppid}-0a1b2c3d.tmp`)).be.false();
    for (const other of ['2026-03.series', 'x.tmp', '2026-03.series.bad']) should(await isLeft(other)).be.false();
    should(await isAbandoned(join(folder, '2026-04.series.4194305-0a1b2c3d.tmp'))).be.false();
  });

  it('is as before where it cannot be written', async () => {
    await mergeMonth(path, some('a'));
    // A folder in place of the file, because root may write in any folder.
    const taken = join(folder, 'taken.series');
    await mergeMonth(join(taken, 'x.series'), some('a'));
    await mergeMonth(taken, some('a')).should.be.rejected();
    (await readdir(folder)).sort().should.deepEqual(['001122aabbcc', 'taken.series']);
    await chmod(path, 0o600);
    should((await readMonth(path)).entries.size).equal(1);
  });

  it('has a fact as it was before one with which it would be above 4 MB', async () => {
    const joined = (text: string): Map<string, Added> =>
      new Map([['a', { value: text, join: (known, added) => `${String(known)}${String(added)}` }]]);
    await mergeMonth(path, joined('x'));
    await mergeMonth(path, joined('y'.repeat(4_000_000)));
    await mergeMonth(path, joined('z'));
    (await valuesIn()).should.deepEqual([['a', 'xz']]);
  });

  it('takes the memory of its facts and no more', async () => {
    const { entries } = await mergeMonth(path, new Map([...some('a', 'x'.repeat(100)), ...some('b')]));
    for (const bytes of entries.values()) should(bytes.buffer.byteLength).equal(bytes.length);
  });

  it('has no value that is not one', () => {
    should(unpackValue(packJson('{"a":[null]}'))).deepEqual({ a: [null] });
    should(unpackValue(Buffer.from('x'))).be.undefined();
    should(unpackValue(packJson('"x"').subarray(1))).be.undefined();
  });
});
