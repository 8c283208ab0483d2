/** One period, a range of periods, or new samples: the stored form, and the messages of a range. */
import type { NodeAPI } from 'node-red';
import { type DateEntry, wallClock } from '../stored/choice';
import { orderedConcurrency } from './incremental';
import type { Payload } from '../../../src/model/payload';
import { messageFor } from './message';
import type { Job, Runner } from './runner';
import type { SpanConfig, SpanDate } from '../stored/shared-config';
import { finishedStatus, progressStatus } from './status';

export function dateIn(config: SpanConfig, field: SpanDate): DateEntry {
  return { field, value: config[field], type: config[`${field}Type`] };
}

export interface RangeRequest<Answer extends Payload, Period> {
  readonly RED: NodeAPI;
  readonly runner: Runner;
  readonly job: Job;
  readonly periods: readonly Period[];
  readonly timezone: string;
  /** Number of periods read at a time. */
  readonly parallel: number;
  readonly readPeriod: (period: Period) => Promise<Answer>;
}

/** One message per period with `msg.parts`, the oldest first. */
export async function sendRange<Answer extends Payload, Period>(range: RangeRequest<Answer, Period>): Promise<void> {
  const { RED, runner, job, periods, timezone, parallel, readPeriod } = range;
  const [id, count] = [RED.util.generateId(), periods.length];
  runner.status(progressStatus(0, count));
  await orderedConcurrency(periods, parallel, readPeriod, (payload, index) => {
    job.send(messageFor(RED, job.msg, payload, { id, index, count }));
    runner.status(progressStatus(index + 1, count));
  });
  runner.status(finishedStatus(count, wallClock(), timezone));
}
