/**
 * The simulated households. Each one is a row of this table, which `cemm-simulator --house NAME`, `--help`, the option `house`
 * of `startSimulator` and the tests of all households read. `house` also accepts a row outside the table. The columns are
 * described in `house.ts`.
 *
 * Each household keeps a ledger: `truth(from, to)` of a household, and of a simulator for its first monitor, returns the actual
 * flows, whatever its meters show. Moments are those of the monitor's clock. All interfaces agree for the same house, seed and
 * clock.
 */
import { daysAgo, type DescribedMeter, hoursAgo, type House, type HouseMeter } from './house';
import { dayContaining } from './house-day';
import { millis, minuteMs } from '../time/units';

const p1: HouseMeter = { of: 'grid', alias: 'p1', remote: 'p1', key: 'smartmeter-dsmr' };
const p1WithGas: HouseMeter = { ...p1, gas: true };
const gas: HouseMeter = { of: 'gas', alias: 'p1-gas', remote: 'p1-gas' };
const roof: HouseMeter = { of: 'roof', alias: 's01', remote: 's01', key: 'zon' };
const garage: HouseMeter = { of: 'garage', alias: 'mb5', key: 'garage' };
const atBattery: HouseMeter = { of: 'battery', alias: 'mb6', remote: 'mb6', key: 'batterij' };
const heatPump: HouseMeter = { of: 'heatPump', alias: 'mb2', remote: 'mb2', key: 'warmtepomp' };
const car: HouseMeter = { of: 'car', alias: 'mb3', remote: 'mb3', key: 'laadpaal' };
const boiler: HouseMeter = { of: 'boiler', alias: 'mb4', remote: 'mb4', key: 'boiler' };
const secondHeatPump: HouseMeter = { of: 'boiler', alias: 'mb7', remote: 'mb7', key: 'warmtepomp-2' };
const water: HouseMeter = { of: 'water', alias: 'pulse-2', key: 'water' };
const heatPumpRow: DescribedMeter = { meter: 'mb2', name: 'Heat pump', role: 'consumption' };
const carRow: DescribedMeter = { meter: 'mb3', name: 'Car', role: 'consumption' };
const usualMeters = [p1WithGas, gas, roof, garage, water];
/** Two S0 outputs, whose inverters take nothing at night. */
const s0 = (meter: Partial<HouseMeter>) => ({
  meters: [p1WithGas, gas, { ...roof, ...meter }],
  ownUseW: 0,
});

/** Makes a type of the row names. */
function rows<N extends string>(table: Readonly<Record<N, House>>): Readonly<Record<N, House>> {
  return table;
}

