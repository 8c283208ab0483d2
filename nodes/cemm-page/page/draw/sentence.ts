/** What a person would say about a day, week, month or year. No sentence where the numbers do not carry one. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import { isNumber } from './numbers';
import { thanWords } from './sentence-than';
import { used } from './series';
import { type Slot, slotsOf } from './slots';

interface SunShare {
  /** Of the use, 0 to 1. */
  readonly share: number;
  readonly hasBattery: boolean;
}

/** Facts of a sentence; tests compare them with what really flowed. */
export type PeriodSentence =
  /** The use against that of another period: -0.17 is 17 % less. */
  | { readonly kind: 'change'; readonly by: number; readonly than: string; readonly sun: SunShare | null }
  | { readonly kind: 'sun'; readonly sun: SunShare }
  | { readonly kind: 'most'; readonly slot: Slot; readonly amount: number }
  | { readonly kind: 'measured'; readonly share: number };

/** Of the time; with less, two periods are not compared. */
const nearlyAll = 0.98;
/** kWh; a smaller use is not compared. */
const leastUse = 1;
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
  const sun = sunShare(balance);
  if (comparison !== null && isComparable(comparison, house)) {
    const before = comparison.valueFor(used.field) ?? 0;
    const than = thanWords(sheet, balance, comparison.balance);
    if (before >= leastUse && than !== '') return { kind: 'change', by: house / before - 1, than, sun };
  }
  return sun === null ? mostUsed(sheet, balance) : { kind: 'sun', sun };
}

function isComparable({ balance, shareFor }: Comparison, house: number): boolean {
  // Where an amount is not known in its own time, the use until the same moment is not either.
  const isExact = (balance.estimatedFields?.[used.field] ?? []).length === 0;
  return house >= leastUse && isExact && shareFor(used.field) >= nearlyAll;
}

/** Null for a house without sun, or if it is not known what fed the battery. */
function sunShare({ values }: BalancePayload): SunShare | null {
  const { self_sufficiency: share, energy_production_kwh: produced, energy_self_consumed_kwh: own } = values;
  const { energy_battery_charged_kwh: charged } = values;
  if (!isNumber(share) || !isNumber(produced) || produced < leastUse || share < 0.01) return null;
  if (charged === undefined) return { share, hasBattery: false };
  // A battery that took more than the sun left to the house was also charged from the grid.
  return isNumber(charged) && isNumber(own) && charged <= own ? { share, hasBattery: true } : null;
}

function mostUsed({ formats, frame }: Sheet, balance: BalancePayload): PeriodSentence | null {
  const past = slotsOf(balance, formats).filter(({ ts }) => ts < frame.moment);
  const known = past.flatMap((slot) => {
    const amount = slot.point?.[used.field];
    return isNumber(amount) ? [{ slot, amount }] : [];
  });
  if (past.length < 3 || known.length < past.length || balance.estimated.length > 0) return null;
  const [first, second] = [...known].sort((a, b) => b.amount - a.amount);
  // With equal bars there is no largest one; the running one may still grow.
  if (first === undefined || second === undefined || first.amount < 1.05 * second.amount) return null;
  return { kind: 'most', slot: first.slot, amount: first.amount };
}

export function periodSentence(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): string {
  const facts = periodFacts(sheet, balance, comparison);
  return facts === null ? '' : periodText(sheet, balance, facts);
}

export function periodText(sheet: Sheet, { period }: BalancePayload, facts: PeriodSentence): string {
  const { say, formats } = sheet;
  const percent = (share: number): string => formats.percent(Math.round(share * 100) / 100);
  switch (facts.kind) {
    case 'measured':
      return say('sayMeasured', formats.percent(facts.share));
    case 'sun':
      return say(facts.sun.hasBattery ? 'sayBatteryGaveUse' : 'saySunGaveUse', formats.percent(facts.sun.share));
    case 'change': {
      const { by, than, sun } = facts;
      const change =
        Math.abs(by) < same
          ? say('saySame', than)
          : by > 1
            ? say('sayTwice', than)
            : say(by < 0 ? 'sayLess' : 'sayMore', percent(Math.abs(by)), than);
      if (sun === null) return change;
      return `${change} ${say(sun.hasBattery ? 'sayBatteryGave' : 'saySunGave', formats.percent(sun.share))}`;
    }
    case 'most': {
      const { slot, amount } = facts;
      const shown = formats.amount(amount, 'kWh', amount < 10 ? 2 : amount < 100 ? 1 : 0);
      const middle = (slot.ts + slot.end) / 2;
      switch (period?.unit) {
        case 'day':
          return say('sayMostBetween', formats.clock(slot.ts), formats.clock(slot.end), shown);
        case 'year':
          return say('sayMostIn', formats.date(middle, { month: 'long' }), shown);
        default:
          return say('sayMostOn', formats.date(middle, { weekday: 'long', day: 'numeric', month: 'long' }), shown);
      }
    }
  }
}
