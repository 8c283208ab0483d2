/**
 * A lock for processes that write the same file: a file beside it, which names the process that has the lock and is renewed while
 * that process writes. Its age is never compared with the time of day, which may be changed meanwhile.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readFile, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isRecord } from '../checks/record';
import { type Clock, systemClock } from '../time/clock';

type LockClock = Pick<Clock, 'monotonic' | 'after'>;

const waitMs = 20;
const renewMs = 2_000;
/** A lock that nobody renews for this time was left behind by a process that ended while it wrote. */
const mostUnchangedMs = 10_000;

/** Waits until no other process has the lock. The returned function releases it. */
export async function takeLock(path: string, clock: LockClock = systemClock): Promise<() => Promise<void>> {
  const own = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`;
  let seen = '';
  let seenSince = 0;
  while (!(await createLock(path, own))) {
    const startedAt = clock.monotonic();
    const found = await readLock(path);
    const state = found === null ? '' : `${found.text} ${found.changedAt}`;
    if (state !== seen) {
      seen = state;
      seenSince = clock.monotonic();
    }
    if (found !== null && (hasEndedHolder(found.text) || startedAt - seenSince > mostUnchangedMs))
      await removeLock(path, found.text);
    else await new Promise<void>((resolve) => clock.after(waitMs, resolve));
  }
  const stopRenewing = renewLock(path, clock);
  return () => {
    stopRenewing();
    return removeLock(path, own);
  };
}

interface LockState {
  /** Host, process id and a random text; empty if it cannot be read. */
  readonly text: string;
  readonly changedAt: number;
}

/**
 * False if there is a lock already.
 * @throws {Error} the folder is not writable, or the disk is full; there is then no lock
 */
async function createLock(path: string, text: string): Promise<boolean> {
  const file = await openNew(path);
  if (file === null) return false;
  try {
    await file.writeFile(text).finally(() => file.close());
    return true;
  } catch (error) {
    // A full disk can have room for a file and none for its text. A lock without a text would stay for ten seconds.
    await rm(path, { force: true });
    throw error;
  }
}

/** Null if there is such a file already. */
async function openNew(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    return null;
  }
}

/** Null if there is no lock. */
async function readLock(path: string): Promise<LockState | null> {
  try {
    // A link that leads nowhere is a lock, too.
    const { mtimeMs } = await lstat(path);
    // A lock of another user cannot be read.
    return { text: await readFile(path, 'utf8').catch(() => ''), changedAt: mtimeMs };
  } catch {
    return null;
  }
}

/** Leaves a lock that another process has taken meanwhile. */
async function removeLock(path: string, text: string): Promise<void> {
  if ((await readLock(path))?.text === text) await rm(path, { force: true });
}

function renewLock(path: string, clock: LockClock): () => void {
  let stop = (): void => undefined;
  const renewLater = (): void => {
    stop = clock.after(renewMs, () => {
      const now = new Date();
      // A lock that was removed needs no renewal.
      utimes(path, now, now).catch(() => undefined);
      renewLater();
    });
  };
  renewLater();
  return () => {
    stop();
  };
}

function hasEndedHolder(text: string): boolean {
  const [host, pid] = text.split(' ');
  return host === hostname() && pid !== undefined && hasEnded(Number(pid));
}

/** True if this machine has no process with this id. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return readErrorCode(error) === 'ESRCH';
  }
}

/** The code of a Node error, such as `ENOENT`. */
export function readErrorCode(error: unknown): unknown {
  return isRecord(error) ? error['code'] : undefined;
}
