/** The households of the contact sheets at a time of one day in autumn. */
import type { Contract } from '../../../src/balance/prices/contracts';
import { parseContractRows, parseHouseContracts } from '../../../src/balance/prices/house-contracts';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs } from '../../../src/time/units';
import type { AnsweringHouse } from './answers-of';
import { HouseAnswers, zone } from './house-answers';
import type { PlannedPicture } from './picture-plan';
import { walkSecondDay } from './walks';

const common = { currency: 'EUR', gas: 1.34, water: 1.12 } as const;
/** As in the example energy-page. */
const demoPrices = { currency: 'EUR', import: 0.25, export: 0.05, gas: 1.3, water: 1.1, example: true };

/** Prices by the hour until the end of the day, and from 13:00 until the end of the next one: dear in the evening, cheap at noon. */
function listHours(now: number): { start: number; value: number }[] {
  const midnight = Date.parse('2026-10-28T00:00+01:00');
  const end = now < midnight - 11 * hourMs ? midnight : midnight + 24 * hourMs;
  const count = 500 * 24;
  return Array.from({ length: count }, (_, index) => {
    const start = end - (count - index) * hourMs;
    const hour = new Date(start).getUTCHours();
    const day = Math.floor(start / (24 * hourMs));
    const evening = hour >= 16 && hour <= 19 ? 0.09 : 0;
    const noon = hour >= 10 && hour <= 14 ? -0.05 : 0;
    return { start, value: Number((0.08 + evening + noon + 0.002 * (day % 7)).toFixed(3)) };
  });
}

/** A contract with prices by the hour, and two offers. */
function contractsAt(now: number): Contract[] {
  const list = listHours(now);
  const rows = [
    {
      name: 'Uurstroom',
      from: '2025-03-01',
      until: '2027-02-28',
      prices: { ...common, import: { list, plus: 0.155 }, export: { list }, per_day: 0.71, netting: true },
    },
    { name: 'Vast 1 jaar', prices: { ...common, import: 0.262, export: 0.05, export_fee: 0.031, per_day: 0.62 } },
    { name: 'Dag en nacht', prices: { ...common, import: { t1: 0.238, t2: 0.276 }, export: 0.06, per_day: 0.6 } },
  ];
  const read = parseContractRows(rows).map((row) => ({ row, prices: row.prices }));
  return runAtOnce(parseHouseContracts(read, zone));
}

const houses = {
  demo: (now: number) => new HouseAnswers('demo', now, demoPrices, 'demo'),
  battery: (now: number) => new HouseAnswers('battery-measured', now, undefined, 'remote', contractsAt(now)),
  'no sun': (now: number) => new HouseAnswers('no-sun', now, undefined, 'remote'),
} as const;

/** Looks at a household at each time. A house that delivers can be asked only before its next delivery. */
export async function lookAt(
  household: PlannedPicture['household'],
  times: readonly PlannedPicture['time'][],
  look: (time: PlannedPicture['time'], house: AnsweringHouse) => Promise<void>,
): Promise<void> {
  if (household === 'CEMM 3.0') {
    await walkSecondDay(async (name, house) => {
      const time = times.find((one) => one === name);
      if (time !== undefined) await look(time, house);
    });
    return;
  }
  for (const time of times) await look(time, houses[household](Date.parse(`2026-10-27T${time}:00+01:00`)));
}
