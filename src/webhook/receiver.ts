/**
 * The receiver of a monitor's deliveries: a request handler that knows nothing but node:http. In this order: the call is
 * verified, parsed, remembered, answered, and only then handed on, so that a slow or broken flow never costs an answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebhookPayload } from '../model/payload';
import type { Problem } from '../model/delivery';
import { type Millis, secondsToMillis } from '../protocol/time';
import { HttpExchange, errorResponse, type WebhookResponse } from './http-exchange';
import type { Clock } from '../clock';
import { lookUpKeys, type KeyLookup, type InstallationKeys } from './keys';
import { bodyLimit, type Call, Admission, type ReceiverRules, type AdmissionResult } from './admission';
import type { PathMatch } from './path-pattern';
import { ProblemReport } from './problem-report';
import { readBody } from './raw-body';
import type { ReceiverState } from './receiver-state';
import { StepQueue } from './delivery-queue';

export const readDeadlineMs = 3000;

/** None of these may be called before the answer is given. They may throw: it goes to `fault`. */
export interface ReceiverCallbacks {
  deliver(payload: WebhookPayload): void;
  problem(problem: Problem): void;
  /** After every answer, for status and list. */
  outcome?(outcome: { readonly word: WebhookResponse['word']; readonly keyUsed: 'current' | 'previous' | null }): void;
  /** A verified delivery was seen, repeats included: what the watch over missed slots lives on. */
  seen?(started: Millis | null, arrived: Millis, installation: string | null): void;
  /** Something that must not happen; the process goes on. */
  fault(error: unknown): void;
}

export interface Receiver {
  /** `sender` is null where the path holds no parameters. */
  handle(req: IncomingMessage, res: ServerResponse, sender?: PathMatch | null): void;
  /** Calls in arrival are answered 503, deliveries that were accepted are made ready; what was acknowledged stays in the state's queue for the next receiver. */
  close(): void;
}

/** Sending takes turns with the sockets. */
const turnMs = 5;

export function createReceiver(
  rules: ReceiverRules,
  state: ReceiverState,
  callbacks: ReceiverCallbacks,
  clock: Clock,
): Receiver {
  return new HttpReceiver(rules, state, callbacks, clock);
}

/** For a path whose receiver is away for the moment, as while its node is being deployed again. */
export function respondBusy(req: IncomingMessage, res: ServerResponse, clock: Clock): void {
  new HttpExchange(req, res, clock).respond(errorResponse('busy'));
}

class HttpReceiver implements Receiver {
  /** Ends what a call waits for: its body, its keys. */
  private readonly reading = new Set<() => void>();
  private readonly judge: Admission;
  private readonly report: ProblemReport;
  private readonly steps: StepQueue;
  private sending = false;
  private closed = false;

  constructor(
    private readonly rules: ReceiverRules,
    private readonly state: ReceiverState,
    private readonly callbacks: ReceiverCallbacks,
    private readonly clock: Clock,
  ) {
    this.judge = new Admission(rules, state, clock);
    this.steps = new StepQueue(clock);
    this.report = new ProblemReport(clock, (problem) => {
      this.guard(() => {
        callbacks.problem(problem);
      });
    });
    // What the receiver before this one had acknowledged.
    if (state.queue.length > 0) this.send();
  }

  handle(req: IncomingMessage, res: ServerResponse, sender: PathMatch | null = null): void {
    const exchange = new HttpExchange(req, res, this.clock);
    const call = { exchange, arrived: this.clock.monotonic(), sender };
    this.guard(() => {
      const unread = this.closed ? errorResponse('busy') : this.judge.refuseUnread(req, call);
      if (unread !== null) {
        this.conclude(call, { reply: unread });
        return;
      }
      const limits = { bytes: bodyLimit, deadlineMs: readDeadlineMs, memory: this.state.bodyMemory };
      let cancel: (() => void) | null = null;
      cancel = readBody(req, limits, this.clock, ({ bytes, failure }) => {
        if (cancel !== null) this.reading.delete(cancel);
        // Nobody is there to be answered, and half a delivery is none.
        if (failure === 'gone') return;
        this.guard(() => {
          if (failure !== null) this.conclude(call, { reply: errorResponse(failure) });
          else if (this.rules.lookUpKeys === undefined) this.judgeBody(call, bytes, null);
          else this.judgeWithKeys(call, bytes, this.rules.lookUpKeys);
        });
      });
      if (!isFinished(exchange)) this.reading.add(cancel);
    });
  }

  /** A call whose keys are still to be looked up, which takes the same way whoever it is from. */
  private judgeWithKeys(call: Call, bytes: Buffer, findKeys: KeyLookup): void {
    lookUpKeys(findKeys, call.sender, this.clock, this.reading, (keys) => {
      this.guard(() => {
        if (keys === 'late') this.conclude(call, { reply: errorResponse('busy') });
        else this.judgeBody(call, bytes, keys);
      });
    });
  }

  close(): void {
    this.closed = true;
    for (const cancel of [...this.reading]) cancel();
    this.reading.clear();
    this.steps.finish();
    this.report.stop();
  }

  /** A payload that takes long to make is made in steps, between which other calls are answered. */
  private judgeBody(call: Call, bytes: Buffer, keys: InstallationKeys | null): void {
    const verdict = this.orDefect(bytes, () => this.judge.verdictOf(call, bytes, keys));
    const { parts } = verdict;
    if (parts === undefined) {
      this.conclude(call, verdict);
      return;
    }
    this.steps.add(() => {
      const outcome = this.orDefect(bytes, () => {
        const payload = parts.next();
        return payload === null ? null : { ...verdict, payload };
      });
      if (outcome === null) return false;
      this.guard(() => {
        this.conclude(call, outcome);
      });
      return true;
    });
  }

  /** A defect of ours still gets an answer, and the caller is not told that all was well. */
  private orDefect<T>(bytes: Buffer, judge: () => T): T | AdmissionResult {
    try {
      return judge();
    } catch (error) {
      this.guard(() => {
        this.callbacks.fault(error);
      });
      return { reply: errorResponse('not_a_delivery', 'The receiver cannot process this body.'), bytes: bytes.length };
    }
  }

  private conclude(call: Call, verdict: AdmissionResult): void {
    const { exchange } = call;
    if (!exchange.respond(verdict.reply)) return;
    if (verdict.payload !== undefined) {
      exchange.afterResponse(() => {
        this.send();
      });
    }
    this.guard(() => {
      this.record(call, verdict);
    });
  }

  private record({ exchange, sender }: Call, verdict: AdmissionResult): void {
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
    this.state.history.add(
      sender?.kind === 'installation' ? { ...outcome, installation: sender.installation } : outcome,
    );
    if (word === 'accepted' || word === 'duplicate') {
      this.callbacks.seen?.(delivery?.time ? secondsToMillis(delivery.time) : null, at, installation ?? null);
    } else if (!this.closed) {
      this.report.add(word, exchange.remote, installation);
    }
    this.callbacks.outcome?.({ word, keyUsed: verdict.keyUsed ?? null });
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
          this.callbacks.deliver(payload);
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
        this.callbacks.fault(error);
      } catch {
        // The log itself fails: there is nobody left to tell.
      }
    }
  }
}

function isFinished(exchange: HttpExchange): boolean {
  return exchange.res.headersSent || exchange.res.destroyed;
}
