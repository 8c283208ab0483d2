/** Assigns the readings of a meter to borders and minutes, and finds the times in which its counters are not continuous. */
import { largest } from '../../checks/extremes';
import type { Quantity } from './amounts';
import type { HouseMeter } from './choice';
import {
  breaksOf,
  exchangesIn,
  excursionsIn,
  findCounterMedium,
  without,
  type Break,
  type Medium,
  type Placed,
} from './breaks';
import { differingIn } from './own-differences';
import { type Counter, counters, type CounterReading, mainCounters, placeReadings } from './readings';
import type { Shapes, Slot, Sums, TariffSums } from './shape';

export interface BalanceMeter extends HouseMeter {
  /** Midnights at which another meter of its row took over. */
  readonly exchangedAt?: readonly number[];
  /** False: the meter exists and does not answer. */
  readonly isReadable: boolean;
  /** False: a smart meter that counts import and has never offered an export counter. Absent or null if the data do not show it. */
  readonly offersExport?: boolean | null;
  /** In any order; duplicates are allowed. */
  readonly readings: readonly CounterReading[];
  /** Minutes, if they were read, or the amounts that a monitor pushed. */
  readonly shapes: Shapes;
  /** The delivered amounts by length. */
  readonly sums?: Sums;
  /** The delivered days, months and years of which each tariff is known. */
  readonly tariffSums?: TariffSums;
  /** The monitor's own amounts of each day or month: import − export, or production. */
  readonly net: readonly Slot[];
  /** The monitor sent two different values for a slot, which is left out. */
  readonly hasChanged?: boolean;
}

export interface PlacedMeter {
  readonly meter: BalanceMeter;
  readonly placed: Placed;
  readonly breaks: Readonly<Record<Medium, readonly Break[]>>;
  /** Times whose readings were left out, because the counter returned to its earlier course afterwards. */
  readonly excursions: readonly Break[];
}

const turnedNames: ReadonlyMap<string, Counter & Quantity> = new Map([
  ['charged', 'discharged'],
  ['discharged', 'charged'],
  ['used', 'returned'],
  ['returned', 'used'],
]);

function turnedName<Name extends string>(name: Name): Name | (Counter & Quantity) {
  return turnedNames.get(name) ?? name;
}

/** A reversed battery as one that counts the charge as import, and a reversed device as one that counts its use as import. */
export function turned(meter: BalanceMeter): BalanceMeter {
  if (meter.isReversed !== true) return meter;
  const { readings, shapes, sums = {}, net } = meter;
  return {
    ...meter,
    readings: readings.map((reading) => ({ ...reading, counter: turnedName(reading.counter) })),
    shapes: turnedEntries(shapes),
    sums: turnedEntries(sums),
    net: net.map((slot) => ({ ...slot, amount: -slot.amount + 0 })),
  };
}

function turnedEntries<Value>(of: Partial<Record<Quantity | 'bothWays', Value>>): Partial<Record<Quantity, Value>> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [turnedName(name), value]));
}

const media: readonly Medium[] = ['electricity', 'gas', 'water'];

/**
 * @param borders as for `placeReadings`
 * @param isRunning true if the period is not over
 */
export function placeMeters(
  meters: readonly BalanceMeter[],
  borders: readonly number[],
  isRunning: boolean,
): PlacedMeter[] {
  return meters.map((meter) => {
    const readings = withGas(meter, meters);
    let placed: Placed = new Map(
      counters.map((counter) => [counter, placeReadings(readings, counter, borders, isRunning)] as const),
    );
    const excursions: Break[] = [];
    for (const medium of media) {
      const found = excursionsIn(placed, medium);
      placed = without(placed, medium, found);
      for (const one of found) excursions.push(one);
    }
    const breaks = (medium: Medium): Break[] => [
      ...breaksOf(placed, meter.shapes, medium),
      ...[...placed].flatMap(([counter, list]) =>
        findCounterMedium(counter) === medium ? exchangesIn(list, meter.exchangedAt) : [],
      ),
    ];
    return {
      meter,
      placed,
      breaks: {
        electricity: [...breaks('electricity'), ...contradictedIn(meter, placed, borders, isRunning)],
        gas: breaks('gas'),
        water: breaks('water'),
      },
      excursions,
    };
  });
}

/** A single day of which the monitor's own sum is another one: a reading at its ends is wrong, and its minutes count. */
function contradictedIn(meter: BalanceMeter, placed: Placed, borders: readonly number[], isRunning: boolean): Break[] {
  const [start, end] = borders;
  if (borders.length !== 2 || start === undefined || end === undefined) return [];
  if (mainCounters[meter.role].every((counter) => meter.shapes[counter] === undefined)) return [];
  const net = meter.net.filter((slot) => slot.start === start && (isRunning || slot.end === end));
  const last = largest(mainCounters[meter.role].map((counter) => placed.get(counter)?.at(-1)?.at ?? start));
  return differingIn({ ...meter, net }, placed, isRunning ? last : end).map(({ from, to }) => ({ from, to }));
}

/** The responses of a smart meter also contain the counter of the gas meter behind it (`p1-gas`). */
function withGas(meter: BalanceMeter, meters: readonly BalanceMeter[]): readonly CounterReading[] {
  if (meter.role !== 'gas' || meter.readings.length > 0) return meter.readings;
  const owner = meters.find(({ role, name }) => role === 'grid' && isGasBehind(meter.name, name));
  return owner?.readings ?? [];
}

export function isGasBehind(gas: string, grid: string): boolean {
  return gas === `${grid}-gas`;
}
