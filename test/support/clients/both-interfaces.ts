/** One simulated house behind both interfaces, read through the connection that the nodes use. */
import { periodFromLabel, type PeriodUnit } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import type { PeriodSeriesPayload, TotalsPayload } from '../../../src/model/payload';
import type { SimulatorOptions } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis, type Millis } from '../../../src/time/units';
import { type SettableClock, settableClock } from '../simulator/requests';
import { connectTo } from './in-process';

export const zone = 'Europe/Amsterdam';
export type Transport = 'local' | 'remote';

export interface House {
  readonly clock: SettableClock;
  series(transport: Transport, alias: string, label: string): Promise<PeriodSeriesPayload>;
  totals(transport: Transport, alias: string, label: string): Promise<TotalsPayload>;
  close(): Promise<void>;
}

export async function openHouse(now: Millis, options: SimulatorOptions = {}): Promise<House> {
  const clock = settableClock(now);
  const simulator = await startSimulator({
    localPort: 0,
    remotePort: 0,
    timezone: zone,
    since: millis(Date.parse('2025-12-30T00:00:00+01:00')),
    clock,
    ...options,
  });
  const clients = {
    local: createLocalClient({ host: simulator.local ?? '', allowLoopback: true, isInProcess: true }),
    remote: createRemoteClient({ baseUrl: simulator.remote ?? '', apiKey: 'demo' }),
  };
  const times = { ...systemClock, now: () => clock.now() };
  const connections = {
    local: connectTo({ client: clients.local, clock: times, deadlineMs: 60_000 }),
    remote: connectTo({ client: clients.remote, clock: times, deadlineMs: 60_000 }),
  };
  const ask = () => ({ signal: new AbortController().signal });
  const target = (alias: string) => ({ monitor: null, alias, role: 'auto' }) as const;
  return {
    clock,
    series: (transport, alias, label) =>
      connections[transport].readSeries(target(alias), periodFromLabel(label, zone), ask()),
    totals: (transport, alias, label) =>
      connections[transport].readTotals(target(alias), periodFromLabel(label, zone), ask()),
    async close() {
      await Promise.all(Object.values(connections).map((each) => each.close()));
      await simulator.close();
    },
  };
}

/** `2026-01-01` … `2026-12-31` with `day`, `2026-01` … `2026-12` with `month`. */
export function listPeriodLabels(unit: Exclude<PeriodUnit, 'year'>, year: number): string[] {
  const labels = new Set<string>();
  for (let day = 0; day < 366; day += 1) {
    const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString();
    if (Number(date.slice(0, 4)) === year) labels.add(date.slice(0, unit === 'day' ? 10 : 7));
  }
  return [...labels];
}

/** Sum of all values of the field; a missing one makes it NaN. */
export function sumSeriesField(series: PeriodSeriesPayload, field: string): number {
  return series.points.reduce((total, point) => total + (point[field] ?? NaN), 0);
}

export function sumNumbers(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

const minutes = { PT1M: 1, PT5M: 5, PT1H: 60 } as const;

/** kWh or m³ of a day, from its averages or its hourly amounts. */
export function amountOfDay(day: PeriodSeriesPayload): number {
  const { step } = day.period;
  if (step === 'P1D' || step === 'P1M') throw new Error(`${step} is no step of a day`);
  const hours = minutes[step] / 60;
  if ('power_w' in day.fields) return (sumSeriesField(day, 'power_w') * hours) / 1000;
  if ('gas_lpm' in day.fields) return (sumSeriesField(day, 'gas_lpm') * hours * 60) / 1000;
  if ('flow_lpm' in day.fields) return (sumSeriesField(day, 'flow_lpm') * hours * 60) / 1000;
  return sumSeriesField(day, 'gas_m3');
}
