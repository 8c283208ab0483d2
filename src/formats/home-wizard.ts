/**
 * Format `homewizard`: the responses of a HomeWizard P1 meter at `/api` and `/api/v1/data`, for batteries and chargers that
 * read one (https://api-documentation.homewizard.com/docs/category/api-v1/). A positive power is import, as in this package.
 * The response controls devices, so an old reading is an error.
 */
import { CemmError } from '../errors';
import { toLocalTime } from '../calendar/zone';
import { meterName, findOrigin, topicOf } from '../model/identity';
import type { Payload, RealtimePayload, Role } from '../model/payload';
import { millis } from '../time/units';
import { measuredAt } from './data-points';
import type { Formatted } from './formatted';

const freshMs = 30_000;

/** Time zone of the clock of a smart meter. All countries with such meters have this time. */
const meterZone = 'Europe/Amsterdam';

/** Below 6.00, because from 6.00 on clients use version 2 of the API over HTTPS. */
const firmware = '4.19';

/**
 * @param path of the request; a path that ends in `/api` returns the description of the device
 * @throws {CemmError} INPUT: `several_grids`; UNSUPPORTED: `not_current` for another kind of payload alone
 */
export function homeWizardOf(payloads: readonly Payload[], path: unknown, now: number): Formatted<object> {
  const readings = payloads.filter((payload) => payload.kind === 'realtime');
  const [first] = payloads;
  if (readings.length === 0 && first !== undefined) throw new CemmError('UNSUPPORTED', { reason: 'not_current' });
  const grid = newestOf(readings, 'grid');
  const headers = { 'cache-control': 'no-store' };
  if (grid === null) return { topic: 'cemm/homewizard', ...unavailable('No reading yet'), headers };
  const topic = topicOf(grid);
  if (typeof path === 'string' && /\/api\/?$/.test(path)) return { topic, payload: deviceOf(grid), headers };
  const power = powerOf(grid, now);
  if (power === null) return { topic, ...unavailable('The last reading is older than 30 seconds'), headers };
  const payload = {
    // Without it the Python client assumes version 2.
    wifi_ssid: 'CEMM',
    ...keepNumbers({ active_tariff: grid.values['tariff'] }),
    // A monitor that has just started sends 0 for all registers, and clients would count them again.
    ...(grid.values['energy_import_kwh'] !== 0 && { ...registersOf(grid, 'import'), ...registersOf(grid, 'export') }),
    active_power_w: power,
    ...liveOf(grid, now),
    ...externalOf(grid, readings),
  };
  return { topic, payload, headers };
}

/** The vendor's error response; 901 is an internal error. */
function unavailable(description: string): Pick<Formatted<object>, 'statusCode' | 'payload'> {
  return { statusCode: 503, payload: { error: { id: 901, description } } };
}

function deviceOf(grid: RealtimePayload): object {
  return {
    product_type: 'HWE-P1',
    product_name: 'P1 Meter',
    serial: findOrigin(grid) ?? '',
    firmware_version: firmware,
    api_version: 'v1',
  };
}

function newestOf(readings: readonly RealtimePayload[], role: Role): RealtimePayload | null {
  const found = readings.filter(({ meter }) => meter.role === role).sort((a, b) => b.ts - a.ts);
  const names = new Set(found.map((reading) => JSON.stringify([findOrigin(reading), meterName(reading.meter)])));
  if (role === 'grid' && names.size > 1) throw new CemmError('INPUT', { reason: 'several_grids' });
  return found[0] ?? null;
}

/** Null for a value that is old or missing. */
function freshValue(reading: RealtimePayload, field: string, now: number): number | null {
  return now - findMeasuredAt(reading, field) > freshMs ? null : (reading.values[field] ?? null);
}

function findMeasuredAt(reading: RealtimePayload, field: string): number {
  return measuredAt(reading, reading.times[field] ?? reading.ts);
}

function powerOf(grid: RealtimePayload, now: number): number | null {
  const power = freshValue(grid, 'power_w', now);
  if (power !== null) return power;
  const [taken, fed] = ['power_import_w', 'power_export_w'].map((field) => freshValue(grid, field, now));
  return typeof taken === 'number' && typeof fed === 'number' ? taken - fed : null;
}

/**
 * The registers of one direction. Clients add up the tariffs, so none are sent if a part is missing. A counter without tariffs is
 * tariff 1, as in the vendor's meters.
 */
function registersOf({ values }: RealtimePayload, direction: 'import' | 'export'): object {
  const total = values[`energy_${direction}_kwh`] ?? null;
  const [t1, t2] = ['t1', 't2'].map((tariff) => values[`energy_${direction}_${tariff}_kwh`]);
  const parts = [t1, t2].filter((part) => part !== undefined);
  const hasTariffs = parts.some((part) => part !== null);
  if (total === null || (hasTariffs && parts.includes(null))) return {};
  const name = `total_power_${direction}`;
  return {
    [`${name}_kwh`]: total,
    ...keepNumbers({ [`${name}_t1_kwh`]: hasTariffs ? t1 : total, [`${name}_t2_kwh`]: hasTariffs ? t2 : undefined }),
  };
}

function liveOf(grid: RealtimePayload, now: number): object {
  const phases = ['l1', 'l2', 'l3'];
  const fields = [
    ...phases.map((phase) => [`active_power_${phase}_w`, `power_${phase}_w`] as const),
    ['active_voltage_v', 'voltage_v'] as const,
    ...phases.map((phase) => [`active_voltage_${phase}_v`, `voltage_${phase}_v`] as const),
  ];
  return keepNumbers(Object.fromEntries(fields.map(([name, field]) => [name, freshValue(grid, field, now)])));
}

/** Gas and water. Their meters send a value every five minutes or every hour, so each has its own time. */
function externalOf(grid: RealtimePayload, readings: readonly RealtimePayload[]): object {
  const ofHouse = readings.filter((reading) => findOrigin(reading) === findOrigin(grid));
  const gasMeter = typeof grid.values['gas_m3'] === 'number' ? grid : newestOf(ofHouse, 'gas');
  const gas = externalMeter('gas', gasMeter);
  const external = [gas, externalMeter('water', newestOf(ofHouse, 'water'))].filter((meter) => meter !== null);
  return {
    ...(gas !== null && { total_gas_m3: gas.value, gas_timestamp: gas.timestamp, gas_unique_id: gas.unique_id }),
    ...(external.length > 0 && { external }),
  };
}

interface ExternalMeter {
  readonly unique_id: string;
  readonly type: 'gas_meter' | 'water_meter';
  readonly timestamp: number;
  readonly value: number;
  readonly unit: 'm3';
}

function externalMeter(kind: 'gas' | 'water', reading: RealtimePayload | null): ExternalMeter | null {
  const field = `${kind}_m3`;
  const value = reading?.values[field] ?? null;
  if (reading === null || value === null) return null;
  const id = `${findOrigin(reading) ?? 'cemm'}-${kind}`;
  return {
    unique_id: id,
    type: `${kind}_meter`,
    timestamp: digitsOf(findMeasuredAt(reading, field)),
    value,
    unit: 'm3',
  };
}

/** YYMMDDhhmmss in local time of the meter. */
function digitsOf(ts: number): number {
  const local = new Date(toLocalTime(meterZone, millis(ts))).toISOString();
  return Number(local.replace(/\D/g, '').slice(2, 14));
}

function keepNumbers(values: Readonly<Record<string, number | null | undefined>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'number'));
}
