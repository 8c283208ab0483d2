/** The final account: the content of the store against the data of the simulated houses. */
import { millis, type Millis } from '../../../src/time/units';
import type { InfluxDb } from '../../support/servers/influxdb';
import type { FleetMonitor } from './monitors';

const minute = 60_000;

export interface Account {
  /** Number of minutes that the store should contain. */
  readonly expected: number;
  /** Number of those with the right value. */
  readonly right: number;
  readonly missing: readonly { readonly id: string; readonly start: Millis }[];
  readonly wrong: readonly string[];
  /** Points of minutes that were neither sent nor requested, or have a second key. */
  readonly surplus: readonly string[];
}

/** Every minute of every monitor from `first` (its start) on. */
export async function account(
  store: InfluxDb,
  monitors: readonly FleetMonitor[],
  first: Millis,
  minutes: number,
): Promise<Account> {
  const end = first + minutes * minute;
  const rows = await store.query(
    `SELECT "power_w", "monitor", "meter" FROM "cemm_series" WHERE "step" = 'PT1M' AND time >= ${first}ms AND time < ${end}ms`,
  );
  const stored = new Map<string, number[]>();
  const surplus: string[] = [];
  const known = new Set(monitors.map(({ id }) => id));
  for (const { time, power_w: value, monitor, meter } of rows) {
    const name = `${String(monitor)} ${String(time)}`;
    if (!known.has(String(monitor)) || meter !== 'p1' || typeof value !== 'number') {
      surplus.push(`${name} ${String(meter)}`);
      continue;
    }
    const there = stored.get(name) ?? [];
    if (there.push(value) > 1) surplus.push(name);
    stored.set(name, there);
  }
  const missing: { id: string; start: Millis }[] = [];
  const wrong: string[] = [];
  let right = 0;
  for (const { id, household } of monitors) {
    for (let start = first; start < end; start = millis(start + minute)) {
      const [value] = stored.get(`${id} ${start}`) ?? [];
      const { gridW } = household.minute(start);
      if (value === undefined) missing.push({ id, start });
      else if (Math.abs(value - gridW) > 1e-6) wrong.push(`${id} ${start}: ${value} instead of ${gridW}`);
      else right += 1;
    }
  }
  return { expected: monitors.length * minutes, right, missing, wrong, surplus };
}
