/** The measured amounts of a house, by quantity and part of a period. */
import { countBefore, getEntry } from '../meters/entries';
import type { InParts } from '../../time/pause';
import type { BalanceCounter, BalanceMethod } from '../../model/payload';
import { isOpenEnded, knownUntil, limitRest, limitRestOfProduction, type Shape, type Shapes } from '../meters/shape';
import { allocate, findStretches, sumKnown, sumLengths, sumStretches, type Allocated } from './allocate';
import { makeUnreadable, makeZeroAmounts, type Measured, together } from './measured';
import { perKwh, perM3, perUnit, quantities, toUnits, type BalanceRole, type Quantity } from '../meters/amounts';
import type { Tariffs } from '../prices/costs';
import { besideLongSlots, type Rest, sumTariffs, within, withoutBegunAgain, withSums } from './long-slots';
import type { Parts } from './parts';
import { withBothWays } from '../meters/both-ways';
import { type Break, findCounterMedium } from '../meters/breaks';
import type { PlacedMeter } from '../meters/placed-meters';
import { type MeasuredMeter, stepsInCommon, stepsOnlyTogether } from './same-time';
import { counterFields, countersOfHouse, type Counter, type PlacedReading, type Stretch } from '../meters/readings';

/** `none`: the meters have no counters by tariff; `one`: they have one, which is t1. */
export interface SplitTariffs extends Tariffs {
  readonly split: 'none' | 'one' | 'two';
}

interface CountedTariffs extends SplitTariffs {
  /** ms. */
  readonly counted: number;
}

const roleOf: Readonly<Record<Quantity, BalanceRole>> = {
  import: 'grid',
  export: 'grid',
  production: 'production',
  gas: 'gas',
  water: 'water',
  charged: 'battery',
  discharged: 'battery',
  used: 'consumption',
  returned: 'consumption',
};

/** A sum counts as counted if counters cover at least this share of the measured time. */
const nearlyAll = 0.9;

/** kWh have three decimals: sums by tariff and the measured amount of the same time differ by no more. */
const mostApart = 0.01 * perKwh;

export class HouseParts {
  private readonly shapesBy = new Map<PlacedMeter, Shapes>();
  /** By meter and counter. */
  private readonly stretchesBy = new Map<PlacedMeter, Map<Counter, readonly Stretch[]>>();

  constructor(
    private readonly meters: readonly PlacedMeter[],
    private readonly parts: Parts,
    private readonly slots: 'minutes' | 'delivered',
  ) {}

  /** The same meters in other parts of the period. */
  inParts(parts: Parts): HouseParts {
    return new HouseParts(this.meters, parts, this.slots);
  }

  /** Null if the house has no such meter. */
  measured(quantity: Quantity): Measured | null {
    const meters = this.metersOf(quantity);
    if (meters.length === 0) return null;
    if (meters.some(({ meter }) => !meter.isReadable)) return makeUnreadable(this.parts);
    return meters.map((meter) => this.measuredBy(meter, quantity)).reduce(together);
  }

  /** True if a grid meter has never offered its export: it counts as 0. */
  get assumesNoExport(): boolean {
    return this.metersOf('export').some(hasNoExport);
  }

  /** The steps in which all these quantities were measured at the same time. */
  stepsInCommon(ofHouse: readonly Quantity[]): InParts<Uint8Array> {
    return stepsInCommon(this.parts, this.allOf(ofHouse));
  }

  /** The steps in which the sum of these quantities is known only together with other steps. */
  stepsOnlyTogether(ofHouse: readonly Quantity[]): InParts<Uint8Array> {
    return stepsOnlyTogether(this.parts, this.allOf(ofHouse));
  }

  /** 1 for each part that has an amount of its own: its meters measured most of it, or counted at both of its ends. */
  measuredByItself(quantity: Quantity): Uint8Array {
    const all = new Uint8Array(this.parts.stepOf.length).fill(1);
    for (const meter of this.metersOf(quantity)) {
      const own = countedQuantity(meter, quantity);
      const counted = this.measuredBy(meter, own);
      const { shape, rests } = this.slotsBy(meter, own);
      const measured = allocate(this.parts, [], shape);
      const onlyTogether = this.stepsWithin(rests);
      all.forEach((_, part) => {
        const length = getEntry(this.parts.borders, part + 1) - getEntry(this.parts.borders, part);
        const hasMeasured = ({ known, shared }: Allocated, least: number): boolean =>
          shared[part] === 0 && getEntry(known, part) >= least * length;
        const isShare = onlyTogether?.[getEntry(this.parts.stepOf, part)] === 1;
        const isCounted = hasMeasured(counted, 1) && counted.estimated[part] === 0 && !isShare;
        if (!isCounted && (isShare || !hasMeasured(measured, nearlyAll))) all[part] = 0;
      });
    }
    return all;
  }

