/** Gets one answer of the remote service: through promises and their renewals, and through failures that may pass. */
import { findPromise } from '../wire/promise';
import { readJson } from './body';
import type { Clock } from './clock';
import type { ErrorCode } from './errors';
import type { Failure } from './failure';
import type { Http, HttpOutcome } from './http';
import type { Inquiry } from './inquiry';
import { mostCalls, nextRepeat, promiseLifeMs, repeatTimeout, repeatTimes } from './promise-schedule';
import type { Pace } from './promise-schedule';
import type { Readiness } from './readiness';
import { retryPause } from './retry';
import type { RetryQuota } from './retry';

export interface PromisedRequest {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly pace: Pace;
  /** Promise lives to spend. */
  readonly lives: number;
  /** What `readiness` knows this question by. */
  readonly readinessKey: string;
}

export interface PromisedParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly random: () => number;
  readonly readiness: Readiness;
  readonly quota: RetryQuota;
}

type Reply =
  | { readonly kind: 'data'; readonly json: unknown }
  | { readonly kind: 'promise'; readonly code: string | null }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly retryAfterMs: number | null };

/** A life that ended without data, with its last cause. */
interface Expired {
  readonly kind: 'expired';
  readonly failure: Failure;
  readonly bornAt: number;
}

const firstTimeoutMs = 8000;
const noData: Failure = { code: 'PROMISE_EXPIRED', reason: 'no_data' };

/** What passes by itself, and so does not end the life of a promise. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NETWORK',
  'UPSTREAM_TIMEOUT',
  'MONITOR_OFFLINE',
  'UPSTREAM',
]);

/** @returns the parsed JSON of a successful answer; rejects with the CemmError of the inquiry */
export async function fetchPromised(
  inquiry: Inquiry,
  request: PromisedRequest,
  parts: PromisedParts,
): Promise<unknown> {
  const { clock, quota, random } = parts;
  let lives = request.lives;
  let retries = 0;
  for (;;) {
    const sentAt = clock.monotonic();
    const first = await ask(inquiry, request, parts, firstTimeoutMs);
    const reply = first.kind === 'promise' ? await live(inquiry, request, parts, sentAt, first.code) : first;
    if (reply.kind === 'data') {
      quota.succeeded();
      return reply.json;
    }
    const pause = reply.kind === 'expired' ? untilNextLife(reply) : untilRetry(reply);
    if (pause === null || pause >= inquiry.remainingMs || inquiry.requests >= mostCalls) throw failed(inquiry, reply);
    if (reply.kind === 'failure' && !quota.take()) throw failed(inquiry, reply);
    await inquiry.pause(pause);
  }

  function untilNextLife({ bornAt }: Expired): number | null {
    lives -= 1;
    return lives > 0 ? bornAt + promiseLifeMs - clock.monotonic() : null;
  }

  function untilRetry({ failure, retryAfterMs }: Reply & { kind: 'failure' }): number | null {
    const pause = retryPause(failure.code, retries, retryAfterMs, random);
    retries += 1;
    return pause;
  }
}

async function live(
  inquiry: Inquiry,
  request: PromisedRequest,
  parts: PromisedParts,
  firstSentAt: number,
  firstCode: string | null,
): Promise<Exclude<Reply, { kind: 'promise' }> | Expired> {
  const { clock, random, readiness } = parts;
  const times = (): readonly number[] => repeatTimes(request.pace, readiness.averageMs(request.readinessKey), random);
  let life = { bornAt: firstSentAt, code: firstCode, times: times(), asked: 0 };
  let cause = noData;
  for (;;) {
    const due = nextRepeat(life.times, life.asked, clock.monotonic() - life.bornAt);
    if (due === null || inquiry.requests >= mostCalls) return { kind: 'expired', failure: cause, bornAt: life.bornAt };
    await inquiry.pause(life.bornAt + due - clock.monotonic());
    const sentAt = clock.monotonic();
    // A timer may fire a little early; the same repeat must not then seem due again.
    life.asked = Math.max(due, sentAt - life.bornAt);
    const reply = await ask(inquiry, request, parts, repeatTimeout(life.asked));
    if (reply.kind === 'data') {
      readiness.learn(request.readinessKey, life.asked);
      return reply;
    }
    if (reply.kind === 'promise') {
      cause = noData;
      // Another code is another promise, made when this repeat arrived.
      if (life.code !== null && reply.code !== null && life.code !== reply.code) {
        life = { bornAt: sentAt, code: reply.code, times: times(), asked: 0 };
      }
    } else {
      if (!passing.has(reply.failure.code)) return reply;
      cause = reply.failure;
    }
  }
}

async function ask(
  inquiry: Inquiry,
  { path, params }: PromisedRequest,
  { http }: PromisedParts,
  timeoutMs: number,
): Promise<Reply> {
  const reply = read(await inquiry.get(http, { path, params, timeoutMs }));
  if (reply.kind === 'promise') inquiry.promises += 1;
  return reply;
}

function read(outcome: HttpOutcome): Reply {
  if (outcome.kind === 'failure') return outcome;
  const { status } = outcome;
  const body = readJson(outcome.body, status);
  const promise = findPromise(status, 'json' in body ? body.json : undefined);
  if (promise !== null) return { kind: 'promise', code: promise.code };
  return 'json' in body
    ? { kind: 'data', json: body.json }
    : { kind: 'failure', failure: body.failure, retryAfterMs: null };
}

function failed(inquiry: Inquiry, reply: Expired | (Reply & { kind: 'failure' })): Error {
  const { failure } = reply;
  const retryAfterMs = reply.kind === 'failure' ? reply.retryAfterMs : null;
  return inquiry.error(retryAfterMs === null ? failure : { ...failure, params: { ...failure.params, retryAfterMs } });
}
