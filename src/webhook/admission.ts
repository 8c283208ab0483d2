/**
 * What a call to a receiver is worth: refused by its head, or verified, parsed, admitted and remembered. It answers nobody and
 * sends nothing.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  countReadings,
  type DeliveryArrival,
  deliveryId,
  type DeliveryContext,
  isLong,
  type ReceivedDelivery,
  receiveDelivery,
  webhookPayload,
  webhookPayloadInParts,
} from '../model/delivery';
import type { WebhookPayload } from '../model/payload';
import { parseUnchecked, ProtocolError } from '../protocol/json';
import { type Millis, secondsToMillis } from '../protocol/time';
import {
  successResponse,
  type HttpExchange,
  type WebhookErrorWord,
  errorResponse,
  type WebhookResponse,
} from './http-exchange';
import type { Clock } from '../clock';
import { type KeyLookup, type InstallationKeys, isOtherMonitor } from './keys';
import type { InstallationPath, PathMatch } from './path-pattern';
import type { Authenticator } from './signature';
import { isAlreadyRead } from './raw-body';
import { mostDigests } from './replay-cache';
import type { ReceiverState } from './receiver-state';

export const bodyLimit = 256 * 1024;

/** Normalizing one reading costs as much as reading ten of its bytes, so a small body could hold much work. */
export const mostReadings = 5000;

/** Repeats of a delivery are recognized for at least this long. */
const memoryMs = 600_000;
/** Without a time of its own the same body may be sent again for good reasons, but not that soon. */
const timelessMemoryMs = 30_000;

export interface ReceiverRules {
  readonly authenticator: Authenticator;
  /** How far a delivery's own time may be off, both ways; 0 = not checked. */
  readonly maxAgeMs: number;
  /** Numbers of the monitors that may send; empty = all. */
  readonly monitors: ReadonlySet<number>;
  /** Asked per delivery: the catalogue may come later than the first delivery. */
  readonly contextOf: (sender: InstallationPath | null) => DeliveryContext;
  /** Where the HMAC keys are those of `per_call` (see ProofRules). */
  readonly lookUpKeys?: KeyLookup | undefined;
}

/** What there is to know of a call beside its bytes. */
export interface Call {
  readonly exchange: HttpExchange;
  /** Monotonic moment. */
  readonly arrived: number;
  readonly sender: PathMatch | null;
}

export interface AdmissionResult {
  readonly reply: WebhookResponse;
  readonly payload?: WebhookPayload | undefined;
  /** In the place of a payload that takes long to make: what makes it, in parts. */
  readonly parts?: PayloadParts | undefined;
  readonly keyUsed?: 'current' | 'previous' | null;
  readonly delivery?: ReceivedDelivery;
  readonly bytes?: number;
  readonly id?: string | undefined;
  /** Named only where its key store knows it or its signature held. */
  readonly installation?: string | undefined;
}

export interface PayloadParts {
  /** The payload where that was the last part, null before. Throws only where it has a defect, and is forgotten then. */
  next(): WebhookPayload | null;
}

/** A delivery as it came in. */
interface Received {
  readonly delivery: ReceivedDelivery;
  readonly meaning: DeliveryContext;
  /** The arrival. */
  readonly at: Millis;
}

/** A verdict that was about to be given. */
interface AcceptedDelivery {
  readonly delivery: ReceivedDelivery;
  readonly id: string;
  readonly bytes: number;
  readonly source: string;
  readonly digest: string;
  readonly meaning: DeliveryContext;
  readonly arrival: DeliveryArrival;
}

export class Admission {
  constructor(
    private readonly rules: ReceiverRules,
    private readonly state: ReceiverState,
    private readonly clock: Clock,
  ) {}

