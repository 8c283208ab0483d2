/**
 * Receives deliveries over node:http. Each request is read, authenticated, admitted and answered, and only then its payload is
 * sent to the flow. A slow or broken flow never delays a response.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../time/clock';
import type { Problem } from '../model/delivery';
import type { WebhookPayload } from '../model/payload';
import { type Millis, secondsToMillis } from '../time/units';
import { Admission, type AdmissionResult, type ReceiverRules } from './admission';
import { bodyLimit, RequestAuthentication, type WebhookRequest } from './authentication';
import { StepQueue } from './delivery-queue';
import { errorResponse, HttpExchange, type WebhookResponse } from './http-exchange';
import { type InstallationKeys, lookUpKeys } from './keys';
import type { PathMatch } from './path-pattern';
import { ProblemReport } from './problem-report';
import { readRawBody } from './raw-body';
import type { ReceiverState } from './receiver-state';

const readDeadlineMs = 3000;

/** Sending payloads alternates with the work of the sockets. */
const turnMs = 5;

export interface ArrivedDelivery {
  readonly at: Millis;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** All are called after the response. Their exceptions go to `fault`. */
export interface ReceiverCallbacks {
  deliver(payload: WebhookPayload): void;
  problem(problem: Problem): void;
  /** After every response, for status and list. */
  outcome?(outcome: { readonly word: WebhookResponse['word']; readonly keyUsed: 'current' | 'previous' | null }): void;
  /** An authentic delivery arrived, repeats included: ends the wait for a missed one. */
  seen?(started: Millis | null, arrived: Millis, installation: string | null): void;
  /** Head and body of an authentic delivery, repeats and refused ones included, as they came. */
  arrived?(delivery: ArrivedDelivery): void;
  /** An internal error; the process continues. */
  fault(error: unknown): void;
}

/** Result of a request, for the history and the callbacks. */
interface Outcome {
  readonly response: WebhookResponse;
  readonly body: Buffer | null;
  readonly keyUsed: 'current' | 'previous' | null;
  readonly installation: string | undefined;
  /** Null if the request was not authentic, or an internal error occurred before. */
  readonly admission: AdmissionResult | null;
}

/** For a path without a receiver at present, for example while its node is redeployed. */
export function respondBusy(req: IncomingMessage, res: ServerResponse, clock: Clock): void {
  new HttpExchange(req, res, clock).respond(errorResponse('busy'));
}

export class Receiver {
  /** Each function ends a wait for a body or for keys. */
  private readonly waits = new Set<() => void>();
  private readonly authentication: RequestAuthentication;
  private readonly admission: Admission;
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
    this.authentication = new RequestAuthentication(rules.authenticator, state.failures);
    this.admission = new Admission(rules, state, clock);
    this.steps = new StepQueue(clock);
    this.report = new ProblemReport(clock, (problem) => {
      this.guard(() => {
        callbacks.problem(problem);
      });
    });
    // Queued by the previous receiver of this state.
    if (state.queue.length > 0) this.send();
  }

  /** @param match null if the path of the receiver has no parameters */
  handle(req: IncomingMessage, res: ServerResponse, match: PathMatch | null = null): void {
    const exchange = new HttpExchange(req, res, this.clock);
    const request = { exchange, arrived: this.clock.monotonic(), match };
    this.guard(() => {
      const error = this.closed ? errorResponse('busy') : this.authentication.checkHead(req, request);
      if (error === null) this.readBody(request);
      else this.conclude(request, withoutBody(error));
    });
  }

  /**
   * Answers arriving requests with 503 and finishes payloads in progress. Payloads that are not sent yet stay in the queue of
   * the state, for the next receiver.
   */
  close(): void {
    this.closed = true;
    for (const end of [...this.waits]) end();
    this.waits.clear();
    this.steps.finish();
    this.report.stop();
  }

