/** Polling of a node: checks the interval, starts and stops with the node and its connection, and reports an outage once. */
import type { NodeAPI } from 'node-red';
import { CemmError, isInternalFault } from '../../src/errors';
import { intervalFloors, isInterval, mostIntervalSeconds, readNumber } from '../../src/limits';
import { errorStatus, stateStatus } from './status';
import type { Runner } from './runner';
import { fractionOf } from '../../src/connection/shard';
import { phaseMs, startIntervalTimer } from '../../src/interval-timer';
import { systemClock } from '../../src/clock';
import type { ConnectionMode } from '../cemm-connection/config';
import { type ConnectionNode, followConnection } from './connection-node';
import { asCemmError } from './node-error';

interface OutageReporter {
  failed(error: CemmError): void;
  over(): void;
}

export function createOutageReporter(runner: Pick<Runner, 'translate' | 'report' | 'status'>): OutageReporter {
  let told: string | null = null;
  return {
    failed(error) {
      if (error.code === 'CANCELLED') return;
      const kind = `${error.code} ${error.reason ?? ''}`;
      if (told === kind) runner.status(errorStatus(error, runner.translate));
      else runner.report(error);
      told = kind;
    },
    over() {
      told = null;
    },
  };
}

/**
 * Milliseconds between two polls; null: only on input. Accepts a number or a numeric text (an environment variable).
 * @throws {CemmError} CONFIG `interval`
 */
export function pollIntervalMs(interval: unknown, mode: ConnectionMode): number | null {
  if (interval === '' || interval === undefined || interval === null) return null;
  const seconds = readNumber(interval);
  if (seconds === 0) return null;
  const floor = intervalFloors[mode];
  if (seconds !== null && isInterval(seconds, floor)) return seconds * 1000;
  throw new CemmError('CONFIG', { reason: 'interval', params: { floor, longest: mostIntervalSeconds } });
}

/** True if the node is configured to poll, even with an invalid interval. */
export function wantsPolling(interval: unknown): boolean {
  return !(interval === undefined || interval === null || interval === '' || Number(interval) === 0);
}

interface PollingSettings {
  readonly connection: string;
  readonly interval: unknown;
  /**
   * Field and type of every setting of the request, because a poll has no message to take values from. A function if they
   * depend on the kind of connection.
   */
  readonly fields: Fields | ((mode: ConnectionMode) => Fields);
}

type Fields = readonly { readonly field: string; readonly type: string | undefined }[];

/**
 * Polls while the node and its connection are open, and reports what prevents it.
 * @param begin starts the polls and returns a function that stops them
 */
export function keepPolling(
  RED: NodeAPI,
  runner: Runner,
  settings: PollingSettings,
  begin: (connection: ConnectionNode, intervalMs: number) => () => void,
): void {
  const polls = wantsPolling(settings.interval);
  const stop = followConnection(RED, settings.connection, {
    begin(connection) {
      if (connection.problem !== null) throw connection.problem.copy();
      const intervalMs = pollIntervalMs(settings.interval, connection.mode);
      if (intervalMs === null) return null;
      refuseMessageFields(settings, connection.mode);
      runner.status(stateStatus('connecting', runner.translate));
      return begin(connection, intervalMs);
    },
    failed(thrown) {
      const error = asCemmError(thrown);
      // A node without an interval reports this with each message; until then the status is enough.
      if (polls) runner.report(error);
      else runner.status(errorStatus(error, runner.translate));
    },
    closed() {
      runner.status(stateStatus('connecting', runner.translate));
    },
  });
  runner.onClose(stop);
}

function refuseMessageFields({ fields }: PollingSettings, mode: ConnectionMode): void {
  const asked = typeof fields === 'function' ? fields(mode) : fields;
  const found = asked.find(({ type }) => type === 'msg');
  if (found === undefined) return;
  throw new CemmError('CONFIG', { reason: 'needs_message', params: { field: found.field } });
}

/** Polls of a node that does the same work for a message. They share one queue, and an outage is reported once. */
export function runPolls(RED: NodeAPI, runner: Runner, settings: PollingSettings): void {
  keepPolling(RED, runner, settings, (_connection, intervalMs) => startPolls(runner, intervalMs));
}

/** @returns a function that stops the polls */
export function startPolls(runner: Runner, intervalMs: number): () => void {
  const reporter = createOutageReporter(runner);
  const stop = startNodeTimer(runner, intervalMs, async () => {
    try {
      await runner.poll();
      reporter.over();
    } catch (thrown) {
      const error = asCemmError(thrown);
      reporter.failed(error);
      // An internal error would repeat with every poll.
      if (isInternalFault(error)) stop();
    }
  });
  return stop;
}

/** An interval timer with a phase derived from the node id, which spreads the polls of several nodes. */
export function startNodeTimer(
  { nodeId }: Pick<Runner, 'nodeId'>,
  intervalMs: number,
  run: () => Promise<void>,
): () => void {
  return startIntervalTimer(systemClock, intervalMs, phaseMs(fractionOf(nodeId), intervalMs), run);
}
