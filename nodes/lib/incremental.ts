/**
 * `span: new`: sends what is closed and was not sent before, in order, and remembers a sample only after it was sent. What
 * is about to be sent is stored first, so that after a crash in between the same message is repeated under the same id. The
 * store is the node's own context: with a persistent one it survives restarts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node, NodeAPI } from 'node-red';
import {
  lastSent,
  periodsToFetch,
  rangeOf,
  type PeriodPoints,
  type SentSamples,
} from '../../src/connection/incremental-series';
import { type Period, periodContaining } from '../../src/calendar/periods';
import type { Millis } from '../../src/protocol/time';
import { isRecord, namedStore } from './context-store';
import { messageFor, type SentPayload } from './message';
import { inCalendar, pastDate, type PeriodFrame } from './choice';
import type { Job, Runner } from './runner';
import { progressStatus, stateStatus } from './status';

const mostInFlight = 2;
/** What was sent is not yet written: the nodes behind this one get so long before it counts as done. */
const flowPauseMs = 250;

export interface IncrementalRequest<Payload extends SentPayload & PeriodPoints> {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly runner: Runner;
  readonly job: Job;
  readonly frame: PeriodFrame;
  /** What is sent of, such as monitor id and alias. */
  readonly subject: string;
  readonly readPeriod: (period: Period) => Promise<Payload>;
  /** What of a response is closed and was not sent before. */
  readonly unsent: (
    payload: Payload,
    sent: SentSamples,
    since: Millis | null,
    now: Millis,
    next: Payload | null,
  ) => Payload[];
  /** Nothing is closed before the period is over: the first one is remembered, so that it is sent then. */
  readonly waitsForEnd?: boolean;
}

export async function sendNewSamples<Payload extends SentPayload & PeriodPoints>({
  RED,
  node,
  runner,
  job,
  frame,
  subject,
  readPeriod,
  unsent,
  waitsForEnd = false,
}: IncrementalRequest<Payload>): Promise<void> {
  const { unit, timezone, now } = frame;
  const store = namedStore(node, contextKey);
  const name = `${subject}/${unit}`;
  let sent: SentSamples = toSentSamples(await store.read(name));
  let count = 0;
  const wanted = job.msg?.['since'];
  const since = wanted === undefined || wanted === null ? null : pastDate('msg.since', wanted, { timezone, now });
  const periods = inCalendar('msg.since', () => periodsToFetch(unit, timezone, sent, since, now));
  if (waitsForEnd && sent.last === null) {
    const { start } = inCalendar('msg.since', () => periodContaining(unit, timezone, since ?? now));
    sent = { ...sent, last: { ts: start - 1, end: start } };
    await store.write(name, sent);
  }

  async function send(payload: Payload, next: Payload | null): Promise<void> {
    for (const message of unsent(payload, sent, since, now, next)) {
      // Stopped or closing: what would not leave the node any more must not be remembered as sent.
      job.signal.throwIfAborted();
      sent = { last: sent.last, sending: rangeOf(message) };
      await store.write(name, sent);
      job.signal.throwIfAborted();
      job.send(messageFor(RED, job.msg, message));
      await pause(job.signal);
      sent = { last: lastSent(message), sending: null };
      await store.write(name, sent);
      count += message.points?.length ?? 0;
    }
  }

  // Each response waits for the next one, which shows whether its last day or month is over on the monitor, too.
  const held: Payload[] = [];
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

/** Cut short, not failed, by the end of the job: what was sent must be remembered all the same. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(flowPauseMs, undefined, { signal }).catch(() => undefined);
}

/**
 * Runs requests with a few in flight at a time and hands the responses over in the order of the requests. The first failure
 * ends it: later responses are not handed over, since that would leave a gap.
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
      // Rejections are handled below, in order; until then they must not count as unhandled.
      response.catch(() => undefined);
      started.push(response);
    }
    const response = started[index];
    if (response !== undefined) await take(await response, index);
  }
}

const contextKey = 'sent';

/** Whatever is stored there: what is not ours counts as nothing. */
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
