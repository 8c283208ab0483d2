/**
 * Days that are over, kept in a folder of this machine: one folder per monitor, two files per month. Nothing here throws: where the
 * folder cannot be read or written, days are read from the monitor again, and one warning says so.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import { type Entry, type Entries, type Join, type MonthFile, mergeMonth, readMonth } from './month-file';

/** `damaged`: a file was set aside; `not_kept`: the folder is not writable, or the disk is full. */
export type KeepProblem = 'damaged' | 'not_kept';

export interface PastDaysOptions {
  /** Absolute path; created when something is kept. */
  readonly folder: string;
  readonly clock: Clock;
  /** Called once per kind of problem. */
  readonly onProblem: (problem: KeepProblem, path: string) => void;
}

export interface KeptSize {
  readonly months: number;
  readonly bytes: number;
}

/** The amounts and readings of balances, and the responses for series. Each has a file of its own, because the latter go first. */
export type FactKind = 'balance' | 'series';

/** A fact and its place: the UTC month of the day, month or year that it is about. */
export interface FactName {
  readonly kind: FactKind;
  readonly monitor: MonitorId;
  /** Start of the period, epoch ms. */
  readonly start: number;
  readonly name: string;
}

const mostBytesPerYear = 2_000_000;
const mostBytes = 200_000_000;
/** Facts are written together, some time after the first of them. */
const writeAfterMs = 2_000;
/** Files in memory: those of a year and of the months around it. */
const mostFiles = 28;
/** 2026-03.json, 2026-03.series.json */
const monthFile = /^\d{4}-\d{2}(\.series)?\.json$/;
const endings: Readonly<Record<FactKind, string>> = { balance: '.json', series: '.series.json' };

