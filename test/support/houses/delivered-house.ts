/** A simulated house that answers no requests: its deliveries, added up, at the five times of a day. */
import { everyMeter, type MeterChoice } from '../../../src/balance/meters/choice';
import { addMessage } from '../../../src/balance/messages/add-message';
import { emptyState } from '../../../src/balance/messages/state';
import { balanceOfHouse } from '../../../src/balance/messages/houses';
import { periodContaining } from '../../../src/calendar/periods';
import { DeliveryNormalizer } from '../../../src/model/delivery';
import { quarterMs, dayMs, millis } from '../../../src/time/units';
import type { HouseName } from '../../../src/simulator/houses';
import { buildDelivery, createAverages } from '../../../src/simulator/webhook-payload';
import { asMetered } from '../../../src/simulator/metered-household';
import { plainContext, readBody } from '../webhook/context';
import { devicesBrokenIn } from './device-rules';
import { brokenIn } from './invariants';
import { formatted, ledgerOf, prices, type Seen } from './matrix';
import { SimulatedHouse } from './simulated-house';

/** The houses whose balance node has lists; in the others the rows of the connection and the keys decide. */
const named: readonly HouseName[] = ['webhook-only', 'battery-measured'];
const choice: MeterChoice = {
  grid: ['smartmeter-dsmr'],
  production: ['zon', 'garage'],
  battery: ['batterij'],
  gas: ['gas'],
  water: ['water'],
};

const context = { ...plainContext, interval: '15m' } as const;

/** @param nows ascending, of one day; the events of the house are relative to the last one */
export function seenDelivered(name: HouseName, nows: readonly number[], since: number): Seen {
  const [first = 0, last = 0] = [nows[0], nows.at(-1)];
  const house = new SimulatedHouse(name, last, since, { moment: last });
  const { household, monitor } = house;
  const averages = createAverages(household);
  const faults = new Set(house.house.faults);
  const normalizer = new DeliveryNormalizer();
  const state = emptyState();
  const broken: string[] = [];
  let comparisons = 0;
  let at = Math.ceil(Math.max(since, first - dayMs) / quarterMs) * quarterMs;
  for (const now of nows) {
    for (; at <= now; at += quarterMs) {
      const metered = asMetered(household, faults, millis(at));
      const topics = ['realtime', 'reading', 'last/15minutes', 'last/hour', 'last/day'] as const;
      const body = buildDelivery(household, monitor.cemm, millis(at), topics, { averages, metered });
      const payload = readBody(normalizer, body, at, context);
      addMessage(state, payload, { timezone: household.timezone, now: at + 300 });
    }
    for (const [unit, moment, step] of [
      ['day', now, 'PT15M'],
      ['day', now - dayMs, 'PT1H'],
      ['month', now, 'P1D'],
      ['year', now, 'P1M'],
    ] as const) {
      const period = periodContaining(unit, household.timezone, millis(moment));
      const payload = balanceOfHouse(
        { name: 'delivered', monitor: { id: null, cemm: monitor.cemm }, installation: undefined, state },
        named.includes(name) ? choice : everyMeter,
        { period, step, prices, now, rows: house.deliveredTable.rowsOf({ id: null, cemm: monitor.cemm }, true) },
      );
      const ofDevices = devicesBrokenIn(payload, ledgerOf(house), Math.min(now, state.newest));
      const found = [...brokenIn(payload, house.flowed, now), ...ofDevices, ...formatted(payload)];
      comparisons += 29 + 3 * (payload.points?.length ?? 0) + 4 * (payload.devices?.length ?? 0);
      broken.push(...found.map((one) => `${new Date(now).toISOString()} delivered ${period.label}: ${one}`));
    }
  }
  return { comparisons, broken };
}
