/**
 * The store of what is over, in a folder of this machine: one folder per house, and a file per month and kind. Nothing here
 * throws: where the folder cannot be read or written, the past is read from the monitor again, and one warning says so.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../time/clock';
import { factPath, type FactName, utcMonth } from './fact-name';
import { filesAbove, filesIn, foldersIn, housesIn, isHouse, monthName, readFolderNames } from './kept-folder';
import {
  type Added,
  type Entries,
  isAbandoned,
  type Join,
  joinEntries,
  mergeMonth,
  type MonthFile,
  readMonth,
  unpackValue,
} from './month-file';
import { Rounds, roundsFile } from './rounds';
import { readOldMonth, removeOldMonth } from './version-0-2-0';
import { setRecent } from '../checks/set-recent';

/** `damaged`: a file was set aside; `not_kept`: the folder is not writable, or the disk is full; `too_many`: houses. */
export type KeepProblem = 'damaged' | 'not_kept' | 'too_many';

export interface PastDaysOptions {
  /** Absolute path, created when something is kept; null: only in memory. */
  readonly folder: string | null;
  readonly clock: Clock;
  /** Called once per kind of problem. */
  readonly onProblem: (problem: KeepProblem, path: string) => void;
  /** Limit of all files; default 500 MB. */
  readonly mostBytes?: number;
}

export interface KeptSize {
  readonly months: number;
  readonly bytes: number;
}

const mostBytes = 500_000_000;
/** A sender of deliveries may invent names of houses without end. */
export const mostHouses = 1_000;
/** Another process can write to the same folder, so its size is counted again after this time. */
const countAgainMs = 3_600_000;
/** Facts are written together, some time after the first of them. */
const writeAfterMs = 2_000;
/** Facts that can still grow are written with others, or after this time. */
const writeLaterMs = 3_600_000;
/** Files in memory: a year of both kinds and more. A month of four meters takes 0.3 MB. */
const mostFiles = 60;
const readingsEnding = '.readings';

export class PastDays {
  /** By path; the most recently used ones are last. */
  private readonly months = new Map<string, Promise<Entries>>();
  private readonly unwritten = new Map<string, Map<string, Added>>();
  private readonly cleaned = new Set<string>();
  private readonly reported = new Set<KeepProblem>();
  private rounds: Rounds;
  private stopTimer: (() => void) | null = null;
  private dueAt = Infinity;
  private writing: Promise<void> = Promise.resolve();
  /** Room for what is written until the files are counted again: hundreds of houses have thousands of files. */
  private room = { bytes: 0, until: -Infinity };
  /** Number of times that everything was deleted. */
  deletions = 0;

  constructor(private readonly options: PastDaysOptions) {
    this.rounds = new Rounds(options.folder);
  }

  /** JSON; undefined if it was not kept. */
  async get(fact: FactName): Promise<unknown> {
    const path = factPath(fact);
    return this.readKnown(path, fact.name, await this.month(path));
  }

  /**
   * @param join makes one value of the known one and this one
   * @param canGrow it may be written later than others
   * @returns the value that is kept now
   */
  async keep(fact: FactName, value: unknown, join: Join, canGrow = false): Promise<unknown> {
    const path = factPath(fact);
    const known = this.readKnown(path, fact.name, await this.month(path));
    const joined = known === undefined ? value : join(known, value);
    if (isDeepStrictEqual(joined, known)) return joined;
    this.write(path, new Map([[fact.name, { value: joined, join }]]));
    const waitMs = canGrow ? writeLaterMs : writeAfterMs;
    const { clock } = this.options;
    if (clock.monotonic() + waitMs < this.dueAt) {
      this.stopTimer?.();
      this.dueAt = clock.monotonic() + waitMs;
      this.stopTimer = clock.after(waitMs, () => {
        void this.flush();
      });
    }
    return joined;
  }

  /** Writes what was not written so far. Returns false if a part of it cannot be written. */
  async flush(): Promise<boolean> {
    this.stopTimer?.();
    this.stopTimer = null;
    this.dueAt = Infinity;
    let isWritten = true;
    this.writing = this.writing.then(async () => {
      const paths = [...this.unwritten.keys()];
      for (const path of paths) isWritten = (await this.writeMonth(path)) && isWritten;
      if (paths.length > 0) await this.deleteAboveLimit();
    });
    await this.writing;
    return isWritten;
  }

  /** The folders of houses, also of those that are not written yet. */
  async houses(): Promise<string[]> {
    const paths = [...(this.options.folder === null ? this.months.keys() : []), ...this.unwritten.keys()];
    const known = paths.map((path) => path.slice(0, path.indexOf('/'))).filter(isHouse);
    return [...new Set([...(await housesIn(this.options.folder)), ...known])];
  }

  /** The first moments of the UTC months with readings of a house, ascending. */
  async monthsOf(house: string): Promise<number[]> {
    const { folder } = this.options;
    const names = folder === null ? [] : await readFolderNames(join(folder, house));
    const old = names.includes('other.json') ? [0] : [];
    const paths = [...(folder === null ? this.months.keys() : []), ...this.unwritten.keys()];
    const known = paths.filter((path) => path.startsWith(`${house}/`)).map((path) => path.slice(house.length + 1));
    const months = [...names, ...known].flatMap((name) => {
      const [, month, kind] = monthName.exec(name) ?? [];
      return kind === 'readings' ? [Date.parse(`${month ?? ''}-01T00:00:00Z`)] : [];
    });
    return [...new Set([...old, ...months])].sort((a, b) => a - b);
  }

