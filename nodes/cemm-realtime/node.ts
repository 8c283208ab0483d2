/** Current values of one meter or of all meters: when a message arrives, and at an interval. */
import type { Node, NodeAPI, NodeStatus } from 'node-red';
import type { RealtimePayload } from '../../src/model/payload';
import type { MonitorConnection, RealtimeListener, RealtimeTarget } from '../../src/connection/connection';
import { type ConnectionNode, findConnection } from '../lib/run/connection-node';
import { asCemmError } from '../lib/run/node-error';
import { createOutageReporter, keepPolling, startNodeTimer } from '../lib/run/polling';
import { createRunner, type Job, type Runner } from '../lib/run/runner';
import type { CemmError } from '../../src/errors';
import { messageFor } from '../lib/run/message';
import { alias, mac } from '../lib/editor/checks';
import { parseProperties } from '../lib/stored/stored-properties';
import { expandEnv } from '../lib/stored/typed-input';
import { chooseMeters } from '../lib/stored/choice';
import { availabilityStatus, errorStatus, readingsStatus, stateStatus } from '../lib/run/status';
import { type RealtimeConfig, realtimeFields } from './config';

/** Requests are shared, so this only limits how many messages are processed at a time. */
const mostParallel = 10;

export function startNode(RED: NodeAPI, node: Node, stored: Partial<RealtimeConfig>): void {
  const properties = parseProperties(
    { rules: realtimeFields, checks: { mac, alias }, expand: (text) => expandEnv(RED, node, text) },
    stored,
  );
  const { config } = properties;
  // Status of a monitor that polling found offline; null while it answers.
  let offline: NodeStatus | null = null;
  // Status of a grid meter without new power; it stays while readings arrive.
  let stale: NodeStatus | null = null;
  const failureStatus = (error: CemmError): NodeStatus =>
    offline !== null && error.retryable ? offline : errorStatus(error, runner.translate);
  const runner = createRunner(RED, node, {
    connection: config.connection,
    properties,
    parallel: mostParallel,
    work: read,
    failureStatus,
  });
  const isWanted = config.onlyChanges ? createChangeFilter() : () => true;
  const choose = (job: Pick<Job, 'msg'>): Promise<RealtimeTarget> => chooseMeters(config, { RED, node, msg: job.msg });

  async function read(job: Job): Promise<void> {
    const connection = await findConnection(RED, config.connection).connect();
    const target = await choose(job);
    runner.status(stateStatus('asking', runner.translate));
    const failures: CemmError[] = [];
    const readings = await connection.readRealtime(target, {
      signal: job.signal,
      patience: 'user',
      onMeterError: (error) => failures.push(error),
    });
    const wanted = readings.filter(isWanted);
    const id = RED.util.generateId();
    wanted.forEach((reading, index) => {
      const sequence = target.alias === null ? { id, index, count: wanted.length } : undefined;
      job.send([messageFor(RED, job.msg, reading, sequence), null]);
    });
    runner.status(readingsStatus(readings, connection.timezone, runner.translate));
    // The readings of other meters were sent, but the message fails because one is missing.
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  }

  function watch(connectionNode: ConnectionNode, intervalMs: number): () => void {
    return startWatching({
      connectionNode,
      intervalMs,
      runner,
      isFixed: [config.monitorType, config.aliasType].every((type) => type === 'str' || type === 'env'),
      choose: () => choose({ msg: null }),
      listener: ({ timezone }) => createListener(timezone),
    });
  }

  /** For one choice of meters: the status says nothing of the meters that were chosen before. */
  function createListener(timezone: string): RealtimeListener {
    // Each meter of the monitor reports separately; the status is about all of them.
    const latest = new Map<string, RealtimePayload>();
    [offline, stale] = [null, null];
    return {
      onReading(reading) {
        if (isWanted(reading)) runner.send([messageFor(RED, null, reading), null]);
        latest.set(`${reading.monitor.id ?? ''} ${reading.meter.alias ?? ''}`, reading);
        runner.status(stale ?? readingsStatus([...latest.values()], timezone, runner.translate));
      },
      onAvailability(availability) {
        runner.send([null, messageFor(RED, null, availability)]);
        const status = availabilityStatus(availability, timezone, runner.translate);
        [offline, stale] = availability.state === 'stale' ? [null, status] : [status, null];
      },
      onError(error) {
        runner.report(error, failureStatus(error));
      },
      onOtherShard(shard) {
        runner.status(stateStatus('other_shard', runner.translate, { shard }));
      },
    };
  }

  keepPolling(RED, runner, config, watch);
}

/** `onlyChanges`: passes a reading when a value or its time differs from the last one of the same meter. */
function createChangeFilter(): (reading: RealtimePayload) => boolean {
  const last = new Map<string, string>();
  return ({ monitor, meter, ts, values, times }) => {
    const key = `${monitor.id ?? ''}/${meter.alias ?? ''}`;
    const content = JSON.stringify([ts, values, times]);
    if (last.get(key) === content) return false;
    last.set(key, content);
    return true;
  };
}

export interface Watching {
  readonly connectionNode: ConnectionNode;
  readonly intervalMs: number;
  readonly runner: Pick<Runner, 'nodeId' | 'report' | 'status' | 'translate'>;
  /** True if the choice cannot change before the next deploy. */
  readonly isFixed: boolean;
  readonly choose: () => Promise<RealtimeTarget>;
  readonly listener: (connection: MonitorConnection) => RealtimeListener;
}

/**
 * Watches a meter for a polling node. A choice from context or an expression is read again and followed.
 * @returns a function that stops it
 */
export function startWatching({ connectionNode, intervalMs, runner, isFixed, choose, listener }: Watching): () => void {
  const reporter = createOutageReporter(runner);
  let watched: string | null = null;
  let unwatch: (() => void) | null = null;
  let stopped = false;

  async function watchReadings(): Promise<void> {
    try {
      const connection = await connectionNode.connect();
      const target = await choose();
      const key = JSON.stringify(target);
      if (stopped || key === watched) return;
      unwatch?.();
      watched = key;
      unwatch = connection.watchRealtime(target, intervalMs, listener(connection));
      reporter.over();
      // The choice is fixed and the connection polls by itself, so the timer is done.
      if (isFixed) stopTimer();
    } catch (thrown) {
      if (!stopped) reporter.failed(asCemmError(thrown));
    }
  }

  const stopTimer = startNodeTimer(runner, intervalMs, watchReadings);
  return () => {
    stopped = true;
    stopTimer();
    unwatch?.();
  };
}
