/**
 * Parses the body of an authenticated request and decides on its delivery: it must come from an allowed monitor, in time, not
 * be a repeat, and be within the quota. An admitted delivery is recorded in the replay cache and its payload is queued. The
 * response is returned, not sent.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../time/clock';
import {
  countReadings,
  type DeliveryArrival,
  type DeliveryContext,
  deliveryId,
  DeliveryNormalizer,
  isLong,
} from '../model/delivery';
import type { WebhookPayload } from '../model/payload';
import { type Delivery, readDelivery } from '../protocol/delivery';
import { parseUnchecked, ProtocolError } from '../protocol/json';
import { type Millis, secondsToMillis } from '../time/units';
import type { AuthenticRequest } from './authentication';
import { errorResponse, successResponse, type WebhookErrorWord, type WebhookResponse } from './http-exchange';
import { isOtherMonitor, type KeyLookup } from './keys';
import type { InstallationPath } from './path-pattern';
import type { ReceiverState } from './receiver-state';
import { mostDigests } from './replay-cache';
import type { Authenticator } from './signature';

/** Normalizing one reading takes as long as reading ten bytes of it, so a small body could cause much work. */
const mostReadings = 5000;

/** Shortest time for which repeats of a delivery are recognized. */
const repeatMs = 600_000;
/** A body without its own time may be repeated for good reasons, but not within this time. */
const timelessRepeatMs = 30_000;

export interface ReceiverRules {
  readonly authenticator: Authenticator;
  /** Largest difference of a delivery's own time from the clock; 0 = not checked. */
  readonly maxAgeMs: number;
  /** Numbers of the allowed monitors; empty = all. */
  readonly monitors: ReadonlySet<number>;
  /** True if all installations of the path have one key. */
  readonly sharesKey?: boolean;
  /** Called per delivery, because the catalogue may become known after the first one. */
  readonly contextOf: (path: InstallationPath | null) => DeliveryContext;
  /** For HMAC keys that are looked up per request (see AuthenticationRules). */
  readonly lookUpKeys?: KeyLookup | undefined;
}

export interface AdmissionResult {
  readonly response: WebhookResponse;
  readonly id: string | undefined;
  /** Undefined if the body is not a delivery, or was not parsed. */
  readonly delivery: Delivery | undefined;
  readonly payload: WebhookPayload | undefined;
  /** Replaces a payload that takes long to make, and makes it in parts. */
  readonly parts: PayloadParts | undefined;
}

export interface PayloadParts {
  /** Returns the payload after the last part, null before. If it throws, the delivery no longer counts as a repeat. */
  next(): WebhookPayload | null;
}

interface AdmittedDelivery {
  readonly delivery: Delivery;
  readonly context: DeliveryContext;
  readonly arrival: DeliveryArrival;
  /** Installation or monitor, for the replay cache and the quota. */
  readonly source: string;
  readonly digest: string;
}

export class Admission {
  private readonly normalizer = new DeliveryNormalizer();

  constructor(
    private readonly rules: ReceiverRules,
    private readonly state: ReceiverState,
    private readonly clock: Clock,
  ) {}

  admit(request: AuthenticRequest, body: Buffer): AdmissionResult {
    const { path, keys } = request;
    if (path !== null && this.state.quota.isSpent(path.installation, body.length))
      return refused('too_many_deliveries');
    const at = this.clock.now();
    const context = this.rules.contextOf(path);
    const delivery = parseDelivery(body);
    if (typeof delivery === 'string') return refused(delivery);
    const { sharesKey = false } = this.rules;
    if (!this.isAllowedMonitor(delivery.cemm)) return refused('monitor_not_allowed', delivery);
    if (isOtherMonitor(delivery.cemm, path, keys, sharesKey)) {
      return refused('monitor_not_allowed', delivery, 'The key or the path of this delivery is of another monitor.');
    }
    const stale = staleness(delivery, at, this.rules.maxAgeMs);
    if (stale !== null) return refused('stale', delivery, stale);
    if (countReadings(delivery) > mostReadings) {
      return refused('too_large', delivery, `The delivery holds more than ${mostReadings} readings.`);
    }
    const digest = hash('sha256', body);
    const id = deliveryId(delivery, context, at, digest);
    // Two installations may send the same bytes without a monitor's number: that is not a repeat.
    const source = path?.installation ?? String(delivery.cemm ?? '');
    const { replayCache, quota, queue } = this.state;
    if (replayCache.has(source, digest)) return result(successResponse(id, true), id, delivery);
    const isTimeChecked = delivery.time !== null && this.rules.maxAgeMs > 0;
    if (isTimeChecked && replayCache.mayHaveEvicted(source, delivery.time)) {
      const sentence = `Nobody can tell this one from a repeat: ${mostDigests} later ones came, or the clock was set back.`;
      return result(errorResponse('stale', sentence), id, delivery);
    }
    if (quota.isSpent(source, body.length)) return result(errorResponse('too_many_deliveries'), id, delivery);
    if (!queue.hasRoom(body.length)) return result(errorResponse('busy'), id, delivery);
    const arrival: DeliveryArrival = {
      at,
      latencyMs: Math.round(this.clock.monotonic() - request.arrived),
      bytes: body.length,
      id,
      verified: this.rules.authenticator.methods,
      keyUsed: request.keyUsed,
      replayCheck: isTimeChecked ? 'window' : 'none',
    };
    return this.accept({ delivery, context, arrival, source, digest });
  }

