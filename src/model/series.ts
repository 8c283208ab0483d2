/**
 * Series of gas and water in m³ that are what the counter shows, not what was used. No documentation says which of the two
 * a monitor gives; the numbers do, where they are more than a meter can count in their time.
 */
import { type Slots, slotsOf, type Step, stepLength } from '../calendar/slots';
import type { Samples, SeriesResponse } from '../protocol/responses';
import { type Field, fieldsOf, hasTwoTariffs } from './fields';
import { addDerivedColumns, type Column, fillSlots, pointsOf, type SlotColumn } from './series-points';
import type { Period, PeriodUnit } from '../calendar/periods';
import type { Millis } from '../protocol/time';
import { idOf, meterName } from './identity';
import type { FieldInfo, MeterInfo, MonitorInfo, PeriodSeriesPayload, Role, SeriesStats, SourceInfo } from './payload';

/** m³ that the largest meter of a house or shop lets through in an hour: a gas meter G25, a water meter of 10 m³/h. */
const MOST_PER_HOUR = { gas: 40, water: 10 } as const;
const HOURS_OF_STEP: Readonly<Record<Step, number>> = { PT1M: 1 / 60, PT5M: 1 / 12, PT1H: 1, P1D: 24, P1M: 24 * 31 };

/** True where the numbers never fall and begin with more than any meter counts in a step: no amount, and no flow. */
function isCounter({ name, unit, semantics }: Field, step: Step, { values }: SlotColumn): boolean {
  const isFlow = name === 'gas_lpm';
  if (!isFlow && (semantics !== 'volume' || unit !== 'm³')) return false;
  const known = values.filter((value) => !Number.isNaN(value));
  const perHour = name === 'water_m3' ? MOST_PER_HOUR.water : MOST_PER_HOUR.gas;
  const most = isFlow ? (perHour * 1000) / 60 : perHour * HOURS_OF_STEP[step];
  return (known[0] ?? 0) > most && known.every((value, index) => index === 0 || value >= (known[index - 1] ?? 0));
}

/** The two fields of a counter: the amount under the name that it has everywhere, and the reading. */
function counterFields({ name }: Field): { readonly amount: Field; readonly reading: Field } {
  const medium = name.replace(/_(m3|lpm)$/, '');
  const common = { unit: 'm³', unitSource: 'specification', semanticsSource: 'data' } as const;
  return {
    amount: { ...common, name: `${medium}_m3`, semantics: 'volume' },
    reading: { ...common, name: `${medium}_reading_m3`, semantics: 'reading' },
  };
}

/**
 * What was counted in each slot: the reading at its end less the one at its beginning, NaN where either is missing. A
 * reading belongs to the nearer end of the slot that its time lies in, and one at the end of the period to its last slot.
 */
function amountsOf({ times, values }: Samples, slots: Slots, end: number, now: number): Float64Array {
  const borders = Float64Array.from([...slots.starts, end]);
  const readings = new Float64Array(borders.length).fill(NaN);
  const distances = new Float64Array(borders.length).fill(Infinity);
  times.forEach((time, index) => {
    const value = values[index] ?? NaN;
    if (time < (borders[0] ?? 0) || time > end || time > now || Number.isNaN(value)) return;
    const slot = time === end ? slots.count - 1 : slots.indexOf(time);
    const [before, after] = [time - (borders[slot] ?? 0), (borders[slot + 1] ?? 0) - time];
    const border = before <= after ? slot : slot + 1;
    const distance = Math.min(before, after);
    if (distance > (distances[border] ?? 0)) return;
    readings[border] = value;
    distances[border] = distance;
  });
  return new Float64Array(slots.count).map((_, slot) => {
    const amount = (readings[slot + 1] ?? NaN) - (readings[slot] ?? NaN);
    return amount >= 0 ? amount : NaN;
  });
}

// How far apart the samples of a series are.

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Years have months, months have days, and a day has minutes (spec.md B: one value per minute, day, month). */
function defaultStep(unit: PeriodUnit): Step {
  return { day: 'PT1M', month: 'P1D', year: 'P1M' }[unit] as Step;
}

/** Of times that are meant to be equal: clocks and telegrams are seconds apart. */
const JITTER = 2.5 * MINUTE;
/** Two entries so close are one entry twice. */
const REPEAT = MINUTE / 2;

