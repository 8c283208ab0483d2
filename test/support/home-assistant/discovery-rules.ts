/**
 * The rules of Home Assistant, taken from its source and documentation and not from this package: which state classes
 * and units a device class allows (https://developers.home-assistant.io/docs/core/entity/sensor), how a device is discovered
 * (https://www.home-assistant.io/integrations/mqtt/), and what the Energy dashboard counts.
 *
 * Source, https://github.com/home-assistant/core, in homeassistant/components/mqtt:
 * - schemas.py at commit c6ca7f5f416326437e8e652a5623aa5eff7b3d00, lines 122 to 134: `MQTT_ENTITY_COMMON_SCHEMA`; there still with
 *   `object_id`, which `default_entity_id` replaced in 2025.10 and which is gone since 2026.4.
 * - entity.py, `_init_entity_registry`: how `default_entity_id` becomes the id of an entity that is seen for the first time.
 * - sensor.py, `_PLATFORM_SCHEMA_BASE` and `validate_sensor_state_and_device_class_config`.
 * - button.py at commit 1ecdb9be82be2596c8145d2cf9a3ca3c6daf8d2a, lines 37 to 46: `PLATFORM_SCHEMA_MODERN`.
 * Home Assistant drops options that it does not know (`extra=vol.REMOVE_EXTRA`); here they are mistakes.
 */
import type { HaDiscovery, HaSensor } from '../../../src/formats/home-assistant/discovery';

/** Options of every entity. */
const common: ReadonlySet<string> = new Set([
  'availability',
  'availability_mode',
  'availability_template',
  'availability_topic',
  'default_entity_id',
  'enabled_by_default',
  'entity_category',
  'entity_picture',
  'icon',
  'json_attributes_template',
  'json_attributes_topic',
  'name',
  'payload_available',
  'payload_not_available',
  'qos',
  'encoding',
  'unique_id',
]);

/** Platform → its own options. */
const options: Readonly<Record<string, ReadonlySet<string>>> = {
  sensor: new Set([
    'device_class',
    'expire_after',
    'force_update',
    'last_reset_value_template',
    'options',
    'state_class',
    'state_topic',
    'suggested_display_precision',
    'unit_of_measurement',
    'value_template',
  ]),
  button: new Set(['command_template', 'command_topic', 'device_class', 'payload_press', 'retain']),
};

/** Device class → state classes; none is always allowed. */
const stateClasses: Readonly<Record<string, readonly string[]>> = {
  current: ['measurement'],
  duration: ['measurement', 'total', 'total_increasing'],
  energy: ['total', 'total_increasing'],
  gas: ['total', 'total_increasing'],
  monetary: ['total'],
  power: ['measurement'],
  voltage: ['measurement'],
  volume: ['total', 'total_increasing'],
  volume_flow_rate: ['measurement'],
  water: ['total', 'total_increasing'],
};

const units: Readonly<Record<string, readonly string[]>> = {
  current: ['A', 'mA'],
  duration: ['d', 'h', 'min', 's', 'ms', 'µs'],
  energy: ['J', 'kJ', 'MJ', 'GJ', 'mWh', 'Wh', 'kWh', 'MWh', 'GWh', 'TWh', 'cal', 'kcal', 'Mcal', 'Gcal'],
  gas: ['CCF', 'ft³', 'm³', 'L'],
  // ISO 4217; the codes in these tests.
  monetary: ['EUR'],
  power: ['mW', 'W', 'kW', 'MW', 'GW', 'TW'],
  voltage: ['µV', 'mV', 'V', 'kV', 'MV'],
  volume: ['L', 'mL', 'gal', 'fl. oz.', 'm³', 'ft³', 'CCF'],
  volume_flow_rate: ['m³/h', 'm³/min', 'm³/s', 'ft³/min', 'L/h', 'L/min', 'L/s', 'gal/min', 'mL/s'],
  water: ['CCF', 'ft³', 'm³', 'gal', 'L'],
};