  /** Everything that can be told from the head of the request. */
  refuseUnread(req: IncomingMessage, call: Call): WebhookResponse | null {
    if (req.method !== 'POST') return errorResponse('method');
    if (isAlreadyRead(req)) return errorResponse('raw_body_unavailable');
    const { headers } = req;
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding !== '' && encoding !== 'identity') return errorResponse('content_encoding');
    if (!isJsonType(headers['content-type'])) return errorResponse('content_type');
    if (Number(headers['content-length'] ?? 0) > bodyLimit) return errorResponse('too_large');
    const refusal = this.rules.authenticator.checkHead({ headers, url: req.url });
    return refusal === null ? null : this.refuseProof(refusal, call);
  }

  /** Installations are counted apart, known or not: behind a balancer they all come from one address. */
  private refuseProof(refusal: WebhookErrorWord, { exchange: { remote }, sender }: Call): WebhookResponse {
    const installation = sender?.kind === 'installation' ? ` ${sender.installation}` : '';
    return this.state.failures.exceeded(`${remote ?? ''}${installation}`)
      ? errorResponse('too_many_failures')
      : errorResponse(refusal);
  }

  /** What the bytes of a call are worth, and what is to be done with them. */
  verdictOf(call: Call, bytes: Buffer, keys: InstallationKeys | null): AdmissionResult {
    const { exchange, sender } = call;
    const { req } = exchange;
    const { authenticator } = this.rules;
    const named = sender?.kind === 'installation' ? sender.installation : undefined;
    let keyUsed: 'current' | 'previous' | null = null;
    if (authenticator.methods.includes('hmac')) {
      keyUsed = authenticator.matchSignature({ headers: req.headers, url: req.url }, bytes, keys);
      if (keyUsed === null || sender?.kind === 'invalid') {
        const installation = keys === null ? undefined : named;
        return { reply: this.refuseProof('bad_signature', call), bytes: bytes.length, installation };
      }
    } else if (sender?.kind === 'invalid') return { reply: errorResponse('monitor_not_allowed'), bytes: bytes.length };
    if (named !== undefined && this.state.quota.isSpent(named, bytes.length)) {
      return { reply: errorResponse('too_many_deliveries'), bytes: bytes.length, keyUsed, installation: named };
    }
    const at = this.clock.now();
    const meaning = this.rules.contextOf(sender);
    const delivery = read(bytes, meaning, at);
    if (typeof delivery === 'string') {
      return { reply: errorResponse(delivery), bytes: bytes.length, keyUsed, installation: named };
    }
    const admitted = this.admit({ delivery, meaning, at }, bytes, call.arrived, keyUsed, sender, keys);
    const { reply, payload, parts, id } = admitted;
    // Not spread: V8 would make a hidden class of its own for every verdict.
    return { reply, payload, parts, id, delivery, bytes: bytes.length, keyUsed, installation: named };
  }

  /** The call is genuine and a delivery: is it one we want, and for the first time? */
  private admit(
    { delivery, meaning, at }: Received,
    bytes: Buffer,
    arrived: number,
    keyUsed: 'current' | 'previous' | null,
    sender: InstallationPath | null,
    keys: InstallationKeys | null,
  ): AdmissionResult {
    const { rules, state } = this;
    if (rules.monitors.size > 0 && (delivery.cemm === null || !rules.monitors.has(delivery.cemm))) {
      return { reply: errorResponse('monitor_not_allowed') };
    }
    if (isOtherMonitor(delivery.cemm, sender, keys)) return { reply: errorResponse('monitor_not_allowed') };
    const stale = staleness(delivery, at, rules.maxAgeMs);
    if (stale !== null) return { reply: errorResponse('stale', stale) };
    if (countReadings(delivery) > mostReadings) {
      return { reply: errorResponse('too_large', `The delivery holds more than ${mostReadings} readings.`) };
    }
    const digest = hash('sha256', bytes);
    const id = deliveryId(delivery, meaning, at, digest);
    // Bytes that name no monitor may be the same for two installations without being a repeat.
    const source = sender?.installation ?? String(delivery.cemm ?? '');
    if (state.replayCache.has(source, digest)) return { reply: successResponse(id, true), id };
    const isChecked = delivery.time !== null && rules.maxAgeMs > 0;
    if (isChecked && state.replayCache.mayHaveForgotten(source, delivery.time)) {
      return {
        reply: errorResponse('stale', `After ${mostDigests} later deliveries nobody can tell this one from a repeat.`),
        id,
      };
    }
    if (state.quota.isSpent(source, bytes.length)) return { reply: errorResponse('too_many_deliveries'), id };
    if (!state.queue.hasRoom(bytes.length)) return { reply: errorResponse('busy'), id };
    const arrival: DeliveryArrival = {
      at,
      latencyMs: Math.round(this.clock.monotonic() - arrived),
      bytes: bytes.length,
      id,
      verified: rules.authenticator.methods,
      keyUsed,
      replayCheck: isChecked ? 'window' : 'none',
    };
    return this.normalize({ delivery, id, bytes: bytes.length, source, digest, meaning, arrival });
  }

  /** Remembered before its payload is made: a repeat may come in between. */
  private normalize(admission: AcceptedDelivery): AdmissionResult {
    const { delivery, id, bytes, source, digest, meaning, arrival } = admission;
    const { replayCache, queue, quota } = this.state;
    const lifeMs = delivery.time === null ? timelessMemoryMs : Math.max(memoryMs, 2 * this.rules.maxAgeMs);
    replayCache.remember(source, digest, delivery.time, lifeMs);
    quota.count(source, bytes);
    const reply = successResponse(id, false);
    try {
      if (isLong(delivery)) return { reply, id, parts: this.partsOf(admission) };
      const payload = webhookPayload(delivery, meaning, arrival);
      queue.add(payload, bytes);
      return { reply, id, payload };
    } catch (error) {
      replayCache.forget(source, digest);
      throw error;
    }
  }

  private partsOf({ delivery, bytes, source, digest, meaning, arrival }: AcceptedDelivery): PayloadParts {
    const { replayCache, queue } = this.state;
    const giveBack = queue.reserve(bytes);
    const parts = webhookPayloadInParts(delivery, meaning, arrival);
    return {
      next: () => {
        try {
          const { done, value } = parts.next();
          if (done !== true) return null;
          giveBack();
          queue.add(value, bytes);
          return value;
        } catch (error) {
          giveBack();
          replayCache.forget(source, digest);
          throw error;
        }
      },
    };
  }
}

