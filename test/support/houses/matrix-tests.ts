/** The tests of one day of the matrix: every house of the simulator's table at five times of it. */
import should from 'should';
import { appendFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import { houses, type HouseName } from '../../../src/simulator/houses';
import { dayMs, quarterMs, millis } from '../../../src/time/units';
import { seenAt, formatted, ledgerOf, prices, type Seen } from './matrix';
import { everyMeter, type MeterChoice } from '../../../src/balance/meters/choice';
import { addMessage } from '../../../src/balance/messages/add-message';
import { emptyState } from '../../../src/balance/messages/state';
import { balanceOfHouse } from '../../../src/balance/messages/houses';
import { periodContaining } from '../../../src/calendar/periods';
import { DeliveryNormalizer } from '../../../src/model/delivery';
import { buildDelivery, createAverages } from '../../../src/simulator/webhook-payload';
import { asMetered } from '../../../src/simulator/metered-household';
import { plainContext, readBody } from '../webhook/context';
import { devicesBrokenIn } from './device-rules';
import { brokenIn } from './invariants';
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
function seenDelivered(name: HouseName, nows: readonly number[], since: number): Seen {
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

const usualZone = 'Europe/Amsterdam';
const times = ['00:05', '07:10', '12:00', '19:00', '23:58'];

/** On every other day, each house is checked at the first and the last time only, because checking all times takes too long. */
const timesOf = (index: number): readonly string[] => (index % 2 === 0 ? times : ['00:05', '23:58']);

/** Houses that are also known by their deliveries. */
const delivered = [
  ...(['webhook-only', 'battery-measured', 'devices', 'devices-battery', 'device-exports'] as const),
  ...(['device-away', 'device-exchanged', 'device-replaced', 'inverter-replaced', 'unknown-meter'] as const),
];

export const houseNames = Object.keys(houses).filter((name): name is HouseName => name in houses);

/**
 * @param days of a zone whose clocks change on other days, by its name; `usual` for all others
 * @param history days of measurements before the day
 */
export function describeDay(
  title: string,
  days: Readonly<Record<'usual', string>> & Readonly<Record<string, string>>,
  history: number,
  /** Place of the day among those of the matrix. */
  place: number,
): void {
  describe(title, function () {
    this.timeout(120_000);
    let [moments, comparisons, failures] = [0, 0, 0];

    for (const [index, name] of houseNames.entries()) {
      it(`${name}: every number and text is true, or marked`, async () => {
        const zone = houses[name].timezone ?? usualZone;
        const broken: string[] = [];
        for (const time of timesOf(index + place)) {
          const now = DateTime.fromISO(`${days[zone] ?? days.usual}T${time}:20`, { zone }).toMillis();
          const midnight = DateTime.fromMillis(now, { zone }).startOf('day').toMillis();
          const seen = await seenAt(name, { now, since: midnight - history * dayMs });
          moments += 1;
          comparisons += seen.comparisons;
          broken.push(...seen.broken.map((one) => `${time} ${one}`));
        }
        failures += broken.length;
        should(broken.slice(0, 12).join('\n')).equal('');
      });
    }

    for (const name of delivered) {
      it(`${name}: every number that its deliveries make is true, or marked`, () => {
        const nows = times.map((time) => DateTime.fromISO(`${days.usual}T${time}:20`, { zone: usualZone }).toMillis());
        const midnight = DateTime.fromISO(days.usual, { zone: usualZone }).toMillis();
        const seen = seenDelivered(name, nows, midnight - Math.min(history, 2) * dayMs);
        moments += nows.length;
        comparisons += seen.comparisons;
        failures += seen.broken.length;
        should(seen.broken.slice(0, 12).join('\n')).equal('');
      });
    }

    after(() => {
      const line = `${title}: ${houseNames.length} houses, ${moments} moments, ${comparisons} comparisons, ${failures} failures`;
      console.log(`      ${line}`);
      const file = process.env['CEMM_HOUSES_REPORT'];
      if (file !== undefined) appendFileSync(file, `${line}\n`);
    });
  });
}
