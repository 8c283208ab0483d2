/**
 * Benchmarks of the balance: a year from a warm cache, the current moment of a thousand monitors, and the growth of time with
 * the number of minutes.
 */
import type * as Choice from '../src/balance/meters/choice';
import type * as BalanceReaderModule from '../src/balance/requests/period-reader';
import type * as BalanceWatchModule from '../src/balance/requests/now-reader';
import type { BalanceParts } from '../src/balance/house-reader';
import type { PeriodBalanceTarget } from '../src/balance/requests/period-reader';
import type * as RunningQuartersModule from '../src/balance/now/running-quarters';
import type { MeterTarget, RealtimeListener } from '../src/connection/connection';
import type * as Periods from '../src/calendar/periods';
import type { SeriesPeriod } from '../src/calendar/periods';
import type * as Prices from '../src/balance/prices/prices';
import { systemClock } from '../src/time/clock';
import type { PeriodSeriesPayload, RealtimePayload, SourceInfo, TotalsPayload } from '../src/model/payload';
import { toMonitorId } from '../src/protocol/mac';
import { minuteMs, millis } from '../src/time/units';
import { inTurns, median } from './support/interleaved';
import { shipped } from './support/shipped';
import { rounded, type Table } from './support/table';

const { everyMeter } = shipped<typeof Choice>('balance/meters/choice');
const { BalanceReader } = shipped<typeof BalanceReaderModule>('balance/requests/period-reader');
const { BalanceWatch } = shipped<typeof BalanceWatchModule>('balance/requests/now-reader');
const { RunningQuarters } = shipped<typeof RunningQuartersModule>('balance/now/running-quarters');
const { periodFromLabel, nextPeriod } = shipped<typeof Periods>('calendar/periods');
const { parsePrices } = shipped<typeof Prices>('balance/prices/prices');

const zone = 'Europe/Amsterdam';
const now = Date.parse('2027-06-01T12:00:00Z');
const clock = { ...systemClock, now: () => millis(now) };
const ask = { signal: new AbortController().signal };
const source: SourceInfo = { transport: 'remote', fetchedAt: now, latencyMs: 5, requests: 1, promises: 0 };
const monitors = 1000;
const everySeconds = 10;

/** Meter readings of a house with constant power, which take no time to compute. */
const kwhAt = (moment: number): number => Math.round((moment / 3_600_000) * 1e6) / 1e6;

function monitorId(index: number) {
  const id = toMonitorId(index.toString(16).padStart(12, '0'));
  if (id === null) throw new Error('That is no MAC address.');
  return id;
}

function totals(at: number): TotalsPayload['values'] {
  const kwh = kwhAt(at);
  return {
    energy_import_kwh: kwh,
    energy_import_t1_kwh: kwh / 2,
    energy_import_t2_kwh: kwh / 2,
    energy_export_kwh: kwh / 3,
    energy_export_t1_kwh: kwh / 6,
    energy_export_t2_kwh: kwh / 6,
    energy_production_kwh: kwh / 2,
    energy_own_use_kwh: 0,
  };
}

