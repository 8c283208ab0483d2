/** Demand of the household over one day: electric power, cold and hot water, gas for hot water. */
import { minuteAtLocalTime, localMinuteAt, type LocalDay } from './house-day';
import { seededRandom, randomAt, randomStream, smoothRandom } from './seeded-random';
import { type Millis, minuteMs } from '../time/units';

/** One value per minute of the day. */
export interface Demand {
  /** W. */
  readonly power: Int16Array;
  /** ml. */
  readonly water: Uint16Array;
  /** ml of gas for hot water. */
  readonly gas: Uint16Array;
}

export function demandOf(seed: number, day: LocalDay): Demand {
  const demand: Demand = {
    power: new Int16Array(day.minutes),
    water: new Uint16Array(day.minutes),
    gas: new Uint16Array(day.minutes),
  };
  standby(seed, day, demand);
  morning(seed, day, demand);
  daytime(seed, day, demand);
  evening(seed, day, demand);
  taps(seed, day, demand);
  return demand;
}

/** A fridge that runs 16 of 44 minutes, and devices on standby. */
function standby(seed: number, day: LocalDay, { power }: Demand): void {
  const base = 95 + seededRandom(seed, 21, 0) * 80;
  const phase = Math.floor(seededRandom(seed, 22, 0) * 44);
  const first = absoluteMinute(day.start);
  const hum = randomStream(seed, 23);
  const flicker = randomStream(seed, 24);
  for (let index = 0; index < day.minutes; index++) {
    const minute = first + index;
    const fridge = (minute + phase) % 44 < 16 ? 85 : 0;
    power[index] = Math.round(base + fridge + smoothRandom(hum, minute, 25) * 30 + randomAt(flicker, minute) * 8);
  }
}

function morning(seed: number, day: LocalDay, demand: Demand): void {
  const up = 385 + (day.weekend ? 80 : 0) + dailyRandom(seed, day, 31) * 35;
  const people = 2 + Math.floor(seededRandom(seed, 30, 0) * 3);
  for (let person = 0; person < people; person++) {
    if (dailyRandom(seed, day, 32 + person) < 0.75)
      shower(demand, day, up + person * 14, 5 + dailyRandom(seed, day, 37 + person) * 5);
  }
  addConsumption(demand.power, day, up - 5, 75, () => 120);
  addConsumption(demand.power, day, up + 20, 3, () => 2000);
  addConsumption(demand.power, day, up + 26, 5, () => 900);
}

function daytime(seed: number, day: LocalDay, demand: Demand): void {
  if (!day.weekend && dailyRandom(seed, day, 41) < 0.4) addConsumption(demand.power, day, 510, 500, () => 115);
  if (day.weekend || dailyRandom(seed, day, 42) < 0.3)
    addConsumption(demand.power, day, 735 + dailyRandom(seed, day, 43) * 40, 14, () => 1250);
  if (dailyRandom(seed, day, 44) < (day.weekend ? 0.75 : 0.35))
    washing(seed, day, demand, 550 + dailyRandom(seed, day, 45) * 260);
  if (day.weekend && dailyRandom(seed, day, 46) < 0.5)
    addConsumption(demand.power, day, 640 + dailyRandom(seed, day, 47) * 200, 25, () => 850);
}

function evening(seed: number, day: LocalDay, demand: Demand): void {
  const dinner = 1040 + dailyRandom(seed, day, 51) * 75;
  // The thermostat of the hob switches it at random.
  addConsumption(demand.power, day, dinner, 24 + dailyRandom(seed, day, 52) * 26, (minute) =>
    seededRandom(seed, 53, day.number * 1440 + minute) < 0.55 ? 2100 : 450,
  );
  const bed = 1355 + (day.weekend ? 40 : 0) + dailyRandom(seed, day, 54) * 30;
  addConsumption(demand.power, day, 1050, bed - 1050, (minute) => (minute > 60 ? 240 : 130));
  if (dailyRandom(seed, day, 55) < 0.65) dishwasher(demand, day, 1170 + dailyRandom(seed, day, 56) * 120);
  if (dailyRandom(seed, day, 57) < 0.4) shower(demand, day, 1260 + dailyRandom(seed, day, 58) * 60, 8);
}

function washing(seed: number, day: LocalDay, demand: Demand, at: number): void {
  addConsumption(demand.power, day, at, 95, (minute) =>
    minute < 8 ? 90 : minute < 25 ? 1950 : minute < 80 ? 190 : 430,
  );
  for (const rinse of [1, 32, 52, 71]) addConsumption(demand.water, day, at + rinse, 2, () => 6500);
  if (dailyRandom(seed, day, 48) < 0.6) addConsumption(demand.power, day, at + 110, 85, () => 620);
}

function dishwasher(demand: Demand, day: LocalDay, at: number): void {
  addConsumption(demand.power, day, at, 110, (minute) =>
    (minute >= 5 && minute < 20) || (minute >= 70 && minute < 84) ? 2000 : 65,
  );
  for (const rinse of [1, 40, 66]) addConsumption(demand.water, day, at + rinse, 1, () => 4000);
}

function shower(demand: Demand, day: LocalDay, at: number, minutes: number): void {
  addConsumption(demand.water, day, at, minutes, () => 7600);
  addConsumption(demand.gas, day, at, minutes, () => 24_000);
}

/** Toilets and taps during the day, some with hot water. */
function taps(seed: number, day: LocalDay, demand: Demand): void {
  for (let time = 0; time < 26; time++) {
    const at = 400 + dailyRandom(seed, day, 60 + time) * 985;
    const litres = dailyRandom(seed, day, 90 + time);
    addConsumption(demand.water, day, at, 1, () => Math.round(1200 + litres * 5500));
    if (litres < 0.25) addConsumption(demand.gas, day, at, 1, () => 9_000);
  }
}

/** Adds a device that starts at `at`, in minutes of local time after midnight. It stops at the end of the day. */
function addConsumption(
  column: Int16Array | Uint16Array,
  day: LocalDay,
  at: number,
  minutes: number,
  amount: (minute: number) => number,
): void {
  const first = Math.max(0, minuteAtLocalTime(day, Math.floor(at)));
  const last = Math.min(day.minutes, first + Math.floor(minutes));
  for (let index = first; index < last; index++) column[index] = (column[index] ?? 0) + amount(index - first);
}

function dailyRandom(seed: number, day: LocalDay, stream: number): number {
  return seededRandom(seed, stream, day.number);
}

export function absoluteMinute(at: Millis): number {
  return Math.floor(at / minuteMs);
}

/** Dutch tariff hours: 1 (low) from 23:00 to 07:00 and on weekends, else 2. */
export function tariffAt(day: LocalDay, index: number): 1 | 2 {
  if (day.weekend) return 1;
  const localMinute = localMinuteAt(day, index);
  return localMinute < 420 || localMinute >= 1380 ? 1 : 2;
}
