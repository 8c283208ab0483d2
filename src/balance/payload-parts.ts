/** Shared payload parts of the balance of a period and the current balance. */
import { smallest } from '../checks/extremes';
import type { HouseMeter } from './meters/choice';
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

type NamedMeter = Pick<HouseMeter, 'name' | 'role' | 'title'>;

/** The meters of the house by role, without its devices, with their titles and with what is not known of them. */
export function describeMeters<Meter extends NamedMeter>(
  meters: readonly Meter[],
  isReadable: (meter: Meter) => boolean,
  unknownMeters: readonly string[],
): Pick<BalancePayload, 'meters' | 'names' | 'notReadable' | 'unknownMeters'> {
  const namesOf = (list: readonly Meter[]): string[] => list.map(({ name }) => name);
  const ofRole = (role: keyof BalanceMeters): string[] => namesOf(meters.filter((meter) => meter.role === role));
  const battery = ofRole('battery');
  const titles = meters.flatMap(({ name, title }) => (title === undefined ? [] : [[name, title] as const]));
  const notReadable = namesOf(meters.filter((meter) => !isReadable(meter)));
  return {
    meters: {
      grid: ofRole('grid'),
      production: ofRole('production'),
      ...(battery.length > 0 && { battery }),
      gas: ofRole('gas'),
      water: ofRole('water'),
    },
    ...(titles.length > 0 && { names: Object.fromEntries(titles) }),
    ...(notReadable.length > 0 && { notReadable }),
    ...(unknownMeters.length > 0 && { unknownMeters: [...unknownMeters] }),
  };
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
