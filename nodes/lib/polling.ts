/** Polling of a node: checks the interval, starts and stops with the node and its connection, and reports an outage once. */
import type { NodeAPI } from 'node-red';
import { CemmError, isInternalFault } from '../../src/errors';
import { intervalFloors, isInterval, mostIntervalSeconds, readNumber } from '../../src/limits';
import { errorStatus, stateStatus } from './status';
import type { Runner } from './runner';
import { backoffMs } from '../../src/connection/circuit-breaker';
import { fractionOf } from '../../src/connection/shard';
import { phaseMs, startIntervalTimer } from '../../src/interval-timer';
import { type Clock, systemClock } from '../../src/clock';
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

interface PollTiming {
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
}

/**
 * Polls at the interval. A poll that fails without a message is repeated within seconds, later after a longer time, because the
 * next slot may be hours away.
 * @returns a function that stops the polls
 */
export function startPolls(
  runner: Pick<Runner, 'nodeId' | 'translate' | 'report' | 'status' | 'poll'>,
  intervalMs: number,
  { clock, random }: PollTiming = { clock: systemClock, random: Math.random },
): () => void {
  const reporter = createOutageReporter(runner);
  let failures = 0;
  let isBusy = false;
  let isStopped = false;
  let stopRetry = (): void => undefined;
  const phase = phaseMs(fractionOf(runner.nodeId), intervalMs);
  const stopTimer = startIntervalTimer(clock, intervalMs, phase, poll);

  async function poll(): Promise<void> {
    if (isBusy) return;
    stopRetry();
    isBusy = true;
    const { error, hasSent } = await runner.poll();
    isBusy = false;
    if (error === null) {
      failures = 0;
      reporter.over();
      return;
    }
    failures += 1;
    reporter.failed(error);
    // An internal error would repeat with every poll.
    if (isInternalFault(error)) stop();
    else if (!hasSent && error.retryable && !isStopped) retry(backoffMs(failures, random));
  }

  /** Leaves a retry to the next slot if that is about as near. */
  function retry(delayMs: number): void {
    if (delayMs < intervalMs / 2) stopRetry = clock.after(delayMs, () => void poll());
  }

  function stop(): void {
    isStopped = true;
    stopTimer();
    stopRetry();
  }

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
