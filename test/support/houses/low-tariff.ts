/** The low tariff of a house in the Netherlands. */
import { localTime } from '../bills/calendar';
import { hourMs } from '../../../src/time/units';

/** By the hour since 1970: clocks change at whole hours. */
const lowHours = new Map<number, boolean>();

/** From 23:00 to 7:00 and at weekends. */
export function isLowTariff(moment: number): boolean {
  const hour = Math.floor(moment / hourMs);
  const known = lowHours.get(hour);
  if (known !== undefined) return known;
  const isLow = computeLowTariff(moment);
  lowHours.set(hour, isLow);
  return isLow;
}

function computeLowTariff(moment: number): boolean {
  const { hour, weekday } = localTime(moment);
  return hour < 7 || hour >= 23 || weekday === 0 || weekday === 6;
}
