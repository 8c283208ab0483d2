/**
 * What Home Assistant accepts, written down from its documentation and not from this package: which state classes and
 * units a device class allows (https://developers.home-assistant.io/docs/core/entity/sensor), how a device is discovered
 * (https://www.home-assistant.io/integrations/mqtt/), and what the Energy dashboard counts.
 */

/** Device class → state classes; none is always allowed. */
const stateClasses: Readonly<Record<string, readonly string[]>> = {
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
  energy: ['J', 'kJ', 'MJ', 'GJ', 'mWh', 'Wh', 'kWh', 'MWh', 'GWh', 'TWh', 'cal', 'kcal', 'Mcal', 'Gcal'],
  gas: ['CCF', 'ft³', 'm³', 'L'],
  // ISO 4217; those that these tests use.
  monetary: ['EUR'],
  power: ['mW', 'W', 'kW', 'MW', 'GW', 'TW'],
  voltage: ['µV', 'mV', 'V', 'kV', 'MV'],
  volume: ['L', 'mL', 'gal', 'fl. oz.', 'm³', 'ft³', 'CCF'],
  volume_flow_rate: ['m³/h', 'm³/min', 'm³/s', 'ft³/min', 'L/h', 'L/min', 'L/s', 'gal/min', 'mL/s'],
  water: ['CCF', 'ft³', 'm³', 'gal', 'L'],
};

/** Class and unit that the Energy dashboard lets a person choose for electricity, gas and water. */
export const energyDashboard = {
  electricity: { device_class: 'energy', units: ['Wh', 'kWh', 'MWh'] },
  gas: { device_class: 'gas', units: ['m³', 'ft³', 'CCF', 'L'] },
  water: { device_class: 'water', units: ['m³', 'ft³', 'CCF', 'gal', 'L'] },
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** Every rule that a discovery message breaks; empty when Home Assistant would take all of it. */
export function discoveryFlaws(topic: string, payload: unknown): string[] {
  const flaws: string[] = [];
  const expect = (holds: boolean, flaw: string): void => {
    if (!holds) flaws.push(flaw);
  };
  expect(/^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/.test(topic), `topic ${topic}`);
  const { device, origin, components } = fieldsOf(payload);
  const known = fieldsOf(device);
  expect(isList(known['identifiers']) || isList(known['connections']), 'a device needs identifiers or connections');
  for (const [kind, value] of (known['connections'] ?? []) as [string, string][]) {
    expect(kind === 'mac' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(value), `connection ${kind} ${value}`);
  }
  for (const key of ['name', 'manufacturer', 'model', 'sw_version']) {
    expect(known[key] === undefined || typeof known[key] === 'string', `device ${key}`);
  }
  const page = known['configuration_url'];
  expect(page === undefined || (typeof page === 'string' && /^https?:\/\/[^/]+/.test(page)), 'configuration_url');
  expect(typeof fieldsOf(origin)['name'] === 'string', 'an origin needs a name');
  const sensors = Object.entries(fieldsOf(components));
  expect(sensors.length > 0, 'no component');
  const ids = sensors.map(([, sensor]) => fieldsOf(sensor)['unique_id']);
  expect(new Set(ids).size === ids.length, 'two components have one unique_id');
  return [...flaws, ...sensors.flatMap(([key, sensor]) => sensorFlaws(key, fieldsOf(sensor)))];
}

function sensorFlaws(key: string, sensor: Fields): string[] {
  const flaws: string[] = [];
  const expect = (holds: boolean, flaw: string): void => {
    if (!holds) flaws.push(`${key}: ${flaw}`);
  };
  const { device_class, value_template: template } = sensor;
  const [state_class, unit] = [textOf(sensor['state_class']), textOf(sensor['unit_of_measurement'])];
  expect(/^[a-zA-Z0-9_-]+$/.test(key), 'the object id has other characters');
  expect(sensor['platform'] === 'sensor', 'platform');
  expect(/^[a-zA-Z0-9_-]+$/.test(String(sensor['unique_id'])), 'unique_id');
  expect(isTopic(sensor['state_topic']), 'state_topic');
  expect(!('availability' in sensor && 'availability_topic' in sensor), 'both kinds of availability');
  for (const entry of (sensor['availability'] ?? []) as Fields[]) expect(isTopic(entry['topic']), 'availability topic');
  expect([undefined, true, false].includes(sensor['enabled_by_default'] as boolean | undefined), 'enabled_by_default');
  expect(['all', 'any', 'latest', undefined].includes(sensor['availability_mode'] as string), 'availability_mode');
  expect(typeof template === 'string' && /^\{\{ [^{}]+ \}\}$/.test(template), 'value_template');
  expect([undefined, 'measurement', 'total', 'total_increasing'].includes(state_class), 'state_class');
  if (typeof device_class === 'string') {
    expect(device_class in stateClasses, `device class ${device_class}`);
    expect(
      state_class === undefined || (stateClasses[device_class] ?? []).includes(state_class),
      `${device_class} with ${state_class}`,
    );
    expect((units[device_class] ?? []).includes(unit ?? ''), `${device_class} in ${unit}`);
  }
  if ('last_reset_value_template' in sensor) expect(state_class === 'total', 'last_reset without state class total');
  expect(!('object_id' in sensor), 'object_id has gone');
  return flaws;
}

/** Not blank, no wildcard, no control character, at most 65535 bytes (MQTT 3.1.1, section 4.7). */
function isTopic(topic: unknown): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return typeof topic === 'string' && /^[^#+\u0000-\u001f]{1,1000}$/.test(topic);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