/**
 * The step of one channel. It is that of the period, except for gas within a day: there the smart meter updates every
 * hour (DSMR 4 and before) or every five minutes (DSMR 5). Samples that are hours apart, and nothing else, are hourly: a
 * monitor leaves out what it did not record, so a single distance that no hourly meter has shows the finer step, however
 * many gaps there are. Only gas, because a sparse day of power must not be squeezed into a coarser grid.
 *
 * A lone sample on the hour is an hour's once that hour is over. Before, it may as well be the first of many that are a
 * flow: null, the step cannot be told yet, and with it the unit.
 */
function stepOf(channel: string, times: Float64Array, period: Period, now: Millis): Step | null {
  if (period.unit !== 'day' || channel !== 'gas') return defaultStep(period.unit);
  // A monitor announces the last minute of a day long before it comes (spec.md B): that is no distance.
  const past = times.filter((time) => time >= period.start && time < period.end && time <= now).sort();
  const distances = distancesOf(past);
  if (distances.length === 0) return stepOfLone(past[0], period.start, now);
  if (distances.every(isWholeHours)) return 'PT1H';
  return distances.some((distance) => distance < JITTER) ? 'PT1M' : 'PT5M';
}

function stepOfLone(time: number | undefined, start: number, now: number): Step | null {
  if (time === undefined) return 'PT1H';
  const intoHour = (time - start) % HOUR;
  if (intoHour >= MINUTE) return 'PT5M';
  return now - time + intoHour >= HOUR ? 'PT1H' : null;
}

/** Of ascending times. */
function distancesOf(times: Float64Array): Float64Array {
  return times
    .subarray(1)
    .map((time, index) => time - (times[index] ?? 0))
    .filter((distance) => distance >= REPEAT);
}

function isWholeHours(distance: number): boolean {
  return distance >= HOUR / 2 && Math.abs(distance - Math.round(distance / HOUR) * HOUR) < JITTER;
}

// A day, month or year as the payload that leaves a node.

export interface SeriesInput {
  readonly response: SeriesResponse;
  /** The period that was asked for. */
  readonly period: Period;
  readonly now: Millis;
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
  /** The meter has never offered a second tariff (sums.ts). Default: what this answer alone says. */
  readonly isSingleCounter?: boolean;
}

/** One channel of the answer in its own slots, which may be coarser than those of the series. */
interface Channel extends SlotColumn {
  readonly field: Field;
  readonly step: Step;
  /** The monitor sent at least one entry. */
  readonly offered: boolean;
  /** What was counted in each slot, where `values` are what a counter shows. */
  readonly amounts: Column | null;
}

/** For a channel whose step cannot be told yet: held back until it can, for its unit hangs on it. */
const NO_SAMPLES: Samples = { times: new Float64Array(), values: new Float64Array(), withoutTime: 0, malformed: 0 };
const COARSEST: Step = 'PT1H';

type SlotsOf = (step: Step) => Slots;

/**
 * Never throws. `ts` is the period's first moment. All channels share one axis of slots, as fine as the finest channel;
 * each point's `ts` is the first moment of its slot, whenever within the slot the monitor took its sample, so that a
 * running day or month keeps its place when it is fetched again. Slots without a value are null. The axis ends where the
 * data should end by now; a minute or hour still running is not expected, but kept where the monitor gives it
 * as more than the 0 or null that it has for the minutes to come.
 */
export function normalizeSeries(input: SeriesInput): PeriodSeriesPayload {
  const { response, period, now, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, response.channels.keys());
  const slotsBy = remembered((step) => slotsOf(period, step));
  const channels = readChannels(response, period, now, meter.role, slotsBy);
  const step = finestStep(channels, period);
  const axis = slotsBy(step);
  const atAxis = channels.filter((channel) => channel.offered && channel.step === step);
  const expected = Math.max(axis.expectedBy(now), ...atAxis.map(({ reach }) => reach));
  const received = countReceived(atAxis, expected);
  const columns = channels.flatMap((channel) => columnsOf(channel, step, axis));
  addDerivedColumns(columns, meter.role, isSingleCounter);
  const { unit, label, timezone, start, end } = period;
  return {
    schema: 'cemm/1',
    kind: 'series',
    id: idOf('sr', monitor, meterName(meter), unit, label),
    ts: start,
    time: new Date(start).toISOString(),
    monitor: { ...monitor },
    meter: { ...meter },
    period: { unit, label, timezone, start, end, step },
    fields: Object.fromEntries(columns.map(({ field }) => [field.name, fieldInfo(field)])),
    points: pointsOf(axis.starts, columns, expected),
    stats: { expected, received, gaps: expected - received, ...dropped(channels) },
    complete: now >= end && received === expected,
    source: { ...source },
  };
}

