/** Checks what a caller asks for against the monitors and meters that there are. */
import { CemmError } from '../errors';
import { isPulsed, type KnownMonitor } from '../model/identity';
import type { MeterInfo } from '../model/payload';
import { toMacText, toMonitorId } from '../protocol/mac';

/**
 * Selects the requested monitor.
 * @param wanted a MAC address in any spelling; blank: the only monitor
 * @throws {CemmError} `INPUT` with reason `no_monitors`, `several_monitors`, `not_a_mac` or `unknown_monitor`;
 *   `monitors` in its params lists the monitors
 */
export function chooseMonitor(monitors: readonly KnownMonitor[], wanted: string | null): KnownMonitor {
  const [first, second] = monitors;
  if (first === undefined) {
    throw new CemmError('INPUT', { reason: 'no_monitors' });
  }
  const params = { monitors: monitors.map(({ id }) => toMacText(id)).join(', '), count: monitors.length };
  if (wanted === null || wanted.trim() === '') {
    if (second === undefined) return first;
    throw new CemmError('INPUT', { reason: 'several_monitors', params });
  }
  const id = toMonitorId(wanted);
  if (id === null) {
    throw new CemmError('INPUT', { reason: 'not_a_mac', params });
  }
  const chosen = monitors.find((monitor) => monitor.id === id);
  if (chosen !== undefined) return chosen;
  throw new CemmError('INPUT', { reason: 'unknown_monitor', params: { ...params, monitor: toMacText(id) } });
}

export function noMeters(): CemmError {
  return new CemmError('INPUT', { reason: 'no_meters' });
}

/** @throws {CemmError} INPUT `battery_s0` for a battery at an S0 output, which has no direction */
export function refuseDirectionless(meter: MeterInfo): void {
  if (meter.role !== 'battery' || !isPulsed(meter)) return;
  throw new CemmError('INPUT', { reason: 'battery_s0', params: { field: 'role', meter: meter.alias ?? '' } });
}
