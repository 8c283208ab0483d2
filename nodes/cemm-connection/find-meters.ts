/** "Find meters" of the dialog: every meter that the connection lists or a delivery has named, with what it counts. */
import type { MonitorConnection } from '../../src/connection/connection';
import { type KnownMonitor, roleOf } from '../../src/model/identity';
import type { MeterInfo, Values } from '../../src/model/payload';
import { toMacText, toMonitorId } from '../../src/protocol/mac';
import type { MeterDirection, NamedMeterEntry } from './admin-answers';
import type { NamedMeter } from './delivered-meters';
import { makeMeterEntry, readValues } from './meter-entries';

const mostMonitors = 16;

/**
 * @param delivered meters of deliveries; one that the connection lists as well is left out
 * @throws {CemmError} of the lists, if no monitor answers
 */
export async function findMeters(
  connection: MonitorConnection,
  delivered: readonly NamedMeter[],
  signal: AbortSignal,
): Promise<NamedMeterEntry[]> {
  const monitors = (await connection.listMonitors({ signal })).monitors.slice(0, mostMonitors);
  const isOnly = monitors.length === 1;
  const lists: NamedMeterEntry[][] = [];
  for (const monitor of monitors) lists.push(await findMonitorMeters(connection, monitor, isOnly, signal));
  const listed = lists.flat();
  const ids = new Map(monitors.map(({ id, cemm }) => [id as string, cemm]));
  const isListed = ({ monitor, meter }: NamedMeter): boolean =>
    listed.some(({ alias }) => alias === meter) && (ids.has(monitor) || [...ids.values()].includes(Number(monitor)));
  const others = delivered
    .filter((one) => !isListed(one))
    .map((one) => deliveredEntry(one, isOnly && ids.has(one.monitor)));
  return [...listed, ...others];
}

/** The meters of deliveries alone, while the connection does not answer. */
export function deliveredEntries(delivered: readonly NamedMeter[]): NamedMeterEntry[] {
  const isOnly = new Set(delivered.map(({ monitor }) => monitor)).size === 1;
  return delivered.map((one) => deliveredEntry(one, isOnly));
}

async function findMonitorMeters(
  connection: MonitorConnection,
  monitor: KnownMonitor,
  isOnly: boolean,
  signal: AbortSignal,
): Promise<NamedMeterEntry[]> {
  const { own } = await connection.listMeters(monitor.id, { signal });
  const values = await readValues(connection, monitor.id, own, signal);
  return own.flatMap((meter): NamedMeterEntry[] => {
    const known = values.get(meter.alias ?? '') ?? {};
    const entry = makeMeterEntry(meter, known);
    return entry === null
      ? []
      : [{ ...entry, monitor: isOnly ? '' : toMacText(monitor.id), ...countedBy(meter, known) }];
  });
}

/** @param isOnly the row needs no monitor */
function deliveredEntry({ monitor, meter, values }: NamedMeter, isOnly: boolean): NamedMeterEntry {
  const info: MeterInfo = { key: meter, role: Object.keys(values).some(isByTariff) ? 'grid' : roleOf(meter, null) };
  const id = toMonitorId(monitor);
  const entry = makeMeterEntry(info, values);
  const nothing = { alias: meter, label: null, channels: [], type: null, role: info.role, field: null, value: null };
  return {
    ...(entry ?? nothing),
    monitor: isOnly ? '' : id === null ? monitor : toMacText(id),
    ...countedBy(info, values),
  };
}

/** True for a counter by tariff: in deliveries, only a smart meter has one. */
function isByTariff(field: string): boolean {
  return /^energy_(import|export)_t[12]_kwh$/.test(field);
}

/** kWh or W below which a direction does not count: counters start with a remainder. */
const least = 1;
/** Share of the export from which the import is more than the own use of an inverter. */
const ownUse = 0.1;

/** The directions of an electric meter without a role, by its counters. */
function countedBy({ role }: MeterInfo, values: Values): { readonly counts: MeterDirection | null } {
  if (role !== null) return { counts: null };
  const sumMatching = (pattern: RegExp): number =>
    Object.entries(values).reduce((most, [field, value]) => Math.max(most, pattern.test(field) ? (value ?? 0) : 0), 0);
  const [taken, given] = [
    sumMatching(/^energy_import(_t\d)?_kwh$/),
    sumMatching(/^(energy_export|energy_production)(_t\d)?_kwh$/),
  ];
  if (given < least) return { counts: taken < least ? null : 'import' };
  return { counts: taken > given * ownUse ? 'both' : 'export' };
}
