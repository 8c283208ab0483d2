/**
 * One file of kept facts: `cemm/<MAC>/<year-month>.json`. It is written whole under another name and then renamed, so that a
 * process that ends at any moment leaves the old file or the new one. A digest finds every other damage.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { isRecord } from '../record';

/** A fact, and when it was read, epoch ms. The value is JSON. */
export interface Entry {
  readonly readAt: number;
  readonly value: unknown;
}

export type Entries = ReadonlyMap<string, Entry>;

export interface MonthFile {
  readonly entries: Entries;
  /** True: the file was damaged, and is now beside it as `.bad`. */
  readonly wasDamaged: boolean;
}

/** A newer version reads these files as well. */
const format = 'cemm/days/1';
const digestLength = 64;
/** Larger files are not ours. */
const mostBytes = 4_000_000;
const none: Entries = new Map();

/**
 * The facts of a file; none if there is no such file.
 * @throws {Error} the file exists and cannot be read
 */
export async function readMonth(path: string): Promise<MonthFile> {
  const text = await textOf(path);
  if (text === null) return { entries: none, wasDamaged: false };
  const entries = parseMonth(text);
  if (entries !== null) return { entries, wasDamaged: false };
  await rename(path, `${path}.bad`);
  return { entries: none, wasDamaged: true };
}

/** Makes one fact of two of the same name. */
export type Join = (known: Entry, added: Entry) => Entry;

const later: Join = (known, added) => (known.readAt <= added.readAt ? added : known);

/**
 * Adds facts to a file, which may have others by now, because two processes can share a folder.
 * @param join default: the fact that was read later
 * @returns the merged facts
 * @throws {Error} the folder is not writable, or the disk is full; the file is then as before
 */
export async function mergeMonth(path: string, added: Entries, join: Join = later): Promise<MonthFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = await lock(`${path}.lock`);
  try {
    const { entries, wasDamaged } = await readMonth(path);
    const merged = new Map(entries);
    for (const [name, entry] of added) {
      const known = merged.get(name);
      merged.set(name, known === undefined ? entry : join(known, entry));
    }
    await writeWhole(path, monthText(merged));
    return { entries: merged, wasDamaged };
  } finally {
    await unlock();
  }
}

function monthText(entries: Entries): string {
  const body = JSON.stringify(
    Object.fromEntries([...entries].map(([name, { readAt, value }]) => [name, [readAt, value]])),
  );
  return `${headOf(digestOf(body))}${body}}`;
}

function headOf(digest: string): string {
  return `{"format":"${format}","sha256":"${digest}","entries":`;
}

/** Null for anything but a whole file. */
function parseMonth(text: string): Entries | null {
  const body = text.slice(headOf('0'.repeat(digestLength)).length, -1);
  if (text !== `${headOf(digestOf(body))}${body}}`) return null;
  try {
    const parsed: unknown = JSON.parse(body);
    if (!isRecord(parsed)) return null;
    const entries = new Map<string, Entry>();
    for (const [name, pair] of Object.entries(parsed)) {
      if (!Array.isArray(pair) || pair.length !== 2) return null;
      const [readAt, value] = pair as unknown[];
      if (typeof readAt !== 'number') return null;
      entries.set(name, { readAt, value });
    }
    return entries;
  } catch {
    return null;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Null if there is no such file. A file that is too large counts as damaged. */
async function textOf(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    return size > mostBytes ? '' : await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const own = `${path}.${String(process.pid)}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(own, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(own, path);
  } catch (error) {
    await rm(own, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the new name permanent; not every system can open a folder. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file itself is complete; after a power cut it may have its old content.
  }
}

/** A process that ended while it wrote leaves its lock behind: it is removed when that process is gone, or after this time. */
const staleMs = 10_000;
const waitMs = 20;

async function lock(path: string): Promise<() => Promise<void>> {
  const until = performance.now() + staleMs;
  for (;;) {
    try {
      await writeFile(path, `${hostname()} ${process.pid}`, { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if ((await isStale(path)) || performance.now() > until) await rm(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    if (Date.now() - (await stat(path)).mtimeMs > staleMs) return true;
    const [host, pid] = (await readFile(path, 'utf8')).split(' ');
    return host === hostname() && pid !== undefined && isGone(Number(pid));
  } catch {
    return false;
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error['code'] : undefined;
}
