/** The other period of a comparison, as it stands in a sentence: "last Tuesday at this time". */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';

const dayMs = 86_400_000;

/** Blank for periods that a person would not compare. */
export function thanWords(sheet: Sheet, balance: BalancePayload, other: BalancePayload): string {
  const { say, formats, frame } = sheet;
  const [now, then] = [balance.period, other.period];
  if (now === undefined || then === undefined || now.unit !== then.unit) return '';
  const isRunning = frame.moment < now.end;
  const middle = (then.start + then.end) / 2;
  const daysBefore = Math.round((now.start - then.start) / dayMs);
  const year = formats.date(middle, { year: 'numeric' });
  switch (now.unit) {
    case 'day': {
      if (daysBefore === 1) return say(isRunning ? 'thanYesterdayNow' : 'thanDayBefore');
      if (daysBefore === 7)
        return say(isRunning ? 'thanLastNow' : 'thanDayWeekBefore', formats.date(middle, { weekday: 'long' }));
      return say(isRunning ? 'thanDateNow' : 'thanDate', formats.date(middle, { day: 'numeric', month: 'long', year: 'numeric' }));
    }
    case 'week':
      if (daysBefore === 7) return say(isRunning ? 'thanLastWeekNow' : 'thanWeekBefore');
      return say(isRunning ? 'thanWeekYearNow' : 'thanWeekYear', then.label.slice(0, 4));
    case 'month': {
      // The month before needs no year, the same month of another year does.
      const isNear = daysBefore < 32;
      const name = formats.date(middle, isNear ? { month: 'long' } : { month: 'long', year: 'numeric' });
      return say(isRunning ? 'thanInNow' : 'thanIn', name);
    }
    case 'year':
      return say(isRunning ? 'thanYearNow' : 'thanYear', year);
    case 'range':
      return '';
  }
}
