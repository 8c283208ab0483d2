/** Locks of processes that write the same file (src/store/file-lock.ts). */
import should from 'should';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { takeLock } from '../../../src/store/file-lock';
import { FakeClock } from '../../support/time/fake-clock';
import { until } from '../../support/until';

describe('the lock of a file', () => {
  let folder: string;
  let path: string;
  let clock: FakeClock;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-lock-'));
    path = join(folder, '2026-03.series.lock');
    clock = new FakeClock();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The time until the lock is taken, in ms. */
  async function measureWait(): Promise<number> {
    const startedAt = clock.monotonic();
    const state = { taken: false };
    const taken = takeLock(path, clock).then((release) => {
      state.taken = true;
      return release;
    });
    while (!state.taken) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      clock.tick(20);
    }
    const waited = clock.monotonic() - startedAt;
    await (
      await taken
    )();
    return waited;
  }

  it('is removed at its end, with its timer', async () => {
    const release = await takeLock(path, clock);
    (await readFile(path, 'utf8')).should.startWith(`${hostname()} ${process.pid} `);
    await release();
    should(await readdir(folder)).be.empty();
    clock.timerCount.should.equal(0);
  });

  it('is taken from a process of another machine after ten seconds without a change', async () => {
    await writeFile(path, 'another-machine 1 0a1b2c3d');
    (await measureWait()).should.be.aboveOrEqual(10_000);
  });

  it('is taken after ten seconds when nobody can read it', async () => {
    await writeFile(path, '');
    await chmod(path, 0);
    (await measureWait()).should.be.aboveOrEqual(10_000);
  });

  it('is taken after ten seconds when it is a link that leads nowhere', async () => {
    await symlink(join(folder, 'nowhere'), path);
    (await measureWait()).should.be.aboveOrEqual(10_000);
    should(await readdir(folder)).be.empty();
  });

  it('is not left behind by a process that has room for the file and none for its text', async () => {
    const script = `require(process.argv[1]).takeLock(process.argv[2]).catch(({ code }) => console.log(code))`;
    const lock = require.resolve('../../../src/store/file-lock');
    const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '--require', require.resolve('tsx/cjs')];
    const { stdout } = await promisify(execFile)('sh', [...limited, '-e', script, lock, path], {
      env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    });
    stdout.should.equal('EFBIG\n');
    should(await readdir(folder)).be.empty();
  });

  it('stays with a process that writes for half a minute', async () => {
    const release = await takeLock(path, clock);
    const state = { taken: false };
    const next = takeLock(path, clock).then((releaseNext) => {
      state.taken = true;
      return releaseNext;
    });
    for (let time = 0; time < 30_000; time += 2_000) {
      const { mtimeMs } = await stat(path);
      await new Promise((resolve) => setTimeout(resolve, 5));
      clock.tick(2_000);
      await until('the lock to be renewed', async () => (await stat(path)).mtimeMs !== mtimeMs);
    }
    state.taken.should.be.false();
    await release();
    while (!state.taken) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      clock.tick(20);
    }
    await (
      await next
    )();
    should(await readdir(folder)).be.empty();
  });

  it('is not the one of another process, which took it over, at the end', async () => {
    const release = await takeLock(path, clock);
    await writeFile(path, 'another-machine 1 0a1b2c3d');
    await release();
    (await readFile(path, 'utf8')).should.equal('another-machine 1 0a1b2c3d');
  });
});
