/** Current values of one meter or of all meters: when a message arrives, and every few seconds where an interval is set. */
import type { Node, NodeAPI } from 'node-red';
import type { CemmError } from '../../src/clients/errors';
import type { Installation, RealtimeTarget } from '../../src/installation/installation';
import type { RealtimePayload } from '../../src/model/payload';
import { findConnection, type ConnectionNode } from '../shared/connection-node';
import { messageFor } from '../shared/message';
import { chooseMeters } from '../shared/meter-choice';
import { keepPolling } from '../shared/polling';
import { createRunner, type Job } from '../shared/runner';
import { offlineStatus, readingsStatus, stateStatus } from '../shared/status-table';
import { createChangeFilter } from './changes';
import { realtimeDefaults, type RealtimeConfig } from './config';
import { startWatching } from './watching';

/** Answers come from shared questions, so this only bounds how many messages are looked at together. */
const PARALLEL = 10;

export function startRealtime(RED: NodeAPI, node: Node, stored: Partial<RealtimeConfig>): void {
  // A flow of an older release has not all fields.
  const config = { ...realtimeDefaults, ...stored };
  const runner = createRunner(RED, node, { parallel: PARALLEL, work: read });
  const isWanted = config.onlyChanges ? createChangeFilter() : () => true;
  const choose = (job: Pick<Job, 'msg'>): Promise<RealtimeTarget> => chooseMeters(config, { RED, node, msg: job.msg });

  async function read(job: Job): Promise<void> {
    const installation = await findConnection(RED, config.connection).installation();
    const target = await choose(job);
    runner.status(stateStatus('asking', runner.say));
    const failures: CemmError[] = [];
    const readings = await installation.readRealtime(target, {
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
    runner.status(readingsStatus(readings, installation.timezone, runner.say));
    // The meters that answered have been sent; the message fails all the same, for one of them is missing.
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  }

  function watch(connection: ConnectionNode, intervalMs: number): () => void {
    // Every meter of the monitor reports for itself; the status speaks of all of them.
    const latest = new Map<string, RealtimePayload>();
    return startWatching({
      connection,
      intervalMs,
      runner,
      isFixed: [config.monitorType, config.aliasType].every((type) => type === 'str' || type === 'env'),
      choose: () => choose({ msg: null }),
      listener: ({ timezone }: Installation) => ({
        onReading(reading: RealtimePayload) {
          if (isWanted(reading)) runner.send([messageFor(RED, null, reading), null]);
          latest.set(`${reading.monitor.id ?? ''} ${reading.meter.alias ?? ''}`, reading);
          runner.status(readingsStatus([...latest.values()], timezone, runner.say));
        },
        onAvailability(availability) {
          runner.send([null, messageFor(RED, null, availability)]);
          if (availability.state === 'offline') runner.status(offlineStatus(availability, timezone, runner.say));
        },
        onError(error) {
          runner.report(error);
        },
        onElsewhere(shard) {
          runner.status(stateStatus('elsewhere', runner.say, { shard }));
        },
      }),
    });
  }

  keepPolling(
    RED,
    runner,
    {
      connection: config.connection,
      interval: config.interval,
      fields: [
        { field: 'monitor', type: config.monitorType },
        { field: 'alias', type: config.aliasType },
      ],
    },
    watch,
  );
}
