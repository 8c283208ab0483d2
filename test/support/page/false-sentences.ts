/** Whether the sentences of the page are true, by what really flowed in a house. */
import { DateTime } from 'luxon';
import type { Sheet } from '../../../nodes/cemm-page/page/draw/card';
import { comparedDay, questionOf, chooseDay, firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import { comparisonOf } from '../../../nodes/cemm-page/page/draw/comparison';
import { type PeriodSentence, periodFacts, periodText } from '../../../nodes/cemm-page/page/draw/sentence';
import { nowFacts, type NowSentence, nowText } from '../../../nodes/cemm-page/page/draw/sentence-now';
import { comparesOf, type PeriodView } from '../../../nodes/cemm-page/page/views';
import type { BalancePayload } from '../../../src/model/payload';
import { stepMs } from '../../../src/simulator/within-minute';
import { minuteMs } from '../../../src/time/units';
import type { Flowed } from '../houses/invariants';
import type { HouseAnswers } from './house-answers';
import { sheetAt, zone } from './sheet';

const languages = ['en', 'nl', 'de', 'fr'];

export interface Said {
  /** In the four languages. */
  readonly texts: readonly string[];
  /** Why it is false; blank if it is true. */
  readonly fault: string;
}

interface Flows {
  readonly taken: number;
  readonly given: number;
  readonly sun: number;
  readonly charged: number;
  readonly discharged: number;
  readonly house: number;
}

/** Of the meters that the house has; a battery without a meter is a part of its use. */
function flowsBetween(flowed: Flowed, from: number, to: number): Flows {
  const [taken = 0, given = 0, sun = 0, charged = 0, discharged = 0] = (
    ['import', 'export', 'production', 'charged', 'discharged'] as const
  ).map((flow) => flowed(flow, from, to) ?? 0);
  return { taken, given, sun, charged, discharged, house: taken - given + sun + discharged - charged };
}

/** Null: no sentence. */
export async function saidNow(answers: HouseAnswers): Promise<Said | null> {
  const balance = await answers.answer({ balance: 'now' });
  const facts = nowFacts(balance);
  if (facts === null) return null;
  return {
    texts: languages.map((language) => nowText(sheetAt(answers.now, language), facts)),
    fault: findFaultNow(facts, answers, balance.ts),
  };
}

/**
 * Blank if the sentence is true of the five seconds of the reading, in which a cloud or a hob can change the power by half, or of the last
 * minute, or of the last two: a meter that counts pulses knows the power between two of them.
 */
function findFaultNow(facts: NowSentence, { flowed, knownUntil }: HouseAnswers, readAt: number): string {
  const spans = [
    [knownUntil - 2 * minuteMs, knownUntil],
    [knownUntil - minuteMs, knownUntil],
    [readAt, readAt + stepMs],
  ] as const;
  const faults = spans.map(([from, to]) => faultBetween(facts, flowed, from, to));
  return faults.includes('') ? '' : (faults[0] ?? '');
}

/** By the mean powers, in W. */
function faultBetween(facts: NowSentence, flowed: Flowed, from: number, to: number): string {
  const summed = flowsBetween(flowed, from, to);
  const watts = Object.fromEntries(
    Object.entries(summed).map(([key, kwh]) => [key, (kwh * 3_600_000_000) / (to - from)]),
  ) as unknown as Flows;
  const { taken, given, sun, charged, discharged, house } = watts;
  const near = Math.max(80, 0.1 * house);
  const own = house - taken;
  const shown = JSON.stringify(watts, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value));
  const check = (isTrue: boolean): string => (isTrue ? '' : `${JSON.stringify(facts)} with ${shown}`);
  switch (facts.kind) {
    case 'grid':
      return check(own < near && charged < near);
    case 'gridCharges':
      return check(charged > 0 && taken > house - near && (!facts.hasSun || sun > 0));
    case 'part':
      return check(Math.abs(own / house - facts.share) < 0.08 && hasSources(facts.by, sun, discharged));
    case 'all':
      return check(
        taken < near &&
          Math.abs(given - facts.out) < 80 + 0.15 * given &&
          (!facts.charges || charged > 0) &&
          hasSources(facts.by, sun, discharged),
      );
  }
}

