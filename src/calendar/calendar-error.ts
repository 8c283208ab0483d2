/** Why a date, label, range or zone cannot be used. Words for machines; the node turns them into sentences. */
export type CalendarReason =
  'no_such_zone' | 'not_a_date' | 'no_such_date' | 'out_of_range' | 'not_a_label' | 'wrong_order' | 'too_many_periods';

const SENTENCES: Record<CalendarReason, string> = {
  no_such_zone: 'not an IANA time zone',
  not_a_date: 'not a Date, an ISO 8601 text or an epoch number',
  no_such_date: 'a day or time that no calendar has',
  out_of_range: 'not between 2010 and 2100',
  not_a_label: 'not of the form 2026-10-25, 2026-10 or 2026',
  wrong_order: 'the range ends before it starts',
  too_many_periods: 'the range holds too many periods',
};

/** Thrown by this folder, and nothing else is. Never quotes the input: it may come from a stranger's message. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError';

  constructor(readonly reason: CalendarReason) {
    super(SENTENCES[reason]);
  }
}
