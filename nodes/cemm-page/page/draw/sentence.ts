/** The sentence of a period: what a person would say about it. No sentence where the numbers do not carry one. */
import type { BalancePayload } from '../../../../src/model/payload';
import { isReading } from '../messages';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import { knownUntil } from './known';
import { isNumber } from './numbers';
import { thanWords, untilWords } from './sentence-than';
import { flowDigits, shownOf, used } from './series';
import { type Slot, placeSlots } from './slots';

type Sun =
  /** Share of the use, 0 to 1. */
  | { readonly share: number; readonly hasBattery: boolean }
  /** Production in kWh, where nothing else is sure. */
  | { readonly produced: number };

/** The use against that of another period. */
interface Change {
  readonly kind: 'change';
  /** -0.17 is 17 % less. */
  readonly by: number;
  readonly than: string;
  /** End of the steps that count, in a period that is running; else null. */
  readonly until: number | null;
  /** Only its direction is sure. */
  readonly isRough: boolean;
  readonly sun: Sun | null;
}

/** Facts of a sentence; tests compare them with what really flowed. */
export type PeriodSentence =
  Change | { readonly kind: 'sun'; readonly sun: Sun } | { readonly kind: 'measured'; readonly share: number };

/** Measured share of the time; with less, two periods are not compared. */
const nearlyAll = 0.98;
/** kWh; a smaller use is not compared. */
const leastUse = 1;
/** Hours of a house that exports are this inexact: import and export within one minute cancel out. */
const rough = 0.2;
/** Within it, two uses are about the same. */
const same = 0.03;

/** Null where the numbers do not carry a sentence. */
export function periodFacts(
  sheet: Sheet,
  balance: BalancePayload,
  comparison: Comparison | null,
): PeriodSentence | null {
  const house = balance.values[used.field];
  if (!isNumber(house) || house <= 0) return null;
  const coverage = balance.coverage[used.field] ?? 1;
  if (coverage < nearlyAll) return { kind: 'measured', share: coverage };
  const sun = sunOf(balance);
  const change = comparison === null ? null : changeSince(sheet, balance, comparison, sun);
  return change ?? (sun === null ? null : { kind: 'sun', sun });
}

/** Only whole steps of a period that is running are compared: the other period does not know a part of a step. */
function changeSince(
  sheet: Sheet,
  balance: BalancePayload,
  { balance: other }: Comparison,
  sun: Sun | null,
): Change | null {
  const { period } = balance;
  if (period === undefined || other.period === undefined) return null;
  // Points of a time that was measured in part may be too low.
  if (isReading(other) || (other.coverage[used.field] ?? 1) < nearlyAll) return null;
  const isRunning = knownUntil(sheet.frame, balance) < period.end;
  const [now, then, until] = isRunning ? wholeSteps(sheet, balance, other) : [wholeUse(balance), wholeUse(other), null];
  const than = thanWords(sheet, balance, other, isRunning);
  if (now === null || then === null || now < leastUse || then < leastUse || than === '') return null;
  const by = now / then - 1;
  const isRough = isRunning && hasRoughHours(balance);
  return isRough && Math.abs(by) < rough ? null : { kind: 'change', by, than, until, isRough, sun };
}

function hasRoughHours({ period, values }: BalancePayload): boolean {
  return period?.unit === 'day' && ('energy_production_kwh' in values || 'energy_battery_charged_kwh' in values);
}

function wholeUse({ values, coverage }: BalancePayload): number | null {
  return (coverage[used.field] ?? 1) < nearlyAll ? null : (values[used.field] ?? null);
}