function readChannels(
  response: SeriesResponse,
  period: Period,
  now: Millis,
  role: Role | null,
  slotsBy: SlotsOf,
): Channel[] {
  const readable = [...response.channels].map(([channel, samples]) => {
    const step = stepOf(channel, samples.times, period, now);
    return step === null ? { channel, samples: NO_SAMPLES, step: COARSEST } : { channel, samples, step };
  });
  const steps = new Map(readable.map(({ channel, step }) => [channel, step]));
  const fields = fieldsOf(steps.keys(), role, (channel) => steps.get(channel) ?? 'reading');
  const channels: Channel[] = [];
  for (const { channel, samples, step } of readable) {
    const field = fields.get(channel);
    if (field === undefined) continue;
    channels.push(readChannel(samples, field, step, period, now, slotsBy(step)));
  }
  return channels;
}

function readChannel(samples: Samples, field: Field, step: Step, period: Period, now: Millis, slots: Slots): Channel {
  const { start, end } = period;
  const column = fillSlots(samples, { start, end, now, slots, withinDay: stepLength(step) !== null });
  const common = { ...column, step, offered: samples.times.length > 0 };
  if (!isCounter(field, step, column)) return { ...common, field, amounts: null };
  const { amount, reading } = counterFields(field);
  return { ...common, field: reading, amounts: { field: amount, values: amountsOf(samples, slots, end, now) } };
}

/** Of what the monitor sent; an answer without any entry has the step that its channels would have. */
function finestStep(channels: readonly Channel[], period: Period): Step {
  const offered = channels.filter((channel) => channel.offered);
  const steps = (offered.length > 0 ? offered : channels).map(({ step }) => step);
  const byLength = steps.sort((a, b) => (stepLength(a) ?? 0) - (stepLength(b) ?? 0));
  return byLength[0] ?? defaultStep(period.unit);
}

function columnsOf({ field, values, amounts, step, offered }: Channel, axisStep: Step, axis: Slots): Column[] {
  const columns = [...(amounts === null ? [] : [amounts]), { field, values }];
  return columns.map((column) => (step === axisStep ? column : spreadOut(column, step, offered, axisStep, axis)));
}

/** A channel coarser than the axis (hourly gas beside power per minute) has its values at the first of its slots. */
function spreadOut({ field, values }: Column, step: Step, offered: boolean, axisStep: Step, axis: Slots): Column {
  const spread = new Float64Array(axis.count).fill(NaN);
  const ratio = (stepLength(step) ?? 1) / (stepLength(axisStep) ?? 1);
  if (offered) values.forEach((value, slot) => (spread[slot * ratio] = value));
  return { field, values: spread };
}

/** Slots that have a value from every channel. */
function countReceived(channels: readonly Channel[], expected: number): number {
  const [first, ...others] = channels;
  if (first === undefined) return 0;
  if (others.length === 0) return first.known;
  let received = 0;
  for (let slot = 0; slot < expected; slot += 1) {
    if (channels.every(({ values }) => !Number.isNaN(values[slot]))) received += 1;
  }
  return received;
}

function dropped(channels: readonly Channel[]): Pick<SeriesStats, 'duplicates' | 'futureTrimmed' | 'outside'> {
  const total = { duplicates: 0, futureTrimmed: 0, outside: 0 };
  for (const { duplicates, futureTrimmed, outside } of channels) {
    total.duplicates += duplicates;
    total.futureTrimmed += futureTrimmed;
    total.outside += outside;
  }
  return total;
}

function fieldInfo({ unit, semantics, unitSource, semanticsSource }: Field): FieldInfo {
  return { unit, semantics, unitSource, semanticsSource };
}

function remembered(make: SlotsOf): SlotsOf {
  const made = new Map<Step, Slots>();
  return (step) => {
    const slots = made.get(step) ?? make(step);
    made.set(step, slots);
    return slots;
  };
}
