/** Polling of a node: starts and stops with the node and its connection, and reports an outage once. */
import type { NodeAPI } from 'node-red';
import { CemmError, isInternalFault } from '../../../src/errors';
import { errorStatus, stateStatus } from './status';
import type { Runner } from './runner';
import { backoffMs } from '../../../src/connection/circuit-breaker';
import { hashToFraction } from '../../../src/connection/shard';
import { phaseMs, startIntervalTimer } from '../../../src/time/interval-timer';
import { type Clock, systemClock } from '../../../src/time/clock';
import { type ConnectionNode, connectionType, followConnection } from './connection-node';
import { asCemmError } from './node-error';

interface OutageReporter {
  failed(error: CemmError): void;
  over(): void;
}

export function createOutageReporter(runner: Pick<Runner, 'translate' | 'report' | 'status'>): OutageReporter {
  let reportedKind: string | null = null;
  return {
    failed(error) {
      if (error.code === 'CANCELLED') return;
      const kind = `${error.code} ${error.reason ?? ''}`;
      if (reportedKind === kind) runner.status(errorStatus(error, runner.translate));
      else runner.report(error);
      reportedKind = kind;
    },
    over() {
      reportedKind = null;
    },
  };
}

interface PollingSettings {
  readonly connection: string;
  /** Seconds; 0: only on input. */
  readonly interval: number;
}

/** On average, the first polls of one remote connection begin in this time. */
const msPerConnection = 30;

/**
 * Milliseconds from the start to the first polls over a connection: those of hundreds of keys are spread by the ids of their
 * connections, because they ask the same service. One connection begins at once.
 */
function firstPollMs(RED: Pick<NodeAPI, 'nodes'>, { id, mode }: ConnectionNode): number {
  if (mode !== 'remote') return 0;
  let others = -1;
  RED.nodes.eachNode(({ type }) => {
    if (type === connectionType) others += 1;
  });
  return Math.round(hashToFraction(id) * Math.max(0, others) * msPerConnection);
}

/**
 * Polls while the node and its connection are open, and reports what prevents it.
 * @param begin starts the polls and returns a function that stops them
 */
export function keepPolling(
  RED: NodeAPI,
  runner: Runner,
  { connection: id, interval }: PollingSettings,
  begin: (connection: ConnectionNode, intervalMs: number) => () => void,
): void {
  let hasFailed = false;
  const stop = followConnection(RED, id, {
    delayMs: (connection) => (interval === 0 ? 0 : firstPollMs(RED, connection)),
    begin(connection) {
      if (runner.problem() !== null) return null;
      if (connection.problem !== null) throw connection.problem.copy();
      if (interval === 0) {
        if (hasFailed) runner.status(stateStatus('idle', runner.translate));
        return null;
      }
      refuseMessageProperty(runner);
      runner.status(stateStatus('connecting', runner.translate));
      return begin(connection, interval * 1000);
    },
    failed(thrown) {
      hasFailed = true;
      const error = asCemmError(thrown);
      // A node without an interval reports this with each message; until then the status is enough.
      if (interval > 0) runner.report(error);
      else runner.status(errorStatus(error, runner.translate));
    },
    closed() {
      runner.status(stateStatus('connecting', runner.translate));
    },
  });
  runner.onClose(stop);
}

function refuseMessageProperty(runner: Runner): void {
  const field = runner.messageProperty();
  if (field !== null) throw new CemmError('CONFIG', { reason: 'needs_message', params: { field } });
}

/** Polls of a node that does the same work for a message. They share one queue, and an outage is reported once. */
export function runPolls(RED: NodeAPI, runner: Runner, settings: PollingSettings): void {
  keepPolling(RED, runner, settings, (_connection, intervalMs) => startPolls(runner, intervalMs));
}

/** Polls of a node that need no connection. */
export function runOwnPolls(runner: Runner, interval: number): void {
  if (interval === 0) return;
  let stop = (): void => undefined;
  // Deferred like those of a connection, which may be the one whose kind decides what the node accepts.
  const timer = setTimeout(() => {
    if (runner.problem() === null) stop = startPolls(runner, interval * 1000);
  }, 0);
  runner.onClose(() => {
    clearTimeout(timer);
    stop();
  });
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
  const phase = phaseMs(hashToFraction(runner.nodeId), intervalMs);
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
  return startIntervalTimer(systemClock, intervalMs, phaseMs(hashToFraction(nodeId), intervalMs), run);
}