  /** A number that rises when a user wants the period of this start to be read again. */
  round(start: number): Promise<number> {
    return this.rounds.of(utcMonth(start));
  }

  /** Facts are asked for again when they are needed next, and stay known. Null: all months; else such as `2026-05`. */
  async readAgain(month: string | null): Promise<void> {
    const isWritten = await this.rounds.raise(month, this.options.clock.now());
    // A folder in which nothing is kept yet has nothing to be read again.
    if (!isWritten && (await readFolderNames(this.options.folder)).length > 0) this.tell('not_kept', roundsFile);
  }

  /** The months of all houses. */
  async size(): Promise<KeptSize> {
    const files = await filesIn(this.options.folder);
    const months = new Set(files.map(({ path }) => path.slice(0, path.indexOf('.'))));
    return { months: months.size, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Deletes everything, also what no monitor can send again. */
  async forget(): Promise<void> {
    this.deletions += 1;
    this.unwritten.clear();
    await this.writing;
    const { folder } = this.options;
    for (const name of folder === null ? [] : [...(await foldersIn(folder)), roundsFile]) await this.remove(name);
    this.months.clear();
    this.rounds = new Rounds(folder);
  }

  private readKnown(path: string, name: string, entries: Entries): unknown {
    const waiting = this.unwritten.get(path)?.get(name);
    if (waiting !== undefined) return waiting.value;
    const bytes = entries.get(name);
    return bytes === undefined ? undefined : unpackValue(bytes);
  }

  private write(path: string, added: ReadonlyMap<string, Added>): void {
    if (added.size === 0) return;
    const waiting = this.unwritten.get(path) ?? new Map<string, Added>();
    for (const [name, one] of added) waiting.set(name, one);
    this.unwritten.set(path, waiting);
  }

  private month(path: string): Promise<Entries> {
    const known = this.months.get(path) ?? this.read(path);
    setRecent(this.months, path, known, mostFiles);
    return known;
  }

  private async read(path: string): Promise<Entries> {
    const { folder } = this.options;
    if (folder === null) return new Map();
    try {
      await this.clean(path);
      const entries = this.entriesOf(await readMonth(join(folder, path), path.endsWith(readingsEnding)), path);
      this.write(path, await readOldMonth(folder, path));
      return entries;
    } catch {
      this.tell('not_kept', path);
      return new Map();
    }
  }

  /** Removes what processes that were killed have left in the folder of a house, and in that of all houses. */
  private async clean(path: string): Promise<void> {
    for (const part of ['', path.slice(0, path.indexOf('/'))]) {
      if (this.cleaned.has(part)) continue;
      this.cleaned.add(part);
      for (const name of await readFolderNames(join(this.options.folder ?? '', part))) {
        if (await isAbandoned(join(this.options.folder ?? '', part, name))) await this.remove(join(part, name));
      }
    }
  }

  /** False if it cannot be written. */
  private async writeMonth(path: string): Promise<boolean> {
    const added = new Map(this.unwritten.get(path));
    if (added.size === 0) return true;
    const { folder } = this.options;
    try {
      if (folder === null) {
        this.months.set(path, Promise.resolve(joinEntries(await this.month(path), added)));
      } else {
        if (await this.isBeyondLimit(path)) {
          this.tell('too_many', path);
          return false;
        }
        const file = await mergeMonth(join(folder, path), added, path.endsWith(readingsEnding));
        this.months.set(path, Promise.resolve(this.entriesOf(file, path)));
        for (const { length } of file.entries.values()) this.room.bytes -= length;
        await removeOldMonth(folder, path);
      }
      return true;
    } catch {
      this.tell('not_kept', path);
      return false;
    } finally {
      this.drop(path, added);
    }
  }

  /** Facts that were added while the file was written stay. */
  private drop(path: string, written: ReadonlyMap<string, Added>): void {
    const waiting = this.unwritten.get(path);
    for (const [name, one] of written) if (waiting?.get(name) === one) waiting.delete(name);
    if (waiting?.size === 0) this.unwritten.delete(path);
  }

  /** True for a new house where as many as are kept have a folder. */
  private async isBeyondLimit(path: string): Promise<boolean> {
    const house = path.slice(0, path.indexOf('/'));
    const houses = await housesIn(this.options.folder);
    return isHouse(house) && !houses.includes(house) && houses.length >= mostHouses;
  }

  private entriesOf({ entries, wasDamaged }: MonthFile, path: string): Entries {
    if (wasDamaged) this.tell('damaged', path);
    return entries;
  }

  private tell(problem: KeepProblem, path: string): void {
    if (this.reported.has(problem)) return;
    this.reported.add(problem);
    this.options.onProblem(problem, join(this.options.folder ?? '', path));
  }

  /** Deletes the oldest files above the limit, those of series first. */
  private async deleteAboveLimit(): Promise<void> {
    const { folder, clock, mostBytes: most = mostBytes } = this.options;
    if (this.room.bytes > 0 && clock.monotonic() < this.room.until) return;
    const files = await filesIn(folder);
    const above = filesAbove(files, most);
    for (const { path } of above) {
      this.months.delete(path);
      await this.remove(path);
    }
    // A file can have a copy.
    const sizeOf = (list: typeof files): number => list.reduce((sum, { bytes }) => sum + bytes, 0);
    this.room = { bytes: (most - sizeOf(files) + sizeOf(above)) / 2, until: clock.monotonic() + countAgainMs };
  }

  private async remove(path: string): Promise<void> {
    try {
      await rm(join(this.options.folder ?? '', path), { recursive: true, force: true });
    } catch {
      this.tell('not_kept', path);
    }
  }
}
