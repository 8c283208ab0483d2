/** The year as a carpet: a column for each day, a cell for each hour. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { localTime, noonOf } from './dates';
import { isNumber, toPercent } from './numbers';
import type { Carpet, Level } from './pictures';

export const levels: readonly Level[] = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Wh; below the first, own sun may cover an hour. */
const balanced = 60;
const importLimits = [200, 500, 1100];
const exportLimits = [300, 800, 1600];

/** Null without hours of electricity. */
export function carpetOf({ formats, frame }: Sheet, balance: BalancePayload): Carpet | null {
  const { period, hours } = balance;
  const imported = hours?.['energy_import_kwh'];
  if (period === undefined || imported === undefined) return null;
  const first = `${period.label}-01-01`;
  const days = Math.round((period.end - period.start) / dayMs);
  const hasSun = balance.values['energy_production_kwh'] !== undefined;
  const places = hoursOfDays(period.start, days, balance.timezone ?? frame.timezone);
  const cells = cellsOf(hours ?? {}, places, hasSun);
  const months = Array.from({ length: 12 }, (_, month) => {
    const from = (Date.UTC(Number(period.label), month, 1, 12) - noonOf(first)) / dayMs;
    const to = (Date.UTC(Number(period.label), month + 1, 1, 12) - noonOf(first)) / dayMs;
    return { from, to, noon: Date.UTC(Number(period.label), month, 15, 12) };
  });
  const isKnownBetween = (from: number, to: number): boolean =>
    cells.slice(from, to).some((day) => day.some((level) => level !== null));
  return {
    days,
    year: period.label,
    paths: pathsOf(cells),
    unknown: months
      .filter(({ from, to }) => !isKnownBetween(from, to))
      .map(({ from, to }) => ({
        x: from,
        width: to - from,
        isFuture: period.start + from * dayMs > frame.moment,
      })),
    months: months.map(({ from, noon }) => ({
      at: toPercent(from / days),
      text: formats.date(noon, { month: 'short' }).replace(/\.$/, ''),
    })),
    hours: [0, 6, 12, 18].map((hour) => ({ at: toPercent(hour / 24), text: String(hour).padStart(2, '0') })),
    levels: hasSun ? levels : levels.filter((level) => level < 0),
  };
}

/** The day at a place of the carpet. */
export function findCarpetDay({ year, days }: Pick<Carpet, 'year' | 'days'>, share: number): string {
  const index = Math.min(days - 1, Math.max(0, Math.floor(share * days)));
  return new Date(noonOf(`${year}-01-01`) + index * dayMs).toISOString().slice(0, 10);
}

/** For each day, by hour of the clock, the indexes of its entries: none or two where the clock is changed. */
function hoursOfDays(start: number, days: number, timezone: string | null): number[][][] {
  const shift = shiftsOf(start, timezone);
  let before = 0;
  return Array.from({ length: days }, (_, day) => {
    const [from, after] = [day * 24 - before, shift(day)];
    const count = 24 + before - after;
    before = after;
    const ofDay: number[][] = Array.from({ length: 24 }, () => []);
    for (let index = from; index < from + count; index++) {
      const hour = count === 24 ? index - from : localTime(start + index * hourMs, timezone).hour;
      ofDay[hour]?.push(index);
    }
    return ofDay;
  });
}

/** Hours by which the clock of a day is ahead of that of the first one, seen at noon. Time zones are slow, so it is read by the week. */
function shiftsOf(start: number, timezone: string | null): (day: number) => number {
  const known = new Map<number, number>();
  const read = (day: number): number => {
    const shift = known.get(day) ?? localTime(start + day * dayMs + dayMs / 2, timezone).hour - 12;
    known.set(day, shift);
    return shift;
  };
  return (day) => {
    const monday = day - (day % 7);
    const shift = read(monday);
    return shift === read(monday + 7) ? shift : read(day);
  };
}

/** Null: not known. */
function cellsOf(
  hours: Readonly<Record<string, readonly (number | null)[]>>,
  days: readonly (readonly (readonly number[])[])[],
  hasSun: boolean,
): (Level | null)[][] {
  const mean = (field: string, indexes: readonly number[]): number | null => {
    const values = indexes.map((index) => hours[field]?.[index] ?? null).filter(isNumber);
    if (indexes.length === 0 || values.length < indexes.length) return null;
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return days.map((day) =>
    day.map((indexes) => {
      const [taken, given] = [mean('energy_import_kwh', indexes), mean('energy_export_kwh', indexes)];
      if (taken === null || (hasSun && given === null)) return null;
      const net = taken - (given ?? 0);
      // Little import alone may be a house that uses little.
      return levelFor(net, hasSun && (taken === 0 || given !== 0));
    }),
  );
}

function levelFor(net: number, isOwn: boolean): Level {
  if (isOwn && Math.abs(net) < balanced) return 0;
  const size = (limits: readonly number[]): number => 1 + limits.filter((limit) => Math.abs(net) >= limit).length;
  return levels[net < 0 ? 4 + size(exportLimits) : 4 - size(importLimits)] ?? 0;
}

/** One path for a level; equal hours of a day are one rectangle. */
function pathsOf(days: readonly (readonly (Level | null)[])[]): Carpet['paths'][number][] {
  const parts = new Map<Level, string[]>();
  days.forEach((day, x) => {
    for (let hour = 0; hour < 24;) {
      const level = day[hour] ?? null;
      const next = day.findIndex((one, index) => index > hour && one !== level);
      const end = next === -1 ? 24 : next;
      if (level !== null) {
        const list = parts.get(level) ?? [];
        list.push(`M${x} ${hour}h1v${end - hour}h-1z`);
        parts.set(level, list);
      }
      hour = end;
    }
  });
  return levels.flatMap((level) => {
    const list = parts.get(level);
    return list === undefined ? [] : [{ level, d: list.join('') }];
  });
}
