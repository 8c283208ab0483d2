/** Invented years of households, quarter by quarter, and the meters that measured them. */
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { toShape } from '../../../src/balance/meters/shape';
import { meter, reading } from '../balance/small-house';
import { isLowTariff } from '../houses/low-tariff';
import { drawNumbers } from '../random';
import { localTime, midnights, quarterMs, spanOf } from './calendar';

/** What flowed in a quarter: Wh, and litres. */
export interface Quarter {
  readonly start: number;
  /** One of a gap of several hours, of which only the sum is known. */
  readonly isShared?: boolean;
  readonly isLow: boolean;
  readonly import: number;
  readonly export: number;
  readonly gas: number;
  readonly water: number;
}

export interface Household {
  /** Every quarter of the time in which it was measured. */
  readonly quarters: readonly Quarter[];
  /** Totals before each quarter, and after the last one. */
  readonly counters: ReadonlyMap<number, Counted>;
}

type Flow = 'import' | 'export' | 'import_t1' | 'import_t2' | 'export_t1' | 'export_t2' | 'gas' | 'water';
type Counted = Readonly<Record<Flow, number>>;

/** @param flows of each quarter, from its start and the number of the quarter in the span */
export function householdOf(
  from: number,
  to: number,
  flows: (start: number, index: number) => Pick<Quarter, 'import' | 'export' | 'gas' | 'water'>,
): Household {
  const quarters: Quarter[] = [];
  const counters = new Map<number, Counted>();
  const total = {
    import: 0,
    export: 0,
    import_t1: 0,
    import_t2: 0,
    export_t1: 0,
    export_t2: 0,
    gas: 0,
    water: 0,
  };
  for (let start = from; start < to; start += quarterMs) {
    counters.set(start, { ...total });
    const quarter = { start, isLow: isLowTariff(start), ...flows(start, quarters.length) };
    quarters.push(quarter);
    const tariff = quarter.isLow ? 't1' : 't2';
    for (const direction of ['import', 'export'] as const) {
      total[direction] += quarter[direction];
      total[`${direction}_${tariff}`] += quarter[direction];
    }
    total.gas += quarter.gas;
    total.water += quarter.water;
  }
  counters.set(to, { ...total });
  return { quarters, counters };
}

/**
 * A year with sun at noon and gas in winter.
 * @param sun how much more than the house is produced: 0 for no panels
 */
export function yearOf(year: number, sun: number, movedIn: string | null = null): Household {
  const [start, end] = spanOf(String(year));
  const draw = drawNumbers(year * 10 + sun);
  return householdOf(movedIn === null ? start : spanOf(movedIn)[0], end, (moment) => {
    const { hour, month } = localTime(moment);
    const isSunny = hour >= 8 && hour < 18;
    const summer = 6 - Math.abs(6.5 - month);
    const used = Math.floor(draw() * draw() * (hour >= 17 && hour < 22 ? 900 : 300));
    const made = isSunny ? Math.floor(draw() * sun * summer * 40) : 0;
    const cold = Math.max(0, 4 - summer);
    return {
      import: made > used ? Math.floor(used / 5) : used,
      export: made > used ? made - used : 0,
      gas: Math.floor(draw() * cold * 80),
      water: Math.floor(draw() * draw() * 9),
    };
  });
}

/** What a monitor lacks. */
export interface Losses {
  readonly quarter: (start: number) => boolean;
  readonly midnight: (at: number) => boolean;
  /** How much of a quarter its minutes show: they lose import and export within the same minute. */
  readonly percentShown?: (start: number) => number;
}

export const noLosses: Losses = { quarter: () => false, midnight: () => false };

/** The meters of a household in a span: readings at midnights, and quarters if wanted. */
export function buildBalanceMeters(
  { quarters, counters }: Household,
  [from, to]: readonly [from: number, to: number],
  hasQuarters: boolean,
  lost = noLosses,
): BalanceMeter[] {
  const borders = midnights(from, to).flatMap((at) => {
    const counted = counters.get(at);
    return counted === undefined || lost.midnight(at) ? [] : [{ at, counted }];
  });
  const readings = (...flows: readonly Flow[]) =>
    borders.flatMap(({ at, counted }) => flows.map((flow) => reading(flow, at, counted[flow] / 1000)));
  const first = quarters[0]?.start ?? to;
  const inside = quarters
    .slice(Math.max(0, (from - first) / quarterMs), Math.max(0, (to - first) / quarterMs))
    .filter(({ start }) => !lost.quarter(start));
  const shape = (flow: 'import' | 'export' | 'gas' | 'water', each: number) =>
    toShape(
      inside.map(({ start, [flow]: amount }) => {
        const shown = (amount * each * (lost.percentShown?.(start) ?? 100)) / 100;
        return { start, end: start + quarterMs, amount: shown, known: quarterMs };
      }),
    );
  const shapes = hasQuarters
    ? {
        grid: { import: shape('import', 60_000), export: shape('export', 60_000) },
        gas: { gas: shape('gas', 1e6) },
        water: { water: shape('water', 1e6) },
      }
    : { grid: {}, gas: {}, water: {} };
  return [
    meter('p1', 'grid', {
      readings: readings('import', 'export', 'import_t1', 'import_t2', 'export_t1', 'export_t2'),
      shapes: shapes.grid,
    }),
    meter('p1-gas', 'gas', { readings: readings('gas'), shapes: shapes.gas }),
    meter('w1', 'water', { readings: readings('water'), shapes: shapes.water }),
  ];
}
