/** Gaps in what a monitor recorded of a year, and the quarters that are known then by docs/balance.md, without code of src. */
import { midnights, quarterMs } from './calendar';
import type { Household, Losses, Quarter } from './household';
import type { Span } from './naive-due';

const hourMs = 4 * quarterMs;

/** Sometimes the monitor's memory lacks a day, more often an hour; some midnights have no reading. */
export function drawGaps(draw: () => number, [from, to]: Span): Losses {
  const days = midnights(from, to);
  const unread = new Set(days.filter(() => draw() < 0.05));
  // Of the last days, the minutes alone.
  if (draw() < 0.4) for (const last of days.slice(-3)) unread.add(last);
  const lost = new Set<number>();
  days.forEach((day, index) => {
    const isLost = draw() < 0.03;
    for (let hour = day; hour < (days[index + 1] ?? day); hour += hourMs) if (isLost || draw() < 0.01) lost.add(hour);
  });
  return { quarter: (at) => lost.has(at - (at % hourMs)), midnight: (at) => unread.has(at), percentShown };
}

/** Not the same in each quarter. */
export function percentShown(start: number): number {
  return 94 + ((start / quarterMs) % 5);
}

/** The quarters between the first and the last reading. */
export function quartersBetweenReadings({ quarters }: Household, lost: Losses, period: Span): Quarter[] {
  const read = midnights(...period).filter((at) => !lost.midnight(at));
  return quarters.filter(({ start }) => start >= (read[0] ?? Infinity) && start < (read.at(-1) ?? -Infinity));
}

/**
 * The known quarters of a period. Between two readings the counters take precedence: what the minutes lack flowed evenly in the
 * lost quarters, or else in proportion to the minutes.
 */
export function spreadCounters({ quarters, counters }: Household, lost: Losses, [from, to]: Span): Quarter[] {
  const borders = [from, ...midnights(from, to).filter((at) => !lost.midnight(at)), to];
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? end;
    const all = quarters.slice((start - from) / quarterMs, (end - from) / quarterMs);
    const shown = all.map((quarter): Quarter | null => {
      if (lost.quarter(quarter.start)) return null;
      const share = (lost.percentShown?.(quarter.start) ?? 100) / 100;
      return { ...quarter, import: quarter.import * share, export: quarter.export * share };
    });
    if (lost.midnight(start) || lost.midnight(end)) return shown.filter((quarter) => quarter !== null);
    const missing = shown.filter((quarter) => quarter === null).length;
    const fill = (flow: 'import' | 'export') => {
      const counted = (counters.get(end)?.[flow] ?? NaN) - (counters.get(start)?.[flow] ?? NaN);
      const sum = shown.reduce((total, quarter) => total + (quarter?.[flow] ?? 0), 0);
      return { each: (counted - sum) / missing, factor: missing > 0 || sum === 0 ? 1 : counted / sum };
    };
    const [taken, given] = [fill('import'), fill('export')];
    return all.map((quarter, place): Quarter => {
      const known = shown[place] ?? null;
      if (known === null) return { ...quarter, isShared: missing > 4, import: taken.each, export: given.each };
      return { ...quarter, import: known.import * taken.factor, export: known.export * given.factor };
    });
  });
}
