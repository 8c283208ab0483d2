/** What a row of the households changes in the minutes of a day, so that powers, registers and the ledger agree with each other. */
import { type DayMinutes, numberAt } from './day-minutes';
import type { DatedEvent, House, Source } from './house';
import { metersOf } from './houses';
import { localMinuteAt, minuteMs } from './local-days';

/** W that the inverters of the model take. */
const ownUse = { roof: 4, garage: 2 } as const;

/** The lowest power within a minute is above this part of its mean. */
const LOWEST_STEP = 0.15;

export function applyHouse(minutes: DayMinutes, house: House, events: readonly DatedEvent[]): DayMinutes {
  const { day, home, solar, garage, tariff, gas, water } = minutes;
  const { sun = 1, use = 1, ownUseW, exportLimit = false } = house;
  const has = (source: Source): boolean => metersOf(house).some(({ of }) => of === source);
  const [hasRoof, hasGarage, hasWater] = [has('roof'), has('garage'), has('water')];
  const hasGas = has('gas') || metersOf(house).some((meter) => meter.gas);
  const during = (what: DatedEvent['what']): ((index: number) => boolean) => {
    const active = events.filter((event) => event.what === what && event.from < day.end && event.to > day.start);
    if (active.length === 0) return () => false;
    return (index) =>
      active.some(({ from, to }) => day.start + index * minuteMs >= from && day.start + index * minuteMs < to);
  };
  const [isCut, isSnow] = [during('cut'), during('snow')];
  for (let index = 0; index < day.minutes; index++) {
    const light = isSnow(index) ? 0 : sun;
    const panels = (watts: Int16Array, own: number): number =>
      Math.round((numberAt(watts, index) + own) * light) - (ownUseW ?? own);
    const power = isCut(index) ? 0 : 1;
    home[index] = numberAt(home, index) * use * power;
    const most = exportLimit ? Math.max(0, numberAt(home, index)) * LOWEST_STEP : Infinity;
    solar[index] = hasRoof ? Math.min(most, panels(solar, ownUse.roof)) * power : 0;
    garage[index] = hasGarage ? Math.min(exportLimit ? 0 : Infinity, panels(garage, ownUse.garage)) * power : 0;
    if (!hasGas || power === 0) gas[index] = 0;
    if (!hasWater || power === 0) water[index] = 0;
    if (house.tariff) tariff[index] = house.tariff(localMinuteAt(day, index), day.weekend);
  }
  return {
    ...minutes,
    ...(exportLimit && { unsteadiness: 0 }),
    ...(house.battery && { battery: batteryOf(minutes, house.battery, isCut) }),
  };
}

const CAPACITY_WMIN = 5000 * 60;
const MOST_W = 2500;
const EFFICIENCY = 0.9;

/** W of a battery that is empty at midnight; positive: it discharges. */
function batteryOf(
  { day, home, solar, garage }: DayMinutes,
  kind: NonNullable<House['battery']>,
  isCut: (index: number) => boolean,
): Int16Array {
  let stored = 0;
  return Int16Array.from({ length: day.minutes }, (_, index) => {
    if (isCut(index)) return 0;
    const lack = numberAt(home, index) - numberAt(solar, index) - numberAt(garage, index);
    const wanted = kind === 'stores' ? lack : tradedW(localMinuteAt(day, index));
    const room = (CAPACITY_WMIN - stored) / EFFICIENCY;
    const watts = Math.trunc(Math.max(-MOST_W, -room, Math.min(MOST_W, stored, wanted)));
    stored -= watts > 0 ? watts : watts * EFFICIENCY;
    return watts;
  });
}

/** Buys from 1:00 to 4:00, sells from 17:00 to 20:00. */
function tradedW(localMinute: number): number {
  if (localMinute >= 60 && localMinute < 240) return -MOST_W;
  return localMinute >= 1020 && localMinute < 1200 ? MOST_W : 0;
}
