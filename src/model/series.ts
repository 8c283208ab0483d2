/** A day, month or year as the payload that leaves a node. */
import type { Period } from '../calendar/period';
import { slotsOf, stepLength, type Slots, type Step } from '../calendar/slots';
import type { Samples, SeriesAnswer } from '../wire/answers';
import type { Millis } from '../wire/time';
import { fieldsOf, type Field } from './fields';
import { idOf, meterName } from './identity';
import type { FieldInfo, MeterInfo, MonitorInfo, Role, PeriodSeriesPayload, SeriesStats, SourceInfo } from './payload';
import { addDerivedColumns, type Column } from './series-columns';
import { pointsOf } from './series-points';
import { defaultStep, stepOf } from './series-step';
import { fillSlots, type SlotColumn } from './slot-column';
import { hasTwoTariffs } from './sums';
import { amountsOf, counterFields, isCounter } from './volume-counter';

export interface SeriesInput {
  readonly answer: SeriesAnswer;
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
  const { answer, period, now, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, answer.channels.keys());
  const slotsBy = remembered((step) => slotsOf(period, step));
  const channels = readChannels(answer, period, now, meter.role, slotsBy);
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
  answer: SeriesAnswer,
  period: Period,
  now: Millis,
  role: Role | null,
  slotsBy: SlotsOf,
): Channel[] {
  const readable = [...answer.channels].map(([channel, samples]) => {
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
