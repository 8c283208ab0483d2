/**
 * What Home Assistant is told about a field: device class, state class and unit have to fit together (its sensor
 * documentation, https://developers.home-assistant.io/docs/core/entity/sensor), and the Energy dashboard takes only
 * energy, gas and water that count up.
 */
import { createHash } from 'node:crypto';
import { type DataPoint, dataPointName } from './data-points';
import type { MonitorInfo } from '../model/payload';

interface HaClass {
  readonly device_class?: string;
  readonly state_class?: 'measurement' | 'total' | 'total_increasing';
  readonly unit_of_measurement?: string;
  /**
   * Always there. Home Assistant takes a sensor with it for a number, and then ignores the blank text that the template
   * gives where a field is left out of a state.
   */
  readonly suggested_display_precision: number;
}

interface Row extends Omit<HaClass, 'unit_of_measurement'> {
  readonly field: RegExp;
  /** Units that the device class allows. */
  readonly units: readonly string[];
}

const ENERGY = ['kWh', 'Wh', 'MWh'];
const VOLUME = ['m³', 'L'];

const ROWS: readonly Row[] = [
  row(/^(power(_\w+)?|home_power)_w$/, 'power', 'measurement', ['W', 'kW'], 0),
  // What is used less what is fed in: it falls on a sunny day.
  row(/^energy_net(_t[12])?_kwh$/, 'energy', 'total', ENERGY, 3),
  row(
    /^(energy_(import|export|production|own_use)(_[tl]\d)?|home_energy)_kwh$/,
    'energy',
    'total_increasing',
    ENERGY,
    3,
  ),
  row(/^gas_m3$/, 'gas', 'total_increasing', VOLUME, 3),
  row(/^water_m3$/, 'water', 'total_increasing', VOLUME, 3),
  row(/^volume_m3$/, 'volume', 'total_increasing', VOLUME, 3),
  row(/^(gas|flow)_lpm$/, 'volume_flow_rate', 'measurement', ['L/min', 'm³/h'], 2),
  row(/^voltage(_l\d)?_v$/, 'voltage', 'measurement', ['V', 'mV'], 1),
];

/** A field without a class: prices (Home Assistant's `monetary` wants a bare currency), the tariff, unknown channels. */
const PLAIN_PRECISION: readonly (readonly [RegExp, number])[] = [
  [/^(tariff|switch_raw)$/, 0],
  [/^price_\w+$/, 5],
];

/**
 * The classes of a value. A value about a window (`this/day`, `last/hour`) is no counter and no measurement of now; only
 * a counted one that starts again with its window may be summed up.
 */
function haClassOf(point: DataPoint): HaClass {
  const { field, unit, topic } = point;
  const found = ROWS.find((candidate) => candidate.field.test(field));
  if (found === undefined || unit === null || !found.units.includes(unit)) {
    const precision = PLAIN_PRECISION.find(([pattern]) => pattern.test(dataPointName(point)))?.[1] ?? 3;
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

// Names that Home Assistant and MQTT take, made of names from outside, and never one name of two.

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The name itself where it has letters, digits, `_` and `-` only (what Home Assistant allows in discovery topics, and safe
 * in a template). Any other one is cleaned and marked with its digest, so that two names cannot become the same.
 */
export function plainName(name: string): string {
  return PLAIN.test(name) ? name : marked(name);
}

/** A name that another one follows after `_`, so it has none itself: `a_b` of `c` must not be `a` of `b_c`. */
function plainPrefix(name: string): string {
  return PLAIN.test(name) && !name.includes('_') ? name : marked(name);
}

function marked(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 48)}_${digest}`;
}

interface HaTopics {
  readonly discovery: string;
  readonly availability: string;
  readonly meterAvailability: (meter: string) => string;
  readonly state: (meter: string) => string;
}

/** `homeassistant` is Home Assistant's default prefix; `device` announces a whole device in one message. */
export function haTopics(monitor: string): HaTopics {
  const device = plainName(monitor);
  return {
    discovery: `homeassistant/device/cemm_${device}/config`,
    availability: `cemm/${device}/availability`,
    meterAvailability: (meter) => `cemm/${device}/${plainName(meter)}/availability`,
    state: (meter) => `cemm/${device}/${plainName(meter)}/state`,
  };
}

// The discovery message of one monitor: a device with all its sensors in one retained payload
// (https://www.home-assistant.io/integrations/mqtt/, device discovery).

export interface HaSensor extends HaClass {
  readonly platform: 'sensor';
  readonly unique_id: string;
  readonly name: string;
  readonly state_topic: string;
  readonly value_template: string;
  readonly availability: readonly { readonly topic: string }[];
  readonly availability_mode: 'all';
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

/** Its key among the components; the state message has the value under the same name without the meter. */
export function sensorKey(meter: string, point: DataPoint): string {
  return `${plainPrefix(meter)}_${plainName(dataPointName(point))}`;
}

/** `monitor`: MAC or number. Available while both the monitor and the meter are. */
export function sensorOf(monitor: string, meter: string, point: DataPoint): HaSensor {
  const topics = haTopics(monitor);
  return {
    platform: 'sensor',
    unique_id: `cemm_${plainName(monitor)}_${sensorKey(meter, point)}`,
    name: `${meter} ${wordsOf(dataPointName(point))}`,
    state_topic: topics.state(meter),
    value_template: `{{ value_json['${plainName(dataPointName(point))}'] | default('') }}`,
    ...haClassOf(point),
    availability: [{ topic: topics.availability }, { topic: topics.meterAvailability(meter) }],
    availability_mode: 'all',
  };
}

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

function deviceOf(monitor: string, { id, name, type, version, host }: MonitorInfo): HaDevice {
  const page = pageOf(host);
  return {
    identifiers: [`cemm_${plainName(monitor)}`],
    ...(id !== null && /^[0-9a-f]{12}$/.test(id) && { connections: [['mac', macOf(id)]] }),
    name: name?.trim() || `CEMM ${monitor}`,
    manufacturer: 'CEMM',
    ...(type && { model: type }),
    ...(version && { sw_version: version }),
    ...(page !== null && { configuration_url: page }),
  };
}

function macOf(id: string): string {
  return (id.match(/../g) ?? []).join(':');
}

/** A host that makes no address is left out: Home Assistant would refuse the whole device. */
function pageOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return null;
  return URL.canParse(`http://${host}/`) ? `http://${host}/` : null;
}

/** `power_import_w` → `power import`: the unit has its own place. */
function wordsOf(name: string): string {
  return name.replace(/_(w|kwh|m3|lpm|v)$/, '').replaceAll('_', ' ');
}
