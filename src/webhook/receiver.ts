/**
 * The receiver of a monitor's deliveries: a request handler that knows nothing but node:http. In this order: the call is
 * verified, parsed, remembered, answered, and only then handed on, so that a slow or broken flow never costs an answer.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { webhookPayload, deliveryId, type DeliveryMeaning } from '../model/webhook-payload';
import type { WebhookPayload } from '../model/payload';
import type { Problem } from '../model/webhook-problem';
import { readDelivery, type Delivery } from '../wire/delivery';
import { parseJson } from '../wire/json';
import { secondsToMillis, type Millis } from '../wire/time';
import { WireError } from '../wire/wire-error';
import { accept, refuse, type Refusal, type Reply } from './answers';
import type { ReceiverClock } from './clock';
import { Exchange } from './exchange';
import { speaksForAnother, type FindKeys, type InstallationKeys } from './installation-keys';
import { awaitKeys } from './key-wait';
import type { PathSender, Sender } from './path-sender';
import { ProblemReport } from './problem-report';
import type { Proof } from './proof';
import { isAlreadyRead, readBody } from './raw-body';
import type { ReceiverState } from './receiver-state';

export const bodyLimit = 256 * 1024;
export const readDeadlineMs = 3000;

export interface ReceiverRules {
  readonly proof: Proof;
  /** How far a delivery's own time may be off, both ways; 0 = not checked. */
  readonly maxAgeMs: number;
  /** Numbers of the monitors that may send; empty = all. */
  readonly monitors: ReadonlySet<number>;
  /** Asked per delivery: the catalogue may come later than the first delivery. */
  readonly meaning: (sender: PathSender | null) => DeliveryMeaning;
  /** Where the HMAC keys are those of `per_call` (see ProofRules). */
  readonly findKeys?: FindKeys | undefined;
}

/** None of these may be called before the answer is given. They may throw: it goes to `fault`. */
export interface ReceiverOutlets {
  deliver(payload: WebhookPayload): void;
  problem(problem: Problem): void;
  /** After every answer, for status and list. */
  outcome?(outcome: { readonly word: Reply['word']; readonly keyUsed: 'current' | 'previous' | null }): void;
  /** A verified delivery was seen, repeats included: what the watch over missed slots lives on. */
  seen?(started: Millis | null, arrived: Millis, installation: string | null): void;
  /** Something that must not happen; the process goes on. */
  fault(error: unknown): void;
}

export interface Receiver {
  /** `sender` is null where the path holds no parameters. */
  handle(req: IncomingMessage, res: ServerResponse, sender?: Sender | null): void;
  /** Calls in arrival are answered 503; what was acknowledged stays in the state's queue for the next receiver. */
  close(): void;
}

/** Repeats of a delivery are recognized for at least this long. */
const memoryMs = 600_000;
/** Without a time of its own the same body may be sent again for good reasons, but not that soon. */
const timelessMemoryMs = 30_000;
/** Sending takes turns with the sockets. */
const turnMs = 5;

/** What there is to know of a call beside its bytes. */
interface Call {
  readonly exchange: Exchange;
  /** Monotonic moment. */
  readonly arrived: number;
  readonly sender: Sender | null;
}

interface Verdict {
  readonly reply: Reply;
  readonly payload?: WebhookPayload | undefined;
  readonly keyUsed?: 'current' | 'previous' | null;
  readonly delivery?: Delivery;
  readonly bytes?: number;
  readonly id?: string | undefined;
  /** Named only where its key store knows it or its signature held. */
  readonly installation?: string | undefined;
}

export function createReceiver(
  rules: ReceiverRules,
  state: ReceiverState,
  outlets: ReceiverOutlets,
  clock: ReceiverClock,
): Receiver {
  return new HttpReceiver(rules, state, outlets, clock);
}

/** For a path whose receiver is away for the moment, as while its node is being deployed again. */
export function answerBusy(req: IncomingMessage, res: ServerResponse, clock: ReceiverClock): void {
  new Exchange(req, res, clock).answer(refuse('busy'));
}

class HttpReceiver implements Receiver {
  /** Ends what a call waits for: its body, its keys. */
  private readonly reading = new Set<() => void>();
  private readonly report: ProblemReport;
  private sending = false;
  private closed = false;

  constructor(
    private readonly rules: ReceiverRules,
    private readonly state: ReceiverState,
    private readonly outlets: ReceiverOutlets,
    private readonly clock: ReceiverClock,
  ) {
    this.report = new ProblemReport(clock, (problem) => {
      this.guard(() => {
        outlets.problem(problem);
      });
    });
    // What the receiver before this one had acknowledged.
    if (state.queue.length > 0) this.send();
  }

