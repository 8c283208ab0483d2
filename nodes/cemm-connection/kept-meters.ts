/** The meters of deliveries that were added up before a restart, for "Find meters" in the dialog. */
import { KeptHouses, type OtherHouses } from '../../src/balance/messages/kept-houses';
import type { MeterState } from '../../src/balance/messages/state';
import { systemClock } from '../../src/time/clock';
import { dayMs } from '../../src/time/units';
import type { PastDays } from '../../src/store/past-days';
import type { NamedMeter } from './delivered-meters';

/** A meter that was silent for longer is not offered. */
const recentMs = 40 * dayMs;
/** Nobody looks for the meter of one house among thousands. */
const mostHouses = 16;

const nothing: OtherHouses = {
  names: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** @param delivered the meters of deliveries since the start */
export async function withKeptMeters(
  delivered: readonly NamedMeter[],
  past: PastDays | null,
): Promise<readonly NamedMeter[]> {
  if (past === null) return delivered;
  const houses = new KeptHouses({ past, clock: systemClock, other: nothing });
  const now = systemClock.now();
  const found = [...delivered];
  for (const monitor of (await houses.names()).slice(0, mostHouses)) {
    const state = await houses.stateOf(monitor, now - recentMs, now);
    for (const [meter, { latest }] of Object.entries(state?.meters ?? {})) {
      const isKnown = found.some((one) => one.monitor === monitor && one.meter === meter);
      if (!isKnown) found.push({ monitor, meter, values: valuesIn(latest) });
    }
  }
  return found;
}

function valuesIn(latest: MeterState['latest']): NamedMeter['values'] {
  return Object.fromEntries(Object.entries(latest).map(([field, [, value]]) => [field, value]));
}
