/** Days of the calendar as texts such as `2026-10-25`. */

export type PeriodView = 'day' | 'month' | 'year';

/** @param timezone null: that of the browser */
export function localTime(moment: number, timezone: string | null): string {
  const zone = timezone === null ? {} : { timeZone: timezone };
  return new Intl.DateTimeFormat('en-CA', { ...zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    moment,
  );
}

/** A day that is some days, months or years later. */
export function addTo(day: string, count: number, unit: PeriodView): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moved = {
    day: [year, month - 1, date + count],
    month: [year, month - 1 + count, 1],
    year: [year + count, month - 1, 1],
  } as const;
  const [toYear, toMonth, toDate] = moved[unit];
  return new Date(Date.UTC(toYear, toMonth, toDate, 12)).toISOString().slice(0, 10);
}

const lengths = { day: 10, month: 7, year: 4 };

/** `2026-10-25`, `2026-10` or `2026`. */
export function labelOf(day: string, unit: PeriodView): string {
  return day.slice(0, lengths[unit]);
}