  handle(req: IncomingMessage, res: ServerResponse, sender: Sender | null = null): void {
    const exchange = new Exchange(req, res, this.clock);
    const call = { exchange, arrived: this.clock.monotonic(), sender };
    this.guard(() => {
      const unread = this.closed ? refuse('busy') : this.refuseUnread(req, call);
      if (unread !== null) {
        this.conclude(call, { reply: unread });
        return;
      }
      const limits = { bytes: bodyLimit, deadlineMs: readDeadlineMs, budget: this.state.budget };
      let cancel: (() => void) | null = null;
      cancel = readBody(req, limits, this.clock, ({ bytes, failure }) => {
        if (cancel !== null) this.reading.delete(cancel);
        // Nobody is there to be answered, and half a delivery is none.
        if (failure === 'gone') return;
        this.guard(() => {
          if (failure !== null) this.conclude(call, { reply: refuse(failure) });
          else if (this.rules.findKeys === undefined) this.conclude(call, this.judgeSafely(call, bytes, null));
          else this.judgeWithKeys(call, bytes, this.rules.findKeys);
        });
      });
      if (!isFinished(exchange)) this.reading.add(cancel);
    });
  }

  /** A call whose keys are still to be looked up, which takes the same way whoever it is from. */
  private judgeWithKeys(call: Call, bytes: Buffer, findKeys: FindKeys): void {
    awaitKeys(findKeys, call.sender, this.clock, this.reading, (keys) => {
      this.guard(() => {
        this.conclude(call, keys === 'late' ? { reply: refuse('busy') } : this.judgeSafely(call, bytes, keys));
      });
    });
  }

  close(): void {
    this.closed = true;
    for (const cancel of [...this.reading]) cancel();
    this.reading.clear();
    this.report.stop();
  }

