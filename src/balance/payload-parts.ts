/** Shared payload parts of the balance of a period and the current balance. */
import { smallest } from '../checks/extremes';
import type { BalanceRole } from './meters/amounts';
import type { BalanceMeters, BalancePayload, MonitorInfo, SourceInfo } from '../model/payload';

/** Requests and promises add up; the age is that of the newest part, the duration that of all parts. */
export function joinSources(sources: readonly SourceInfo[], now: number): SourceInfo {
  const sumSources = (value: (source: SourceInfo) => number): number =>
    sources.reduce((total, source) => total + value(source), 0);
  const keptAt = smallest(sources.map((source) => source.keptAt ?? Infinity));
  return {
    transport: sources[0]?.transport ?? 'webhook',
    fetchedAt: sources.reduce((newest, { fetchedAt }) => Math.max(newest, fetchedAt), 0) || now,
    latencyMs: sumSources(({ latencyMs }) => latencyMs),
    requests: sumSources(({ requests }) => requests),
    promises: sumSources(({ promises }) => promises),
    ...(sources.some(({ kept }) => kept === true) && { kept: true }),
    ...(keptAt < Infinity && { keptAt }),
  };
}

/** Devices are not among them. */
export function listNamesByRole(
  meters: readonly { readonly name: string; readonly role: BalanceRole }[],
): BalanceMeters {
  const names = (role: keyof BalanceMeters): string[] =>
    meters.filter((meter) => meter.role === role).map(({ name }) => name);
  const battery = names('battery');
  return {
    grid: names('grid'),
    production: names('production'),
    ...(battery.length > 0 && { battery }),
    gas: names('gas'),
    water: names('water'),
  };
}

export function titlesOf(
  meters: readonly { readonly name: string; readonly title?: string }[],
): Pick<BalancePayload, 'names'> {
  const names = meters.flatMap(({ name, title }) => (title === undefined ? [] : [[name, title] as const]));
  return names.length === 0 ? {} : { names: Object.fromEntries(names) };
}

export function notReadable(meters: readonly { readonly name: string }[]): Pick<BalancePayload, 'notReadable'> {
  return meters.length === 0 ? {} : { notReadable: meters.map(({ name }) => name) };
}

export function listUnknownMeters(meters: readonly string[]): Pick<BalancePayload, 'unknownMeters'> {
  return meters.length === 0 ? {} : { unknownMeters: [...meters] };
}

/** Many installations have no known monitor, and a monitor's number may occur more than once. */
export function listInstallation({
  monitor,
  installation,
}: {
  readonly monitor: MonitorInfo;
  readonly installation?: string | undefined;
}): string[] {
  return monitor.id === null && installation !== undefined ? [installation] : [];
}
