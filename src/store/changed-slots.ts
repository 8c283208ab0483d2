/**
 * Slots of which responses had different values. Each response stays a version of them until counters agree with one. A slot
 * whose version is settled keeps its value, whatever other responses have.
 */
import { largest } from '../checks/extremes';
import type { Samples } from '../protocol/responses';

export interface ChangedSlots {
  /** Their samples have no value. */
  readonly minutes: readonly number[];
  /** The values of each response at these minutes; NaN: it had none. All channels have the same responses. */
  readonly versions: readonly (readonly number[])[];
  /** Minutes whose samples have the value of the version that counters agreed with. */
  readonly settled: readonly number[];
}

/** By channel. */
export type Changed = ReadonlyMap<string, ChangedSlots>;

/** The values of one response by channel and minute. */
export type Version = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** More responses than these can differ; the first ones stay. */
const mostVersions = 8;

export function hasChangedSlots(changed: Changed): boolean {
  return [...changed.values()].some(({ minutes }) => minutes.length > 0);
}

/** The versions of a response that is joined of several; none if all agreed. */
export function readVersions(changed: Changed): Version[] {
  const count = Math.max(0, largest([...changed.values()].map(({ versions }) => versions.length)));
  return Array.from({ length: count }, (_, index): Version => {
    const channels = [...changed].map(([name, { minutes, versions }]) => {
      const values = minutes.map((minute, place) => [minute, versions[index]?.[place] ?? NaN] as const);
      return [name, new Map(values)] as const;
    });
    return new Map(channels);
  });
}

/**
 * @param open the minutes of each channel that have no value
 * @param settled the minutes of each channel that keep their value
 * @param versions ascending by time; those that are equal or have none of the open minutes are left out
 */
export function packVersions(
  open: ReadonlyMap<string, ReadonlySet<number>>,
  settled: ReadonlyMap<string, ReadonlySet<number>>,
  versions: readonly Version[],
  isEqual: (one: number, other: number) => boolean,
): Changed {
  const columns = [...open].flatMap(([name, minutes]) => (minutes.size > 0 ? [[name, [...minutes]] as const] : []));
  const rows: number[][][] = [];
  for (const version of versions) {
    const row = columns.map(([name, minutes]) => minutes.map((minute) => version.get(name)?.get(minute) ?? NaN));
    const isKnown = rows.some((other) =>
      row.every((values, column) => values.every((value, place) => isSame(value, other[column]?.[place] ?? NaN))),
    );
    const isNothing = row.every((values) => values.every((value) => Number.isNaN(value) || value === 0));
    if (!isKnown && !isNothing && rows.length < mostVersions) rows.push(row);
  }
  const changed = new Map<string, ChangedSlots>();
  for (const [name, minutes] of settled) {
    if (minutes.size > 0) changed.set(name, { minutes: [], versions: [], settled: [...minutes] });
  }
  columns.forEach(([name, minutes], column) => {
    const known = changed.get(name)?.settled ?? [];
    changed.set(name, { minutes, versions: rows.map((row) => row[column] ?? []), settled: known });
  });
  return changed;

  function isSame(one: number, other: number): boolean {
    return Number.isNaN(one) ? Number.isNaN(other) : isEqual(one, other);
  }
}

/** The samples of a channel with the values of a version. */
export function fillSamples({ times, values, ...counts }: Samples, version: ReadonlyMap<number, number>): Samples {
  return { times, values: values.map((value, index) => version.get(minuteAt(times[index])) ?? value), ...counts };
}

export function minuteAt(time = NaN): number {
  return Math.floor(time / 60_000) * 60_000;
}

/** One row for each channel: the minutes, the values of each version, and the settled minutes. */
export function changedToJson({ minutes, versions, settled }: ChangedSlots): unknown[] {
  const packed = versions.map((values) => values.map((value) => (Number.isNaN(value) ? null : value)));
  return [minutes, packed, settled];
}

/** Null for anything but the result of `changedToJson`. */
export function changedFromJson(packed: unknown): ChangedSlots | null {
  const [minutes, rows, settled] = Array.isArray(packed) ? (packed as unknown[]) : [];
  if (!isNumbers(minutes) || !isNumbers(settled) || !Array.isArray(rows)) return null;
  const versions: number[][] = [];
  for (const row of rows as unknown[]) {
    const values = Array.isArray(row) ? row.map((value: unknown) => value ?? NaN) : null;
    if (!isNumbers(values) || values.length !== minutes.length) return null;
    versions.push(values);
  }
  return { minutes, versions, settled };
}

export function isNumbers(list: unknown): list is number[] {
  return Array.isArray(list) && list.every((one) => typeof one === 'number');
}
