/** Normalizes the series of a day, month or year: the payload of kind `series` (`docs/payload.md`). */
import { getOrSet } from '../checks/get-or-set';
import { largest } from '../checks/extremes';
import { type Slots, divideIntoSlots, type Step, stepLength } from '../calendar/slots';
import type { Samples, SeriesResponse } from '../protocol/responses';
import { type Field, assignFields } from './channel-fields';
import { hasTwoTariffs } from './derived-fields';
import { withoutUnit } from './fields';
import { addDerivedColumns, type Column, fillSlots, pointsOf, type SlotColumn } from './series-points';
import type { SeriesPeriod, SeriesUnit } from '../calendar/periods';
import { hourMs, type Millis, minuteMs } from '../time/units';
import { idOf, payloadHead, meterName } from './identity';
import type { PeriodSeriesPayload, Role, SeriesStats } from './payload';
import type { AnswerInput } from './realtime';

export interface SeriesInput extends AnswerInput {
  readonly response: SeriesResponse;
  readonly period: SeriesPeriod;
  readonly now: Millis;
}

/** One channel of the response in its own slots, which may be longer than those of the payload. */
interface Channel extends SlotColumn {
  readonly field: Field;
  readonly step: Step;
  /** The monitor sent an entry. */
  readonly offered: boolean;
  /** The amount in each slot, if `values` are readings of a counter. */
  readonly amounts: Column | null;
}

/** For a channel whose step is unknown: its unit depends on the step, so its samples are left out until then. */
const noSamples: Samples = { times: new Float64Array(), values: new Float64Array(), withoutTime: 0, malformed: 0 };
const longestStep: Step = 'PT1H';

type SlotsOf = (step: Step) => Slots;

/**
 * The payload of kind `series`. The step of the points is the shortest step of a channel. `ts` of a point is the first
 * moment of its slot, so the current day or month keeps its `ts` when it is fetched again. A slot without a value is null.
 *
 * The points end at `now`. The current minute or hour is not expected; it is included if the monitor sends a value for it
 * other than 0 or null, which it also sends for the minutes to come.
 */
export function normalizeSeries(input: SeriesInput): PeriodSeriesPayload {
  const { response, period, now, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, response.channels.keys());
  const slotsBy = cached((step) => divideIntoSlots(period, step));
  const channels = readChannels(response, period, now, meter.role, slotsBy);
  const step = finestStep(channels, period);
  const axis = slotsBy(step);
  const atAxis = channels.filter((channel) => channel.offered && channel.step === step);
  const expected = largest([axis.expectedBy(now), ...atAxis.map(({ reach }) => reach)]);
  const received = countReceived(atAxis, expected);
  const columns = channels.flatMap((channel) => columnsOf(channel, step, axis));
  addDerivedColumns(columns, meter.role, isSingleCounter);
  const { unit, label, timezone, start, end } = period;
  return {
    ...payloadHead('series', idOf('sr', monitor, meterName(meter), unit, label), start, monitor),
    meter: { ...meter },
    period: { unit, label, timezone, start, end, step },
    fields: Object.fromEntries(columns.map(({ field: { name, ...info } }) => [name, info])),
    points: pointsOf(axis.starts, columns, expected),
    stats: { expected, received, gaps: expected - received, ...dropped(channels) },
    complete: now >= end && received === expected,
    source: { ...source },
  };
}

function readChannels(
  response: SeriesResponse,
  period: SeriesPeriod,
  now: Millis,
  role: Role | null,
  slotsBy: SlotsOf,
): Channel[] {
  const readable = [...response.channels].map(([channel, samples]) => {
    const step = stepOf(channel, samples.times, period, now);
    return step === null ? { channel, samples: noSamples, step: longestStep } : { channel, samples, step };
  });
  const steps = new Map(readable.map(({ channel, step }) => [channel, step]));
  const fields = assignFields(steps.keys(), role, (channel) => steps.get(channel) ?? 'reading');
  const channels: Channel[] = [];
  for (const { channel, samples, step } of readable) {
    const field = fields.get(channel);
    if (field === undefined) continue;
    channels.push(readChannel(samples, field, step, period, now, slotsBy(step)));
  }
  return channels;
}

function readChannel(
  samples: Samples,
  field: Field,
  step: Step,
  period: SeriesPeriod,
  now: Millis,
  slots: Slots,
): Channel {
  const { start, end } = period;
  const column = fillSlots(samples, { start, end, now, slots, withinDay: stepLength(step) !== null });
  const common = { ...column, step, offered: samples.times.length > 0 };
  if (!isCounter(field, step, column)) return { ...common, field, amounts: null };
  const { amount, reading } = counterFields(field);
  return { ...common, field: reading, amounts: { field: amount, values: amountsOf(samples, slots, end, now) } };
}

/** The shortest step of the channels that have samples, or of all channels if none has. */
function finestStep(channels: readonly Channel[], period: SeriesPeriod): Step {
  const offered = channels.filter((channel) => channel.offered);
  const steps = (offered.length > 0 ? offered : channels).map(({ step }) => step);
  const byLength = steps.sort((a, b) => (stepLength(a) ?? 0) - (stepLength(b) ?? 0));
  return byLength[0] ?? defaultStep(period.unit);
}

function columnsOf({ field, values, amounts, step, offered }: Channel, axisStep: Step, axis: Slots): Column[] {
  const columns = [...(amounts === null ? [] : [amounts]), { field, values }];
  return columns.map((column) => (step === axisStep ? column : spreadOut(column, step, offered, axisStep, axis)));
}

