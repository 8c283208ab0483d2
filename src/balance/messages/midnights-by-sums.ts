/**
 * Readings of midnights at which nothing was delivered: what a counter shows later, less what the monitor has added up since the midnight.
 */
import type { Amount } from '../meters/amounts';
import { isCountedField } from '../meters/field-readings';
import type { FieldState, MeterState, Readings, Stamped, Sum, Window } from './state';

/** ms. A reading and a sum that end so close to each other are of one delivery. */
const mostApart = 10_000;

/**
 * By midnight. Only between two readings, because these show whether a sum is possible, and only of all counters together: one that
 * disagrees makes the others doubtful.
 * @param from epoch ms; earlier midnights are left out
 */
export function midnightsBySums(meter: MeterState, from: number): Record<string, Readings> {
  const found: Record<string, Readings> = {};
  const unread = findUnread(meter, from);
  if (unread.size === 0) return found;
  const known = listReadings(meter);
  // A sum may end at a midnight that a later one tells.
  for (const [start, sums] of [...unread].sort(([a], [b]) => b - a)) {
    const counted = [...known].filter(
      ([field, readings]) => !isRead(meter, start, field) && isBetween(readings, start),
    );
    const derived = counted.map(([field, readings]): [string, Stamped | null] => [
      field,
      readingAt(start, readings, sums.get(field) ?? []),
    ]);
    const whole = derived.flatMap(([field, reading]) => (reading === null ? [] : [[field, reading] as const]));
    if (whole.length === 0 || whole.length < derived.length) continue;
    found[start] = Object.fromEntries(whole);
    for (const [field, reading] of whole) insert(known.get(field) ?? [], reading);
  }
  return found;
}

interface EndedSum {
  readonly end: number;
  readonly amount: Amount;
}

/** The sums from a midnight without a reading on, by midnight and field. */
function findUnread(meter: MeterState, from: number): Map<number, Map<string, EndedSum[]>> {
  const found = new Map<number, Map<string, EndedSum[]>>();
  for (const [field, state] of Object.entries(meter.fields)) {
    if (!isCountedField(field)) continue;
    for (const { start, ...sum } of listSums(state)) {
      if (start < from || isRead(meter, start, field)) continue;
      const ofStart = found.get(start) ?? new Map<string, EndedSum[]>();
      found.set(start, ofStart.set(field, [...(ofStart.get(field) ?? []), sum]));
    }
  }
  return found;
}

function isRead({ midnights }: MeterState, midnight: number, field: string): boolean {
  return Object.hasOwn(midnights[midnight] ?? {}, field);
}

/** Days, months and years that were added up from their first moment on. */
function listSums({ days, months = {}, years = {} }: FieldState): (EndedSum & { readonly start: number })[] {
  return [days, months, years]
    .flatMap((list) => Object.entries<Window | Sum>(list))
    .flatMap(([key, [end, amount, since = Number(key)]]) => {
      return since === Number(key) ? [{ start: since, end, amount }] : [];
    });
}

/** By field, ascending. */
function listReadings({ latest, quarters, midnights, breaks = {} }: MeterState): Map<string, Stamped[]> {
  const found = new Map<string, Stamped[]>();
  const lists = [quarters, midnights, breaks].flatMap((list) => Object.values(list));
  for (const readings of [latest, ...lists]) {
    for (const [field, reading] of Object.entries(readings)) {
      const known = found.get(field);
      if (known === undefined) found.set(field, [reading]);
      else known.push(reading);
    }
  }
  for (const readings of found.values()) readings.sort(([a], [b]) => a - b);
  return found;
}

function isBetween(readings: readonly Stamped[], moment: number): boolean {
  return (readings[0]?.[0] ?? Infinity) < moment && (readings.at(-1)?.[0] ?? -Infinity) > moment;
}

/** Null if no sum tells it, or one that is not possible between the readings around it. */
function readingAt(start: number, readings: readonly Stamped[], sums: readonly EndedSum[]): Stamped | null {
  const [, least] = readings.findLast(([ts]) => ts < start) ?? [0, Infinity];
  const [, most] = readings.find(([ts]) => ts > start) ?? [0, -Infinity];
  for (const { end, amount } of sums) {
    const last = readings.find(([ts]) => Math.abs(ts - end) <= mostApart);
    if (last === undefined) continue;
    const shown = last[1] - amount;
    return shown < least || shown > most ? null : [start, shown];
  }
  return null;
}

function insert(readings: Stamped[], reading: Stamped): void {
  const after = readings.findIndex(([ts]) => ts > reading[0]);
  readings.splice(after, 0, reading);
}
