/** The folder of the store: its houses, its files with their sizes, and those that go when there is no room. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largest } from '../checks/extremes';

export interface KeptFile {
  /** Relative to the folder. */
  readonly path: string;
  /** `2026-03` */
  readonly month: string;
  readonly isSeries: boolean;
  readonly bytes: number;
}

/** Readings of so many months are never deleted for space. */
const monthsOfReadings = 26;
/** Prices belong to a connection and not to a monitor. */
const pricesName = /^prices-[0-9a-f]{16}$/;
/** The monitors that a connection has verified last. */
const connectionName = /^connection-[0-9a-f]{16}$/;
const houseName = /^([0-9a-f]{12}|cemm-\d{1,12}|inst-[0-9a-f]{16})$/;
/** 2026-03.series, 2026-03.readings, 2026-03.readings-2 */
export const monthName = /^(\d{4}-\d{2})\.(series|readings)(-2)?$/;

/** None for a folder that cannot be read; null stands for no folder. */
export async function readFolderNames(folder: string | null): Promise<string[]> {
  try {
    return folder === null ? [] : await readdir(folder);
  } catch {
    return [];
  }
}

export function isHouse(name: string): boolean {
  return houseName.test(name);
}

export async function housesIn(folder: string | null): Promise<string[]> {
  return (await readFolderNames(folder)).filter(isHouse);
}

/** All folders of the store. */
export async function foldersIn(folder: string | null): Promise<string[]> {
  return (await readFolderNames(folder)).filter((name) => hasMonths(name) || connectionName.test(name));
}

/** The folders of houses and prices. */
function hasMonths(name: string): boolean {
  return isHouse(name) || pricesName.test(name);
}

/** In the order in which they are deleted: series first, the oldest ones first. */
export async function filesIn(folder: string | null): Promise<KeptFile[]> {
  const found: KeptFile[] = [];
  for (const house of (await readFolderNames(folder)).filter(hasMonths)) {
    for (const name of await readFolderNames(join(folder ?? '', house))) {
      const [, month, kind] = monthName.exec(name) ?? [];
      const path = `${house}/${name}`;
      const bytes = month === undefined ? null : await sizeOf(join(folder ?? '', path));
      if (month !== undefined && bytes !== null) found.push({ path, month, isSeries: kind === 'series', bytes });
    }
  }
  return found.sort((a, b) => Number(b.isSeries) - Number(a.isSeries) || (a.month < b.month ? -1 : 1));
}

/** The files that are deleted because all take more than the limit. */
export function filesAbove(files: readonly KeptFile[], mostBytes: number): KeptFile[] {
  let above = files.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes;
  // Counted from the newest file: the clock may be ahead.
  const newest = largest(files.map(({ month }) => monthNumber(month)));
  return files.filter(({ month, isSeries, bytes }) => {
    const goes = above > 0 && (isSeries || newest - monthNumber(month) >= monthsOfReadings);
    if (goes) above -= bytes;
    return goes;
  });
}

function monthNumber(month: string): number {
  return 12 * Number(month.slice(0, 4)) + Number(month.slice(5));
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}