  private isAllowedMonitor(cemm: number | null): boolean {
    const { monitors } = this.rules;
    return monitors.size === 0 || (cemm !== null && monitors.has(cemm));
  }

  /** Recorded before the payload is made: a repeat may arrive in between. */
  private accept(admitted: AdmittedDelivery): AdmissionResult {
    const { delivery, context, arrival, source, digest } = admitted;
    const { replayCache, quota, queue } = this.state;
    const lifeMs = delivery.time === null ? timelessRepeatMs : Math.max(repeatMs, 2 * this.rules.maxAgeMs);
    replayCache.remember(source, digest, delivery.time, lifeMs);
    quota.count(source, arrival.bytes);
    const response = successResponse(arrival.id, false);
    try {
      if (isLong(delivery)) return result(response, arrival.id, delivery, undefined, this.partsOf(admitted));
      const payload = this.normalizer.payload(delivery, context, arrival);
      queue.add(payload, arrival.bytes);
      return result(response, arrival.id, delivery, payload);
    } catch (error) {
      replayCache.forget(source, digest);
      throw error;
    }
  }

  private partsOf({ delivery, context, arrival, source, digest }: AdmittedDelivery): PayloadParts {
    const { replayCache, queue } = this.state;
    const releaseRoom = queue.reserve(arrival.bytes);
    const parts = this.normalizer.payloadInParts(delivery, context, arrival);
    return {
      next: () => {
        try {
          const { done, value } = parts.next();
          if (done !== true) return null;
          releaseRoom();
          queue.add(value, arrival.bytes);
          return value;
        } catch (error) {
          releaseRoom();
          replayCache.forget(source, digest);
          throw error;
        }
      },
    };
  }
}

function parseDelivery(body: Buffer): Delivery | WebhookErrorWord {
  try {
    return readDelivery(parseUnchecked(body));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (error.expected === 'utf8') return 'bad_encoding';
    if (error.expected === 'shallow_nesting') return 'too_deep';
    return error.expected === 'json' ? 'bad_json' : 'not_a_delivery';
  }
}

function refused(error: WebhookErrorWord, delivery?: Delivery, sentence?: string): AdmissionResult {
  return result(errorResponse(error, sentence), undefined, delivery);
}

/** All results have the same properties in the same order, which gives them one hidden class in V8. */
function result(
  response: WebhookResponse,
  id: string | undefined,
  delivery: Delivery | undefined,
  payload?: WebhookPayload,
  parts?: PayloadParts,
): AdmissionResult {
  return { response, id, delivery, payload, parts };
}

/** The sentence for a too old or too new delivery, with both clocks; null for a delivery in time. */
function staleness(delivery: Delivery, at: Millis, maxAgeMs: number): string | null {
  if (maxAgeMs === 0) return null;
  if (delivery.timeIsAbsurd) return 'The time of the delivery is no moment between 2010 and 2100.';
  if (delivery.time === null) return null;
  const started = secondsToMillis(delivery.time);
  if (Math.abs(at - started) <= maxAgeMs) return null;
  const clocks = [new Date(started), new Date(at)].map((moment) => moment.toISOString());
  return `Monitor clock ${clocks[0] ?? ''}, receiver clock ${clocks[1] ?? ''}: more than ${maxAgeMs / 1000} s apart.`;
}