  /**
   * Sums by tariff of the parts from `first` to `end` (exclusive). Null unless counters with a reading at both ends cover the measured
   * time, or delivered sums cover it and agree with its amount; and if a meter without tariffs has a part. t2 is 0 with one tariff.
   */
  tariffs(
    direction: 'import' | 'export',
    measured: Measured,
    first = 0,
    end = measured.known.length,
  ): SplitTariffs | null {
    const [from, to] = [getEntry(this.parts.borders, first), getEntry(this.parts.borders, end)];
    const known = measured.known.subarray(first, end).reduce((sum, ms) => sum + ms, 0);
    let [sum, split]: [Tariffs, SplitTariffs['split']] = [{ t1: 0, t2: 0 }, 'none'];
    let [hasUnsplit, hasDelivered] = [false, false];
    const meters = this.metersOf(direction);
    for (const meter of meters) {
      const own = countedQuantity(meter, direction);
      const counted = this.tariffsOf(meter, own, { from, to });
      const isCovered = counted !== null && counted.counted >= known;
      const tariffs = isCovered ? counted : this.deliveredTariffsOf(meter, own, { from, to });
      if (tariffs === null || tariffs.counted < known) return null;
      hasDelivered ||= !isCovered;
      const { t1, t2 } = own === direction ? tariffs : { t1: 0, t2: 0 };
      sum = { t1: sum.t1 + t1, t2: sum.t2 + t2 };
      if (tariffs.split === 'two' || split === 'none') ({ split } = tariffs);
      hasUnsplit ||= tariffs.split === 'none' && t1 > 0;
    }
    const isMixed = hasUnsplit && split === 'two';
    if (meters.length === 0 || known === 0 || isMixed) return null;
    const amount = sumKnown(measured.amounts, first, end) ?? 0;
    return hasDelivered && Math.abs(sum.t1 + sum.t2 - amount) > mostApart ? null : { ...sum, split };
  }

  /** The readings at the first and the last border, summed over the meters. */
  counters(): Record<string, BalanceCounter> {
    const found: Record<string, BalanceCounter> = {};
    for (const counter of countersOfHouse) {
      const meters = this.metersOf(findCounterQuantity(counter));
      const lists = meters.map((meter) => getPlacedReadings(meter, counter));
      if (!lists.some((list) => list.length > 0)) continue;
      const unit = counter === 'gas' || counter === 'water' ? perM3 : perKwh;
      const readBorder = (border: number | undefined): [number, number] | null => {
        const readings = lists.map((list) => list.find((reading) => reading.at === border) ?? null);
        return readings.reduce<[number, number] | null>(
          (sum, reading) =>
            sum === null || reading === null
              ? null
              : [Math.max(sum[0], reading.ts), toUnits(Math.round(sum[1] * unit) + reading.amount, unit)],
          [0, 0],
        );
      };
      found[counterFields[counter]] = {
        start: readBorder(this.parts.days[0]),
        end: readBorder(this.parts.days.at(-1)),
      };
    }
    return found;
  }

  /** Null if a stretch of a counter crosses an end of the time, or if the counters by tariff count another time than the whole. */
  private tariffsOf(meter: PlacedMeter, direction: 'import' | 'export', time: Break): CountedTariffs | null {
    const [all, low, high] = ([direction, `${direction}_t1`, `${direction}_t2`] as const).map((counter) =>
      within(this.stretches(meter, counter), time),
    );
    if (!all || !low || !high) return null;
    const counted = sumLengths(all);
    if (low.length === 0 && high.length === 0) return { t1: sumStretches(all), t2: 0, counted, split: 'none' };
    if (high.length === 0 && sumLengths(low) === counted)
      return { t1: sumStretches(low), t2: 0, counted, split: 'one' };
    if (sumLengths(low) !== counted || sumLengths(high) !== counted) return null;
    return { t1: sumStretches(low), t2: sumStretches(high), counted, split: 'two' };
  }

  /** Null for none. */
  private deliveredTariffsOf(meter: PlacedMeter, direction: 'import' | 'export', time: Break): CountedTariffs | null {
    if (this.slots === 'minutes') return null;
    const found = sumTariffs(meter.meter.tariffSums?.[direction] ?? [], this.stretches(meter, direction), time);
    return found === null ? null : { ...found, split: 'two' };
  }

  private allOf(ofHouse: readonly Quantity[]): MeasuredMeter[] {
    return ofHouse.flatMap((quantity) =>
      this.metersOf(quantity).map((meter) => {
        const own = countedQuantity(meter, quantity);
        return { counted: this.stretches(meter, own), shape: this.slotsBy(meter, own).shape };
      }),
    );
  }

  private stretches(meter: PlacedMeter, counter: Counter): readonly Stretch[] {
    const known = this.stretchesBy.get(meter) ?? new Map<Counter, readonly Stretch[]>();
    this.stretchesBy.set(meter, known);
    const found = known.get(counter) ?? stretches(meter, counter);
    known.set(counter, found);
    return found;
  }

