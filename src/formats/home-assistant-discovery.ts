/**
 * Discovery messages for Home Assistant (https://www.home-assistant.io/integrations/mqtt/, device discovery): topics, names,
 * and the classes of each sensor.
 */
import { createHash } from 'node:crypto';
import { type DataPoint, dataPointName } from './data-points';
import type { MonitorInfo } from '../model/payload';

/**
 * Device class, state class and unit have to match (https://developers.home-assistant.io/docs/core/entity/sensor). The
 * Energy dashboard accepts energy, gas and water only with state class `total` or `total_increasing`.
 */
export interface HaClass {
  readonly device_class?: string;
  readonly state_class?: 'measurement' | 'total' | 'total_increasing';
  readonly unit_of_measurement?: string;
  /** When the sum last began at 0. Only with state class `total`. */
  readonly last_reset_value_template?: string;
  /** Always set, so that Home Assistant treats the sensor as a number and ignores the empty text for a field without a value. */
  readonly suggested_display_precision: number;
}

interface Row extends Omit<HaClass, 'unit_of_measurement' | 'last_reset_value_template'> {
  readonly field: RegExp;
  /** Units that the device class allows and this package sends. */
  readonly units: readonly string[];
}

const energyUnits = ['kWh', 'Wh', 'MWh'];
const volumeUnits = ['m³', 'L'];

const classTable: readonly Row[] = [
  row(/^(power(_\w+)?|home_power|peak_(power|expected))_w$/, 'power', 'measurement', ['W', 'kW'], 0),
  // Import minus export, which can fall.
  row(/^energy_net(_t[12])?_kwh$/, 'energy', 'total', energyUnits, 3),
  row(
    /^(energy_(import|export|production|own_use|self_consumed|house)(_[tl]\d)?|home_energy)_kwh$/,
    'energy',
    'total_increasing',
    energyUnits,
    3,
  ),
  row(/^gas_m3$/, 'gas', 'total_increasing', volumeUnits, 3),
  row(/^water_m3$/, 'water', 'total_increasing', volumeUnits, 3),
  row(/^volume_m3$/, 'volume', 'total_increasing', volumeUnits, 3),
  row(/^(gas|flow)_lpm$/, 'volume_flow_rate', 'measurement', ['L/min', 'm³/h'], 2),
  row(/^voltage(_l\d)?_v$/, 'voltage', 'measurement', ['V', 'mV'], 1),
];

/** Precision of fields without a device class. The class `monetary` does not allow EUR/kWh, so prices have none. */
const otherPrecisions: readonly (readonly [RegExp, number])[] = [
  [/^(tariff|switch_raw)$/, 0],
  [/^price_\w+$/, 5],
];

/**
 * The classes of a value. A value with a window (`this/day`, `last/hour`) is neither a counter nor a current value, so it has
 * no state class, except an amount of `this/…`, which rises until its window starts again.
 */
export function haClassOf(point: Pick<DataPoint, 'field' | 'unit' | 'topic'>): HaClass {
  const { field, unit, topic } = point;
  const found = classTable.find((candidate) => candidate.field.test(field));
  if (found === undefined || unit === null || !found.units.includes(unit)) {
    const precision = otherPrecisions.find(([pattern]) => pattern.test(dataPointName(point)))?.[1] ?? 3;
    return { ...(unit !== null && { unit_of_measurement: unit }), suggested_display_precision: precision };
  }
  const { device_class, state_class, suggested_display_precision } = found;
  const counts = topic === null || (topic.startsWith('this/') && state_class === 'total_increasing');
  return {
    ...(device_class !== undefined && { device_class }),
    ...(counts && state_class !== undefined && { state_class }),
    unit_of_measurement: unit,
    suggested_display_precision,
  };
}

function row(
  field: RegExp,
  device_class: string,
  state_class: NonNullable<HaClass['state_class']>,
  units: readonly string[],
  suggested_display_precision: number,
): Row {
  return { field, device_class, state_class, units, suggested_display_precision };
}

const safeName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * A name for topics, ids and templates. A name of letters, digits, `_` and `-` is kept. In other names the other characters
 * are replaced and a hash is appended, so that different names stay different.
 */
export function plainName(name: string): string {
  return safeName.test(name) ? name : withHash(name);
}

/** A name before `_` and another name. Without `_`, so that `a_b` with `c` differs from `a` with `b_c`. */
function plainPrefix(name: string): string {
  return safeName.test(name) && !name.includes('_') ? name : withHash(name);
}