  private readBody(request: WebhookRequest): void {
    const { req, res, remote } = request.exchange;
    let endRequest = (): void => undefined;
    const claim = this.state.bodyMemory.claimMemory(remote, () => {
      endRequest();
    });
    const limits = { bytes: bodyLimit, deadlineMs: readDeadlineMs, claim };
    const cancel = readRawBody(req, limits, this.clock, ({ bytes, failure }) => {
      this.waits.delete(endRequest);
      if (bytes === null) claim.release();
      // The client has disconnected, so no response is possible, and half a delivery is useless.
      if (failure === 'gone') return;
      this.guard(() => {
        if (failure !== null) this.conclude(request, withoutBody(errorResponse(failure)));
        else {
          endRequest = this.lookUpKeys(request, (keys) => {
            claim.release();
            if (keys === 'late') this.conclude(request, withoutBody(errorResponse('busy')));
            else this.processBody(request, bytes, keys);
          });
        }
      });
    });
    endRequest = cancel;
    if (!res.headersSent && !res.destroyed) this.waits.add(cancel);
  }

  /** The same steps for known and unknown installations, so the time does not reveal which they are. */
  private lookUpKeys(request: WebhookRequest, done: (keys: InstallationKeys | null | 'late') => void): () => void {
    const { lookUpKeys: keyLookup } = this.rules;
    if (keyLookup !== undefined) {
      return lookUpKeys(keyLookup, request.match, this.clock, this.waits, (keys) => {
        this.guard(() => {
          done(keys);
        });
      });
    }
    done(null);
    return () => undefined;
  }

  private processBody(request: WebhookRequest, body: Buffer, keys: InstallationKeys | null): void {
    const outcome = this.catchFault(body, () => this.process(request, body, keys));
    const parts = outcome.admission?.parts;
    if (parts === undefined) {
      this.conclude(request, outcome);
      return;
    }
    // A payload that takes long is made in steps, with other requests in between.
    this.steps.add(() => {
      const finished = this.catchFault(body, () => (parts.next() === null ? null : outcome));
      if (finished === null) return false;
      this.guard(() => {
        this.conclude(request, finished);
      });
      return true;
    });
  }

  private process(request: WebhookRequest, body: Buffer, keys: InstallationKeys | null): Outcome {
    const { match, arrived } = request;
    const { error, keyUsed, installation } = this.authentication.authenticate(request, body, keys);
    if (error !== null) return { response: error, body, keyUsed, installation, admission: null };
    const path = match?.kind === 'installation' ? match : null;
    const admission = this.admission.admit({ arrived, path, keys, keyUsed }, body);
    return { response: admission.response, body, keyUsed, installation, admission };
  }

  /** An internal error gets a response as well, and not a successful one. */
  private catchFault<T>(body: Buffer, work: () => T): T | Outcome {
    try {
      return work();
    } catch (error) {
      this.guard(() => {
        this.callbacks.fault(error);
      });
      const response = errorResponse('not_a_delivery', 'The receiver cannot process this body.');
      return { ...withoutBody(response), body };
    }
  }

  private conclude(request: WebhookRequest, outcome: Outcome): void {
    const { exchange } = request;
    if (!exchange.respond(outcome.response)) return;
    if (outcome.response.word === 'accepted') {
      exchange.afterResponse(() => {
        this.send();
      });
    }
    this.guard(() => {
      this.recordRequest(request, outcome);
    });
  }

  private recordRequest({ exchange, match }: WebhookRequest, outcome: Outcome): void {
    const { response, body, keyUsed, installation, admission } = outcome;
    const bytes = body?.length ?? null;
    const { word, status } = response;
    const at = this.clock.now();
    const { delivery, id = null } = admission ?? {};
    const entry = { at, status, word, bytes, remote: exchange.remote, cemm: delivery?.cemm ?? null, id };
    this.state.history.add(match?.kind === 'installation' ? { ...entry, installation: match.installation } : entry);
    if (word === 'accepted' || word === 'duplicate') {
      this.callbacks.seen?.(delivery?.time ? secondsToMillis(delivery.time) : null, at, installation ?? null);
    } else if (!this.closed) {
      this.report.add(word, exchange.remote, installation);
    }
    this.callbacks.outcome?.({ word, keyUsed });
    if (delivery !== undefined && body !== null) this.callbacks.arrived?.({ at, headers: exchange.req.headers, body });
  }

  /** Sends queued payloads, for a few milliseconds at a time. */
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

  /** After the response no other code catches an error, which would end the process. */
  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      try {
        this.callbacks.fault(error);
      } catch {
        // The log itself failed, so it cannot be reported.
      }
    }
  }
}

function withoutBody(response: WebhookResponse): Outcome {
  return { response, body: null, keyUsed: null, installation: undefined, admission: null };
}
