/** Series as a monitor sends them, and what the model makes of them. */
import { periodFromLabel } from '../../../src/calendar/periods';
import { normalizeSeries } from '../../../src/model/series';
import type { Role, PeriodSeriesPayload } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { momentOf, meter, MONITOR, series, SOURCE, valid } from './wire';
import type { Entry } from './samples';

export const ZONE = 'Europe/Amsterdam';
const LATER = '2027-06-01T00:00:00Z';

interface Asked {
  readonly label: string;
  readonly now?: string;
  readonly alias?: string;
  readonly role?: Role | null;
}

export function normalize(channels: Record<string, readonly Entry[]>, asked: Asked): PeriodSeriesPayload {
  const { label, now = LATER, alias = 's01', role = null } = asked;
  const response = series(channels);
  const period = periodFromLabel(label, ZONE);
  return valid(
    normalizeSeries({
      response,
      period,
      now: momentOf(now),
      monitor: MONITOR,
      meter: meter(alias, role),
      source: SOURCE,
    }),
  );
}

/** Every slot of the day, newest first as sent by monitors. */
export function everyMinute(label: string, value: (minute: number) => number | null = (minute) => minute): Entry[] {
  const { start, end } = periodFromLabel(label, ZONE);
  const entries: Entry[] = [];
  for (let time: number = start; time < end; time += minuteMs) entries.push([time, value((time - start) / minuteMs)]);
  return entries.reverse();
}

/** One entry per day of October 2026, taken at 13:00 local time, newest first. */
export function everyDay(value: (day: number) => number): Entry[] {
  return Array.from({ length: 31 }, (_, index): Entry => {
    const day = 31 - index;
    const iso = `2026-10-${String(day).padStart(2, '0')}T13:00:00${day < 25 ? '+02:00' : '+01:00'}`;
    return [Date.parse(iso), value(day)];
  });
}
