/**
 * `span: new`: sends closed samples that were not sent before, in order, and remembers each after it was sent. The pending
 * message is stored first: after a crash, it is repeated with the same id. The store is the node's own context; a persistent
 * one survives restarts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node, NodeAPI } from 'node-red';
import {
  lastSent,
  periodsToFetch,
  findSampleRange,
  type PeriodPoints,
  type SentSamples,
} from '../../../src/model/incremental-series';
import { periodContaining, type PeriodOf, type PeriodUnit } from '../../../src/calendar/periods';
import type { Millis } from '../../../src/time/units';
import { isRecord } from '../../../src/checks/record';
import { namedStore } from './context-store';
import type { Payload } from '../../../src/model/payload';
import { messageFor } from './message';
import { convertCalendarErrors, parsePastDate } from '../../../src/model/calendar-errors';
import type { PeriodFrame } from '../stored/choice';
import type { Job, Runner } from './runner';
import { progressStatus, stateStatus } from './status';

const mostInFlight = 2;
/** Time for the next nodes to write a message, before it counts as sent. */
const flowPauseMs = 250;

export interface IncrementalRequest<Answer extends Payload & PeriodPoints, Unit extends PeriodUnit> {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly runner: Runner;
  readonly job: Job;
  readonly frame: PeriodFrame<Unit>;
  /** Subject of the samples, such as monitor id and alias. */
  readonly subject: string;
  readonly readPeriod: (period: PeriodOf<Unit>) => Promise<Answer>;
  /** Returns the closed samples of a response that were not sent before. */
  readonly unsent: (
    payload: Answer,
    sent: SentSamples,
    since: Millis | null,
    now: Millis,
    next: Answer | null,
  ) => Answer[];
  /** Nothing is closed before the period ends. The first period is remembered, so it is sent then. */
  readonly waitsForEnd?: boolean;
}

export async function sendNewSamples<Answer extends Payload & PeriodPoints, Unit extends PeriodUnit>({
  RED,
  node,
  runner,
  job,
  frame,
  subject,
  readPeriod,
  unsent,
  waitsForEnd = false,
}: IncrementalRequest<Answer, Unit>): Promise<void> {
  const { unit, timezone, now } = frame;
  const store = namedStore(node, contextKey);
  const name = `${subject}/${unit}`;
  let sent: SentSamples = toSentSamples(await store.read(name));
  let count = 0;
  const wanted = job.msg?.['since'];
  const since = wanted === undefined || wanted === null ? null : parsePastDate('msg.since', wanted, { timezone, now });
  const periods = convertCalendarErrors('msg.since', () => periodsToFetch(unit, timezone, sent, since, now));
  if (waitsForEnd && sent.last === null) {
    const { start } = convertCalendarErrors('msg.since', () => periodContaining(unit, timezone, since ?? now));
    sent = { ...sent, last: { ts: start - 1, end: start } };
    await store.write(name, sent);
  }

  async function send(payload: Answer, next: Answer | null): Promise<void> {
    for (const message of unsent(payload, sent, since, now, next)) {
      // A message that a stopped or closing node no longer sends must not be remembered as sent.
      job.signal.throwIfAborted();
      sent = { last: sent.last, sending: findSampleRange(message) };
      await store.write(name, sent);
      job.signal.throwIfAborted();
      job.send(messageFor(RED, job.msg, message));
      await pause(job.signal);
      sent = { last: lastSent(message), sending: null };
      await store.write(name, sent);
      count += message.points?.length ?? 0;
    }
  }

  // Each response waits for the next one, which shows if its last day or month is over on the monitor, too.
  const held: Answer[] = [];
  try {
    await orderedConcurrency(periods, mostInFlight, readPeriod, async (payload, index) => {
      const before = held.shift();
      if (before !== undefined) await send(before, payload);
      held.push(payload);
      if (periods.length > 1) runner.status(progressStatus(index + 1, periods.length));
    });
  } finally {
    const [last] = held;
    if (last !== undefined && !job.signal.aborted) await send(last, null);
  }
  runner.status(
    count === 0 ? stateStatus('up_to_date', runner.translate) : stateStatus('sent', runner.translate, { count }),
  );
}

/** The end of the job shortens the pause and does not fail it: a sent message must be remembered in any case. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(flowPauseMs, undefined, { signal }).catch(() => undefined);
}

/**
 * Runs requests with limited concurrency and delivers the responses in the order of the requests. The first failure ends it;
 * later responses are dropped, because they would leave a gap.
 */
export async function orderedConcurrency<Request, Response>(
  requests: readonly Request[],
  parallel: number,
  ask: (request: Request) => Promise<Response>,
  take: (response: Response, index: number) => Promise<void> | void,
): Promise<void> {
  const started: Promise<Response>[] = [];
  for (let index = 0; index < requests.length; index += 1) {
    const window = requests.slice(started.length, index + parallel);
    for (const request of window) {
      const response = ask(request);
      // Rejections are handled below, in order, and must not count as unhandled until then.
      response.catch(() => undefined);
      started.push(response);
    }
    const response = started[index];
    if (response !== undefined) await take(await response, index);
  }
}

const contextKey = 'sent';

/** Unknown content of the store counts as nothing sent. */
function toSentSamples(stored: unknown): SentSamples {
  if (!isRecord(stored)) return { last: null, sending: null };
  const { last, sending } = stored;
  return {
    last: isRecord(last) && isMoment(last['ts']) && isMoment(last['end']) ? { ts: last['ts'], end: last['end'] } : null,
    sending:
      isRecord(sending) && isMoment(sending['first']) && isMoment(sending['last'])
        ? { first: sending['first'], last: sending['last'] }
        : null,
  };
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
