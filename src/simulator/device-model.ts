/** The devices of a household with meters of their own, over one day: a heat pump with a boiler behind its meter, and a car. */
import { type DeviceMinutes, heatDemand } from './day-minutes';
import { absoluteMinute } from './demand-model';
import type { DeviceSource, House } from './house';
import { type LocalDay, localMinuteAt, minuteAtLocalTime } from './house-day';
import { listHouseMeters } from './houses';
import { seededRandom } from './seeded-random';
import { temperatureAt, weatherOf } from './solar-model';

/** W that a heat pump takes at rest, and W of its lowest stage. For less heat it runs for a part of a cycle of 40 minutes. */
const restW = 12;
const lowestW = 620;
const highestW = 2600;
const boilerW = 1500;
const carW = 3680;

/** W of each minute; 0 of a device that the house does not have. */
export function devicesOf(
  day: LocalDay,
  house: House,
  { seed, timezone }: { readonly seed: number; readonly timezone: string },
): DeviceMinutes {
  const measures = (source: DeviceSource): boolean => listHouseMeters(house).some(({ of }) => of === source);
  const boiler = measures('boiler') ? heatedWater(day) : new Int16Array(day.minutes);
  const heatPump = measures('heatPump') ? heating(seed, day, timezone) : new Int16Array(day.minutes);
  if (measures('boiler')) boiler.forEach((watts, index) => (heatPump[index] = (heatPump[index] ?? 0) + watts));
  return { heatPump, boiler, car: measures('car') ? charging(seed, day) : new Int16Array(day.minutes) };
}

function heating(seed: number, day: LocalDay, timezone: string): Int16Array {
  const weather = weatherOf(seed, day, timezone);
  const first = absoluteMinute(day.start);
  const watts = new Int16Array(day.minutes);
  for (let index = 0; index < day.minutes; index += 1) {
    const local = localMinuteAt(day, index);
    const wanted = Math.max(0, 16 - temperatureAt(weather, local)) * 95 * heatDemand(day, local);
    if (wanted >= lowestW) watts[index] = Math.round(Math.min(highestW, wanted));
    else watts[index] = (first + index) % 40 < (40 * wanted) / lowestW ? lowestW : restW;
  }
  return watts;
}

/** From 4:30, for 50 minutes. */
function heatedWater(day: LocalDay): Int16Array {
  const watts = new Int16Array(day.minutes);
  const first = minuteAtLocalTime(day, 270);
  return watts.fill(boilerW, first, first + 50);
}

/** After work, or at noon at the weekend, on most days. */
function charging(seed: number, day: LocalDay): Int16Array {
  const watts = new Int16Array(day.minutes);
  if (seededRandom(seed, 71, day.number) > 0.7) return watts;
  const from = (day.weekend ? 690 : 1090) + Math.floor(seededRandom(seed, 72, day.number) * 60);
  const first = minuteAtLocalTime(day, from);
  return watts.fill(
    carW,
    first,
    Math.min(day.minutes, first + 40 + Math.floor(seededRandom(seed, 73, day.number) * 170)),
  );
}
