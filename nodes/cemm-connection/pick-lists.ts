/** What the dialogs offer to choose from: names, types and last values, cut to what a list can show. */
import type { FoundMonitor } from '../../src/discovery/candidates';
import type { Installation, KnownMonitor } from '../../src/installation/installation';
import type { ChannelInfo, MeterInfo, Values } from '../../src/model/payload';
import { toMacText, type MonitorId } from '../../src/wire/mac';
import type { ChannelEntry, FoundEntry, MeterEntry, MonitorEntry } from './admin-answers';

const mostEntries = 64;
const longestText = 64;
/** Values are an extra: the list does not wait longer for them. */
const VALUES_MS = 8_000;

export function foundEntries(monitors: readonly FoundMonitor[]): FoundEntry[] {
  return monitors.slice(0, mostEntries).map(({ id, host, name, type, version, core, verified }) => ({
    ...describe(id, { name, type, version: version ?? core }),
    host,
    verified,
  }));
}

export function monitorEntries(monitors: readonly KnownMonitor[]): MonitorEntry[] {
  return monitors
    .slice(0, mostEntries)
    .map(({ id, name = null, type = null, version = null }) => describe(id, { name, type, version }));
}

function describe(id: MonitorId, facts: Record<'name' | 'type' | 'version', string | null>): MonitorEntry {
  return { mac: toMacText(id), name: short(facts.name), type: short(facts.type), version: short(facts.version) };
}

/** @throws CemmError as Installation.listMeters; values that cannot be had are left out instead */
export async function meterEntries(
  installation: Installation,
  wanted: string | null,
  signal: AbortSignal,
): Promise<MeterEntry[]> {
  const { monitor, meters } = await installation.listMeters(wanted, { signal });
  const values = await lastValues(installation, monitor.id, signal);
  return meters.slice(0, mostEntries).flatMap((meter): MeterEntry[] => {
    const { alias = meter.key, type = null, label = null, role } = meter;
    if (alias === undefined) return [];
    const channels = (meter.channels ?? []).slice(0, mostEntries).map(channelEntry);
    return [{ alias, label: short(label), channels, type: short(type), role, ...lastValue(meter, values.get(alias)) }];
  });
}

function channelEntry({ key, label, unit }: ChannelInfo): ChannelEntry {
  return { key, label: short(label ?? null), unit: short(unit ?? null) };
}

async function lastValues(
  installation: Installation,
  monitor: MonitorId,
  signal: AbortSignal,
): Promise<Map<string, Values>> {
  const target = { monitor, alias: null, role: 'auto' } as const;
  const readings = await installation.readRealtime(target, { signal, deadlineMs: VALUES_MS }).catch(() => []);
  return new Map(readings.map(({ meter, values }) => [meter.alias ?? '', values]));
}

const tellingFields = ['power_w', 'gas_m3', 'water_m3', 'volume_m3'] as const;

function lastValue({ role }: MeterInfo, values: Values = {}): Pick<MeterEntry, 'field' | 'value'> {
  const preferred = role === 'gas' || role === 'water' ? `${role}_m3` : 'power_w';
  const field = [preferred, ...tellingFields, ...Object.keys(values)].find((name) => typeof values[name] === 'number');
  return field === undefined ? { field: null, value: null } : { field, value: values[field] ?? null };
}

/** Names and types come from devices: short, and without control characters. */
function short(text: string | null): string | null {
  return text === null ? null : text.replace(/\p{Cc}/gu, '').slice(0, longestText);
}