/** A connection that has every response at once. */
function partsOf(index: number, listeners: RealtimeListener[] = []): BalanceParts {
  const monitor = { id: monitorId(index) };
  const base = { schema: 'cemm/1' as const, id: 'bench', monitor, source, missing: {}, times: {} };
  const meterOf = ({ alias, role }: MeterTarget) => ({ alias, role: role === 'auto' ? null : role });
  return {
    clock,
    reader: {
      timezone: zone,
      transport: 'remote',
      knownMeters: () =>
        Promise.resolve({
          monitor,
          meters: [
            { alias: 'p1', role: 'grid' as const },
            { alias: 's01', role: 'production' as const },
          ],
          unanswered: null,
        }),
      readTotals: (target, period) => {
        const ts = Math.min(period.end, now) - 1000;
        const { unit, label, timezone, start, end } = period;
        const of: TotalsPayload = {
          ...base,
          kind: 'totals',
          ts,
          time: new Date(ts).toISOString(),
          meter: meterOf(target),
          period: { unit, label, timezone, start, end, final: true },
          values: totals(ts),
        };
        return Promise.resolve(of);
      },
      readSeries: (target, period) => Promise.resolve({ ...base, ...seriesOf(period), meter: meterOf(target) }),
      readRealtime: () => Promise.resolve([]),
      watchRealtime: (_target, _interval, listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
  };
}

function seriesOf(period: SeriesPeriod): Omit<PeriodSeriesPayload, 'schema' | 'id' | 'monitor' | 'source' | 'meter'> {
  const { unit, label, timezone, start, end } = period;
  const isDay = unit === 'day';
  const points = !isDay
    ? []
    : Array.from({ length: (end - start) / minuteMs }, (_, minute) => ({
        ts: start + minute * minuteMs,
        power_import_w: 1000,
        power_export_w: 333,
        power_production_w: 500,
      }));
  return {
    kind: 'series',
    ts: start,
    time: new Date(start).toISOString(),
    period: { unit, label, timezone, start, end, step: isDay ? 'PT1M' : unit === 'month' ? 'P1D' : 'P1M' },
    fields: {},
    points,
    stats: { expected: points.length, received: points.length, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
    complete: true,
  };
}

const prices = parsePrices(
  {
    currency: 'EUR',
    import: Array.from({ length: 366 * 24 }, (_, hour) => ({
      start: Date.parse('2026-01-01T00:00:00+01:00') + hour * 3_600_000,
      value: 0.2 + (hour % 24) / 1000,
    })),
  },
  zone,
);

function targetOf(label: string, more: Partial<PeriodBalanceTarget> = {}): PeriodBalanceTarget {
  const period = periodFromLabel(label, zone);
  const step = period.unit === 'day' ? 'PT1H' : period.unit === 'month' ? 'P1D' : 'P1M';
  return {
    monitor: null,
    meters: everyMeter,
    period,
    step,
    prices: null,
    wantsPeak: false,
    counters: null,
    ...more,
  };
}

const monthsOfYear = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}`);

export async function balance(): Promise<Table> {
  const year = await warmYear();
  const moment = await thousandMoments();
  const growth = await growthOfMinutes();
  return {
    name: 'balance',
    rows: [...year.rows, ...moment.rows, ...growth.rows],
    goals: [
      { what: 'a year by months from a warm cache, CPU seconds', value: year.seconds, limit: 2 },
      { what: 'memory of that year, MB', value: year.megabytes, limit: 60 },
      {
        what: `this moment of ${monitors} monitors every ${everySeconds} s, % of a core`,
        value: moment.percent,
        limit: 3,
      },
      { what: 'costliest minute of a period against one of a day', value: growth.most, limit: 1.25 },
    ],
  };
}

/** The year as one balance, its twelve months by the day, and all of it with the minutes and prices by the hour. */
async function warmYear(): Promise<{ rows: Table['rows']; seconds: number; megabytes: number }> {
  const before = heldAfterCollection();
  const reader = new BalanceReader(partsOf(1));
  const all = async (): Promise<void> => {
    await reader.read(targetOf('2026'), ask);
    for (const month of monthsOfYear) await reader.read(targetOf(month), ask);
  };
  await all();
  const seconds = await cpuSeconds(all);
  const megabytes = (heldAfterCollection() - before) / 1e6;
  return {
    rows: [{ what: 'a year, and its months by the day, warm', figure: rounded(seconds, 3), unit: 's CPU' }],
    seconds,
    megabytes,
  };
}

/** Time of a thousand balances, besides the time of their readings. */
async function thousandMoments(): Promise<{ rows: Table['rows']; percent: number }> {
  const quarters = new RunningQuarters();
  const listeners: RealtimeListener[][] = [];
  const watches = Array.from({ length: monitors }, (_, index) => {
    const own: RealtimeListener[] = [];
    listeners.push(own);
    const parts = partsOf(index + 1, own);
    return new BalanceWatch(
      parts,
      quarters,
      { monitor: null, meters: everyMeter, intervalMs: everySeconds * 1000 },
      {
        onBalance: () => (sent += 1),
        onError: (error) => {
          throw error;
        },
        onOtherShard: () => undefined,
      },
    );
  });
  let sent = 0;
  // The meters are listed first.
  await new Promise((resolve) => setTimeout(resolve, 500));
  let at = now;
  const round = (): Promise<void> => {
    at += everySeconds * 1000;
    for (const own of listeners)
      own.forEach((listener, meter) => {
        listener.onReading(readingOf(meter, at));
      });
    return Promise.resolve();
  };
  for (let warm = 0; warm < 20; warm += 1) await round();
  const rounds: number[] = [];
  for (let measured = 0; measured < 21; measured += 1) rounds.push(await cpuSeconds(round));
  for (const watch of watches) watch.stop();
  if (sent !== 41 * monitors) throw new Error(`${sent} balances were sent.`);
  const percent = (median(rounds) / everySeconds) * 100;
  return {
    rows: [{ what: `this moment of ${monitors} monitors`, figure: rounded(median(rounds) * 1000, 1), unit: 'ms CPU' }],
    percent,
  };
}

function readingOf(meter: number, ts: number): RealtimePayload {
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'bench',
    ts,
    time: new Date(ts).toISOString(),
    monitor: { id: null },
    meter: { role: meter === 0 ? 'grid' : 'production' },
    values: { ...totals(ts), power_import_w: 800, power_export_w: 0, power_production_w: 500 },
    times: {},
    missing: {},
    source,
  };
}

/** Single days, months with all their minutes, and a year of days, with prices by the hour: time per minute of the period. */
async function growthOfMinutes(): Promise<{ rows: Table['rows']; most: number }> {
  const days: string[] = [];
  for (let day = periodFromLabel('2026-01-01', zone); day.label < '2027'; day = nextPeriod(day)) days.push(day.label);
  const costOf = async (labels: readonly string[]): Promise<number> => {
    // A new reader without a cache, so each minute is computed once.
    const reader = new BalanceReader(partsOf(2));
    let minutes = 0;
    const seconds = await cpuSeconds(async () => {
      for (const label of labels) {
        const target = targetOf(label, { prices, wantsPeak: true });
        await reader.read(target, ask);
        minutes += (target.period.end - target.period.start) / minuteMs;
      }
    });
    return (seconds * 1e6) / minutes;
  };
  const times = await inTurns(7, {
    'ten days': () => costOf(days.slice(0, 10)),
    'two months': () => costOf(monthsOfYear.slice(0, 2)),
    'a year of days': () => costOf(days),
  });
  const one = median(times.get('ten days') ?? []);
  const rows = [...times].map(([what, list]) => ({
    what,
    figure: rounded(median(list), 3),
    unit: 'µs CPU per minute',
  }));
  return { rows, most: Math.max(...[...times.values()].map((list) => median(list) / one)) };
}

async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

function heldAfterCollection(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start with --expose-gc.');
  gc();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}