/** The use of the steps that are over, of the same ones of the other period, and their end. */
function wholeSteps(
  { formats, frame }: Sheet,
  balance: BalancePayload,
  other: BalancePayload,
): [now: number | null, then: number | null, until: number | null] {
  const [steps, others] = [placeSlots(balance, formats), placeSlots(other, formats)];
  const moment = knownUntil(frame, balance);
  const over = steps.filter(({ end }) => end <= moment);
  // The hours of a day on which the clock is changed are not those of another day.
  const isOfHours = balance.period?.unit === 'day' && steps.length !== others.length;
  if (isOfHours || over.length === 0 || over.length > others.length) return [null, null, null];
  const estimated = [balance, other].flatMap(({ estimatedFields = {} }) => estimatedFields[used.field] ?? []);
  const sumSlots = (slots: readonly Slot[]): number | null =>
    slots.reduce<number | null>((all, { ts, point }) => {
      const value = point?.[used.field];
      return all === null || !isNumber(value) || estimated.includes(ts) ? null : all + value;
    }, 0);
  return [sumSlots(over), sumSlots(others.slice(0, over.length)), over.at(-1)?.end ?? null];
}

/** Null for a house without sun. */
function sunOf({ values, method, coverage }: BalancePayload): Sun | null {
  const { self_sufficiency: share, energy_production_kwh: produced, energy_self_consumed_kwh: own } = values;
  const { energy_battery_charged_kwh: charged } = values;
  if (!isNumber(produced) || produced < leastUse || (coverage['energy_production_kwh'] ?? 1) < nearlyAll) return null;
  // Import and export within one minute cancel out.
  const isCancelled = method['energy_import_kwh'] === 'minutes';
  if (charged === undefined && (isCancelled || !isNumber(share))) return { produced };
  // A battery that took more than the sun left was also charged from the grid.
  const isSunny = charged === undefined || (isNumber(charged) && isNumber(own) && charged <= own);
  if (isCancelled || !isSunny || !isNumber(share)) return null;
  return share < 0.01 ? null : { share, hasBattery: charged !== undefined };
}

/** Nothing while days are still read. */
export function periodSentence(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): string {
  if (isReading(balance)) return '';
  const facts = periodFacts(sheet, balance, comparison);
  return facts === null ? '' : periodText(sheet, balance, facts);
}

const changeKeys = {
  same: { whole: 'saySame', soFar: 'saySameSoFar' },
  less: { whole: 'sayLess', soFar: 'sayLessSoFar' },
  more: { whole: 'sayMore', soFar: 'sayMoreSoFar' },
} as const;

const roughKeys = {
  less: { whole: 'sayLess', soFar: 'sayClearlyLess' },
  more: { whole: 'sayMore', soFar: 'sayClearlyMore' },
} as const;

function sunText({ say, formats }: Sheet, sun: Sun, { values }: BalancePayload): string {
  if ('share' in sun) return say(sun.hasBattery ? 'sayBatteryGaveUse' : 'saySunGaveUse', formats.percent(sun.share));
  // As the figures show it, in which the parts add up to the use.
  const valueOf = (field: string): number | null | undefined => values[field];
  const digits = flowDigits(valueOf);
  return say('saySunAmount', formats.amount(shownOf(valueOf, digits)('energy_production_kwh'), 'kWh', digits));
}

export function periodText(sheet: Sheet, balance: BalancePayload, facts: PeriodSentence): string {
  const { say, formats } = sheet;
  switch (facts.kind) {
    case 'measured':
      return balance.since === undefined
        ? say('sayMeasured', formats.percent(facts.share))
        : say('saySince', formats.date(balance.since, { day: 'numeric', month: 'long' }));
    case 'sun':
      return sunText(sheet, facts.sun, balance);
    case 'change': {
      const { by, than, until, isRough, sun } = facts;
      const keys = isRough
        ? roughKeys[by < 0 ? 'less' : 'more']
        : changeKeys[Math.abs(by) < same ? 'same' : by < 0 ? 'less' : 'more'];
      const percent = formats.percent(Math.round(Math.abs(by) * 100) / 100);
      const change =
        until === null
          ? say(keys.whole, percent, than)
          : say(keys.soFar, percent, than, untilWords(sheet, balance, until));
      return sun === null ? change : `${change} ${sunText(sheet, sun, balance)}`;
    }
  }
}