/** Puts the values of a channel with longer slots (hourly gas beside power per minute) into the first of the short slots. */
function spreadOut({ field, values }: Column, step: Step, offered: boolean, axisStep: Step, axis: Slots): Column {
  const spread = new Float64Array(axis.count).fill(NaN);
  const ratio = (stepLength(step) ?? 1) / (stepLength(axisStep) ?? 1);
  if (offered) values.forEach((value, slot) => (spread[slot * ratio] = value));
  return { field, values: spread };
}

/** Number of slots in which every channel has a value. */
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
  const total = (count: 'duplicates' | 'futureTrimmed' | 'outside'): number =>
    channels.reduce((sum, channel) => sum + channel[count], 0);
  return { duplicates: total('duplicates'), futureTrimmed: total('futureTrimmed'), outside: total('outside') };
}

function cached(make: SlotsOf): SlotsOf {
  const made = new Map<Step, Slots>();
  return (step) => getOrSet(made, step, () => make(step));
}

/** m³ per hour of the largest meters in houses and shops: a gas meter G25, a water meter of 10 m³/h. */
const mostPerHour = { gas: 40, water: 10 } as const;
const hoursOfStep: Readonly<Record<Step, number>> = { PT1M: 1 / 60, PT5M: 1 / 12, PT1H: 1, P1D: 24, P1M: 24 * 31 };

/**
 * True if a series of gas or water has readings of a counter instead of amounts, which the vendor does not document. The values
 * decide: readings fall only if the meter is replaced, and the first one is more than a meter can count in one step.
 */
function isCounter({ name, unit, semantics }: Field, step: Step, { values }: SlotColumn): boolean {
  const isFlow = name === 'gas_lpm';
  if (!isFlow && (semantics !== 'volume' || unit !== 'm³')) return false;
  const known = values.filter((value) => !Number.isNaN(value));
  const perHour = name === 'water_m3' ? mostPerHour.water : mostPerHour.gas;
  const most = isFlow ? (perHour * 1000) / 60 : perHour * hoursOfStep[step];
  const first = known[0] ?? 0;
  const falls = known.filter((value, index) => value < (known[index - 1] ?? 0)).length;
  // A new meter shows a small reading, but its readings never fall either.
  const isWithinDay = hoursOfStep[step] <= 1;
  if (isWithinDay && falls === 0 && first > 0 && known.length >= sureCounts[step] && new Set(known).size > 2)
    return true;
  // The counter of a replaced meter falls once, from a value far above the amount of a step.
  return first > most && (falls === 0 || (falls === 1 && first > 10 * most));
}

/** This many amounts of a day do not all rise or stay equal. A smart meter sends gas every five minutes, or every hour. */
const sureCounts: Readonly<Record<Step, number>> = { PT1M: 60, PT5M: 12, PT1H: 12, P1D: 12, P1M: 12 };

/** The fields of a counter: the amount per slot under the usual name, and the reading. */
function counterFields({ name }: Field): { readonly amount: Field; readonly reading: Field } {
  const medium = withoutUnit(name);
  const sources = { unitSource: 'specification', semanticsSource: 'data' } as const;
  return {
    amount: { name: `${medium}_m3`, unit: 'm³', semantics: 'volume', ...sources },
    reading: { name: `${medium}_reading_m3`, unit: 'm³', semantics: 'reading', ...sources },
  };
}

/**
 * The amount in each slot: the reading at its end minus the reading at its start, NaN if either is missing. A reading
 * counts for the nearest boundary of a slot.
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

/** http://developer.cemm.nl/local-open-api/: one value per minute of a day, day of a month, month of a year. */
function defaultStep(unit: SeriesUnit): Step {
  return ({ day: 'PT1M', month: 'P1D', year: 'P1M' } as const)[unit];
}

/** Deviation of a time, because samples are seconds later than the telegrams of the meter. */
const jitterMs = 2.5 * minuteMs;
/** Samples that are closer than this are duplicates. */
const duplicateMs = minuteMs / 2;

/**
 * The step of one channel: the usual one of the period, except for gas within a day. A smart meter reports gas every hour
 * (DSMR 4 and older) or every five minutes (DSMR 5). Gas is hourly if all distances between samples are whole hours: gaps
 * make distances longer, so one shorter distance shows that the step is shorter.
 *
 * Null if the step is not known yet: a single sample on the hour can be the value of that hour, or the first of a flow.
 */
function stepOf(channel: string, times: Float64Array, period: SeriesPeriod, now: Millis): Step | null {
  if (period.unit !== 'day' || channel !== 'gas') return defaultStep(period.unit);
  // A monitor sends an entry for the last minute of a day hours before that minute, which is not a distance.
  const past = times.filter((time) => time >= period.start && time < period.end && time <= now).sort();
  const distances = distancesOf(past);
  if (distances.length === 0) return stepOfSingleSample(past[0], period.start, now);
  if (distances.every(isWholeHours)) return 'PT1H';
  return distances.some((distance) => distance < jitterMs) ? 'PT1M' : 'PT5M';
}

function stepOfSingleSample(time: number | undefined, start: number, now: number): Step | null {
  if (time === undefined) return 'PT1H';
  const intoHour = (time - start) % hourMs;
  if (intoHour >= minuteMs) return 'PT5M';
  return now - time + intoHour >= hourMs ? 'PT1H' : null;
}

/** Between ascending times, without those of duplicates. */
function distancesOf(times: Float64Array): Float64Array {
  return times
    .subarray(1)
    .map((time, index) => time - (times[index] ?? 0))
    .filter((distance) => distance >= duplicateMs);
}

function isWholeHours(distance: number): boolean {
  return distance >= hourMs / 2 && Math.abs(distance - Math.round(distance / hourMs) * hourMs) < jitterMs;
}
