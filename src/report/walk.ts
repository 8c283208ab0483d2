/** Walks through an answer or a delivery and finds its values: pairs of time and value, and records of a delivery. */
import { isInRange } from '../limits';
import { isRecord, type UnknownRecord } from '../record';
import type { Place } from './counters';
import type { Replacing } from './replacer';
import type { RequestedPath } from './recording';

/** Called with the values of one channel; the result is applied to each of them. */
type OnValues = (place: Place, values: readonly number[]) => (value: number) => number;

export interface Origin {
  /** Alias of the path, or meter of the query. */
  readonly meter: string;
  /** Channel of the query; blank if the answer names its channels. */
  readonly channel: string;
  readonly kind: Place['kind'];
  readonly isDelivery?: boolean;
}

/** The origin of the answer to a request. */
export function originOf({ path, query }: RequestedPath): Origin {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [meter = '', channel = ''] = (query['channels'] ?? '').split(':', 2);
  if (meter !== '') return { meter, channel, kind: 'slots' };
  const place = segments.findIndex((segment) => segment === 'realtime' || segment === 'data' || segment === 'totals');
  return {
    meter: segments[place - 1] ?? '',
    channel: '',
    kind: segments[place] === 'data' ? 'slots' : 'reading',
  };
}

export const ofDelivery: Origin = { meter: '', channel: '', kind: 'slots', isDelivery: true };

type Pair = readonly [time: number, ...values: (number | null)[]];

export class Walk {
  constructor(
    private readonly replacing: Replacing,
    private readonly origin: Origin,
    private readonly onValues: OnValues,
  ) {}

  /** A copy with everything replaced. */
  run(json: unknown): unknown {
    return this.value(json, []);
  }

  private value(value: unknown, names: readonly string[], isSum = false): unknown {
    const name = names.at(-1) ?? '';
    if (typeof value === 'string') return this.replacing.text(value, name);
    if (typeof value === 'number') return this.replacing.number(value, name);
    if (Array.isArray(value)) return this.list(value, names, isSum);
    return isRecord(value) ? this.record(value, names, isSum) : value;
  }

  private record(record: UnknownRecord, names: readonly string[], isSum: boolean): UnknownRecord {
    const { time, value, ...others } = record;
    if (names.length > 2 && this.origin.isDelivery === true && typeof value === 'number' && typeof time === 'number') {
      const shifted = this.pair([time, value], this.placeOf(names, isSum));
      return { time: shifted[0], value: shifted[1], ...this.members(others, names, false) };
    }
    return this.members(record, names, isSum);
  }

  private members(record: UnknownRecord, names: readonly string[], isSum: boolean): UnknownRecord {
    const holdsSum = hasSumOfTariffs(record);
    return Object.fromEntries(
      Object.entries(record).map(([name, member]) => [
        this.replacing.memberName(name),
        this.value(member, [...names, name], (holdsSum && name === 'data') || (isSum && name === 't1')),
      ]),
    );
  }

  private list(list: readonly unknown[], names: readonly string[], isSum: boolean): readonly unknown[] {
    if (isPair(list)) return this.pair(list, this.placeOf(names, isSum));
    if (list.length > 0 && list.every(isPair)) return this.series(list, names);
    return list.map((entry) => this.value(entry, names));
  }

  private series(pairs: readonly Pair[], names: readonly string[]): readonly Pair[] {
    const columns = Math.max(...pairs.map((pair) => pair.length));
    const place = this.placeOf(names, false);
    const shifts = Array.from({ length: columns }, (_, column) => {
      const values = pairs.filter(hasValue).flatMap((pair) => pair[column] ?? []);
      const channel = columns > 2 ? `${place.channel}${column}` : place.channel;
      return column === 0 ? null : this.onValues({ ...place, channel }, values);
    });
    return pairs.map((pair) => this.shifted(pair, (value, column) => shifts[column]?.(value) ?? value));
  }

  private pair(pair: Pair, place: Place): Pair {
    const values = hasValue(pair) ? pair.slice(1).filter((value) => value !== null) : [];
    const shift = this.onValues(place, values);
    return this.shifted(pair, shift);
  }

  private shifted(pair: Pair, shift: (value: number, column: number) => number): Pair {
    if (!hasValue(pair)) return pair;
    const [time, ...values] = pair;
    return [
      this.replacing.number(time, 'time'),
      ...values.map((value, index) => (value === null ? null : shift(value, index + 1))),
    ];
  }

  /** In a delivery: meter, channel and topic are the last names. */
  private placeOf(names: readonly string[], isSum: boolean): Place {
    const { meter, channel, kind, isDelivery = false } = this.origin;
    const last = names.at(-1) ?? '';
    if (!isDelivery) return { meter, channel: channel === '' ? last : channel, kind, ...(isSum && { isSum }) };
    if (names.length < 3) return { meter, channel: last, kind };
    return { meter: names.at(-3) ?? '', channel: names.at(-2) ?? '', kind: last === 'reading' ? 'reading' : 'slots' };
  }
}

/** `[0, 0]` and `[0, null]` mean that there is no value. */
function hasValue([time]: Pair): boolean {
  return time !== 0;
}

/** A time in ms or s, or 0, and values. */
function isPair(value: unknown): value is Pair {
  if (!Array.isArray(value) || value.length < 2) return false;
  const time: unknown = value[0];
  if (typeof time !== 'number' || !(time === 0 || isInRange(time) || isInRange(time * 1000))) return false;
  return value.every((entry) => entry === null || typeof entry === 'number');
}

/** A meter with a single counter: `t1` of `data` is the sum of `t1` and `t2` of `totals`. */
function hasSumOfTariffs({ data, totals }: UnknownRecord): boolean {
  if (!isRecord(data) || !isRecord(totals)) return false;
  const [single, high] = [data['t2'], totals['t2']];
  return isPair(single) && !hasValue(single) && isPair(high) && hasValue(high);
}
