/**
 * Topics and their windows, meters and channels of the webhooks of a simulated CEMM 3.0 (https://wiki.cemm.nl/tools/webhooks).
 * The class of a channel decides its topics.
 */
import { periodContaining, previousPeriod } from '../calendar/periods';
import { toLocalTime } from '../calendar/zone';
import { getOrSet } from '../checks/get-or-set';
import type { SeriesUnit } from '../protocol/responses';
import { millis, type Millis, minuteMs } from '../time/units';
import type { House, HouseMeter, Source } from './house';
import type { Minute } from './household';
import type { Registers } from './register-sums';
import type { Span } from './requested-period';
import { listHouseMeters } from './houses';
import { type ElectricHouseMeter, electricityOf, isElectric, volumeOf } from './meter-kinds';

/** The topics with a window, and the length of each: a period, or a number of minutes. */
const windows = {
  'this/day': 'day',
  'this/month': 'month',
  'this/year': 'year',
  'last/minute': 1,
  'last/15minutes': 15,
  'last/hour': 60,
  'last/day': 'day',
  'last/month': 'month',
  'last/year': 'year',
} as const satisfies Readonly<Record<string, SeriesUnit | number>>;

type WindowTopic = keyof typeof windows;
export type Topic = 'realtime' | 'reading' | WindowTopic;

const periods = Object.keys(windows) as WindowTopic[];
export const topics: readonly Topic[] = ['realtime', 'reading', ...periods];

export function isTopic(name: string): name is Topic {
  return (topics as readonly string[]).includes(name);
}

/**
 * The window of a topic at a moment: `this/…` is from the start of the period to `at`, `last/…` is the period before the one
 * that contains `at`, in local time. A day has 23, 24 or 25 hours.
 */
export function topicWindow(topic: WindowTopic, at: Millis, timezone: string): Span {
  const length = windows[topic];
  if (typeof length === 'number') return lastInterval(at, length, timezone);
  const period = periodContaining(length, timezone, at);
  if (topic.startsWith('this/')) return { start: period.start, end: at };
  const { start, end } = previousPeriod(period);
  return { start, end };
}

/** The last complete interval of so many minutes. Computed from the offset, because a repeated hour is two hours. */
function lastInterval(at: Millis, minutes: number, timezone: string): Span {
  const step = minutes * minuteMs;
  const end = at - (toLocalTime(timezone, at) % step);
  return { start: millis(end - step), end: millis(end) };
}

export type ChannelClass = 'AVG' | 'COUNTER' | 'CALCULATED' | 'TARIFF';

/** Source of the values of a channel: average of minutes, difference of a register, average of that difference, or a price. */
type Measure =
  | { readonly kind: 'average'; readonly of: (minute: Minute) => number }
  | { readonly kind: 'counter'; readonly of: (registers: Registers) => number }
  /** W from a register in kWh, because a window of a calculated channel can have years of minutes. */
  | { readonly kind: 'growth'; readonly of: (registers: Registers) => number }
  | { readonly kind: 'price'; readonly value: number };

export interface WebhookChannel {
  readonly key: string;
  readonly class: ChannelClass;
  readonly unit: string;
  readonly measure: Measure;
}

export interface WebhookMeter {
  readonly key: string;
  readonly of: Source;
  /** Name chosen by its user. */
  readonly label: string;
  /** `electricity` is known from a monitor. */
  readonly type: string;
  /** `grid-connection` is known from a monitor; null for meters whose word is not known. */
  readonly role: string | null;
  readonly channels: readonly WebhookChannel[];
}

const topicsOfClass: Readonly<Record<ChannelClass, ReadonlySet<Topic>>> = {
  AVG: new Set<Topic>(['realtime', ...periods.filter((topic) => !topic.endsWith('/year'))]),
  COUNTER: new Set<Topic>(['reading', ...periods]),
  CALCULATED: new Set(periods),
  TARIFF: new Set(periods),
};

/** True if channels of this class have the topic. */
export function isValidTopic(channelClass: ChannelClass, topic: Topic): boolean {
  return topicsOfClass[channelClass].has(topic);
}

function average(key: string, unit: string, of: (minute: Minute) => number): WebhookChannel {
  return { key, class: 'AVG', unit, measure: { kind: 'average', of } };
}

function counter(key: string, unit: string, of: (registers: Registers) => number): WebhookChannel {
  return { key, class: 'COUNTER', unit, measure: { kind: 'counter', of } };
}

function priceChannel(key: string, value: number): WebhookChannel {
  return { key, class: 'TARIFF', unit: 'EUR/kWh', measure: { kind: 'price', value } };
}

