/** `{ "remove": "<monitor>", "meters": ["p1"] }`: removes a device from Home Assistant. */
import { CemmError } from '../../errors';
import { toMonitorId } from '../../protocol/mac';
import { haTopics } from './topics';

/** A monitor has about ten meters. */
const mostMeters = 100;
const mostCharacters = 128;

export interface Removal {
  /** MAC address as 12 digits, installation or number. */
  readonly monitor: string;
  readonly meters: readonly string[];
}

/**
 * Null if the payload is something else.
 * @throws {CemmError} INPUT: `not_a_removal`
 */
export function readRemoval(payload: unknown): Removal | null {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, 'remove')) return null;
  const { remove, meters = [], ...others }: Partial<Record<string, unknown>> = { ...payload };
  const [other] = Object.keys(others);
  if (other !== undefined) throw wrongInput(other.slice(0, mostCharacters));
  if (!isName(remove)) throw wrongInput('remove');
  if (!Array.isArray(meters) || meters.length > mostMeters || !meters.every(isName)) throw wrongInput('meters');
  return { monitor: toMonitorId(remove) ?? remove, meters };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= mostCharacters;
}

function wrongInput(path: string): CemmError {
  return new CemmError('INPUT', { reason: 'not_a_removal', params: { path, most: String(mostMeters) } });
}

/**
 * The topics with retained messages to delete: the device first, so Home Assistant does not show its sensors as unavailable.
 * @param sent topics that the format has sent since its start
 */
export function removedTopics({ monitor, meters }: Removal, sent: readonly string[]): ReadonlySet<string> {
  const { discovery, availability, contact, house, meterAvailability, state } = haTopics(monitor);
  const ofMeters = meters.flatMap((meter) => [meterAvailability(meter), state(meter)]);
  return new Set([discovery, availability, contact, house('now'), house('day'), ...ofMeters, ...sent]);
}
