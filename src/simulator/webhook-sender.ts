/** The webhook of a monitor: sends a signed delivery at each slot of local time and keeps the results. */
import { toLocalTime } from '../calendar/zone';
import { dayMs, millis, type Millis } from '../time/units';
import { type SimulatedClock, sleep } from './simulated-clock';
import { type FaultName, stringify } from './faults';
import { firstMomentOfNewOffset, offsetAt } from './house-day';
import type { Household } from './household';
import { asCounted, asMetered, isMissing, monitorNow } from './metered-household';
import { listedMeters, timeseries, timeseriesByChannel, type TimeseriesQuery } from './public-api';
import type { DeliveryStatus, SimulatedWebhook } from './simulator';
import { buildDelivery, createAverages, signBody } from './webhook-payload';
import { type Call, callLimitMs, sendCall, rawRequest, type WebhookSettings } from './webhook-call';

/**
 * The first slot after `now`. Slots are multiples of `everySeconds` (1 to 86 400) since midnight in local time, and midnight.
 * A repeated hour has its slots twice, a skipped hour has none.
 */
export function nextSlot(now: Millis, everySeconds: number, timezone: string): Millis {
  const every = everySeconds * 1000;
  const localMs = toLocalTime(timezone, now);
  const candidate = millis(now + untilMultiple(localMs + 1, every) + 1);
  if (offsetAt(candidate, timezone) === offsetAt(now, timezone)) return candidate;
  const change = firstMomentOfNewOffset(timezone, now, candidate);
  const changed = toLocalTime(timezone, change);
  const isNewDay = Math.floor(changed / dayMs) > Math.floor(localMs / dayMs);
  return millis(isNewDay ? change : change + untilMultiple(changed, every));
}

/** Milliseconds from a local time to the next multiple of `every` since midnight, or to the next midnight; 0 if it is one. */
function untilMultiple(localMs: number, every: number): number {
  const sinceMidnight = localMs % dayMs;
  return Math.min(Math.ceil(sinceMidnight / every) * every, dayMs) - sinceMidnight;
}

const mostDeliveriesKept = 5;
/** Longest timer, because the clock of a test or of a suspended computer can jump. */
const longestWaitMs = 1000;

export interface WebhookSenderParts {
  readonly settings: WebhookSettings;
  readonly household: Household;
  /** The number of the monitor. */
  readonly cemm: number;
  readonly clock: SimulatedClock;
  /** Read at each delivery, because faults can change. */
  readonly faults: ReadonlySet<FaultName>;
  /** Timeout of a delivery. Default: that of a monitor. */
  readonly limitMs?: number;
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}

export interface WebhookSender extends Pick<SimulatedWebhook, 'done'> {
  /** The last five deliveries, newest first. */
  readonly deliveries: readonly DeliveryStatus[];
  /** Sends one delivery now, which does not count. */
  readonly sendNow: () => Promise<DeliveryStatus>;
  /** Cancels running requests, and resolves when they have ended. */
  readonly close: () => Promise<void>;
}

/** Starts sending. On a frozen clock only `sendNow` sends. */
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
            hasMinute: (start, source) => !isMissing(start, household, faults, source),
          });
    const text = stringify(answer, faults);
    // Inserted into the text, because `__proto__` in an object literal is not a property.
    const sent = faults.has('reserved-name') ? text.replace('"data":{', '"data":{"__proto__":{"volume":{}},') : text;
    return Buffer.from(sent, 'utf8');
  }

  function publicAnswer(counted: Household, at: Millis, request: TimeseriesQuery | 'meters'): object {
    if (request === 'meters') return { meters: listedMeters(household.house) };
    return faults.has('series-by-channel')
      ? timeseriesByChannel(counted, at, request)
      : timeseries(counted, at, request);
  }

  async function deliver(moment: Millis): Promise<DeliveryStatus> {
    const at = monitorNow({ ...clock, now: () => moment }, faults, household.house);
    const call: Call = { ...signed(settings, body(at)), url: settings.url, limitMs, signal: off.signal };
    const started = performance.now();
    const outcome = await sendCall(call);
    const time = new Date(at).toISOString();
    const status = { time, request: rawRequest(call), ...outcome };
    deliveries.unshift(status);
    deliveries.length = Math.min(deliveries.length, mostDeliveriesKept);
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
      // A monitor skips slots that it missed. A delivery is late by one timeout at most.
      const late = clock.now() - slot > limitMs * clock.speed;
      if (late) slot = nextSlot(clock.now(), settings.everySeconds, household.timezone);
    }
  }

  function keep<T>(promise: Promise<T>): Promise<T> {
    running.add(promise);
    const forgetPromise = () => running.delete(promise);
    promise.then(forgetPromise, forgetPromise);
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

/** The head and body of a signed delivery. */
export function signed(settings: WebhookSettings, body: Buffer): Pick<Call, 'headers' | 'body'> {
  const own = [['Content-Type', 'application/json'] as const].filter(
    ([name]) => !settings.headers.some(([extra]) => extra.toLowerCase() === name.toLowerCase()),
  );
  const signature = settings.hmacKey === null ? [] : [['X-Signature', signBody(body, settings.hmacKey)] as const];
  return { headers: [...own, ...settings.headers, ...signature], body };
}

/** Waits until the clock reaches the moment; false if the signal comes first. */
async function reached(clock: SimulatedClock, moment: Millis, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const left = moment - clock.now();
    if (left <= 0 && clock.speed > 0) return true;
    await sleep(clock.speed > 0 ? Math.min(left / clock.speed, longestWaitMs) : longestWaitMs, signal);
  }
  return false;
}