export const houses = rows({
  standard: { about: 'smart meter, gas, an inverter on the roof and one on the garage, water' },
  'gas-in-p1': {
    about: 'gas in the smart meter only, without an I/O of its own',
    meters: [p1WithGas, roof, garage, water],
  },
  'p1-pulled': {
    about: 'the P1 cable was pulled two hours ago; the monitor answers with the last values',
    events: [{ what: 'silence', of: ['grid', 'gas'], from: hoursAgo(2) }],
  },
  's0-start-value': {
    about: 'a start value of 3,500 kWh was entered for the S0 meter three hours ago',
    ...s0({}),
    events: [{ what: 'offset', of: ['roof'], by: 3500, from: hoursAgo(3) }],
  },
  'wrong-midnight': {
    about: 'the readings of import around last midnight are 650 kWh too high',
    events: [{ what: 'offset', of: ['grid'], by: 650, from: daysAgo(1, '23:58'), to: daysAgo(0, '00:01') }],
  },
  'counter-dip': {
    about: 'the counter of import falls by 40 kWh at 20:00 yesterday and is back at 8:00 today',
    events: [{ what: 'offset', of: ['grid'], by: -40, from: daysAgo(1, '20:00'), to: daysAgo(0, '08:00') }],
  },
  exchange: {
    about: 'the smart meter was exchanged at 10:00 two days ago',
    events: [{ what: 'exchange', of: ['grid'], from: daysAgo(2, '10:00') }],
  },
  'p1-away': {
    about: 'the smart meter reported nothing for twelve hours, until two hours ago',
    events: [{ what: 'silence', of: ['grid', 'gas'], from: hoursAgo(14), to: hoursAgo(2) }],
  },
  snow: {
    about: 'snow on the panels since the day before yesterday: production is below 0 day and night',
    events: [{ what: 'snow', from: daysAgo(2, '00:00') }],
  },
  battery: { about: 'a battery without a meter takes surplus and serves the house', battery: 'stores' },
  'battery-trades': {
    about: 'a battery without a meter buys at night and sells from 17:00 to 20:00',
    battery: 'trades',
  },
  'battery-measured': {
    about: 'a battery with the Modbus meter mb6 takes surplus and serves the house',
    meters: [p1WithGas, gas, roof, atBattery, water],
    battery: 'stores',
  },
  'battery-sells': {
    about: 'a battery with the Modbus meter mb6 takes surplus and sells from 17:00 to 20:00',
    meters: [p1WithGas, gas, roof, atBattery],
    battery: 'sells',
  },
  demo: {
    about: 'the house of the demo connection: the first one with a heat pump and a car',
    meters: [...usualMeters, heatPump, car],
    rows: [heatPumpRow, carRow],
  },
  devices: {
    about: 'a heat pump with a boiler behind its meter, and a car: devices of the connection',
    meters: [p1, roof, heatPump, car, boiler, water],
    rows: [
      heatPumpRow,
      carRow,
      { meter: 'mb4', name: 'Boiler', role: 'consumption', within: 'mb2' },
      { meter: 'warmtepomp', name: 'Heat pump by delivery', role: 'consumption' },
      { meter: 'laadpaal', name: 'Car by delivery', role: 'consumption' },
      { meter: 'boiler', name: 'Boiler by delivery', role: 'consumption', within: 'warmtepomp' },
    ],
  },
  'devices-battery': {
    about: 'a heat pump, a car, and a battery with the meter mb6',
    meters: [p1, roof, atBattery, heatPump, car],
    rows: [{ meter: 'mb6', role: 'battery' }, heatPumpRow, carRow],
    battery: 'stores',
  },
  'device-exports': {
    about: 'a battery with the meter mb6, which is a device in the connection',
    meters: [p1, roof, atBattery],
    rows: [
      { meter: 'mb6', name: 'Boiler', role: 'consumption' },
      { meter: 'batterij', name: 'Boiler by delivery', role: 'consumption' },
    ],
    battery: 'sells',
  },
  'device-away': {
    about: 'the meter of the car reported nothing from 12:00 two days ago until 12:00 yesterday',
    meters: [p1, roof, heatPump, car],
    rows: [heatPumpRow, carRow],
    events: [{ what: 'silence', of: ['car'], from: daysAgo(2, '12:00'), to: daysAgo(1, '12:00') }],
  },
  'device-exchanged': {
    about: 'the meter of the heat pump was exchanged at 10:00 two days ago',
    meters: [p1, roof, heatPump, car],
    rows: [heatPumpRow, carRow],
    events: [{ what: 'exchange', of: ['heatPump'], from: daysAgo(2, '10:00') }],
  },
  'device-replaced': {
    about: 'the meter of the heat pump at mb2 was replaced by one at mb7 at 11:00 two days ago',
    meters: [p1, roof, heatPump, secondHeatPump, car],
    rows: [{ meter: 'mb2,mb7', name: 'Heat pump', role: 'consumption' }, carRow],
    events: [{ what: 'replaced', of: ['heatPump'], from: daysAgo(2, '11:00') }],
  },
  'inverter-replaced': {
    about: 'the inverter at s01 was replaced by one at mb5 at 11:00 two days ago',
    meters: [p1, roof, garage],
    rows: [{ meter: 's01,mb5', name: 'Roof', role: 'production' }],
    ownUseW: 0,
    events: [{ what: 'replaced', from: daysAgo(2, '11:00') }],
  },
  'unknown-meter': {
    about: 'the inverter has the key meter-7 in deliveries, which says nothing about it',
    meters: [p1WithGas, gas, { ...roof, key: 'meter-7' }],
  },
  'no-t3-t4': {
    about: 'the smart meter never offers t3 and t4',
    meters: [{ ...p1WithGas, noExport: true }, gas, water],
  },
  's0-empty-at-night': { about: 'the power of the S0 meter is [0, 0] at night', ...s0({ pulses: 'empty' }) },
  's0-last-pulse': { about: 'the power of the S0 meter has the time of its last pulse', ...s0({ pulses: 'last' }) },
  's0-empty-high': {
    about: 'electric_energy_high of the S0 meter is [0, 0]',
    ...s0({ emptyHigh: true }),
  },
  'second-inverter': {
    about: 'two inverters on the roof; no alias over the internet selects the second one',
    meters: [p1WithGas, gas, { ...roof, share: 0.5 }, { of: 'roof', alias: 'mb7', key: 'zon-2', share: 0.5 }],
  },
  'inverter-6w': {
    about: 'the inverter takes 6 W from the house at night',
    meters: [p1WithGas, gas, roof],
    ownUseW: 6,
  },
  'no-export': {
    about: 'the inverter never produces more than the house uses',
    meters: [p1WithGas, gas, roof],
    exportLimit: true,
  },
  'no-sun': { about: 'no solar panels', meters: [p1WithGas, gas, water] },
  'three-inverters': {
    about: 'three inverters',
    meters: [
      ...usualMeters.slice(0, 2),
      { ...roof, share: 0.7 },
      { ...roof, alias: 's03', remote: 's02', key: 'zon-2', share: 0.3 },
      garage,
    ],
  },
  'water-only': { about: 'a water meter and nothing else', meters: [{ ...water, remote: 's03' }] },
  'gas-hourly': { about: 'a DSMR 4 meter: gas every hour', dsmr: 4 },
  'gas-hourly-readings': {
    about: 'gas every hour, and its series show the reading of the meter',
    dsmr: 4,
    faults: ['volume-counter'],
  },
  'single-counter': {
    about: 'one tariff, and inverters with one counter',
    tariff: () => 1,
    faults: ['single-counter'],
  },
  belgium: {
    about: 'Belgian tariffs: t1 is normal, t2 is low from 22:00 to 7:00 and on weekends',
    tariff: (minute, isWeekend) => (isWeekend || minute < 420 || minute >= 1320 ? 2 : 1),
  },
  'low-from-23': {
    about: 'low tariff from 23:00 to 7:00 on every day',
    tariff: (minute) => (minute < 420 || minute >= 1380 ? 1 : 2),
  },
  'low-on-weekends': { about: 'low tariff on weekends only', tariff: (_, isWeekend) => (isWeekend ? 1 : 2) },
  'other-zone': { about: 'a house in Newfoundland, whose zone no machine has', timezone: 'America/St_Johns' },
  'clock-slow': { about: 'the clock of the monitor is seven minutes slow', clockMinutes: -7 },
  'clock-fast': { about: 'the clock of the monitor is four minutes fast', clockMinutes: 4 },
  'power-cut': {
    about: 'a power cut of three hours, until two hours ago',
    events: [{ what: 'cut', from: hoursAgo(5), to: hoursAgo(2) }],
  },
  'power-cut-days': {
    about: 'a power cut of two days, until 15:00 yesterday',
    events: [{ what: 'cut', from: daysAgo(3, '15:00'), to: daysAgo(1, '15:00') }],
  },
  rollover: {
    about: 'the counter of import rolled over three hours ago',
    events: [{ what: 'rollover', of: ['grid'], from: hoursAgo(3) }],
  },
  shuffled: { about: 'the minutes of a day come in no order, and some of them twice', isShuffled: true },
  flat: { about: 'a flat with a share of common panels, without gas', meters: [p1, roof, water], sun: 0.15, use: 0.7 },
  'first-day': {
    about: 'first day of use: the measurements began half-way between midnight and now',
    firstUse: (start, timezone) => {
      const midnight = dayContaining(start, timezone).start;
      return millis(midnight + Math.floor((start - midnight) / 2 / minuteMs) * minuteMs);
    },
  },
  'webhook-only': {
    about: 'a CEMM 3.0 that sends webhooks and answers nothing else',
    faults: ['no-open-api', 'no-access', 'forbidden'],
  },
  leak: { about: 'a water leak', faults: ['water-leak'] },
  standby: { about: 'uses more at night every week', faults: ['rising-standby'] },
  'inverter-off': { about: 'the inverters produce nothing on the current day', faults: ['no-sun'] },
  overload: { about: 'uses 12 kW more from 18:00 to 18:15', faults: ['overload'] },
});

export type HouseName = keyof typeof houses;

/** @throws {RangeError} with a sentence that says what to write */
export function chooseHouse(house: string | House = 'standard'): House {
  if (typeof house !== 'string') return house;
  if (isHouseName(house)) return houses[house];
  throw new RangeError(`There is no house of that name: cemm-simulator --help lists them.`);
}

function isHouseName(name: string): name is HouseName {
  return Object.hasOwn(houses, name);
}

export function listHouseMeters({ meters = usualMeters }: House): readonly HouseMeter[] {
  return meters;
}
