/** The monitor that is meant, among those that the connection has. */
import { CemmError } from '../clients/errors';
import { toMacText, toMonitorId } from '../wire/mac';
import type { KnownMonitor } from './installation';

/**
 * @param wanted a MAC in any spelling; blank: the only one there is
 * @throws CemmError `INPUT` with reason `no_monitors`, `several_monitors`, `not_a_mac` or `unknown_monitor`; `monitors`
 *   in its params lists what there is to choose from
 */
export function chooseMonitor(monitors: readonly KnownMonitor[], wanted: string | null): KnownMonitor {
  const [first, second] = monitors;
  if (first === undefined) {
    throw new CemmError('INPUT', 'No monitor is linked to this connection.', { reason: 'no_monitors' });
  }
  const params = { monitors: monitors.map(({ id }) => toMacText(id)).join(', '), count: monitors.length };
  if (wanted === null || wanted.trim() === '') {
    if (second === undefined) return first;
    throw new CemmError('INPUT', `The connection has several monitors, choose one of: ${params.monitors}.`, {
      reason: 'several_monitors',
      params,
    });
  }
  const id = toMonitorId(wanted);
  if (id === null) {
    throw new CemmError('INPUT', `A monitor is chosen by its MAC address, one of: ${params.monitors}.`, {
      reason: 'not_a_mac',
      params,
    });
  }
  const chosen = monitors.find((monitor) => monitor.id === id);
  if (chosen !== undefined) return chosen;
  throw new CemmError('INPUT', `The connection has no monitor ${toMacText(id)}, but: ${params.monitors}.`, {
    reason: 'unknown_monitor',
    params: { ...params, monitor: toMacText(id) },
  });
}
