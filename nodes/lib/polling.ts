/** Polling of a node: reports an outage once, checks the interval, and starts and stops with the node and its connection. */
import type { NodeAPI } from 'node-red';
import { CemmError, isInternalFault } from '../../src/errors';
import { intervalFloors, isInterval, mostIntervalSeconds, readNumber } from '../../src/limits';
import { errorStatus, stateStatus } from './status';
import type { Runner } from './runner';
import { fractionOf } from '../../src/connection/shard';
import { phaseMs, startIntervalTimer } from '../../src/connection/poller';
import { systemClock } from '../../src/clock';
import type { ConnectionMode } from '../cemm-connection/config';
import { type ConnectionNode, followConnection } from './connection-node';
import { asCemmError } from './node-error';

interface Outage {
  failed(error: CemmError): void;
  over(): void;
}

export function createOutage(runner: Pick<Runner, 'translate' | 'report' | 'status'>): Outage {
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

// The polling interval of a node, checked against what its kind of connection can bear.

/**
 * Milliseconds between two rounds; null: only on input. Takes a number or a numeric text (an environment variable).
 * @throws CemmError CONFIG `interval`
 */
export function pollIntervalMs(interval: unknown, mode: ConnectionMode): number | null {
  if (interval === '' || interval === undefined || interval === null) return null;
  const seconds = readNumber(interval);
  if (seconds === 0) return null;
  const floor = intervalFloors[mode];
  if (seconds !== null && isInterval(seconds, floor)) return seconds * 1000;
  throw new CemmError(
    'CONFIG',
    `The interval must be ${floor} to ${mostIntervalSeconds} seconds, or 0 to read only when a message arrives.`,
    { reason: 'interval', params: { floor, longest: mostIntervalSeconds } },
  );
}

/** Whether the node polls at all, before it is known whether it may. */
export function wantsPolling(interval: unknown): boolean {
  return !(interval === undefined || interval === null || interval === '' || Number(interval) === 0);
}

// Polling while a node runs: begins with its connection, reports what prevents it, and ends with the node.

interface PollingSettings {
  readonly connection: string;
  readonly interval: unknown;
  /**
   * Field and type of everything the question is made of: a poll has no message to take it from. A function where that
   * depends on the kind of connection.
   */
  readonly fields: Fields | ((mode: ConnectionMode) => Fields);
}

type Fields = readonly { readonly field: string; readonly type: string | undefined }[];

/** @param begin starts asking and returns what stops it */
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
      // A node that only answers messages reports it with each of them; until then the status is enough.
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
  throw new CemmError('CONFIG', `${found.field} is taken from a message, and a node that polls has none.`, {
    reason: 'needs_message',
    params: { field: found.field },
  });
}

// Polling for nodes whose polls are the same work as a message: in line with the messages, one report per outage.

export function runPolls(RED: NodeAPI, runner: Runner, settings: PollingSettings): void {
  keepPolling(RED, runner, settings, (_connection, intervalMs) => startPolls(runner, intervalMs));
}

/** @returns stops it */
export function startPolls(runner: Runner, intervalMs: number): () => void {
  const outage = createOutage(runner);
  const stop = startNodeTimer(runner, intervalMs, async () => {
    try {
      await runner.poll();
      outage.over();
    } catch (thrown) {
      const error = asCemmError(thrown);
      outage.failed(error);
      // A fault of this package would come again with every poll.
      if (isInternalFault(error)) stop();
    }
  });
  return stop;
}

/** An interval timer whose place in the interval follows from the id of the node: nodes that start together poll apart. */
export function startNodeTimer(
  { nodeId }: Pick<Runner, 'nodeId'>,
  intervalMs: number,
  run: () => Promise<void>,
): () => void {
  return startIntervalTimer(systemClock, intervalMs, phaseMs(fractionOf(nodeId), intervalMs), run);
}
