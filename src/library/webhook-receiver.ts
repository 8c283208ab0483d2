/** `createWebhookReceiver()`: a request handler for deliveries, with its own clock, limits and replay cache. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTimezone } from '../calendar/zone';
import { guarded, throwUncaught } from './callback';
import { isRecord } from '../checks/record';
import { CemmError } from '../errors';
import type { ProblemPayload, WebhookPayload } from '../model/payload';
import { contextOfPath, type DeliveryContext, type Problem, problemPayload } from '../model/delivery';
import { backgroundClock } from '../time/clock';
import {
  callback,
  checkArgument,
  checkOptions,
  described,
  flag,
  type Kind,
  milliseconds,
  needed,
  object,
  type OptionTable,
  text,
} from '../checks/options';
import { type HmacKey, isBlank, type KeyLookup, readInstallationKeys } from '../webhook/keys';
import { createPathPattern, type InstallationPath } from '../webhook/path-pattern';
import { type Authenticator, createAuthenticator, sign as signBytes } from '../webhook/signature';
import { Receiver } from '../webhook/receiver';
import { createReceiverState } from '../webhook/receiver-state';

/** A key and the name under which it is sent. */
export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/** The installation in the URL of a request. */
export interface Installation {
  /** The values of all parameters of the path, joined with slashes: `house-1`. */
  readonly installation: string;
  /** Parameter → value: `{ installation: 'house-1' }` for the path `/cemm/:installation`. */
  readonly params: Readonly<Record<string, string>>;
}

/** The HMAC key of an installation, or the key with more about it. */
export type InstallationKey =
  | string
  | {
      readonly key: string;
      /** Accepted as well while the key on the monitor is being changed. */
      readonly previous?: string | undefined;
      /** Number of the monitor, or of the monitors, that may sign with it. Default: any. */
      readonly cemm?: number | readonly number[] | undefined;
    };

export interface WebhookReceiverOptions {
  /** The HMAC key that is entered in the webhook on the monitor. A text is used as its UTF-8 bytes. */
  readonly hmacKey?: HmacKey | undefined;
  /** Accepted as well while the key on the monitor is being changed. */
  readonly previousHmacKey?: HmacKey | undefined;
  /**
   * A key for each installation, for a `path` with a parameter: called for every delivery with what the URL names. Null: an
   * unknown installation, whose deliveries are refused like those with a wrong signature. May take a second.
   */
  readonly keys?: ((installation: Installation) => KeyOfInstallation | Promise<KeyOfInstallation>) | undefined;
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
  /**
   * Path of the receiver, as the URLs of its requests have it. Part of the `id` of deliveries that name no monitor. Its
   * parameters (`/cemm/:installation`) are the `installation` of a payload. Default `/cemm`.
   */
  readonly path?: string | undefined;
  /** Called once for each delivery, after the response; repeats do not call it again. */
  readonly onDelivery: (delivery: WebhookPayload) => void;
  /** Called for refused requests: at once for the first of a kind, then at most once a minute with their count. */
  readonly onProblem?: ((problem: ProblemPayload) => void) | undefined;
}

/** Null or undefined: the installation is not known. */
export type KeyOfInstallation = InstallationKey | null | undefined;

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
 * @throws {CemmError} CONFIG: `webhook_no_proof` (neither a key nor `open`), `webhook_two_keys`, `webhook_no_installation`,
 * `webhook_blank_key`, `timezone`, `option_missing`, `option_type`, `option_unknown`
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  checkReceiverOptions(options);
  const { timezone = 'Europe/Amsterdam', maxAgeMs = 300_000, monitors = [], keys } = options;
  const { onDelivery, onProblem } = options;
  if (!isTimezone(timezone)) throw new CemmError('CONFIG', { reason: 'timezone' });
  const path = (options.path ?? '/cemm').replace(/(?<=.)\/+$/, '');
  const pattern = createPathPattern(path);
  if (keys !== undefined && pattern === null) throw new CemmError('CONFIG', { reason: 'webhook_no_installation' });
  const authenticator = authenticatorOf(options);
  const own = contextOfPath(path, timezone);
  const contextOf = (match: InstallationPath | null): DeliveryContext =>
    match === null ? own : { ...own, path: match.path, installation: match.installation };
  const rules = {
    authenticator,
    maxAgeMs,
    monitors: numbersIn(monitors),
    contextOf,
    sharesKey: keys === undefined && pattern !== null && authenticator.methods.length > 0,
    lookUpKeys: keys === undefined ? undefined : lookupOf(keys),
  };
  const callbacks = {
    deliver: guarded(onDelivery),
    problem: guarded((problem: Problem) => onProblem?.(problemPayload(problem, path, null))),
    fault: (error: unknown) => {
      process.emitWarning(error instanceof Error ? error : String(error));
    },
  };
  const receiver = new Receiver(rules, createReceiverState(backgroundClock), callbacks, backgroundClock);
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    receiver.handle(req, res, pattern === null ? null : pattern.match(urlOf(req)));
  };
  return Object.assign(handle, {
    close: () => {
      receiver.close();
    },
  });
}

