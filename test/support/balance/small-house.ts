/** Small houses for the balance: powers per minute, and matching counters. */
import { periodFromLabel } from '../../../src/calendar/periods';
import type { SeriesPeriod } from '../../../src/calendar/periods';
import { toAmount, perKwh, perM3 } from '../../../src/balance/meters/amounts';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { balanceOfPeriod, type PeriodInput } from '../../../src/balance/period/period-balance';
import { parsePrices, type Prices } from '../../../src/balance/prices/prices';
import type { Counter, CounterReading } from '../../../src/balance/meters/readings';
import { toShape, type Shape } from '../../../src/balance/meters/shape';
import type { Step } from '../../../src/calendar/slots';
import type { BalancePayload, PeriodSeriesPayload, SeriesPoint, SourceInfo } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { usualSteps } from '../clients/in-process';

export const zone = 'Europe/Amsterdam';
export const SOURCE: SourceInfo = { transport: 'remote', fetchedAt: 1, latencyMs: 2, requests: 3, promises: 0 };
const monitor = { id: '001122aabbcc' };

export function period(label: string): SeriesPeriod {
  return periodFromLabel(label, zone);
}

export function at(iso: string): number {
  return Date.parse(iso);
}

/** One value per minute from a moment on, in W (or in L/min); null is a gap. */
export function minutesFrom(start: number, values: readonly (number | null)[], perMinute = perKwh / 60_000): Shape {
  return toShape(
    values.flatMap((value, index) => {
      const from = start + index * minuteMs;
      return value === null
        ? []
        : [{ start: from, end: from + minuteMs, amount: Math.round(value * perMinute), known: minuteMs }];
    }),
  );
}

export function reading(counter: Counter, ts: number, value: number): CounterReading {
  return { counter, ts, amount: toAmount(value, counter === 'gas' || counter === 'water' ? perM3 : perKwh) };
}

export function meter(name: string, role: BalanceMeter['role'], known: Partial<BalanceMeter> = {}): BalanceMeter {
  return { name, role, isReadable: true, readings: [], shapes: {}, net: [], ...known };
}

export function series(
  label: string,
  step: Step,
  points: readonly SeriesPoint[],
  fetchedAt = SOURCE.fetchedAt,
): PeriodSeriesPayload {
  const asked = period(label);
  return {
    schema: 'cemm/1',
    kind: 'series',
    id: 'sr',
    ts: asked.start,
    time: new Date(asked.start).toISOString(),
    monitor,
    meter: { role: null },
    period: { ...asked, step },
    fields: {},
    points: [...points],
    stats: { expected: 0, received: 0, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
    complete: false,
    source: { ...SOURCE, fetchedAt },
  };
}

export function balance(
  label: string,
  meters: readonly BalanceMeter[],
  more: Partial<PeriodInput> = {},
): BalancePayload {
  const asked = period(label);
  return balanceOfPeriod({
    monitor,
    period: asked,
    step: usualSteps[asked.unit],
    meters,
    slots: 'minutes',
    prices: null,
    source: SOURCE,
    now: asked.end + 3_600_000,
    ...more,
  });
}

export function prices(input: unknown): Prices {
  return parsePrices(input, zone);
}
