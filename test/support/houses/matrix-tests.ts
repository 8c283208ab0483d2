/** The tests of one day of the matrix: every house of the simulator's table at five times of it. */
import should from 'should';
import { appendFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import { houses, type HouseName } from '../../../src/simulator/houses';
import { dayMs } from '../../../src/time/units';
import { seenDelivered } from './delivered-house';
import { seenAt } from './matrix';

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