/** Express replaces `url` by the part behind the path of a router, and keeps the whole in `originalUrl`. */
function urlOf(req: IncomingMessage): string {
  const whole: unknown = Reflect.get(req, 'originalUrl');
  return typeof whole === 'string' ? whole : (req.url ?? '');
}

/** An error of the callback is an uncaught exception, and the installation counts as unknown. */
function lookupOf(keys: NonNullable<WebhookReceiverOptions['keys']>): KeyLookup {
  return (match, found) => {
    if (match === null) {
      found(null);
      return;
    }
    const { installation, params } = match;
    const failed = (error: unknown): void => {
      found(null);
      throwUncaught(error);
    };
    try {
      const answer = keys({ installation, params });
      // A promise of a function node is of another realm, so it is no instance of this one's class.
      if (isThenable(answer))
        Promise.resolve(answer).then((key) => {
          found(readInstallationKeys(key));
        }, failed);
      else found(readInstallationKeys(answer));
    } catch (error) {
      failed(error);
    }
  };
}

function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return isRecord(answer) && typeof answer['then'] === 'function';
}

const hmacKind: Kind = {
  expected: 'a text or a Uint8Array',
  accepts: (value) => typeof value === 'string' || value instanceof Uint8Array,
};
const namedKey = described(object, "an object, such as { name: 'X-API-Key', key: '…' }");
const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
const numbers: Kind = {
  expected: 'a list of numbers',
  accepts: isIterable,
};

const table: OptionTable<WebhookReceiverOptions> = {
  hmacKey: hmacKind,
  previousHmacKey: hmacKind,
  keys: callback,
  header: namedKey,
  query: namedKey,
  open: flag,
  maxAgeMs: milliseconds,
  monitors: numbers,
  onProblem: callback,
  timezone: described(text, 'a text: an IANA name, such as Europe/Amsterdam'),
  path: { expected: 'a path, such as /cemm', accepts: (value) => typeof value === 'string' && value.startsWith('/') },
  onDelivery: needed(callback),
};
const namedTable: OptionTable<NamedKey> = { name: needed(text), key: needed(text) };

function checkReceiverOptions(options: WebhookReceiverOptions): void {
  checkOptions('CONFIG', options, table);
  const { hmacKey, previousHmacKey, header, query, keys, open = false } = options;
  if (header !== undefined) checkOptions('CONFIG', header, namedTable, 'header');
  if (query !== undefined) checkOptions('CONFIG', query, namedTable, 'query');
  if (hmacKey !== undefined && keys !== undefined) throw new CemmError('CONFIG', { reason: 'webhook_two_keys' });
  if (previousHmacKey !== undefined && hmacKey === undefined) {
    const params = { option: 'hmacKey', expected: 'the present key, beside `previousHmacKey`' };
    throw new CemmError('CONFIG', { reason: 'option_missing', params });
  }
  const proofs = [hmacKey, header, query, keys];
  if (proofs.every((proof) => proof === undefined) && !open)
    throw new CemmError('CONFIG', { reason: 'webhook_no_proof' });
}

/** Read once, because an iterator can be. */
function numbersIn(monitors: Iterable<unknown>): ReadonlySet<number> {
  const all = [...monitors];
  const valid = all.filter((number): number is number => typeof number === 'number' && Number.isInteger(number));
  const isList: Kind = { ...numbers, accepts: () => valid.length === all.length };
  checkArgument('CONFIG', 'monitors', all, isList);
  return new Set(valid);
}

function authenticatorOf({ hmacKey, previousHmacKey, header, query, keys }: WebhookReceiverOptions): Authenticator {
  const own = { hmacKey, 'header.key': header?.key, 'query.key': query?.key };
  for (const [option, key] of Object.entries(own)) {
    if (key !== undefined && isBlank(key))
      throw new CemmError('CONFIG', { reason: 'webhook_blank_key', params: { option } });
  }
  const current = hmacKey === undefined ? undefined : { current: hmacKey, previous: previousHmacKey };
  return createAuthenticator({ hmac: keys === undefined ? current : 'per_request', header, query });
}

/**
 * The signature of a delivery, for tests of a receiver: the header `X-Signature` of the request that a monitor sends.
 * @param body the bytes of the request, or a text, which is sent as UTF-8
 * @throws {CemmError} CONFIG: `webhook_blank_key`, `option_missing`, `option_type`
 */
export function sign(key: HmacKey, body: string | Uint8Array): string {
  checkArgument('CONFIG', 'key', key, needed(hmacKind));
  checkArgument('CONFIG', 'body', body, needed(hmacKind));
  if (isBlank(key)) throw new CemmError('CONFIG', { reason: 'webhook_blank_key', params: { option: 'key' } });
  return signBytes(key, typeof body === 'string' ? Buffer.from(body, 'utf8') : body);
}
