/**
 * Gets one response of the remote service: polls promises (202) and retries transient failures, at most twice and with
 * growing pauses.
 */
import { type ErrorCode, type Failure, hasConsequence } from '../errors';
import { findPromise } from '../protocol/open-api';
import { readJson } from './http-failures';
import type { Clock } from '../time/clock';
import type { Http, HttpOutcome } from './http';
import type { RequestContext } from './request-context';
import {
  mostCalls,
  nextRepeat,
  type Pace,
  promiseLifeMs,
  type LatencyEstimate,
  repeatTimeout,
  repeatTimes,
} from './promise-schedule';

const firstCeilingMs = 1000;
const lastCeilingMs = 10_000;

/**
 * Pause before the next retry in ms, or null when there is none. Full jitter below a ceiling that doubles.
 * @param retries retries that this request has had
 * @param retryAfterMs pause that the service asks for; replaces the computed one
 */
function retryPause(
  code: ErrorCode,
  retries: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  if (retries >= mostRetries(code)) return null;
  return retryAfterMs ?? random() * Math.min(lastCeilingMs, firstCeilingMs * 2 ** retries);
}

function mostRetries(code: ErrorCode): number {
  if (hasConsequence(code, 'repeated_twice')) return 2;
  return hasConsequence(code, 'repeated_once') ? 1 : 0;
}

/**
 * The retries that one API key has left. When every request fails, retries only add load: each request is then sent
 * once until successes have refilled the quota (the standard retry mode of the AWS SDKs, scaled down).
 */
export class RetryQuota {
  private static readonly full = 50;
  private static readonly cost = 5;
  private left = RetryQuota.full;

  /** False when the quota is used up. */
  takeRetry(): boolean {
    if (this.left < RetryQuota.cost) return false;
    this.left -= RetryQuota.cost;
    return true;
  }

  succeeded(): void {
    this.left = Math.min(RetryQuota.full, this.left + 1);
  }
}

interface PolledRequest {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly pace: Pace;
  /** Promises to wait for, one after the other. */
  readonly lives: number;
  /** Key of this request in `latencies`. */
  readonly latencyKey: string;
}

interface PollingParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly random: () => number;
  readonly latencies: LatencyEstimate;
  readonly quota: RetryQuota;
}

type Reply =
  | { readonly kind: 'data'; readonly json: unknown }
  | { readonly kind: 'promise'; readonly code: string | null }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly retryAfterMs: number | null };

/** A promise that expired without data, with the last failure. */
interface Expired {
  readonly kind: 'expired';
  readonly failure: Failure;
  readonly bornAt: number;
}

const firstTimeoutMs = 8000;
const noData: Failure = { code: 'PROMISE_EXPIRED', reason: 'no_data' };

/** @returns the parsed JSON of a successful answer; rejects with the CemmError of the context */
export async function pollUntilReady(
  context: RequestContext,
  request: PolledRequest,
  parts: PollingParts,
): Promise<unknown> {
  const { clock, quota, random } = parts;
  let lives = request.lives;
  let retries = 0;
  for (;;) {
    const sentAt = clock.monotonic();
    const first = await requestOnce(context, request, parts, firstTimeoutMs);
    const reply = first.kind === 'promise' ? await live(context, request, parts, sentAt, first.code) : first;
    if (reply.kind === 'data') {
      quota.succeeded();
      return reply.json;
    }
    const pause = reply.kind === 'expired' ? untilNextLife(reply) : untilRetry(reply);
    if (pause === null || pause >= context.remainingMs || context.requests >= mostCalls)
      throw createPollingError(context, reply);
    if (reply.kind === 'failure' && !quota.takeRetry()) throw createPollingError(context, reply);
    await context.pause(pause);
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
  context: RequestContext,
  request: PolledRequest,
  parts: PollingParts,
  firstSentAt: number,
  firstCode: string | null,
): Promise<Exclude<Reply, { kind: 'promise' }> | Expired> {
  const { clock, random, latencies } = parts;
  const times = (): readonly number[] => repeatTimes(request.pace, latencies.averageMs(request.latencyKey), random);
  let life = { bornAt: firstSentAt, code: firstCode, times: times(), asked: 0 };
  let cause = noData;
  for (;;) {
    const due = nextRepeat(life.times, life.asked, clock.monotonic() - life.bornAt);
    if (due === null || context.requests >= mostCalls) return { kind: 'expired', failure: cause, bornAt: life.bornAt };
    await context.pause(life.bornAt + due - clock.monotonic());
    const sentAt = clock.monotonic();
    // A timer may fire a little early; the same repeat must not be due again.
    life.asked = Math.max(due, sentAt - life.bornAt);
    const reply = await requestOnce(context, request, parts, repeatTimeout(life.asked));
    if (reply.kind === 'data') {
      latencies.learn(request.latencyKey, life.asked);
      return reply;
    }
    if (reply.kind === 'promise') {
      cause = noData;
      // Another code is a new promise, made when this repeat arrived.
      if (life.code !== null && reply.code !== null && life.code !== reply.code) {
        life = { bornAt: sentAt, code: reply.code, times: times(), asked: 0 };
      }
    } else {
      if (!hasConsequence(reply.failure.code, 'keeps_promise')) return reply;
      cause = reply.failure;
    }
  }
}

async function requestOnce(
  context: RequestContext,
  { path, params }: PolledRequest,
  { http }: PollingParts,
  timeoutMs: number,
): Promise<Reply> {
  const reply = readReply(await context.get(http, { path, params, timeoutMs }));
  if (reply.kind === 'promise') context.promises += 1;
  return reply;
}

function readReply(outcome: HttpOutcome): Reply {
  if (outcome.kind === 'failure') return outcome;
  const { status } = outcome;
  const body = readJson(outcome.body, status);
  const promise = findPromise(status, 'json' in body ? body.json : undefined);
  if (promise !== null) return { kind: 'promise', code: promise.code };
  return 'json' in body
    ? { kind: 'data', json: body.json }
    : { kind: 'failure', failure: body.failure, retryAfterMs: null };
}

function createPollingError(context: RequestContext, reply: Expired | (Reply & { kind: 'failure' })): Error {
  const { failure } = reply;
  const retryAfterMs = reply.kind === 'failure' ? reply.retryAfterMs : null;
  return context.error(retryAfterMs === null ? failure : { ...failure, params: { ...failure.params, retryAfterMs } });
}
