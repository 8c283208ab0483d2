/** The polling interval of a node, checked against what its kind of connection can bear. */
import { CemmError } from '../../src/clients/errors';
import type { ConnectionMode } from '../cemm-connection/config';

/** Seconds. The realtime node's editor proposes from the same floors. */
const floors: Readonly<Record<ConnectionMode, number>> = { local: 5, public: 5, demo: 5, remote: 10 };
const LONGEST_SECONDS = 86_400;

/**
 * Milliseconds between two rounds; null: only on input. Takes a number or a numeric text (an environment variable).
 * @throws CemmError CONFIG `interval`
 */
export function pollIntervalMs(interval: unknown, mode: ConnectionMode): number | null {
  const seconds = typeof interval === 'string' && interval.trim() !== '' ? Number(interval) : interval;
  if (seconds === 0 || seconds === '' || seconds === undefined || seconds === null) return null;
  const floor = floors[mode];
  if (typeof seconds === 'number' && seconds >= floor && seconds <= LONGEST_SECONDS) return seconds * 1000;
  throw new CemmError(
    'CONFIG',
    `The interval must be ${floor} to ${LONGEST_SECONDS} seconds, or 0 to read only when a message arrives.`,
    { reason: 'interval', params: { floor, longest: LONGEST_SECONDS } },
  );
}

/** Whether the node polls at all, before it is known whether it may. */
export function wantsPolling(interval: unknown): boolean {
  return !(interval === undefined || interval === null || interval === '' || Number(interval) === 0);
}
