/**
 * Discovery messages for Home Assistant (https://www.home-assistant.io/integrations/mqtt/, device discovery): the device and
 * the configuration of each of its sensors.
 */
import { type DataPoint, dataPointName } from '../data-points';
import type { MonitorInfo } from '../../model/payload';
import { type HaClass, haClassOf } from './classes';
import { entityField, entityId, type HaNames } from './names';
import { uniqueIdOf } from './unique-id';
import { haTopics, plainName, plainPrefix } from './topics';

interface HaEntity {
  readonly unique_id: string;
  readonly name: string;
  /** Used when Home Assistant sees the entity for the first time. Took the place of `object_id` in 2026.4. */
  readonly default_entity_id: string;
  /** Shown below the values of the device instead of among them. */
  readonly entity_category?: 'diagnostic';
  /** False: hidden until a user enables it. */
  readonly enabled_by_default?: false;
}

export interface HaSensor extends HaEntity, HaClass {
  readonly platform: 'sensor';
  readonly state_topic: string;
  readonly value_template: string;
  /** Seconds after the last message at which the sensor becomes unavailable. */
  readonly expire_after?: number;
  /** Absent for a sensor that is always available. */
  readonly availability?: readonly { readonly topic: string }[];
  readonly availability_mode?: 'all';
}

/** A sensor with a time as its value. */
export interface HaMoment extends HaEntity {
  readonly platform: 'sensor';
  readonly device_class: 'timestamp';
  readonly state_topic: string;
  readonly value_template: string;
}

export interface HaButton extends HaEntity {
  readonly platform: 'button';
  readonly command_topic: string;
  readonly payload_press: string;
  readonly qos: 1;
}

export type HaComponent = HaSensor | HaMoment | HaButton;

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
  readonly components: Readonly<Record<string, HaComponent>>;
  readonly qos: 1;
}

export interface HaContext {
  /** MAC address or number of the monitor. */
  readonly monitor: string;
  readonly device: string;
  readonly names: HaNames;
  /** Name of a meter chosen by a user, otherwise its alias or key. */
  readonly labelOf: (meter: string) => string;
  /** Empty if messages on the topic have no interval. */
  readonly expiry: (topic: string) => Pick<HaSensor, 'expire_after'>;
}

/** Called for each discovery message, because names of the monitor and of its meters may become known later. */
export type ComponentOf = (context: HaContext) => HaComponent;

/** Key of a sensor in `components`. In the state message, the key has no name of the meter. */
export function sensorKey(meter: string, point: Pick<DataPoint, 'field' | 'topic'>): string {
  return `${plainPrefix(meter)}_${plainName(dataPointName(point))}`;
}

/**
 * The configuration of a sensor. It is available while both the monitor and the meter are.
 * @param isShown true if Home Assistant enables the sensor at its first appearance
 */
export function sensorOf(meter: string, point: DataPoint, isShown: boolean): ComponentOf {
  return ({ monitor, device, names, labelOf, expiry }): HaSensor => {
    const topics = haTopics(monitor);
    const state_topic = topics.state(meter);
    return {
      platform: 'sensor',
      unique_id: uniqueIdOf(monitor, meter, point),
      name: `${labelOf(meter)} ${names.ofField(point)}`,
      default_entity_id: entityId('sensor', device, meter, entityField(point)),
      state_topic,
      value_template: `{{ value_json['${plainName(dataPointName(point))}'] | default('') }}`,
      ...haClassOf(point),
      ...expiry(state_topic),
      ...(!isShown && { enabled_by_default: false }),
      availability: [{ topic: topics.availability }, { topic: topics.meterAvailability(meter) }],
      availability_mode: 'all',
    };
  };
}

/** The discovery message of a monitor: a device with all its sensors. */
export function discoveryOf(
  monitor: string,
  info: MonitorInfo,
  components: Readonly<Record<string, HaComponent>>,
): { readonly topic: string; readonly payload: HaDiscovery } {
  return {
    topic: haTopics(monitor).discovery,
    payload: {
      device: deviceOf(monitor, info),
      origin: { name: 'node-red-contrib-cemm' },
      components,
      qos: 1,
    },
  };
}

export function deviceName(monitor: string, { name }: MonitorInfo): string {
  return name?.trim() || `CEMM ${monitor}`;
}

function deviceOf(monitor: string, info: MonitorInfo): HaDevice {
  const { id, version, host } = info;
  const page = pageOf(host);
  const model = productOf(info);
  return {
    identifiers: [`cemm_${plainName(monitor)}`],
    ...(id !== null && /^[0-9a-f]{12}$/.test(id) && { connections: [['mac', macOf(id)]] }),
    name: deviceName(monitor, info),
    manufacturer: 'CEMM',
    ...(model !== null && { model }),
    ...(version && { sw_version: version }),
    ...(page !== null && { configuration_url: page }),
  };
}

/**
 * Product name such as `CEMM Basic`: `type` in a search (`CEMM_basic`), but `name` in the local Open API, whose `type` is an
 * unreadable code of 20 characters.
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
