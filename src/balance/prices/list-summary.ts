/** The extent of a list of prices, its holes, and the prices of one day, as a dialog shows them. */
import type { DayRange } from '../../calendar/periods';
import { hourMs } from '../../time/units';
import type { Time } from './contracts';
import { pricePoints } from './price-points';
import type { Price, Prices } from './prices';

interface DayPrice extends Time {
  /** With all taxes; null: none. */
  readonly value: number | null;
}

export interface ListSummary {
  readonly currency: string;
  /** True for the price of what is imported. */
  readonly isImport: boolean;
  readonly from: number;
  /** Null: the last price has no end. */
  readonly until: number | null;
  /** The first holes. */
  readonly holes: readonly Time[];
  readonly holeCount: number;
  readonly day: readonly DayPrice[];
}

const mostHoles = 3;

/** Null without a list of import or export. */
export function summarizeList(prices: Prices, day: DayRange, now: number): ListSummary | null {
  const isImport = prices.import?.kind === 'list';
  const list = isImport ? prices.import : prices.export;
  if (list?.kind !== 'list') return null;
  const { entries } = list;
  const [from = 0, until = Infinity] = [entries[0]?.start, entries.at(-1)?.end];
  const holes = holesIn(list);
  const { points = [] } = pricePoints({ prices, period: day, transport: 'demo', now });
  return {
    currency: prices.currency,
    isImport,
    from,
    until: Number.isFinite(until) ? until : null,
    holes: holes.slice(0, mostHoles),
    holeCount: holes.length,
    day: points.map((point): DayPrice => {
      const value = point[isImport ? 'price_import' : 'price_export'] ?? null;
      return { start: point.ts, end: point['end'] ?? point.ts + hourMs, value };
    }),
  };
}

/** Times between two entries without a price. */
function holesIn({ entries }: Extract<Price, { kind: 'list' }>): Time[] {
  return entries.flatMap(({ end }, index): Time[] => {
    const next = entries[index + 1]?.start ?? end;
    return next > end ? [{ start: end, end: next }] : [];
  });
}
