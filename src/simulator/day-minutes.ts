/** The minutes of one day of the household: powers, tariff, gas and water. */
import { absoluteMinute, demandOf, tariffAt } from './demand-model';
import type { DeviceSource } from './house';
import { type LocalDay, localMinuteAt } from './house-day';
import { seededRandom, randomAt, randomStream, type RandomStream } from './seeded-random';
import {
  cloudCover,
  daylight,
  panelPower,
  type Panels,
  type Weather,
  weatherOf,
  sunAt,
  temperatureAt,
  tiltedSouth,
} from './solar-model';

type NumberArray = Float64Array | Int8Array | Int16Array | Uint8Array | Uint16Array;

/** @throws {RangeError} if the array has no such index */
export function numberAt(column: NumberArray, index: number): number {
  const value = column[index];
  if (value === undefined) throw new RangeError(`a column of ${column.length} has no ${index}`);
  return value;
}

/** @throws {RangeError} as numberAt */
export function increase(column: NumberArray, index: number, by: number): void {
  column[index] = numberAt(column, index) + by;
}

export type DeviceMinutes = Readonly<Record<DeviceSource, Int16Array>>;

/** All minutes of one day, one array per quantity: whole watts and whole millilitres, so that their sums are exact. */
export interface DayMinutes {
  readonly day: LocalDay;
  /** W. */
  readonly home: Int16Array;
  /** W. */
  readonly solar: Int16Array;
  /** W. */
  readonly garage: Int16Array;
  /** W of a battery: positive when it discharges. Absent: no battery. */
  readonly battery?: Int16Array;
  /** W of the devices with a meter of their own, which are a part of `home`. Absent: the house has none. */
  readonly devices?: DeviceMinutes;
  /** 1 or 2. */
  readonly tariff: Uint8Array;
  /** ml. */
  readonly gas: Uint16Array;
  /** ml. */
  readonly water: Uint16Array;
  /** Random numbers of the steps within each minute. */
  readonly swings: RandomStream;
  /** Amplitude of passing clouds: 0 on clear and grey days, up to 0.8 on mixed ones. */
  readonly unsteadiness: number;
}

export function minutesOf(seed: number, day: LocalDay, timezone: string): DayMinutes {
  const weather = weatherOf(seed, day, timezone);
  const demand = demandOf(seed, day);
  const roof: Panels = {
    peakW: 3400 + Math.floor(seededRandom(seed, 1, 0) * 1400),
    surface: tiltedSouth(0.61),
    turn: 0,
    ownUseW: 4,
  };
  const carport: Panels = {
    peakW: 700 + Math.floor(seededRandom(seed, 2, 0) * 300),
    surface: tiltedSouth(0.26),
    turn: 0.5,
    ownUseW: 2,
  };
  const minutes: DayMinutes = {
    day,
    home: demand.power,
    solar: new Int16Array(day.minutes).fill(-roof.ownUseW),
    garage: new Int16Array(day.minutes).fill(-carport.ownUseW),
    tariff: new Uint8Array(day.minutes),
    gas: demand.gas,
    water: demand.water,
    swings: randomStream(seed, 6),
    unsteadiness: 3.2 * weather.clouds * (1 - weather.clouds),
  };
  const boiler: Boiler = { flame: randomStream(seed, 3), phase: Math.floor(seededRandom(seed, 4, 0) * 12) };
  const [sunrise, sunset] = daylight(weather);
  const first = absoluteMinute(day.start);
  for (let index = 0; index < day.minutes; index++) {
    const minute = first + index;
    if (minute >= sunrise && minute <= sunset) {
      const sun = sunAt(weather, minute);
      const cover = cloudCover(weather, minute);
      minutes.solar[index] = panelPower(weather, sun, roof, cover);
      minutes.garage[index] = panelPower(weather, sun, carport, cover);
    }
    minutes.tariff[index] = tariffAt(day, index);
    minutes.gas[index] = (minutes.gas[index] ?? 0) + heating(boiler, day, weather, minute, localMinuteAt(day, index));
  }
  return minutes;
}

interface Boiler {
  readonly flame: RandomStream;
  /** Minute within its cycle. */
  readonly phase: number;
}

/** Lowest flow of gas of the boiler per minute. For less heat it burns for a part of a cycle of 12 minutes. */
const lowestFlameMl = 8000;

function heating(
  { flame, phase }: Boiler,
  day: LocalDay,
  weather: Weather,
  minute: number,
  localMinute: number,
): number {
  const cold = 16 - temperatureAt(weather, localMinute);
  if (cold <= 0) return 0;
  const wanted = cold * 400 * heatDemand(day, localMinute);
  if (wanted >= lowestFlameMl) return Math.round(Math.min(30_000, wanted) * (0.97 + 0.06 * randomAt(flame, minute)));
  return (minute + phase) % 12 < (12 * wanted) / lowestFlameMl ? lowestFlameMl : 0;
}

/** Factor of the thermostat: low at night, high in the morning, medium in the evening. */
export function heatDemand(day: LocalDay, localMinute: number): number {
  const up = day.weekend ? 440 : 375;
  if (localMinute < up || localMinute >= 1370) return 0.35;
  if (localMinute < up + 120) return 1.9;
  if (localMinute < 990) return day.weekend ? 1.1 : 0.75;
  return 1.35;
}
