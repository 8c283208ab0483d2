/** Monitors, meters and channels of a CEMM 3.0 as payloads tell them; what is not known is left out. */
import type { DeliveryCatalogue } from '../wire/delivery-catalogue';
import type { PublicChannel, PublicMeter, PublicMonitor } from '../wire/public-answers';
import type { ChannelInfo, MeterInfo, MonitorInfo, Role } from './payload';
import { roleOfWords } from './public-role';

/** In a payload about something else: who it is, and no more. */
export function describePublicMonitor(monitor: PublicMonitor, host?: string): MonitorInfo {
  const { id, cemm, name, version } = monitor;
  return {
    id,
    ...(cemm !== null && { cemm }),
    ...(name !== null && { name }),
    ...(host !== undefined && { host }),
    ...(version !== null && { version }),
  };
}

/** In a payload about the monitor itself: all that it tells. */
export function describePublicMonitorInFull(
  monitor: PublicMonitor & { readonly clockDifferenceMs: number | null },
  host?: string,
): MonitorInfo {
  const { timezone, currency, modules, clockDifferenceMs } = monitor;
  return {
    ...describePublicMonitor(monitor, host),
    ...(timezone !== null && { timezone }),
    ...(currency !== null && { currency }),
    ...(modules.length > 0 && { modules: [...modules] }),
    ...(clockDifferenceMs !== null && { clockDifferenceMs }),
  };
}

/** Role `auto`: from the monitor's own words. */
export function describePublicMeter(
  { key, label, type, role }: PublicMeter,
  wanted: Role | 'auto' = 'auto',
): MeterInfo {
  return {
    key,
    ...(label !== null && { label }),
    role: wanted === 'auto' ? roleOfWords(role, type) : wanted,
    ...(type !== null && { type }),
  };
}

export function describePublicMeterInFull(meter: PublicMeter): MeterInfo {
  return { ...describePublicMeter(meter), channels: meter.channels.map(describeChannel) };
}

export function describeChannel({ key, id, label, unit, aggregation }: PublicChannel): ChannelInfo {
  return {
    key,
    ...(id !== null && { id }),
    ...(label !== null && { label }),
    ...(unit !== null && { unit }),
    ...(aggregation !== null && { aggregation }),
  };
}

/** What the lists of a monitor say of the channels that its deliveries name. */
export function catalogueOf(meters: readonly MeterInfo[]): DeliveryCatalogue {
  return new Map(
    meters.flatMap(({ key, label = null, type = null, role, channels = [] }) =>
      key === undefined ? [] : [[key, { label, type, role, channels: channelsOf(channels) }] as const],
    ),
  );
}

function channelsOf(channels: readonly ChannelInfo[]) {
  return new Map(
    channels.map(({ key, label = null, unit = null, aggregation = null }) => [key, { label, unit, aggregation }]),
  );
}
