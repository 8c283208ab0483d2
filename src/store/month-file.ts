/**
 * One file of kept facts, `cemm/<house>/<month>.<kind>`: a line with the format and a digest, a line with the names, and the values
 * as JSON, each deflated (RFC 1951). It is written whole under another name and then renamed, so that a process that ends at any
 * moment leaves the old file or the new one. The digest finds every other damage, and a second copy replaces a damaged file.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { hasEnded, readErrorCode, takeLock } from './file-lock';

/** Values by name, deflated. */
export type Entries = ReadonlyMap<string, Buffer>;

/** Makes one value of the known one and this one. */
export type Join = (known: unknown, added: unknown) => unknown;

export interface Added {
  /** JSON */
  readonly value: unknown;
  readonly join: Join;
}

export interface MonthFile {
  readonly entries: Entries;
  /** True: the file was damaged, and is now beside it as `.bad`. */
  readonly wasDamaged: boolean;
}

const format = 'cemm/past/1';
const digestLength = 64;
const headLength = format.length + 1 + digestLength + 1;
/** Larger files are not ours. */
const mostFileBytes = 64_000_000;
/** A day of 100 channels takes 1 MB as JSON. */
const mostValueBytes = 4_000_000;
const endOfCopy = '-2';

/** Has its own memory: zlib's result is a part of at least 16 kB, which stays in memory as long as any part of it. */
export function packJson(text: string): Buffer {
  return Buffer.from(new Uint8Array(deflateRawSync(text)).buffer);
}

/** Undefined for anything but the result of `packJson`. */
export function unpackValue(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(inflateRawSync(bytes, { maxOutputLength: mostValueBytes }).toString());
    return value;
  } catch {
    return undefined;
  }
}

/**
 * The facts of a file, or of its copy; none if there are neither.
 * @throws {Error} a file exists and cannot be read
 */
export async function readMonth(path: string, hasCopy = false): Promise<MonthFile> {
  const entries = await readEntries(path);
  if (entries instanceof Map) return { entries, wasDamaged: false };
  const copied = hasCopy ? await readEntries(`${path}${endOfCopy}`) : null;
  const wasDamaged = entries === 'damaged';
  if (wasDamaged) await rename(path, `${path}.bad`);
  return { entries: copied instanceof Map ? copied : new Map(), wasDamaged };
}

/**
 * Adds facts to a file, which may have others by now, because two processes can share a folder.
 * @returns the merged facts
 * @throws {Error} the folder is not writable, or the disk is full; the file is then as before
 */
export async function mergeMonth(path: string, added: ReadonlyMap<string, Added>, hasCopy = false): Promise<MonthFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = await takeLock(`${path}.lock`);
  try {
    const { entries, wasDamaged } = await readMonth(path, hasCopy);
    const merged = joinEntries(entries, added);
    const bytes = fileBytes(merged);
    await writeWhole(path, bytes);
    if (hasCopy) await writeWhole(`${path}${endOfCopy}`, bytes);
    return { entries: merged, wasDamaged };
  } finally {
    await unlock();
  }
}

/** A value that cannot be read is replaced, and one that has become too large stays as it was. */
export function joinEntries(entries: Entries, added: ReadonlyMap<string, Added>): Entries {
  const merged = new Map(entries);
  for (const [name, { value, join }] of added) {
    const bytes = merged.get(name);
    const known = bytes === undefined ? undefined : unpackValue(bytes);
    const text = JSON.stringify(known === undefined ? value : join(known, value));
    if (text.length <= mostValueBytes) merged.set(name, packJson(text));
  }
  return merged;
}

function fileBytes(entries: Entries): Buffer {
  const names = JSON.stringify([...entries].map(([name, { length }]) => [name, length]));
  const body = Buffer.concat([Buffer.from(`${names}\n`), ...entries.values()]);
  return Buffer.concat([Buffer.from(`${format} ${digestOf(body)}\n`), body]);
}

/** Null if there is no such file. A file that is too large counts as damaged. */
async function readEntries(path: string): Promise<Map<string, Buffer> | 'damaged' | null> {
  try {
    const { size } = await stat(path);
    return size > mostFileBytes ? 'damaged' : (parseFile(await readFile(path)) ?? 'damaged');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null for anything but a whole file. */
function parseFile(bytes: Buffer): Map<string, Buffer> | null {
  const body = bytes.subarray(headLength);
  if (bytes.toString('latin1', 0, headLength) !== `${format} ${digestOf(body)}\n`) return null;
  let place = body.indexOf('\n') + 1;
  const names: unknown = JSON.parse(body.toString('utf8', 0, place));
  const entries = new Map<string, Buffer>();
  for (const pair of Array.isArray(names) ? (names as unknown[]) : []) {
    const [name, length] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof name !== 'string' || typeof length !== 'number') return null;
    entries.set(name, body.subarray(place, place + length));
    place += length;
  }
  return entries;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function writeWhole(path: string, content: Buffer | string): Promise<void> {
  const own = `${path}.${String(process.pid)}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(own, 'wx', 0o600);
    try {
      await file.writeFile(content);
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

/** True for the unfinished file of a process that has ended. Another machine may have a process that this one does not know. */
export async function isAbandoned(path: string): Promise<boolean> {
  const [, pid] = /\.(\d+)-[0-9a-f]{8}\.tmp$/.exec(path) ?? [];
  if (pid === undefined || !(Number(pid) === process.pid || hasEnded(Number(pid)))) return false;
  return stat(path).then(isOld, () => false);
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

/** So old is an unfinished file that nobody writes any more. */
const abandonedMs = 10_000;

function isOld({ mtimeMs }: { readonly mtimeMs: number }): boolean {
  return Date.now() - mtimeMs > abandonedMs;
}