  /** Everything that can be told from the head of the request. */
  private refuseUnread(req: IncomingMessage, call: Call): Reply | null {
    if (req.method !== 'POST') return refuse('method');
    if (isAlreadyRead(req)) return refuse('raw_body_unavailable');
    const { headers } = req;
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding !== '' && encoding !== 'identity') return refuse('content_encoding');
    if (!isJsonType(headers['content-type'])) return refuse('content_type');
    if (Number(headers['content-length'] ?? 0) > bodyLimit) return refuse('too_large');
    const refusal = this.rules.proof.refuseUnread({ headers, url: req.url });
    return refusal === null ? null : this.refuseProof(refusal, call);
  }

  /** Installations are counted apart, known or not: behind a balancer they all come from one address. */
  private refuseProof(refusal: Refusal, { exchange: { remote }, sender }: Call): Reply {
    const installation = sender === null || sender === 'nobody' ? '' : ` ${sender.installation}`;
    return this.state.failures.exceeded(`${remote ?? ''}${installation}`)
      ? refuse('too_many_failures')
      : refuse(refusal);
  }

  /** A defect of ours still gets an answer, and the caller is not told that all was well. */
  private judgeSafely(call: Call, bytes: Buffer, keys: InstallationKeys | null): Verdict {
    try {
      return this.judge(call, bytes, keys);
    } catch (error) {
      this.guard(() => {
        this.outlets.fault(error);
      });
      return { reply: refuse('not_a_delivery'), bytes: bytes.length };
    }
  }

  private judge(call: Call, bytes: Buffer, keys: InstallationKeys | null): Verdict {
    const { exchange, sender } = call;
    const { req } = exchange;
    const { proof } = this.rules;
    const named = sender === null || sender === 'nobody' ? undefined : sender.installation;
    let keyUsed: 'current' | 'previous' | null = null;
    if (proof.ways.includes('hmac')) {
      keyUsed = proof.keyOf({ headers: req.headers, url: req.url }, bytes, keys);
      if (keyUsed === null || sender === 'nobody') {
        const installation = keys === null ? undefined : named;
        return { reply: this.refuseProof('bad_signature', call), bytes: bytes.length, installation };
      }
    } else if (sender === 'nobody') return { reply: refuse('monitor_not_allowed'), bytes: bytes.length };
    const delivery = read(bytes);
    if (typeof delivery === 'string') {
      return { reply: refuse(delivery), bytes: bytes.length, keyUsed, installation: named };
    }
    const { reply, payload, id } = this.admit(delivery, bytes, call.arrived, keyUsed, sender, keys);
    return { reply, payload, id, delivery, bytes: bytes.length, keyUsed, installation: named };
  }

  /** The call is genuine and a delivery: is it one we want, and for the first time? */
  private admit(
    delivery: Delivery,
    bytes: Buffer,
    arrived: number,
    keyUsed: 'current' | 'previous' | null,
    sender: PathSender | null,
    keys: InstallationKeys | null,
  ): Verdict {
    const { rules, state } = this;
    const at = this.clock.now();
    if (rules.monitors.size > 0 && (delivery.cemm === null || !rules.monitors.has(delivery.cemm))) {
      return { reply: refuse('monitor_not_allowed') };
    }
    if (speaksForAnother(delivery.cemm, sender, keys)) return { reply: refuse('monitor_not_allowed') };
    const stale = staleness(delivery, at, rules.maxAgeMs);
    if (stale !== null) return { reply: refuse('stale', stale) };
    const digest = hash('sha256', bytes);
    const meaning = rules.meaning(sender);
    const id = deliveryId(delivery, meaning, at, digest);
    // Bytes that name no monitor may be the same for two installations without being a repeat.
    const mark = sender === null ? digest : `${digest} ${sender.installation}`;
    if (state.memory.has(mark)) return { reply: accept(id, true), id };
    if (!state.queue.hasRoom(bytes.length)) return { reply: refuse('busy'), id };
    const payload = webhookPayload(delivery, meaning, {
      at,
      latencyMs: Math.round(this.clock.monotonic() - arrived),
      bytes: bytes.length,
      id,
      verified: rules.proof.ways,
      keyUsed,
      replayCheck: delivery.time !== null && rules.maxAgeMs > 0 ? 'window' : 'none',
    });
    state.memory.remember(mark, delivery.time === null ? timelessMemoryMs : Math.max(memoryMs, 2 * rules.maxAgeMs));
    state.queue.add(payload, bytes.length);
    return { reply: accept(id, false), payload, id };
  }

  private conclude(call: Call, verdict: Verdict): void {
    const { exchange } = call;
    if (!exchange.answer(verdict.reply)) return;
    if (verdict.payload !== undefined) {
      exchange.afterwards(() => {
        this.send();
      });
    }
    this.guard(() => {
      this.record(call, verdict);
    });
  }

  private record({ exchange, sender }: Call, verdict: Verdict): void {
    const { word, status } = verdict.reply;
    const at = this.clock.now();
    const { delivery, installation } = verdict;
    const outcome = {
      at,
      status,
      word,
      bytes: verdict.bytes ?? null,
      remote: exchange.remote,
      cemm: delivery?.cemm ?? null,
      id: verdict.id ?? null,
    };
    const isNamed = sender !== null && sender !== 'nobody';
    this.state.history.add(isNamed ? { ...outcome, installation: sender.installation } : outcome);
    if (word === 'accepted' || word === 'duplicate') {
      this.outlets.seen?.(delivery?.time ? secondsToMillis(delivery.time) : null, at, installation ?? null);
    } else if (!this.closed) {
      this.report.add(word, exchange.remote, installation);
    }
    this.outlets.outcome?.({ word, keyUsed: verdict.keyUsed ?? null });
  }

  /** Hands on what is in the queue, a few milliseconds at a time. */
  private send(): void {
    if (this.sending || this.closed) return;
    this.sending = true;
    const turn = (): void => {
      const end = this.clock.monotonic() + turnMs;
      while (!this.closed) {
        const payload = this.state.queue.take();
        if (payload === undefined) break;
        this.guard(() => {
          this.outlets.deliver(payload);
        });
        if (this.clock.monotonic() >= end) break;
      }
      this.sending = this.state.queue.length > 0 && !this.closed;
      if (this.sending) this.clock.soon(turn);
    };
    this.clock.soon(turn);
  }

  /** Nothing that happens here may end the process: after the answer nobody else would catch it. */
  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      try {
        this.outlets.fault(error);
      } catch {
        // The log itself fails: there is nobody left to tell.
      }
    }
  }
}

function isFinished(exchange: Exchange): boolean {
  return exchange.res.headersSent || exchange.res.destroyed;
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

function read(bytes: Buffer): Delivery | Refusal {
  try {
    return readDelivery(parseJson(bytes));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (error.expected === 'utf8') return 'bad_encoding';
    if (error.expected === 'shallow_nesting') return 'too_deep';
    return error.expected === 'json' || error.expected === 'plain_keys' ? 'bad_json' : 'not_a_delivery';
  }
}

/** The sentence for a delivery that is too old or too new, naming both clocks; null for one that is in time. */
function staleness(delivery: Delivery, at: Millis, maxAgeMs: number): string | null {
  if (maxAgeMs === 0) return null;
  if (delivery.timeIsAbsurd) return 'The time of the delivery is no moment between 2010 and 2100.';
  if (delivery.time === null) return null;
  const started = secondsToMillis(delivery.time);
  if (Math.abs(at - started) <= maxAgeMs) return null;
  const clocks = [new Date(started), new Date(at)].map((moment) => moment.toISOString());
  return `Monitor clock ${clocks[0] ?? ''}, receiver clock ${clocks[1] ?? ''}: more than ${maxAgeMs / 1000} s apart.`;
}