/** `application/json`, with no charset but UTF-8. */
function isJsonType(type: string | undefined): boolean {
  if (type === undefined) return false;
  if (type === 'application/json') return true;
  const [media = '', ...parameters] = type.toLowerCase().split(';');
  if (media.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
  });
}

function read(bytes: Buffer, meaning: DeliveryContext, at: Millis): ReceivedDelivery | WebhookErrorWord {
  try {
    return receiveDelivery(parseUnchecked(bytes), meaning, at);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (error.expected === 'utf8') return 'bad_encoding';
    if (error.expected === 'shallow_nesting') return 'too_deep';
    return error.expected === 'json' ? 'bad_json' : 'not_a_delivery';
  }
}

/** The sentence for a delivery that is too old or too new, naming both clocks; null for one that is in time. */
function staleness(delivery: ReceivedDelivery, at: Millis, maxAgeMs: number): string | null {
  if (maxAgeMs === 0) return null;
  if (delivery.timeIsAbsurd) return 'The time of the delivery is no moment between 2010 and 2100.';
  if (delivery.time === null) return null;
  const started = secondsToMillis(delivery.time);
  if (Math.abs(at - started) <= maxAgeMs) return null;
  const clocks = [new Date(started), new Date(at)].map((moment) => moment.toISOString());
  return `Monitor clock ${clocks[0] ?? ''}, receiver clock ${clocks[1] ?? ''}: more than ${maxAgeMs / 1000} s apart.`;
}
