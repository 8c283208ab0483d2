/** When a webhook runs: at slots of the wall clock in the installation's zone (spec.md, Events E1), never `every` after the start. */
import { IANAZone } from 'luxon';
import { millis, type Millis } from '../protocol/time';
import type { SimulatedClock } from './simulated-clock';
import { type FaultName, stringify } from './faults';
import type { Household } from './household';
import { asCounted, asMetered, isMissing, monitorNow } from './metered-household';
import { listedMeters, timeseries, timeseriesByChannel, type TimeseriesQuery } from './public-api';
import type { DeliveryStatus } from './simulator';
import { buildDelivery, createAverages, sign } from './webhook-payload';
import { type Call, callLimitMs, post, rawRequest, type WebhookSettings } from './webhook-call';

const DAY = 86_400_000;

/**
 * The first slot after `now`. Slots are the moments at which the wall clock shows a multiple of `everySeconds` since
 * midnight, and midnight itself; `everySeconds` is 1 to 86 400. An hour that the clock shows twice has its slots twice,
 * an hour that it skips has none.
 */
export function nextSlot(now: Millis, everySeconds: number, timezone: string): Millis {
  const zone = IANAZone.create(timezone);
  const every = everySeconds * 1000;
  const localMs = localMsOf(zone, now);
  const candidate = now + untilMultiple(localMs + 1, every) + 1;
  if (zone.offset(candidate) === zone.offset(now)) return millis(candidate);
  const change = firstMomentOfNewOffset(zone, now, candidate);
  const changed = localMsOf(zone, change);
  const isNewDay = Math.floor(changed / DAY) > Math.floor(localMs / DAY);
  return millis(isNewDay ? change : change + untilMultiple(changed, every));
}

/** Milliseconds from a wall-clock reading to the next multiple of `every` in its day, or to the next midnight; 0 when it is one. */
function untilMultiple(localMs: number, every: number): number {
  const sinceMidnight = localMs % DAY;
  return Math.min(Math.ceil(sinceMidnight / every) * every, DAY) - sinceMidnight;
}

function localMsOf(zone: IANAZone, moment: number): number {
  return moment + zone.offset(moment) * 60_000;
}

function firstMomentOfNewOffset(zone: IANAZone, before: number, after: number): number {
  const old = zone.offset(before);
  let low = before;
  let high = after;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offset(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

// The webhook of a monitor: at each slot of the wall clock it builds a body, signs it, posts it, and keeps what came back.

const STATUSES_KEPT = 5;
/** The longest sleep: a test's clock may jump, a laptop may have slept. */
const LONGEST_WAIT = 1000;

export interface WebhookSenderParts {
  readonly settings: WebhookSettings;
  readonly household: Household;
  /** The number of the monitor. */
  readonly cemm: number;
  readonly clock: SimulatedClock;
  /** Read at every delivery, so that faults can come and go. */
  readonly faults: ReadonlySet<FaultName>;
  /** Milliseconds; the monitor's own limit unless a test cannot wait for it. */
  readonly limitMs?: number;
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}

export interface WebhookSender {
  /** Newest first, five at most. */
  readonly deliveries: readonly DeliveryStatus[];
  /** Settles after the last delivery of the count, or when closed. */
  readonly done: Promise<void>;
  /** The manual run: one delivery at once, beside the count (spec.md C, Manual run). */
  readonly sendNow: () => Promise<DeliveryStatus>;
  /** Ends a call under way and settles when nothing is left. */
  readonly close: () => Promise<void>;
}

/** Starts sending; a frozen clock reaches no slot, so there only `sendNow` sends. */
export function startWebhookSender(parts: WebhookSenderParts): WebhookSender {
  const { settings, household, cemm, clock, faults, limitMs = callLimitMs, log } = parts;
  const averages = createAverages(household);
  const deliveries: DeliveryStatus[] = [];
  const off = new AbortController();
  const running = new Set<Promise<unknown>>();

  function body(at: Millis): Buffer {
    const { content } = settings;
    const counted = asCounted(household, faults, at);
    const answer =
      content.type === 'public'
        ? publicAnswer(counted, at, content.request)
        : buildDelivery(counted, cemm, at, content.topics, {
            averages,
            metered: asMetered(household, faults, at),
            hasMinute: (start) => !isMissing(start, household, faults),
          });
    const text = stringify(answer, faults);
    // As text, because an object literal cannot hold a name that is reserved.
    const sent = faults.has('reserved-name') ? text.replace('"data":{', '"data":{"__proto__":{"volume":{}},') : text;
    return Buffer.from(sent, 'utf8');
  }

  function publicAnswer(counted: Household, at: Millis, request: TimeseriesQuery | 'meters'): object {
    if (request === 'meters') return { meters: listedMeters() };
    return faults.has('series-by-channel')
      ? timeseriesByChannel(counted, at, request)
      : timeseries(counted, at, request);
  }

  async function deliver(moment: Millis): Promise<DeliveryStatus> {
    const at = monitorNow({ ...clock, now: () => moment }, faults);
    const call: Call = { ...signed(settings, body(at)), url: settings.url, limitMs, signal: off.signal };
    const started = performance.now();
    const outcome = await post(call);
    const time = new Date(at).toISOString();
    const status = { time, request: rawRequest(call), ...outcome };
    deliveries.unshift(status);
    deliveries.length = Math.min(deliveries.length, STATUSES_KEPT);
    log?.({
      delivery: time,
      status: outcome.status,
      bytes: call.body.length,
      ms: Math.round(performance.now() - started),
      error: outcome.error,
    });
    return status;
  }

  async function sendAtSlots(): Promise<void> {
    let slot = nextSlot(clock.now(), settings.everySeconds, household.timezone);
    for (let sent = 0; sent < settings.count; sent += 1) {
      if (!(await reached(clock, slot, off.signal))) return;
      await deliver(slot);
      slot = nextSlot(slot, settings.everySeconds, household.timezone);
      // A monitor does not make up for what it missed: a slot is late by one call at most.
      const late = clock.now() - slot > limitMs * clock.speed;
      if (late) slot = nextSlot(clock.now(), settings.everySeconds, household.timezone);
    }
  }

  function keep<T>(promise: Promise<T>): Promise<T> {
    running.add(promise);
    const forget = () => running.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  const done = keep(sendAtSlots());
  return {
    deliveries,
    done,
    sendNow: () => keep(deliver(clock.now())),
    close: async () => {
      off.abort();
      await Promise.allSettled(running);
    },
  };
}

function signed(settings: WebhookSettings, body: Buffer): Pick<Call, 'headers' | 'body'> {
  const own = [['Content-Type', 'application/json'] as const].filter(
    ([name]) => !settings.headers.some(([extra]) => extra.toLowerCase() === name.toLowerCase()),
  );
  const signature = settings.hmacKey === null ? [] : [['X-Signature', sign(body, settings.hmacKey)] as const];
  return { headers: [...own, ...settings.headers, ...signature], body };
}

/** Waits until the clock shows the moment; false when the signal came first. */
async function reached(clock: SimulatedClock, moment: Millis, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const left = moment - clock.now();
    if (left <= 0 && clock.speed > 0) return true;
    await sleep(clock.speed > 0 ? Math.min(left / clock.speed, LONGEST_WAIT) : LONGEST_WAIT, signal);
  }
  return false;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
  });
}