function withHash(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 48)}_${digest}`;
}

interface HaTopics {
  readonly discovery: string;
  readonly availability: string;
  readonly meterAvailability: (meter: string) => string;
  readonly state: (meter: string) => string;
}

/** `homeassistant` is the default prefix of Home Assistant; `device` announces a device with all its sensors. */
export function haTopics(monitor: string): HaTopics {
  const device = plainName(monitor);
  return {
    discovery: `homeassistant/device/cemm_${device}/config`,
    availability: `cemm/${device}/availability`,
    meterAvailability: (meter) => `cemm/${device}/${plainName(meter)}/availability`,
    state: (meter) => `cemm/${device}/${plainName(meter)}/state`,
  };
}

export interface HaSensor extends HaClass {
  readonly platform: 'sensor';
  readonly unique_id: string;
  readonly name: string;
  readonly state_topic: string;
  readonly value_template: string;
  /** Absent for a sensor that is always available. */
  readonly availability?: readonly { readonly topic: string }[];
  readonly availability_mode?: 'all';
  /** False: the sensor is hidden until a user enables it. */
  readonly enabled_by_default?: false;
}

interface HaDevice {
  readonly identifiers: readonly string[];
  readonly connections?: readonly (readonly ['mac', string])[];
  readonly name: string;
  readonly manufacturer: string;
  readonly model?: string;
  readonly sw_version?: string;
  readonly configuration_url?: string;
}

export interface HaDiscovery {
  readonly device: HaDevice;
  readonly origin: { readonly name: string };
  readonly components: Readonly<Record<string, HaSensor>>;
  readonly qos: 1;
}

/** Key of a sensor in `components`. In the state message, the key has no name of the meter. */
export function sensorKey(meter: string, point: Pick<DataPoint, 'field' | 'topic'>): string {
  return `${plainPrefix(meter)}_${plainName(dataPointName(point))}`;
}

/**
 * The configuration of a sensor. It is available while both the monitor and the meter are.
 * @param monitor MAC address or number of the monitor
 * @param isShown whether Home Assistant enables the sensor when it sees it for the first time
 */
export function sensorOf(monitor: string, meter: string, point: DataPoint, isShown: boolean): HaSensor {
  const topics = haTopics(monitor);
  return {
    platform: 'sensor',
    unique_id: `cemm_${plainName(monitor)}_${sensorKey(meter, point)}`,
    name: `${meter} ${wordsOf(dataPointName(point))}`,
    state_topic: topics.state(meter),
    value_template: `{{ value_json['${plainName(dataPointName(point))}'] | default('') }}`,
    ...haClassOf(point),
    ...(!isShown && { enabled_by_default: false }),
    availability: [{ topic: topics.availability }, { topic: topics.meterAvailability(meter) }],
    availability_mode: 'all',
  };
}

/** The discovery message of a monitor: a device with all its sensors. */
export function discoveryOf(
  monitor: string,
  info: MonitorInfo,
  sensors: ReadonlyMap<string, HaSensor>,
): { readonly topic: string; readonly payload: HaDiscovery } {
  return {
    topic: haTopics(monitor).discovery,
    payload: {
      device: deviceOf(monitor, info),
      origin: { name: 'node-red-contrib-cemm' },
      components: Object.fromEntries(sensors),
      qos: 1,
    },
  };
}

function deviceOf(monitor: string, info: MonitorInfo): HaDevice {
  const { id, name, version, host } = info;
  const page = pageOf(host);
  const model = productOf(info);
  return {
    identifiers: [`cemm_${plainName(monitor)}`],
    ...(id !== null && /^[0-9a-f]{12}$/.test(id) && { connections: [['mac', macOf(id)]] }),
    name: name?.trim() || `CEMM ${monitor}`,
    manufacturer: 'CEMM',
    ...(model !== null && { model }),
    ...(version && { sw_version: version }),
    ...(page !== null && { configuration_url: page }),
  };
}

/**
 * `CEMM Basic`. A search calls it `type` (`CEMM_basic`), and the local Open API `name`: its `type` is a code of 20 characters,
 * which tells a person nothing.
 */
function productOf({ type, name }: MonitorInfo): string | null {
  for (const text of [type, name]) {
    const [, product] = /^cemm[_ ](basic|plus|\d[\d.]*)$/i.exec(text?.trim() ?? '') ?? [];
    if (product !== undefined) return `CEMM ${product.charAt(0).toUpperCase()}${product.slice(1).toLowerCase()}`;
  }
  return null;
}

function macOf(id: string): string {
  return (id.match(/../g) ?? []).join(':');
}

/** Null if the host gives no valid address, because Home Assistant would reject the whole device. */
function pageOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return null;
  return URL.canParse(`http://${host}/`) ? `http://${host}/` : null;
}

/** `power_import_w` → `power import`: Home Assistant shows the unit beside the value. */
export function wordsOf(name: string): string {
  return name.replace(/_(w|kwh|m3|lpm|v)$/, '').replaceAll('_', ' ');
}