const positive = (watt: number) => Math.max(watt, 0);
const negative = (watt: number) => Math.max(-watt, 0);
const gridImport = (r: Registers) => r.importT1Kwh + r.importT2Kwh;
const gridExport = (r: Registers) => r.exportT1Kwh + r.exportT2Kwh;
const homeUse = (r: Registers) =>
  gridImport(r) -
  gridExport(r) +
  (r.solarT1Kwh + r.solarT2Kwh) -
  (r.solarOwnT1Kwh + r.solarOwnT2Kwh) +
  (r.garageT1Kwh + r.garageT2Kwh) -
  (r.garageOwnT1Kwh + r.garageOwnT2Kwh);

const smartMeterChannels: readonly WebhookChannel[] = [
  average('electric_power_import', 'W', (minute) => positive(minute.gridW)),
  average('electric_power_export', 'W', (minute) => negative(minute.gridW)),
  counter('electric_energy_import', 'kWh', gridImport),
  counter('electric_energy_export', 'kWh', gridExport),
  counter('electric_energy_import_t1', 'kWh', (r) => r.importT1Kwh),
  counter('electric_energy_import_t2', 'kWh', (r) => r.importT2Kwh),
  counter('electric_energy_export_t1', 'kWh', (r) => r.exportT1Kwh),
  counter('electric_energy_export_t2', 'kWh', (r) => r.exportT2Kwh),
  // One phase, so the first phase has the whole power, with the sign of the grid connection.
  average('electric_power_l1', 'W', (minute) => minute.gridW),
  counter('electric_energy_import_l1', 'kWh', gridImport),
  counter('electric_energy_export_l1', 'kWh', gridExport),
  average('voltage', 'V', (minute) => minute.voltage),
  priceChannel('tariff_import_low', 0.2345),
  priceChannel('tariff_import_high', 0.2567),
  priceChannel('tariff_export_low', 0.0712),
  priceChannel('tariff_export_high', 0.0834),
  { key: 'electric_usage_power', class: 'CALCULATED', unit: 'W', measure: { kind: 'growth', of: homeUse } },
  { key: 'electric_usage_energy', class: 'CALCULATED', unit: 'kWh', measure: { kind: 'counter', of: homeUse } },
];

/** Labels of the meters that count what they take as import. */
const takers: Readonly<Partial<Record<Source, string>>> = {
  battery: 'Batterij',
  heatPump: 'Warmtepomp',
  car: 'Laadpaal',
  boiler: 'Boiler',
};

/** Power and energy of a meter in both directions. An inverter counts from its own side: its production is export. */
function electricChannels(meter: ElectricHouseMeter, isInverter: boolean): readonly WebhookChannel[] {
  const { power, registers } = electricityOf(meter);
  const sumTariffs = (first: 0 | 2) => (r: Registers) => {
    const readings = registers(r);
    return readings[first] + readings[first === 0 ? 1 : 3];
  };
  const [taken, given] = isInverter ? ([negative, positive] as const) : ([positive, negative] as const);
  return [
    average('electric_power_import', 'W', (minute) => taken(power(minute))),
    average('electric_power_export', 'W', (minute) => given(power(minute))),
    counter('electric_energy_import', 'kWh', sumTariffs(isInverter ? 2 : 0)),
    counter('electric_energy_export', 'kWh', sumTariffs(isInverter ? 0 : 2)),
  ];
}

function describeMeterChannels(meter: HouseMeter): Pick<WebhookMeter, 'label' | 'type' | 'role' | 'channels'> {
  if (meter.of === 'grid') {
    const channels = smartMeterChannels.filter(({ key }) => !meter.noExport || !/_(power|energy)_export/.test(key));
    return { label: 'Hoofdmeter', type: 'electricity', role: 'grid-connection', channels };
  }
  if (isElectric(meter)) {
    const taken = takers[meter.of];
    const label = taken ?? (meter.of === 'roof' ? 'Zonnepanelen' : 'Garage');
    return { label, type: 'electricity', role: null, channels: electricChannels(meter, taken === undefined) };
  }
  const { volume, litres } = volumeOf(meter);
  const channels = [counter('volume', 'm³', volume), average('flow', 'L/min', litres)];
  return { label: meter.of === 'gas' ? 'Gas' : 'Water', type: meter.of, role: null, channels };
}

/** A delivery compares channels as objects, so each house has one list. */
const known = new WeakMap<House, readonly WebhookMeter[]>();

/** The meters of a house, always the same objects. */
export function webhookMeters(house: House): readonly WebhookMeter[] {
  return getOrSet(known, house, () =>
    listHouseMeters(house).flatMap((meter) =>
      meter.key === undefined ? [] : [{ key: meter.key, of: meter.of, ...describeMeterChannels(meter) }],
    ),
  );
}