function hasSources(by: 'sun' | 'battery' | 'sunBattery', sun: number, discharged: number): boolean {
  return (by === 'battery' || sun > 0) && (by === 'sun' || discharged > 0);
}

/** Null: no sentence. */
export async function saidOf(answers: HouseAnswers, view: PeriodView): Promise<Said | null> {
  const [usual = 'none'] = comparesOf(view);
  const choice = { ...firstChoice, view, compare: usual };
  const frame = { moment: answers.now, timezone: zone };
  const balance = await answers.answer(questionOf(view, chooseDay(choice, frame)));
  const compared = comparedDay(choice, frame);
  const other = compared === null ? null : await answers.answer(questionOf(view, compared));
  const factsIn = (sheet: Sheet): PeriodSentence | null =>
    periodFacts(sheet, balance, other === null ? null : comparisonOf(sheet, balance, other, ''));
  const facts = factsIn(sheetAt(answers.now));
  if (facts === null) return null;
  return {
    texts: languages.map((language) => {
      const sheet = sheetAt(answers.now, language);
      return periodText(sheet, balance, factsIn(sheet) ?? facts);
    }),
    fault: faultOf(facts, balance, other, answers),
  };
}

function faultOf(
  facts: PeriodSentence,
  { period }: BalancePayload,
  other: BalancePayload | null,
  { flowed, knownUntil }: HouseAnswers,
): string {
  if (period === undefined) return 'no period';
  const until = Math.min(knownUntil, period.end);
  const real = flowsBetween(flowed, period.start, until);
  const check = (isTrue: boolean, shown: unknown): string =>
    isTrue ? '' : `${period.label}: ${JSON.stringify(facts)} with ${JSON.stringify(shown)}`;
  const sunFault = (sun: Extract<PeriodSentence, { kind: 'sun' }>['sun']): string =>
    check(
      'produced' in sun
        ? Math.abs(real.sun - sun.produced) < 0.03 + 0.02 * real.sun
        : Math.abs(1 - real.taken / real.house - sun.share) < 0.02,
      real,
    );
  switch (facts.kind) {
    case 'measured':
      return check(facts.share < 0.98, facts.share);
    case 'sun':
      return sunFault(facts.sun);
    case 'change': {
      const [start, whole] = [other?.period?.start ?? 0, other?.period?.end ?? 0];
      const { timezone } = period;
      // The end of a step has the same date, or time, in the other period.
      const end = facts.until === null ? whole : alignedEnd(period, start, facts.until, timezone);
      const before = flowsBetween(flowed, start, end).house;
      const counted = flowsBetween(flowed, period.start, facts.until ?? until).house;
      return (
        check(isSameChange(facts, counted / before - 1), [counted, before]) ||
        (facts.sun === null ? '' : sunFault(facts.sun))
      );
    }
  }
}

function isSameChange({ by, isRough }: PeriodSentence & { kind: 'change' }, real: number): boolean {
  return isRough ? Math.sign(real) === Math.sign(by) && Math.abs(real) > 0.05 : Math.abs(real - by) < 0.015;
}

/** The moment of another period that has the same place by the calendar, with another program than the page's. */
function alignedEnd(
  { unit, start }: NonNullable<BalancePayload['period']>,
  otherStart: number,
  until: number,
  timezone: string,
): number {
  const place = DateTime.fromMillis(until, { zone: timezone }).diff(
    DateTime.fromMillis(start, { zone: timezone }),
    unit === 'year' ? ['months'] : unit === 'day' ? ['hours'] : ['days'],
  );
  return DateTime.fromMillis(otherStart, { zone: timezone }).plus(place).toMillis();
}
