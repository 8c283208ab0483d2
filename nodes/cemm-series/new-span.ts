/**
 * `span: new`: sends what is closed and was not sent before, in order, and remembers a sample only after it was sent. What
 * is about to be sent is noted first, so that after a crash in between the same message is repeated under the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node, NodeAPI } from 'node-red';
import type { Period } from '../../src/calendar/period';
import { lastSent, newSamples, periodsToFetch, rangeOf, type SentSamples } from '../../src/installation/new-samples';
import type { PeriodSeriesPayload } from '../../src/model/payload';
import { inOrder } from '../shared/in-order';
import { messageFor } from '../shared/message';
import { dateOf, inCalendar, type PeriodFrame } from '../shared/period-choice';
import type { Job, Runner } from '../shared/runner';
import { progressStatus, stateStatus } from '../shared/status-table';
import { sentMemory } from './sent-memory';

const IN_THE_AIR = 2;
/** What was sent is not yet written: the nodes behind this one get so long before it counts as done. */
const WRITING_MS = 250;

export interface NewSpan {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly runner: Runner;
  readonly job: Job;
  readonly frame: PeriodFrame;
  /** Monitor id and alias. */
  readonly meter: string;
  readonly ask: (period: Period) => Promise<PeriodSeriesPayload>;
}

export async function sendNewSamples({ RED, node, runner, job, frame, meter, ask }: NewSpan): Promise<void> {
  const { unit, timezone, now } = frame;
  const memory = sentMemory(node, `${meter}/${unit}`);
  let sent: SentSamples = await memory.read();
  let count = 0;
  const wanted = job.msg?.['since'];
  const since = wanted === undefined || wanted === null ? null : dateOf('since', wanted, timezone);
  const periods = inCalendar('since', () => periodsToFetch(unit, timezone, sent, since, now));

  async function send(payload: PeriodSeriesPayload, next: PeriodSeriesPayload | null): Promise<void> {
    for (const message of newSamples(payload, sent, since, now, next)) {
      // Stopped or closing: what would not leave the node any more must not be remembered as sent.
      job.signal.throwIfAborted();
      sent = { last: sent.last, sending: rangeOf(message) };
      await memory.write(sent);
      job.signal.throwIfAborted();
      job.send(messageFor(RED, job.msg, message));
      await aMoment(job.signal);
      sent = { last: lastSent(message), sending: null };
      await memory.write(sent);
      count += message.points.length;
    }
  }

  // Each answer waits for the one after it: that tells whether its last day or month is over on the monitor, too.
  const held: PeriodSeriesPayload[] = [];
  try {
    await inOrder(periods, IN_THE_AIR, ask, async (payload, index) => {
      const before = held.shift();
      if (before !== undefined) await send(before, payload);
      held.push(payload);
      if (periods.length > 1) runner.status(progressStatus(index + 1, periods.length));
    });
  } finally {
    const [last] = held;
    if (last !== undefined && !job.signal.aborted) await send(last, null);
  }
  runner.status(count === 0 ? stateStatus('up_to_date', runner.say) : stateStatus('sent', runner.say, { count }));
}

/** Cut short, not failed, by the end of the job: what was sent must be remembered all the same. */
async function aMoment(signal: AbortSignal): Promise<void> {
  await sleep(WRITING_MS, undefined, { signal }).catch(() => undefined);
}
