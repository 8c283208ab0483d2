/** Names of slots for a chart with bars: Dashboard 2 places bars by name, not by time. */
import type { BalancePeriodInfo, SeriesPayload } from '../model/payload';
import { hourMs } from '../time/units';

const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const month: Intl.DateTimeFormatOptions = { month: 'short', year: 'numeric' };
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

type LabelledPeriod = Pick<SeriesPayload['period'] | BalancePeriodInfo, 'step' | 'timezone'>;

const partsOf: Partial<Record<NonNullable<LabelledPeriod['step']>, Intl.DateTimeFormatOptions>> = {
  P1D: day,
  P1M: month,
  PT1H: clock,
  PT15M: clock,
};

export type SlotLabel = (ts: number) => string;

/**
 * Labels such as `25 Oct`, `Oct 2026` or `13:00`; null for steps that are too short for bars. The repeated hour of a clock change
 * also gets the abbreviation of its time zone, because equal labels would be one bar.
 * @param language BCP 47 tag for numbers and names of months
 */
export function slotLabels({ step, timezone }: LabelledPeriod, language: string): SlotLabel | null {
  const parts = step === null ? undefined : partsOf[step];
  if (parts === undefined) return null;
  const format = new Intl.DateTimeFormat(language, { ...parts, timeZone: timezone });
  if (parts !== clock) return (ts) => format.format(ts);
  const exact = new Intl.DateTimeFormat(language, { ...parts, timeZone: timezone, timeZoneName: 'short' });
  return (ts) => {
    const label = format.format(ts);
    const occursTwice = format.format(ts - hourMs) === label || format.format(ts + hourMs) === label;
    return occursTwice ? exact.format(ts) : label;
  };
}
