/** Parts of a sentence that compares: "last Tuesday", and until when. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';

const dayMs = 86_400_000;

/**
 * Blank for periods that a person would not compare.
 * @param isRunning only the past part of both is compared
 */
export function thanWords(
  { say, formats }: Sheet,
  { period: now }: BalancePayload,
  { period: then }: BalancePayload,
  isRunning: boolean,
): string {
  if (now === undefined || then === undefined || now.unit !== then.unit) return '';
  const middle = (then.start + then.end) / 2;
  const daysBefore = Math.round((now.start - then.start) / dayMs);
  switch (now.unit) {
    case 'day': {
      if (daysBefore === 1) return say(isRunning ? 'thanYesterday' : 'thanDayBefore');
      const weekday = formats.date(middle, { weekday: 'long' });
      if (daysBefore === 7) return say(isRunning ? 'thanLastDay' : 'thanDayWeekBefore', weekday);
      return say('thanDate', formats.date(middle, { day: 'numeric', month: 'long', year: 'numeric' }));
    }
    case 'week':
      // The same week of another year has other dates.
      return daysBefore === 7 ? say(isRunning ? 'thanWeekDays' : 'thanWeekBefore') : '';
    case 'month': {
      // The month before needs no year.
      const month = formats.date(middle, daysBefore < 32 ? { month: 'long' } : { month: 'long', year: 'numeric' });
      return say(isRunning ? 'thanMonthDays' : 'thanMonth', month);
    }
    case 'year':
      return say(isRunning ? 'thanYearMonths' : 'thanYear', then.label);
    case 'range':
      return '';
  }
}

/** @param end of the last step that counts */
export function untilWords({ say, formats }: Sheet, { period }: BalancePayload, end: number): string {
  switch (period?.unit) {
    case 'day':
      return say('untilTime', formats.clock(end));
    case 'year': {
      const isJanuary = end - period.start < 32 * dayMs;
      return say(isJanuary ? 'untilJanuary' : 'untilMonth', formats.date(end - dayMs, { month: 'long' }));
    }
    case 'week':
    case 'month':
    case 'range':
    case undefined:
      return say('untilDay', formats.date(end - dayMs / 2, { weekday: 'long', day: 'numeric', month: 'long' }));
  }
}
