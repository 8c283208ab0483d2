/** Walks through an answer or a delivery and finds its values: pairs of time and value, and records of a delivery. */
import { isInRange } from '../time/date-text';
import { isRecord, type UnknownRecord } from '../checks/record';
import type { Place } from './counters';
import { fieldAt, holdsRecord, holdsValues, isKnownChannel, type Names, type Origin } from './known-fields';
import type { Replacing } from './replacer';
import { isVocabulary } from './vocabulary';

/** Called with the values of one channel; the result is applied to each of them. */
type OnValues = (place: Place, values: readonly number[]) => (value: number) => number;

/** Channels of one public webhook; the values of more are not known. */
const mostChannels = 50;

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

  private value(value: unknown, names: Names, isSum = false): unknown {
    if (Array.isArray(value)) return this.list(value, names, isSum);
    if (isRecord(value)) return this.walkRecord(value, names, isSum);
    const field = fieldAt(names, this.origin);
    if (typeof value === 'string') return this.replacing.text(value, field);
    if (typeof value === 'number') return this.replacing.number(value, field);
    return typeof value === 'boolean' ? this.replacing.flag(value, field) : value;
  }

  private walkRecord(record: UnknownRecord, names: Names, isSum: boolean): UnknownRecord {
    const { time, value, ...others } = record;
    if (holdsRecord(names, this.origin) && typeof value === 'number' && isTime(time)) {
      const shifted = this.pair([time, value], this.placeOf(names, isSum));
      return { time: shifted[0], value: shifted[1], ...this.members(others, names, false) };
    }
    return this.members(record, names, isSum);
  }

  private members(record: UnknownRecord, names: Names, isSum: boolean): UnknownRecord {
    const holdsSum = hasSumOfTariffs(record);
    return Object.fromEntries(
      Object.entries(record).map(([name, member]) => {
        const here = [...names, name];
        return [
          this.replacing.memberName(name, fieldAt(here, this.origin).isKnown),
          this.value(member, here, (holdsSum && name === 'data') || (isSum && name === 't1')),
        ];
      }),
    );
  }

  private list(list: readonly unknown[], names: Names, isSum: boolean): readonly unknown[] {
    if (!holdsValues(names, this.origin)) return list.map((entry) => this.value(entry, names));
    if (isPair(list)) return this.pair(list, this.placeOf(names, isSum));
    return this.series(list, names);
  }

  /** Entries that are not pairs are replaced one by one. */
  private series(entries: readonly unknown[], names: Names): readonly unknown[] {
    const pairs = entries.filter(isPair).filter(hasValue);
    const place = this.placeOf(names, false);
    const longest = pairs.reduce((most, pair) => Math.max(most, pair.length), 0);
    const columns = Math.min(longest, 1 + knownColumns(place));
    const shifts = Array.from({ length: columns }, (_, column) => {
      const channel = columns > 2 ? `${place.channel}${column}` : place.channel;
      const values = pairs.flatMap((pair) => pair[column] ?? []);
      return column === 0 ? null : this.onValues({ ...place, channel }, values);
    });
    return entries.map((entry) =>
      isPair(entry)
        ? this.shifted(entry, place, (value, column) => shifts[column]?.(value) ?? value)
        : this.value(entry, names),
    );
  }

  private pair(pair: Pair, place: Place): Pair {
    const values = hasValue(pair) ? pair.slice(1).filter((value) => value !== null) : [];
    return this.shifted(pair, place, this.onValues(place, values));
  }

  /** An amount stays where its channel is known, and it has a time. */
  private shifted(pair: Pair, place: Place, shift: (value: number, column: number) => number): Pair {
    const [time, ...values] = pair;
    const isKnownColumn = (column: number): boolean => hasValue(pair) && isKnownAmount(place, column);
    return [
      this.replacing.number(time, { name: 'time', isKnown: true }),
      ...values.map((value, index) =>
        value === null ? null : isKnownColumn(index + 1) ? shift(value, index + 1) : this.replacing.amount(value),
      ),
    ];
  }

  /** In a delivery: meter, channel and topic are the last names. */
  private placeOf(names: Names, isSum: boolean): Place {
    const { meter, channel, kind, isDelivery = false } = this.origin;
    const last = names.at(-1) ?? '';
    if (!isDelivery) return { meter, channel: channel === '' ? last : channel, kind, ...(isSum && { isSum }) };
    if (names.length < 4) return { meter, channel: last, kind, isUnnamed: names.length === 1 };
    const [meterName = '', channelName = '', topic = ''] = names.slice(-3);
    return { meter: meterName, channel: channelName, kind: topic === 'reading' ? 'reading' : 'slots', topic };
  }
}

/** The result of a public webhook does not name its channels, and has one column for each. */
function knownColumns({ isUnnamed = false }: Place): number {
  return isUnnamed ? mostChannels : 1;
}

function isKnownAmount(place: Place, column: number): boolean {
  const { channel, isUnnamed = false, topic } = place;
  if (column > knownColumns(place)) return false;
  if (topic !== undefined && !isVocabulary(topic, { numbers: true })) return false;
  return isUnnamed || isKnownChannel(channel);
}

/** `[0, 0]` and `[0, null]` mean that there is no value. */
function hasValue([time]: Pair): boolean {
  return time !== 0;
}

/** In ms or s, or 0. */
function isTime(time: unknown): time is number {
  return typeof time === 'number' && (time === 0 || isInRange(time) || isInRange(time * 1000));
}

/** A time and values. */
function isPair(value: unknown): value is Pair {
  if (!Array.isArray(value) || value.length < 2 || !isTime(value[0])) return false;
  return value.every((entry) => entry === null || typeof entry === 'number');
}

/** A meter with a single counter: `t1` of `data` is the sum of `t1` and `t2` of `totals`. */
function hasSumOfTariffs({ data, totals }: UnknownRecord): boolean {
  if (!isRecord(data) || !isRecord(totals)) return false;
  const [single, high] = [data['t2'], totals['t2']];
  return isPair(single) && !hasValue(single) && isPair(high) && hasValue(high);
}
