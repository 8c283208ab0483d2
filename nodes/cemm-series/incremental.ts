/**
 * `span: new`: sends what is closed and was not sent before, in order, and remembers a sample only after it was sent. What
 * is about to be sent is stored first, so that after a crash in between the same message is repeated under the same id. The
 * store is the node's own context: with a persistent one it survives restarts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';
import {
  lastSent,
  unsentSeries,
  periodsToFetch,
  rangeOf,
  type SentSamples,
} from '../../src/connection/incremental-series';
import type { Period } from '../../src/calendar/periods';
import type { PeriodSeriesPayload } from '../../src/model/payload';
import { messageFor } from '../lib/message';
import { inCalendar, pastDate, type PeriodFrame } from '../lib/choice';
import type { Job, Runner } from '../lib/runner';
import { progressStatus, stateStatus } from '../lib/status';

const mostInFlight = 2;
/** What was sent is not yet written: the nodes behind this one get so long before it counts as done. */
const flowPauseMs = 250;

interface IncrementalRequest {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly runner: Runner;
  readonly job: Job;
  readonly frame: PeriodFrame;
  /** Monitor id and alias. */
  readonly meter: string;
  readonly readPeriod: (period: Period) => Promise<PeriodSeriesPayload>;
}

export async function sendNewSamples({
  RED,
  node,
  runner,
  job,
  frame,
  meter,
  readPeriod,
}: IncrementalRequest): Promise<void> {
  const { unit, timezone, now } = frame;
  const store = sentStore(node, `${meter}/${unit}`);
  let sent: SentSamples = await store.read();
  let count = 0;
  const wanted = job.msg?.['since'];
  const since = wanted === undefined || wanted === null ? null : pastDate('msg.since', wanted, { timezone, now });
  const periods = inCalendar('msg.since', () => periodsToFetch(unit, timezone, sent, since, now));

  async function send(payload: PeriodSeriesPayload, next: PeriodSeriesPayload | null): Promise<void> {
    for (const message of unsentSeries(payload, sent, since, now, next)) {
      // Stopped or closing: what would not leave the node any more must not be remembered as sent.
      job.signal.throwIfAborted();
      sent = { last: sent.last, sending: rangeOf(message) };
      await store.write(sent);
      job.signal.throwIfAborted();
      job.send(messageFor(RED, job.msg, message));
      await pause(job.signal);
      sent = { last: lastSent(message), sending: null };
      await store.write(sent);
      count += message.points.length;
    }
  }

  // Each response waits for the next one, which shows whether its last day or month is over on the monitor, too.
  const held: PeriodSeriesPayload[] = [];
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

/** One object under one key: monitors and aliases would not all be allowed as parts of a context key. */
const contextKey = 'sent';

interface SentStore {
  read(): Promise<SentSamples>;
  /** Settles once the store has it. */
  write(sent: SentSamples): Promise<void>;
}

/** @param name monitor, meter and period unit */
function sentStore(node: Node, name: string): SentStore {
  const context = node.context();

  async function all(): Promise<Record<string, unknown>> {
    const stored = await new Promise<unknown>((resolve, reject) => {
      context.get(contextKey, (error: Error | null, value: unknown) => {
        if (error) reject(storeError());
        else resolve(value);
      });
    });
    return isRecord(stored) ? stored : {};
  }

  return {
    read: async () => toSentSamples((await all())[name]),
    async write(sent) {
      const stored = { ...(await all()), [name]: sent };
      await new Promise<void>((resolve, reject) => {
        context.set(contextKey, stored, (error: Error | null | undefined) => {
          if (error) reject(storeError());
          else resolve();
        });
      });
    },
  };
}

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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function storeError(): CemmError {
  return new CemmError('CONFIG', { reason: 'context_store' });
}