/** Accepted class and unit of the Energy dashboard for electricity, gas and water. */
export const energyDashboard = {
  electricity: { device_class: 'energy', units: ['Wh', 'kWh', 'MWh'] },
  gas: { device_class: 'gas', units: ['m³', 'ft³', 'CCF', 'L'] },
  water: { device_class: 'water', units: ['m³', 'ft³', 'CCF', 'gal', 'L'] },
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** Every rule that a discovery message breaks; empty if Home Assistant would accept all of it. */
export function discoveryFlaws(topic: string, payload: unknown): string[] {
  const flaws: string[] = [];
  const expect = (holds: boolean, flaw: string): void => {
    if (!holds) flaws.push(flaw);
  };
  expect(/^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/.test(topic), `topic ${topic}`);
  const { device, origin, components } = readFields(payload);
  const known = readFields(device);
  expect(
    isFilledList(known['identifiers']) || isFilledList(known['connections']),
    'a device needs identifiers or connections',
  );
  for (const [kind, value] of (known['connections'] ?? []) as [string, string][]) {
    expect(kind === 'mac' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(value), `connection ${kind} ${value}`);
  }
  for (const key of ['name', 'manufacturer', 'model', 'sw_version']) {
    expect(known[key] === undefined || typeof known[key] === 'string', `device ${key}`);
  }
  const page = known['configuration_url'];
  expect(page === undefined || (typeof page === 'string' && /^https?:\/\/[^/]+/.test(page)), 'configuration_url');
  expect(typeof readFields(origin)['name'] === 'string', 'an origin needs a name');
  const sensors = Object.entries(readFields(components));
  expect(sensors.length > 0, 'no component');
  const ids = sensors.map(([, sensor]) => readFields(sensor)['unique_id']);
  expect(new Set(ids).size === ids.length, 'two components have one unique_id');
  return [...flaws, ...sensors.flatMap(([key, sensor]) => componentFlaws(key, readFields(sensor)))];
}

function componentFlaws(key: string, component: Fields): string[] {
  const { platform } = component;
  const keys = Object.hasOwn(options, String(platform)) ? options[String(platform)] : undefined;
  if (keys === undefined) return [`${key}: platform ${String(platform)}`];
  const flaws: string[] = [];
  const expect = (holds: boolean, flaw: string): void => {
    if (!holds) flaws.push(`${key}: ${flaw}`);
  };
  expect(/^[a-zA-Z0-9_-]+$/.test(key), 'the object id has other characters');
  for (const name of Object.keys(component)) {
    expect(name === 'platform' || common.has(name) || keys.has(name), `option ${name}`);
  }
  expect(/^[a-zA-Z0-9_-]+$/.test(String(component['unique_id'])), 'unique_id');
  const name = component['name'];
  expect(typeof name === 'string' && name.trim() !== '' && name.length <= 255, 'name');
  // entity.py, `_init_entity_registry`: the part before the first point is dropped, the rest becomes a slug.
  const id = String(component['default_entity_id']);
  expect(/^(sensor|button)\.[a-z0-9]+(_[a-z0-9]+)*$/.test(id) && id.length <= 255, `default_entity_id ${id}`);
  expect(id.startsWith(`${String(platform)}.`), `default_entity_id of another platform: ${id}`);
  expect(!('availability' in component && 'availability_topic' in component), 'both kinds of availability');
  for (const entry of (component['availability'] ?? []) as Fields[])
    expect(isTopic(entry['topic']), 'availability topic');
  expect(
    [undefined, true, false].includes(component['enabled_by_default'] as boolean | undefined),
    'enabled_by_default',
  );
  expect(['all', 'any', 'latest', undefined].includes(component['availability_mode'] as string), 'availability_mode');
  expect(
    [undefined, 'config', 'diagnostic'].includes(readOptionalText(component['entity_category'])),
    'entity_category',
  );
  expect(component['entity_category'] !== 'config' || platform !== 'sensor', 'a sensor cannot configure anything');
  expect([undefined, 0, 1, 2].includes(component['qos'] as number | undefined), 'qos');
  return [...flaws, ...(platform === 'button' ? buttonFlaws(key, component) : sensorFlaws(key, component))];
}

/** button.py, `PLATFORM_SCHEMA_MODERN`. */
function buttonFlaws(key: string, button: Fields): string[] {
  const flaws: string[] = [];
  if (!isTopic(button['command_topic'])) flaws.push(`${key}: command_topic`);
  if (typeof button['payload_press'] !== 'string') flaws.push(`${key}: payload_press`);
  if (!['identify', 'restart', 'update', undefined].includes(readOptionalText(button['device_class'])))
    flaws.push(`${key}: class`);
  return flaws;
}

/** sensor.py, `_PLATFORM_SCHEMA_BASE` and `validate_sensor_state_and_device_class_config`. */
function sensorFlaws(key: string, sensor: Fields): string[] {
  const flaws: string[] = [];
  const expect = (holds: boolean, flaw: string): void => {
    if (!holds) flaws.push(`${key}: ${flaw}`);
  };
  const { device_class, value_template: template } = sensor;
  const [state_class, unit] = [
    readOptionalText(sensor['state_class']),
    readOptionalText(sensor['unit_of_measurement']),
  ];
  expect(isTopic(sensor['state_topic']), 'state_topic');
  expect(typeof template === 'string' && /^\{\{ [^{}]+ \}\}$/.test(template), 'value_template');
  expect([undefined, 'measurement', 'total', 'total_increasing'].includes(state_class), 'state_class');
  for (const name of ['expire_after', 'suggested_display_precision']) {
    const number = sensor[name];
    expect(number === undefined || (Number.isInteger(number) && Number(number) >= 0), `${name} ${String(number)}`);
  }
  if (device_class === 'timestamp') {
    for (const numeric of ['state_class', 'unit_of_measurement', 'suggested_display_precision']) {
      expect(!(numeric in sensor), `a moment with ${numeric}`);
    }
  } else if (typeof device_class === 'string') {
    expect(device_class in stateClasses, `device class ${device_class}`);
    expect(
      state_class === undefined || (stateClasses[device_class] ?? []).includes(state_class),
      `${device_class} with ${state_class}`,
    );
    expect((units[device_class] ?? []).includes(unit ?? ''), `${device_class} in ${unit}`);
  }
  if ('last_reset_value_template' in sensor) expect(state_class === 'total', 'last_reset without state class total');
  return flaws;
}

/** The sensors of values, without those of the device itself and without buttons. */
export function valueSensors({ components }: HaDiscovery): Readonly<Record<string, HaSensor>> {
  return Object.fromEntries(
    Object.entries(components).flatMap(([key, component]) =>
      'suggested_display_precision' in component && component.entity_category === undefined ? [[key, component]] : [],
    ),
  );
}

/** Not blank, no wildcard, no control character, at most 65535 bytes (MQTT 3.1.1, section 4.7). */
function isTopic(topic: unknown): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return typeof topic === 'string' && /^[^#+\u0000-\u001f]{1,1000}$/.test(topic);
}

function readOptionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
