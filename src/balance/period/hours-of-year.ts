/** The energy of each clock hour of a year, for the question with `hours`. */
import { createPause } from '../../time/pause';
import { hourMs } from '../../time/units';
import { type Amount, perKwh } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import { placeMeters, turned } from '../meters/placed-meters';
import { HouseParts } from './house-parts';
import { divideIntoParts, pastUntil } from './parts';
import type { ReadHouse } from './period-balance';

/** Production and the use of the house would double a payload that is large already. */
const fields = { import: 'energy_import_kwh', export: 'energy_export_kwh' } as const;
const perWh = perKwh / 1000;

/**
 * @returns field → Wh of each hour that is over; null where it is not known by itself, as where only a longer time was counted. Without a
 * field that the house does not have.
 */
export async function hoursOfYear(input: ReadHouse): Promise<Record<string, (number | null)[]>> {
  const { period, now, slots } = input;
  const pause = createPause();
  const past = pastUntil(period, now);
  const until = past < period.end ? Math.max(period.start, Math.floor(past / hourMs) * hourMs) : past;
  const parts = divideIntoParts(period, 'PT1H', until, []);
  const meters = input.meters.map(turned).filter(({ role }) => role === 'grid');
  const house = new HouseParts(placeMeters(meters, parts.days, until < period.end), parts, slots);
  const hours: Record<string, (number | null)[]> = {};
  for (const quantity of ['import', 'export'] as const) {
    await pause();
    const measured = house.measured(quantity);
    if (measured === null) continue;
    await pause();
    const byItself = house.measuredByItself(quantity);
    hours[fields[quantity]] = parts.steps.map((_, hour) =>
      byItself[hour] === 1 ? wattHours(getEntry(measured.amounts, hour)) : null,
    );
  }
  return hours;
}

function wattHours(amount: Amount): number | null {
  return Number.isNaN(amount) ? null : Math.max(0, Math.round(amount / perWh));
}
