/**
 * The discovery message of one monitor: a device with all its sensors in one retained payload
 * (https://www.home-assistant.io/integrations/mqtt/, device discovery).
 */
import type { MonitorInfo } from '../model/payload';
import { factName, type Fact } from './facts';
import { haClassOf, type HaClass } from './ha-classes';
import { haTopics, plainName, plainPrefix } from './ha-names';

export interface HaSensor extends HaClass {
  readonly platform: 'sensor';
  readonly unique_id: string;
  readonly name: string;
  readonly state_topic: string;
  readonly value_template: string;
  readonly availability: readonly { readonly topic: string }[];
  readonly availability_mode: 'all';
}

export interface HaDevice {
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
export function sensorKey(meter: string, fact: Fact): string {
  return `${plainPrefix(meter)}_${plainName(factName(fact))}`;
}

/** `monitor`: MAC or number. Available while both the monitor and the meter are. */
export function sensorOf(monitor: string, meter: string, fact: Fact): HaSensor {
  const topics = haTopics(monitor);
  return {
    platform: 'sensor',
    unique_id: `cemm_${plainName(monitor)}_${sensorKey(meter, fact)}`,
    name: `${meter} ${wordsOf(factName(fact))}`,
    state_topic: topics.state(meter),
    value_template: `{{ value_json['${plainName(factName(fact))}'] | default('') }}`,
    ...haClassOf(fact),
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
