/** Days of small houses, and what the format homeassistant-history makes of them. */
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { PeriodInput } from '../../../src/balance/period/period-balance';
import { createFormatter, type FormatInput } from '../../../src/formats/formatter';
import type { ImportStatistics } from '../../../src/formats/home-assistant/history';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs, minuteMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, reading, SOURCE } from '../balance/small-house';
import { MAC } from './payloads';

export const format = createFormatter('homeassistant-history', {
  names: (field) => (field === 'gas_m3' ? null : `name of ${field}`),
});

/** The commands for Home Assistant. */
export function commands(payload: BalancePayload, more: Omit<FormatInput, 'payload'> = {}): ImportStatistics[] {
  return format({ payload, ...more }).map((message) => message.payload.data);
}

export function rows(
  field: string,
  payload: BalancePayload,
  more: Omit<FormatInput, 'payload'> = {},
): ImportStatistics['stats'] {
  const found = commands(payload, more).filter(({ metadata }) => metadata.statistic_id === `cemm:${MAC}_${field}`);
  found.length.should.be.belowOrEqual(1);
  return found[0]?.stats ?? [];
}

/** A completed day. */
export function makeDayBalance(
  label: string,
  meters: readonly BalanceMeter[],
  more: Partial<PeriodInput> = {},
): BalancePayload {
  return balance(label, meters, { source: { ...SOURCE, fetchedAt: period(label).end + hourMs }, ...more });
}

export const LABEL = '2026-06-15';
export const START = period(LABEL).start;

/** Imports `watts` all day and reads its counter at both midnights. */
export function smartMeter(
  label: string,
  watts: number,
  from = 1000,
  isLost: (hour: number) => boolean = () => false,
): BalanceMeter {
  const { start, end } = period(label);
  const minutes = (end - start) / minuteMs;
  const total = (watts * minutes) / 60_000;
  return meter('p1', 'grid', {
    readings: [reading('import', start - 1000, from), reading('import', end - 1000, from + total)],
    shapes: {
      import: minutesFrom(
        start,
        Array.from({ length: minutes }, (_, minute) => (isLost(Math.floor(minute / 60)) ? null : watts)),
      ),
    },
  });
}
