/** `createWebhookReceiver()`: a request handler for deliveries, with its own clock, limits and replay cache. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTimezone } from './calendar/zone';
import { runCallback } from './callback';
import { CemmError } from './errors';
import type { ProblemPayload, WebhookPayload } from './model/payload';
import { type DeliveryContext, problemPayload } from './model/delivery';
import { backgroundClock } from './clock';
import type { HmacKey } from './webhook/keys';
import { type Authenticator, createAuthenticator } from './webhook/signature';
import { createReceiver } from './webhook/receiver';
import { createReceiverState } from './webhook/receiver-state';

/** A key and the name under which it is sent. */
export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

export interface WebhookReceiverOptions {
  /** The HMAC key that is entered in the webhook on the monitor. A text is used as its UTF-8 bytes. */
  readonly hmacKey?: HmacKey | undefined;
  /** Accepted as well while the key on the monitor is being changed. */
  readonly previousHmacKey?: HmacKey | undefined;
  /** A key in a header. If several keys are given, all of them must match. */
  readonly header?: NamedKey | undefined;
  /** A key in the query of the URL. */
  readonly query?: NamedKey | undefined;
  /** True: accept deliveries without any key. */
  readonly open?: boolean | undefined;
  /**
   * Largest difference between the time of a signed delivery and the clock of this machine, in ms. Default 300 000; 0: not
   * checked.
   */
  readonly maxAgeMs?: number | undefined;
  /** The `cemm` numbers of the allowed monitors. Default: all. */
  readonly monitors?: Iterable<number> | undefined;
  /** IANA time zone of the house. Default `Europe/Amsterdam`. */
  readonly timezone?: string | undefined;
  /** Mount path of the receiver: part of the `id` of deliveries that name no monitor. Default `/cemm`. */
  readonly path?: string | undefined;
  /** Called once for each delivery, after the response; repeats do not call it again. */
  readonly onDelivery: (delivery: WebhookPayload) => void;
  /** Called for refused requests: at once for the first of a kind, then at most once a minute with their count. */
  readonly onProblem?: ((problem: ProblemPayload) => void) | undefined;
}

/** A request handler for `http.createServer` and Express. It answers every request that it gets. */
export interface WebhookReceiver {
  (req: IncomingMessage, res: ServerResponse): void;
  /**
   * Responds with 503 from now on and calls no callback any more. Deliveries that were not passed to `onDelivery` yet are lost.
   */
  close(): void;
}

/**
 * Verifies, parses and answers deliveries (JSON, status 200), and then passes them on as normalized payloads. The signature is
 * HMAC-SHA512 over the bytes of the body, so no body parser may read the request first. Bodies have up to 256 kB and 3 seconds;
 * repeats are recognized for ten minutes. An error that a callback throws is an uncaught exception, as with Node's event
 * listeners.
 * @throws {CemmError} CONFIG: `webhook_no_proof` (neither a key nor `open`), `webhook_blank_key`, `timezone`
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { timezone = 'Europe/Amsterdam', path = '/cemm', maxAgeMs = 300_000, monitors = [] } = options;
  const { onDelivery, onProblem } = options;
  if (!isTimezone(timezone)) throw config('timezone');
  const authenticator = authenticatorOf(options);
  const context: DeliveryContext = {
    ...{ timezone, path, catalogue: new Map(), monitor: null, interval: null },
    subject: { meter: '', channel: '' },
  };
  const rules = { authenticator, maxAgeMs, monitors: new Set(monitors), contextOf: () => context };
  const callbacks = {
    deliver: (delivery: WebhookPayload) => {
      runCallback(() => {
        onDelivery(delivery);
      });
    },
    problem: (problem: Parameters<typeof problemPayload>[0]) => {
      runCallback(() => onProblem?.(problemPayload(problem, path, null)));
    },
    fault: (error: unknown) => {
      process.emitWarning(error instanceof Error ? error : String(error));
    },
  };
  const receiver = createReceiver(rules, createReceiverState(backgroundClock), callbacks, backgroundClock);
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    receiver.handle(req, res);
  };
  return Object.assign(handle, {
    close: () => {
      receiver.close();
    },
  });
}

function authenticatorOf({
  hmacKey,
  previousHmacKey,
  header,
  query,
  open = false,
}: WebhookReceiverOptions): Authenticator {
  if (hmacKey === undefined && header === undefined && query === undefined && !open) {
    throw config('webhook_no_proof');
  }
  const hmac = hmacKey === undefined ? undefined : { current: hmacKey, previous: previousHmacKey };
  try {
    return createAuthenticator({ hmac, header, query });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw config('webhook_blank_key');
  }
}

function config(reason: string): CemmError {
  return new CemmError('CONFIG', { reason });
}