export class PastDays {
  /** By path; the most recently used ones are last. */
  private readonly months = new Map<string, Promise<Entries>>();
  private readonly unwritten = new Map<string, Map<string, Entry>>();
  private readonly told = new Set<KeepProblem>();
  private stopTimer: (() => void) | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: PastDaysOptions) {}

  /** Null if it was not kept. */
  async get(fact: FactName): Promise<Entry | null> {
    const { name } = fact;
    const path = this.pathOf(fact);
    const waiting = this.unwritten.get(path)?.get(name);
    if (waiting !== undefined) return waiting;
    return (await this.month(path)).get(name) ?? null;
  }

  /**
   * @param value JSON
   * @param readAt when the monitor sent it, epoch ms
   */
  put(fact: FactName, value: unknown, readAt: number = this.options.clock.now()): void {
    const path = this.pathOf(fact);
    const entries = this.unwritten.get(path) ?? new Map<string, Entry>();
    entries.set(fact.name, { readAt, value });
    this.unwritten.set(path, entries);
    this.stopTimer ??= this.options.clock.after(writeAfterMs, () => {
      void this.flush();
    });
  }

  /** Writes what was not written so far. */
  async flush(): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    const files = [...this.unwritten];
    this.unwritten.clear();
    this.writing = this.writing.then(async () => {
      await this.write(files);
      if (files.length > 0) await this.limit();
    });
    await this.writing;
  }

  /** Something that belongs to no month, such as the readings of all midnights; null if there is none. */
  async load(monitor: MonitorId, name: string): Promise<unknown> {
    return (await this.month(this.pathOfOther(monitor))).get(name)?.value ?? null;
  }

  /**
   * @param join makes one value of the stored one and this one
   * @returns false if it cannot be written
   */
  async save(
    monitor: MonitorId,
    name: string,
    value: unknown,
    join: (known: unknown, added: unknown) => unknown,
  ): Promise<boolean> {
    const path = this.pathOfOther(monitor);
    const entry: Entry = { readAt: this.options.clock.now(), value };
    const joined = (known: Entry, added: Entry): Entry => ({ ...added, value: join(known.value, added.value) });
    const done = this.writing.then(() => this.write([[path, new Map([[name, entry]])]], joined));
    this.writing = done.then(() => undefined);
    return done;
  }

  /** The months of all monitors. */
  async size(): Promise<KeptSize> {
    const files = await this.files();
    const months = new Set(files.map(({ monitor, month }) => `${monitor}/${month}`));
    return { months: months.size, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Deletes the months of all monitors, so that they are requested again. */
  async forgetMonths(): Promise<void> {
    this.unwritten.clear();
    await this.writing;
    for (const { path } of await this.files()) await this.remove(path);
    this.months.clear();
  }

  /** Deletes everything, also what no monitor can send again. */
  async forget(): Promise<void> {
    this.unwritten.clear();
    await this.writing;
    for (const monitor of await this.monitors()) await this.remove(join(this.options.folder, monitor));
    this.months.clear();
  }

  private pathOf({ kind, monitor, start }: FactName): string {
    const month = new Date(start).toISOString().slice(0, 7);
    return join(this.options.folder, monitor, `${month}${endings[kind]}`);
  }

  private pathOfOther(monitor: MonitorId): string {
    return join(this.options.folder, monitor, 'other.json');
  }

  private month(path: string): Promise<Entries> {
    const known = this.months.get(path) ?? this.read(path);
    this.months.delete(path);
    this.months.set(path, known);
    for (const oldest of this.months.keys()) {
      if (this.months.size <= mostFiles) break;
      this.months.delete(oldest);
    }
    return known;
  }

  private async read(path: string): Promise<Entries> {
    try {
      return this.entriesOf(await readMonth(path), path);
    } catch {
      this.tell('not_kept', path);
      return new Map();
    }
  }

  /** False if one of them cannot be written. */
  private async write(files: readonly (readonly [string, Entries])[], join?: Join): Promise<boolean> {
    let isWritten = true;
    for (const [path, added] of files) {
      try {
        const entries = this.entriesOf(await mergeMonth(path, added, join), path);
        this.months.set(path, Promise.resolve(entries));
      } catch {
        isWritten = false;
        this.tell('not_kept', path);
      }
    }
    return isWritten;
  }

  private entriesOf({ entries, wasDamaged }: MonthFile, path: string): Entries {
    if (wasDamaged) this.tell('damaged', path);
    return entries;
  }

  private tell(problem: KeepProblem, path: string): void {
    if (this.told.has(problem)) return;
    this.told.add(problem);
    this.options.onProblem(problem, path);
  }

  /** Deletes the oldest files above the limits, those of series first. */
  private async limit(): Promise<void> {
    const files = await this.files();
    const years = new Map<string, KeptFile[]>();
    for (const file of files) {
      const year = `${file.monitor}/${file.month.slice(0, 4)}`;
      years.set(year, [...(years.get(year) ?? []), file]);
    }
    const removed = new Set([...years.values()].flatMap((list) => aboveLimit(list, mostBytesPerYear)));
    const rest = files.filter((file) => !removed.has(file));
    for (const file of [...removed, ...aboveLimit(rest, mostBytes)]) {
      this.months.delete(file.path);
      await this.remove(file.path);
    }
  }

  private async remove(path: string): Promise<void> {
    try {
      await rm(path, { recursive: true, force: true });
    } catch {
      this.tell('not_kept', path);
    }
  }

  private async monitors(): Promise<string[]> {
    return (await namesIn(this.options.folder)).filter((name) => toMonitorId(name) === name);
  }

  /** In the order in which they are deleted. */
  private async files(): Promise<KeptFile[]> {
    const found: KeptFile[] = [];
    for (const monitor of await this.monitors()) {
      const folder = join(this.options.folder, monitor);
      for (const file of await namesIn(folder)) {
        if (!monthFile.test(file)) continue;
        const path = join(folder, file);
        const bytes = await sizeOf(path);
        const kind = file.endsWith(endings.series) ? 'series' : 'balance';
        if (bytes !== null) found.push({ path, monitor, kind, month: file.slice(0, 7), bytes });
      }
    }
    const oldestFirst = found.sort((a, b) => (a.month < b.month ? -1 : 1));
    const of = (kind: FactKind): KeptFile[] => oldestFirst.filter((file) => file.kind === kind);
    return [...of('series'), ...of('balance')];
  }
}

interface KeptFile {
  readonly path: string;
  readonly monitor: string;
  readonly kind: FactKind;
  /** `2026-03` */
  readonly month: string;
  readonly bytes: number;
}

/** @param files those that go first are first */
function aboveLimit(files: readonly KeptFile[], most: number): KeptFile[] {
  let above = files.reduce((sum, { bytes }) => sum + bytes, 0) - most;
  return files.filter(({ bytes }) => {
    const goes = above > 0;
    if (goes) above -= bytes;
    return goes;
  });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}