  private measuredBy(meter: PlacedMeter, quantity: Quantity): Measured {
    if (quantity === 'export' && hasNoExport(meter)) return makeZeroAmounts(this.measuredBy(meter, 'import'));
    const { shape, rests } = this.slotsBy(meter, quantity);
    const all = this.stretches(meter, quantity);
    const counted = this.slots === 'minutes' && shape !== null ? besideLongSlots(all, shape) : all;
    const allocated = allocate(this.parts, counted, shape);
    const known = allocated.known.reduce((sum, ms) => sum + ms, 0);
    // A sum from the start of the period on stays one until its end.
    const first = getEntry(this.parts.borders, 0);
    const isSum = rests.some(({ isOfDays, slots }) => isOfDays && slots.some(({ start }) => start <= first));
    const isCounted = sumLengths(counted) >= nearlyAll * known && !isSum;
    const method: BalanceMethod | null = known === 0 ? null : isCounted ? 'registers' : this.slots;
    const onlyTogether = this.stepsWithin(rests);
    if (onlyTogether === null) return { ...allocated, isReadable: true, method };
    const estimated = allocated.estimated.map((mark, part) =>
      onlyTogether[getEntry(this.parts.stepOf, part)] === 1 ? 0 : mark,
    );
    return { ...allocated, isReadable: true, estimated, method, onlyTogether };
  }

  /** The steps that share one of these amounts with other steps; null for none. */
  private stepsWithin(rests: readonly Rest[]): Uint8Array | null {
    const { steps, borders } = this.parts;
    const marked = new Uint8Array(steps.length);
    for (const { slots } of rests) {
      const ranges = slots
        .filter(({ end }) => end > getEntry(borders, 0))
        .map(({ start, end }) => {
          const begun = countBefore(steps, (step) => step <= start);
          return [Math.max(0, begun - 1), countBefore(steps, (step) => step < end)] as const;
        });
      const [[first, end] = [0, 0]] = ranges;
      if (end - first <= 1 && ranges.every(([one, after]) => one === first && after === end)) continue;
      for (const range of ranges) marked.fill(1, ...range);
    }
    return marked.includes(1) ? marked : null;
  }

  /** The slots of a meter, with its delivered sums, and what only these know. */
  private slotsBy(meter: PlacedMeter, quantity: Quantity): { shape: Shape | null; rests: readonly Rest[] } {
    const shape = this.shapeBy(meter, quantity);
    const counted = this.stretches(meter, quantity);
    const breaks = meter.breaks[findCounterMedium(quantity)];
    const sums = withoutBegunAgain(meter.meter.sums?.[quantity] ?? [], counted, breaks, perUnit(quantity));
    if (this.slots === 'minutes' || sums.every((slots) => slots.length === 0)) return { shape, rests: [] };
    return withSums(shape, sums, counted, quantity === 'production' ? limitRestOfProduction : limitRest);
  }

  private shapeBy(meter: PlacedMeter, quantity: Quantity): Shape | null {
    const shape = this.shapesOf(meter)[quantity] ?? null;
    if (quantity !== 'gas' || this.slots !== 'minutes' || shape === null || !isOpenEnded(shape)) return shape;
    return knownUntil(getPlacedReadings(meter, quantity).at(-1)?.at ?? null, shape);
  }

  private shapesOf(meter: PlacedMeter): Shapes {
    if (this.slots !== 'minutes' || meter.meter.role !== 'grid') return meter.meter.shapes;
    const known =
      this.shapesBy.get(meter) ??
      withBothWays(meter.meter.shapes, this.stretches(meter, 'import'), this.stretches(meter, 'export'));
    this.shapesBy.set(meter, known);
    return known;
  }

  /** Gas comes from the gas meter, otherwise from the smart meter, never from both. */
  private metersOf(quantity: Quantity): readonly PlacedMeter[] {
    const found = this.meters.filter(({ meter }) => meter.role === roleOf[quantity]);
    if (quantity !== 'gas' || found.length > 0) return found;
    return this.meters.filter((placed) => placed.meter.role === 'grid' && getPlacedReadings(placed, 'gas').length > 0);
  }
}

function getPlacedReadings({ placed }: PlacedMeter, counter: Counter): readonly PlacedReading[] {
  return placed.get(counter) ?? [];
}

function stretches(meter: PlacedMeter, counter: Counter): Stretch[] {
  const readings = getPlacedReadings(meter, counter);
  return findStretches(readings, meter.breaks[findCounterMedium(counter)], counter);
}

/** True if neither counters nor minutes show export. */
function hasNoExport({ meter, placed }: PlacedMeter): boolean {
  const isCounted = (['export', 'export_t1', 'export_t2'] as const).some((one) => (placed.get(one) ?? []).length > 0);
  return (
    meter.offersExport === false && !isCounted && meter.shapes.export?.amounts.some((amount) => amount > 0) !== true
  );
}

/** The quantity whose readings show when the meter has counted: one without export has only those of its import. */
function countedQuantity<Of extends Quantity>(meter: PlacedMeter, quantity: Of): Of | 'import' {
  return quantity === 'export' && hasNoExport(meter) ? 'import' : quantity;
}

function findCounterQuantity(counter: Counter): Quantity {
  const [quantity] = counter.split('_');
  return quantities.find((one) => one === quantity) ?? 'import';
}
