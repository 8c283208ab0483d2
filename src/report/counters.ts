/**
 * Shifts meter readings by a constant per counter, so that differences stay exact. Amounts and averages are not shifted. First all
 * values are added, then they are shifted.
 */
import { getOrSet } from '../checks/get-or-set';
import { kinds, rows } from '../model/fields';

/** The place of a value in an answer. */
export interface Place {
  /** Alias or key of the meter; blank if the answer does not name one. */
  readonly meter: string;
  readonly channel: string;
  /** `reading`: a reading of this moment. `slots`: a series, whose values are usually amounts. */
  readonly kind: 'reading' | 'slots';
  /** The registers of this channel are the sum of both tariffs. */
  readonly isSum?: boolean;
  /** The answer does not name the channels of its values. */
  readonly isUnnamed?: boolean;
  /** Topic of a value of a delivery, such as `last/day`. */
  readonly topic?: string;
}

interface Counter {
  least: number;
  most: number;
}

/** The least first reading, and the number of readings to choose from. */
const firstReading = 1000;
const readings = 9000;
/** A series with values from here on that never fall by much may hold readings. */
const leastSeriesReading = 100;

const averages: ReadonlySet<string> = new Set(
  Object.values(rows).flatMap(({ kind, channels }) =>
    // A counter has a unit of its own.
    kinds[kind].reading === 'average' || kinds[kind].suffix === null ? channels.map(({ channel }) => channel) : [],
  ),
);

/** Net registers are differences of two registers, on each interface. */
const net: Readonly<Record<string, readonly [plus: string, minus: string]>> = {
  electric_energy: ['t1', 't3'],
  electric_energy_low: ['t1', 't3'],
  electric_energy_high: ['t2', 't4'],
};

export class Counters {
  private readonly counters = new Map<string, Counter>();
  private readonly shifts = new Map<string, number>();

  constructor(private readonly random: () => number) {}

  /** The number of counters whose readings are shifted. */
  get shifted(): number {
    return [...this.shifts.values()].filter((shift) => shift !== 0).length;
  }

  add(place: Place, values: readonly number[]): void {
    if (!this.isReading(place, values)) return;
    const key = identifyCounter(place);
    for (const value of values) {
      const { least, most } = this.counters.get(key) ?? { least: value, most: value };
      this.counters.set(key, { least: Math.min(least, value), most: Math.max(most, value) });
    }
  }

  /** @param values all values of this place in the answer, which decide whether they are readings */
  shift(place: Place, values: readonly number[]): (value: number) => number {
    if (!this.isReading(place, values)) return (value) => value;
    const by = this.shiftOf(place);
    return (value) => addDecimal(value, by);
  }

  private isReading({ channel, kind }: Place, values: readonly number[]): boolean {
    if (averages.has(channel) || values.length === 0) return false;
    return kind === 'reading' || looksLikeReadings(values);
  }

  private shiftOf(place: Place): number {
    const { meter, channel, isSum = false } = place;
    if (isSum)
      return this.shiftOf({ ...place, isSum: false }) + this.shiftOf({ ...place, channel: 't2', isSum: false });
    const [plus, minus] = net[channel] ?? [];
    if (plus !== undefined && minus !== undefined && this.counters.has(`${meter} ${plus}`)) {
      return this.shiftOf({ ...place, channel: plus }) - this.shiftOf({ ...place, channel: minus });
    }
    const key = identifyCounter(place);
    return getOrSet(this.shifts, key, () => this.newShift(this.counters.get(key)));
  }

  /** A counter that never moved, such as that of export without solar panels, stays 0. */
  private newShift(counter: Counter | undefined): number {
    if (counter === undefined || (counter.least === 0 && counter.most === 0)) return 0;
    return firstReading + Math.floor(this.random() * readings) - Math.floor(counter.least);
  }
}

/** The smart meter and the meter of its gas show the same reading. */
function identifyCounter({ meter, channel, isSum = false }: Place): string {
  if (channel === 'gas' || (channel === 'volume' && /gas/.test(meter))) return 'gas';
  return `${meter} ${isSum ? 'sum' : channel}`;
}

/** True for values that never fall and differ by less than they are: a reading of 5,000 kWh that grows by 10. */
function looksLikeReadings(values: readonly number[]): boolean {
  const [first = 0] = values;
  const last = values.at(-1) ?? 0;
  const grows = values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0));
  return values.length > 2 && grows && first >= leastSeriesReading && last < 2 * first;
}

/** Adds without new decimals: 5459.44 + 1000 is 6459.44. */
function addDecimal(value: number, by: number): number {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Number((value + by).toFixed(decimals));
}
