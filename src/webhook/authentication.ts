/**
 * Authenticates a request: first its head, then the signature over the bytes of the body. Counts failures and changes nothing
 * else.
 */
import type { IncomingMessage } from 'node:http';
import { errorResponse, type HttpExchange, type WebhookErrorWord, type WebhookResponse } from './http-exchange';
import type { InstallationKeys } from './keys';
import type { InstallationPath, PathMatch } from './path-pattern';
import type { FailureLimit } from './quotas';
import { networkOf } from './remote-network';
import { isAlreadyRead } from './raw-body';
import { type Authenticator, isShort } from './signature';

export const bodyLimit = 256 * 1024;

/** A request in progress in a receiver. */
export interface WebhookRequest {
  readonly exchange: HttpExchange;
  /** Monotonic time of its arrival. */
  readonly arrived: number;
  /** The match of its path; null if the path of the receiver has no parameters. */
  readonly match: PathMatch | null;
}

export interface AuthenticationResult {
  /** Null if the request is authentic. */
  readonly error: WebhookResponse | null;
  readonly keyUsed: 'current' | 'previous' | null;
  /** The values of the path, if the request is authentic or has a key; undefined if the path has no parameters. */
  readonly installation: string | undefined;
}

/** A request that passed authentication. */
export interface AuthenticRequest {
  readonly arrived: number;
  readonly path: InstallationPath | null;
  readonly keys: InstallationKeys | null;
  readonly keyUsed: 'current' | 'previous' | null;
}

export class RequestAuthentication {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly failures: FailureLimit,
  ) {}

  /** Checks the head before the body is read. */
  checkHead(req: IncomingMessage, request: WebhookRequest): WebhookResponse | null {
    if (req.method !== 'POST') return errorResponse('method');
    if (isAlreadyRead(req)) return errorResponse('raw_body_unavailable');
    const { headers } = req;
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding !== '' && encoding !== 'identity') return errorResponse('content_encoding');
    if (!isJsonType(headers['content-type'])) return errorResponse('content_type');
    if (Number(headers['content-length'] ?? 0) > bodyLimit) return errorResponse('too_large');
    const { authenticator } = this;
    if (authenticator.hasShortKey && this.failures.isReached(senderOf(request)))
      return errorResponse('too_many_failures');
    const error = authenticator.checkHead({ headers, url: req.url });
    return error === null ? null : this.fail(error, request);
  }

  /** @param keys keys of the installation, null for an unknown one; only used if keys are looked up per request */
  authenticate(request: WebhookRequest, body: Buffer, keys: InstallationKeys | null): AuthenticationResult {
    const { exchange, match } = request;
    const installation = match?.kind === 'installation' ? match.installation : undefined;
    const { headers, url } = exchange.req;
    if (!this.authenticator.methods.includes('hmac')) {
      const error = match?.kind === 'invalid' ? errorResponse('monitor_not_allowed') : null;
      return { error, keyUsed: null, installation };
    }
    // Takes as long as for other keys, so the time does not reveal a known installation.
    const isGuessed = keys !== null && hasShortKey(keys) && this.failures.isReached(senderOf(request, true));
    const keyUsed = this.authenticator.matchSignature({ headers, url }, body, isGuessed ? null : keys);
    if (keyUsed !== null && match?.kind !== 'invalid') return { error: null, keyUsed, installation };
    return {
      error: this.fail('bad_signature', request),
      keyUsed: null,
      installation: keys === null ? undefined : installation,
    };
  }

  /**
   * Counts failures per address if all installations share a key, even under many names; other keys count per installation as
   * well.
   */
  private fail(error: WebhookErrorWord, request: WebhookRequest): WebhookResponse {
    const isOfInstallation = error !== 'bad_key' && this.authenticator.isPerRequest;
    return this.failures.exceeded(senderOf(request, isOfInstallation))
      ? errorResponse('too_many_failures')
      : errorResponse(error);
  }
}

/** Behind a load balancer all requests come from one address, so failures are counted per installation there. */
function senderOf({ exchange: { remote }, match }: WebhookRequest, isOfInstallation = false): string {
  const network = networkOf(remote);
  return isOfInstallation && match?.kind === 'installation' ? `${network} ${match.installation}` : network;
}

function hasShortKey({ current, previous }: InstallationKeys): boolean {
  return isShort(current) || (previous !== undefined && isShort(previous));
}

/** `application/json`, with no charset other than UTF-8. */
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
