/**
 * The reading of a counter at the end of each hour of a day: a reading at a border of the day, plus or minus the amounts of the
 * hours in between. An amount that is a share of a longer time makes the readings after it unknown, until they can be computed
 * backwards from the end of the day.
 */
import type { BalancePayload } from '../../model/payload';
import { hourMs } from '../../time/units';

interface HourEnd {
  /** Start of the hour, epoch ms. */
  readonly start: number;
  /** Null on the day of a meter replacement, and if only amounts are known. */
  readonly reading: number | null;
  /** Reading minus base. A replaced meter does not change it. */
  readonly sum: number;
}

export interface HourEnds {
  readonly hours: readonly HourEnd[];
  /** At the start of the day; null if unknown. */
  readonly sumAtStart: number | null;
}

const stepLengths: Readonly<Record<string, number>> = { PT15M: hourMs / 4, PT1H: hourMs };
/** kWh or m³. A counter whose change differs more from the counted amount was replaced; balances ignore a fall of 0.05. */
export const mostDifference = 0.1;

interface Step {
  readonly end: number;
  readonly amount: number | null;
  /** False: a share of a longer time. */
  readonly isMeasured: boolean;
}

/** True if hours of UTC begin and end with the points. */
export function isHourly({ period }: BalancePayload): boolean {
  const length = period === undefined ? undefined : stepLengths[period.step];
  return length !== undefined && period !== undefined && period.start % length === 0;
}

/**
 * @param base is subtracted from readings
 * @param addsUp adds the amounts to `-base` if the counter was not read
 */
export function hourEndsOf(payload: BalancePayload, field: string, base: number, addsUp: boolean): HourEnds {
  const steps = stepsOf(payload, field);
  const [isFromStart, isOver] = [beginsWithDay(payload), endsWithDay(payload)];
  const { start = null, end = null } = payload.counters[field] ?? {};
  const [first, last] = [isFromStart ? (start?.[1] ?? null) : null, isOver ? (end?.[1] ?? null) : null];
  const total = isOver ? (payload.values[field] ?? null) : null;
  if (first === null && last === null) return addsUp ? addedUp(steps, -base) : { hours: [], sumAtStart: null };
  const sumAtStart = first === null ? null : first - base;
  const isExchanged =
    first !== null && last !== null && total !== null && Math.abs(last - first - total) > mostDifference;
  const sumAtEnd = isExchanged ? first - base + total : last === null ? null : last - base;
  return {
    sumAtStart,
    hours: sumsBetween(steps, sumAtStart, sumAtEnd).map(({ end: at, sum }): HourEnd => {
      const reading = isExchanged ? (at === payload.period?.end ? last : null) : sum + base;
      return { start: at - hourMs, reading, sum };
    }),
  };
}

/** Costs have no counter: their reading is the running sum, which is `-base` at the start of the day. */
export function hourlyCosts(payload: BalancePayload, base: number): HourEnds {
  const steps = stepsOf(payload, 'cost');
  const total = endsWithDay(payload) ? (payload.cost?.total ?? null) : null;
  const sums = sumsBetween(steps, beginsWithDay(payload) ? -base : null, total === null ? null : total - base);
  return { sumAtStart: -base, hours: sums.map(({ end, sum }) => ({ start: end - hourMs, reading: sum, sum })) };
}

/** False for an incremental balance that begins within the day. */
function beginsWithDay({ period, points = [] }: BalancePayload): boolean {
  return points[0] !== undefined && points[0].ts === period?.start;
}

/** False for today, and for an incremental balance that ends within the day. */
export function endsWithDay({ period, points = [], source }: BalancePayload): boolean {
  const last = points.at(-1);
  if (period === undefined || last === undefined || period.end > source.fetchedAt) return false;
  return last.ts + (stepLengths[period.step] ?? hourMs) === period.end;
}

interface SumAt {
  readonly end: number;
  readonly sum: number;
}

/** The sum at the end of each hour: forward from the start, otherwise backward from the end. */
function sumsBetween(steps: readonly Step[], first: number | null, last: number | null): SumAt[] {
  const forward = countedOn(steps, first, 1);
  // Backward: the sum at the end of a step is that at the end of the next step, minus the amount of the next step.
  const back = countedOn(steps.slice(1).reverse(), last, -1).reverse();
  return steps.flatMap(({ end }, index) => {
    const sum = forward[index] ?? (index === steps.length - 1 ? last : (back[index] ?? null));
    return sum === null || end % hourMs !== 0 ? [] : [{ end, sum }];
  });
}

/** Null from the first step on that was not measured. */
function countedOn(steps: readonly Step[], from: number | null, sign: 1 | -1): (number | null)[] {
  let sum = from;
  return steps.map(({ amount, isMeasured }) => {
    sum = sum === null || amount === null || !isMeasured ? null : sum + sign * amount;
    return sum;
  });
}

/** Sums amounts only; an unknown step adds nothing. */
function addedUp(steps: readonly Step[], from: number): HourEnds {
  let sum = from;
  const hours = steps.flatMap(({ end, amount }): HourEnd[] => {
    sum += amount ?? 0;
    return amount === null || end % hourMs !== 0 ? [] : [{ start: end - hourMs, reading: null, sum }];
  });
  return { sumAtStart: from, hours };
}

/** The fields that determine a cost. Only those with a price count: hours of gas have no effect without a gas price. */
const costParts = {
  import: 'energy_import_kwh',
  export: 'energy_export_kwh',
  export_fee: 'energy_export_kwh',
  gas: 'gas_m3',
  water: 'water_m3',
} as const;

function guessedOf({ cost }: BalancePayload, field: string, fields: Readonly<Record<string, number[]>>): number[] {
  if (field !== 'cost') return fields[field] ?? [];
  const parts = Object.entries(costParts).filter(([part]) => typeof Reflect.get(cost ?? {}, part) === 'number');
  return parts.flatMap(([, energy]) => fields[energy] ?? []);
}

/** The past steps. */
function stepsOf(payload: BalancePayload, field: string): Step[] {
  const { period, points = [], estimated, estimatedFields, source } = payload;
  const length = stepLengths[period?.step ?? ''] ?? hourMs;
  const guessed = new Set(estimatedFields === undefined ? estimated : guessedOf(payload, field, estimatedFields));
  return points
    .map((point): Step => {
      return { end: point.ts + length, amount: point[field] ?? null, isMeasured: !guessed.has(point.ts) };
    })
    .filter(({ end }) => end <= source.fetchedAt);
}
