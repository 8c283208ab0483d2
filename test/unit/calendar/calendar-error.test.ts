import should from 'should';
import { CalendarError, type CalendarReason } from '../../../src/calendar/zone';

const reasons: Readonly<Record<CalendarReason, true>> = {
  no_such_zone: true,
  not_a_date: true,
  no_such_date: true,
  out_of_range: true,
  not_a_label: true,
  wrong_order: true,
  too_many_periods: true,
};

describe('a calendar error', () => {
  it('has a sentence for each reason, and its own name', () => {
    const errors = (Object.keys(reasons) as CalendarReason[]).map((reason) => new CalendarError(reason));
    for (const error of errors) {
      should(error.name).equal('CalendarError');
      should(error.message).match(/^[a-z][\w ,.-]{15,70}$/i, error.reason);
    }
    should(new Set(errors.map(({ message }) => message)).size).equal(errors.length);
  });
});
