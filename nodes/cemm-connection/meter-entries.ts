/** Meters as the dialogs list them, with their most useful value. */
import type { MonitorConnection } from '../../src/connection/connection';
import type { ChannelInfo, MeterInfo, Values } from '../../src/model/payload';
import type { MonitorId } from '../../src/protocol/mac';
import type { ChannelEntry, MeterEntry } from './admin-answers';

export const mostListed = 64;
const mostTextCharacters = 64;
/** If the values take longer, the list is shown without them. */
const mostValuesMs = 8_000;

/**
 * Values that are not available are left out.
 * @throws {CemmError} as MonitorConnection.listMeters
 */
export async function meterEntries(
  connection: MonitorConnection,
  wanted: string | null,
  signal: AbortSignal,
): Promise<MeterEntry[]> {
  const { monitor, meters } = await connection.listMeters(wanted, { signal });
  const values = await lastValues(connection, monitor.id, signal);
  return meters.slice(0, mostListed).flatMap((meter) => makeMeterEntry(meter, values.get(meter.alias ?? '')) ?? []);
}

/** Null for a meter that no request reaches. */
export function makeMeterEntry(meter: MeterInfo, values: Values | undefined): MeterEntry | null {
  const { alias = meter.key, type = null, label = null, name = label, role } = meter;
  if (alias === undefined) return null;
  const channels = (meter.channels ?? []).slice(0, mostListed).map(channelEntry);
  return { alias, label: short(name), channels, type: short(type), role, ...lastValue(meter, values) };
}

/** The values of all meters, also of those that are no part of the house. */
export async function readValues(
  connection: MonitorConnection,
  monitor: MonitorId,
  meters: readonly MeterInfo[],
  signal: AbortSignal,
): Promise<Map<string, Values>> {
  const values = await lastValues(connection, monitor, signal);
  for (const { alias } of meters) {
    if (alias === undefined || values.has(alias)) continue;
    const target = { monitor, alias, role: 'auto' } as const;
    const [reading] = await connection.readRealtime(target, { signal, deadlineMs: mostValuesMs }).catch(() => []);
    if (reading === undefined) break;
    values.set(alias, reading.values);
  }
  return values;
}

async function lastValues(
  connection: MonitorConnection,
  monitor: MonitorId,
  signal: AbortSignal,
): Promise<Map<string, Values>> {
  const target = { monitor, alias: null, role: 'auto' } as const;
  const readings = await connection.readRealtime(target, { signal, deadlineMs: mostValuesMs }).catch(() => []);
  return new Map(readings.map(({ meter, values }) => [meter.alias ?? '', values]));
}

function channelEntry({ key, label, unit }: ChannelInfo): ChannelEntry {
  return { key, label: short(label ?? null), unit: short(unit ?? null) };
}

const tellingFields = ['power_w', 'gas_m3', 'water_m3', 'volume_m3'] as const;

function lastValue({ role }: MeterInfo, values: Values = {}): Pick<MeterEntry, 'field' | 'value'> {
  const preferred = role === 'gas' || role === 'water' ? `${role}_m3` : 'power_w';
  const field = [preferred, ...tellingFields, ...Object.keys(values)].find((name) => typeof values[name] === 'number');
  return field === undefined ? { field: null, value: null } : { field, value: values[field] ?? null };
}

/** Names and types come from devices, so they are shortened and lose control characters. */
export function short(text: string | null): string | null {
  return text === null ? null : text.replace(/\p{Cc}/gu, '').slice(0, mostTextCharacters);
}
