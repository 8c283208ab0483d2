/** The parts of measured days in another order, as if they had been on other dates. */
import { type Gap, reorderShared, sumKnown } from '../period/allocate';
import type { CostInput, Priced, Tariffs } from '../prices/costs';

export interface Placed {
  /** Its position in the measured days. */
  readonly part: number;
  /** The moment that it counts for; ascending. */
  readonly start: number;
}

/** Without days and peaks. */
export function reorderParts(input: CostInput, placed: readonly Placed[]): CostInput {
  const order = placed.map(({ part }) => part);
  const move = (medium: Priced | null): Priced | null => (medium === null ? null : mediumInOrder(medium, order));
  return {
    ...input,
    starts: placed.map(({ start }) => start),
    stepOf: order.map(() => 0),
    import: move(input.import),
    export: move(input.export),
    gas: move(input.gas),
    water: move(input.water),
    days: order.map(() => []),
    monthPeaks: [],
  };
}

function mediumInOrder(medium: Priced, order: readonly number[]): Priced {
  const { tariffs } = medium;
  const amounts = Float64Array.from(order, (part) => medium.amounts[part] ?? NaN);
  return {
    ...medium,
    amount: medium.amount === null ? null : (sumKnown(amounts) ?? 0),
    amounts,
    shared: reorderShared(medium.shared, order),
    gaps: gapsInOrder(medium.gaps, order),
    tariffs: tariffs === null ? null : (first, end) => sumOfRuns(joinAdjacentParts(order.slice(first, end)), tariffs),
  };
}

function gapsInOrder(gaps: readonly Gap[], order: readonly number[]): Gap[] {
  const places = new Map<number, number[]>();
  order.forEach((part, place) => places.set(part, [...(places.get(part) ?? []), place]));
  return gaps.map(({ parts, amounts }) => {
    const moved = parts.flatMap((part, index) =>
      (places.get(part) ?? []).map((place) => ({ place, amount: amounts[index] ?? 0 })),
    );
    return { parts: moved.map(({ place }) => place), amounts: moved.map(({ amount }) => amount) };
  });
}

interface Run {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** The parts that follow each other. */
function joinAdjacentParts(parts: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (let index = 0; index < parts.length;) {
    const first = parts[index] ?? 0;
    let length = 1;
    while (parts[index + length] === first + length) length += 1;
    runs.push({ first, end: first + length });
    index += length;
  }
  return runs;
}

/** Null if the amounts of a run are not known by tariff. */
function sumOfRuns(runs: readonly Run[], tariffs: NonNullable<Priced['tariffs']>): Tariffs | null {
  let sum: Tariffs = { t1: 0, t2: 0 };
  for (const { first, end } of runs) {
    const found = tariffs(first, end);
    if (found === null) return null;
    sum = { t1: sum.t1 + found.t1, t2: sum.t2 + found.t2 };
  }
  return sum;
}
