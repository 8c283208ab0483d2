/** Applies a row of the households to the minutes of a day. Powers, registers and the ledger thus agree with each other. */
import { type DayMinutes, numberAt } from './day-minutes';
import { devicesOf } from './device-model';
import { type DatedEvent, deviceSources, type House, type HouseEvent, type Source } from './house';
import { listHouseMeters } from './houses';
import { minuteMs } from '../time/units';
import { type LocalDay, localMinuteAt } from './house-day';

/** W that the inverters of the model take. */
const ownUse = { roof: 4, garage: 2 } as const;

/** Lowest power of the house in W within a minute: `swingsOf` changes the part above 150 W by up to 0.9 of it. */
function lowestStep(watts: number): number {
  return Math.min(watts - 11, 0.175 * watts + 123);
}

/** Changes the minutes of a day. */
export function applyHouse(
  minutes: DayMinutes,
  house: House,
  events: readonly DatedEvent[],
  place: { readonly seed: number; readonly timezone: string },
): DayMinutes {
  const { day, home, solar, garage, tariff, gas, water } = minutes;
  const { use = 1, exportLimit = false } = house;
  const measures = (source: Source): boolean => listHouseMeters(house).some(({ of }) => of === source);
  const snow = spansOf('snow', events, day);
  changePanels(solar, measures('roof'), house, ownUse.roof, snow);
  changePanels(garage, measures('garage') && !exportLimit, house, ownUse.garage, snow);
  if (isReplaced('roof', house)) moveMeter(solar, garage, replacedSpans('roof', events, day));
  if (use !== 1) home.forEach((watts, index) => (home[index] = watts * use));
  if (!measures('gas') && !listHouseMeters(house).some((meter) => meter.gas)) gas.fill(0);
  if (!measures('water')) water.fill(0);
  if (exportLimit) {
    home.forEach((watts, index) => (solar[index] = Math.min(numberAt(solar, index), lowestStep(watts))));
  }
  if (house.tariff) {
    for (let index = 0; index < day.minutes; index++) {
      tariff[index] = house.tariff(localMinuteAt(day, index), day.weekend);
    }
  }
  const devices = deviceSources.some(measures) ? devicesOf(minutes.day, house, place) : undefined;
  if (devices !== undefined) {
    home.forEach((watts, index) => (home[index] = watts + (devices.heatPump[index] ?? 0) + (devices.car[index] ?? 0)));
    if (isReplaced('heatPump', house))
      moveMeter(devices.heatPump, devices.boiler, replacedSpans('heatPump', events, day));
  }
  const battery = house.battery && batteryOf(minutes, house.battery);
  for (const span of spansOf('cut', events, day)) {
    const ofDevices = devices === undefined ? [] : Object.values(devices);
    for (const column of [home, solar, garage, gas, water, battery, ...ofDevices]) column?.fill(0, ...span);
  }
  return {
    ...minutes,
    ...(exportLimit && { unsteadiness: 0 }),
    ...(battery && { battery }),
    ...(devices && { devices }),
  };
}

function isReplaced(source: Source, { events = [] }: Pick<House, 'events'>): boolean {
  return events.some((event) => replaces(event, source));
}

function replaces({ what, of = ['roof'] }: Pick<HouseEvent, 'what' | 'of'>, source: Source): boolean {
  return what === 'replaced' && of.includes(source);
}

function replacedSpans(source: Source, events: readonly DatedEvent[], day: LocalDay): readonly Span[] {
  const own = events.filter((event) => replaces(event, source));
  return spansOf('replaced', own, day);
}

/** From a moment on, the second meter counts what the first one counted; before, it counts nothing. */
function moveMeter(before: Int16Array, after: Int16Array, spans: readonly Span[]): void {
  after.fill(0);
  for (const [first, end] of spans) {
    after.set(before.subarray(first, end), first);
    before.fill(0, first, end);
  }
}

function changePanels(
  watts: Int16Array,
  isThere: boolean,
  { sun = 1, ownUseW }: House,
  usualOwn: number,
  snow: readonly Span[],
): void {
  const own = ownUseW ?? usualOwn;
  if (!isThere) {
    watts.fill(0);
    return;
  }
  if (sun !== 1 || own !== usualOwn) {
    watts.forEach((usual, index) => (watts[index] = Math.round((usual + usualOwn) * sun) - own));
  }
  for (const span of snow) watts.fill(-own, ...span);
}

/** First minute, and the minute after the last one. */
type Span = readonly [first: number, end: number];

/** The minutes of a day that begin within events. */
function spansOf(what: DatedEvent['what'], events: readonly DatedEvent[], day: LocalDay): readonly Span[] {
  const minute = (at: number): number => Math.min(day.minutes, Math.max(0, Math.ceil((at - day.start) / minuteMs)));
  return events.filter((event) => event.what === what).map(({ from, to }) => [minute(from), minute(to)]);
}

const capacityWattMinutes = 5000 * 60;
const mostWatts = 2500;
const efficiency = 0.9;

/** W of a battery that is empty at midnight; positive: it discharges. */
function batteryOf({ day, home, solar, garage }: DayMinutes, kind: NonNullable<House['battery']>): Int16Array {
  const powers = new Int16Array(day.minutes);
  let stored = 0;
  for (let index = 0; index < day.minutes; index += 1) {
    const lack = (home[index] ?? 0) - (solar[index] ?? 0) - (garage[index] ?? 0);
    const wanted = wantedW[kind](lack, localMinuteAt(day, index));
    const room = (capacityWattMinutes - stored) / efficiency;
    const watts = Math.trunc(Math.max(-mostWatts, -room, Math.min(mostWatts, stored, wanted)));
    stored -= watts > 0 ? watts : watts * efficiency;
    powers[index] = watts;
  }
  return powers;
}

const wantedW: Readonly<Record<NonNullable<House['battery']>, (lack: number, localMinute: number) => number>> = {
  stores: (lack) => lack,
  trades: (_, localMinute) => tradedW(localMinute),
  sells: (lack, localMinute) => Math.min(lack, 0) || Math.max(0, tradedW(localMinute)),
};

/** Buys from 1:00 to 4:00, sells from 17:00 to 20:00. */
function tradedW(localMinute: number): number {
  if (localMinute >= 60 && localMinute < 240) return -mostWatts;
  return localMinute >= 1020 && localMinute < 1200 ? mostWatts : 0;
}
