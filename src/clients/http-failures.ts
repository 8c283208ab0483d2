/**
 * Maps network errors, HTTP statuses and invalid JSON to failures. Uses only the code of a Node error, because its text
 * may contain the URL.
 */
import { addressPublic, addressRefused } from './address';
import type { Failure } from '../errors';
import { type Millis, minuteMs } from '../time/units';
import { parseUnchecked, ProtocolError, removeReservedKeys } from '../protocol/json';

const byCode: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { code: 'NETWORK', reason: 'refused' },
  ENOTFOUND: { code: 'NETWORK', reason: 'name_not_found' },
  ENODATA: { code: 'NETWORK', reason: 'name_not_found' },
  EAI_AGAIN: { code: 'NETWORK', reason: 'name_service' },
  EAI_FAIL: { code: 'NETWORK', reason: 'name_service' },
  EHOSTUNREACH: { code: 'NETWORK', reason: 'unreachable' },
  ENETUNREACH: { code: 'NETWORK', reason: 'unreachable' },
  EHOSTDOWN: { code: 'NETWORK', reason: 'unreachable' },
  ENETDOWN: { code: 'NETWORK', reason: 'unreachable' },
  ECONNRESET: { code: 'NETWORK', reason: 'reset' },
  EPIPE: { code: 'NETWORK', reason: 'reset' },
  ERR_STREAM_PREMATURE_CLOSE: { code: 'NETWORK', reason: 'reset' },
  ETIMEDOUT: { code: 'NETWORK', reason: 'timeout' },
  [addressPublic]: { code: 'CONFIG', reason: 'base_scheme' },
  [addressRefused]: { code: 'NETWORK', reason: 'address_refused' },
  HPE_INVALID_EOF_STATE: { code: 'NETWORK', reason: 'reset' },
  HPE_HEADER_OVERFLOW: { code: 'TOO_LARGE', reason: 'headers' },
  CERT_HAS_EXPIRED: { code: 'TLS', reason: 'expired' },
  CERT_NOT_YET_VALID: { code: 'TLS', reason: 'not_yet_valid' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { code: 'TLS', reason: 'self_signed' },
  SELF_SIGNED_CERT_IN_CHAIN: { code: 'TLS', reason: 'self_signed' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { code: 'TLS', reason: 'unknown_issuer' },
  UNABLE_TO_GET_ISSUER_CERT: { code: 'TLS', reason: 'unknown_issuer' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { code: 'TLS', reason: 'unknown_issuer' },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: 'TLS', reason: 'wrong_host' },
};

/** HPE_… are errors of Node's HTTP parser: the response is not HTTP. */
const byFamily: readonly (readonly [RegExp, Failure])[] = [
  [/^HPE_/, { code: 'BAD_PAYLOAD', reason: 'not_http' }],
  [
    /^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|CRL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/,
    { code: 'TLS', reason: 'handshake' },
  ],
];

/** The failure for any error of a request. Unknown codes are reported by name. */
export function socketFailure(error: unknown): Failure {
  const code = errorCode(error);
  if (isLookupOfService(error)) return { code: 'NETWORK', reason: 'no_internet' };
  const known = Object.hasOwn(byCode, code) ? byCode[code] : byFamily.find(([family]) => family.test(code))?.[1];
  return (
    known ?? { code: 'NETWORK', reason: 'other', params: { errno: /^[A-Z][A-Z0-9_]{1,39}$/.test(code) ? code : '?' } }
  );
}

/** The name of CEMM's own service exists, so a lookup that fails is due to the network of this machine. */
const serviceName = 'open-api.cemm.nl';

/** An error of a lookup names the host; axios keeps it as the cause. Behind a proxy the host is that of the proxy. */
function isLookupOfService(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('hostname' in error) return error.hostname === serviceName;
  return 'cause' in error && isLookupOfService(error.cause);
}

/** The `code` of a Node error, or an empty text. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Statuses of the remote Open API: http://developer.cemm.nl/api-en/. */
const named: Readonly<Record<number, Failure>> = {
  401: { code: 'AUTH', reason: 'denied' },
  403: { code: 'AUTH', reason: 'denied' },
  404: { code: 'CONFIG', reason: 'not_found' },
  407: { code: 'CONFIG', reason: 'proxy' },
  408: { code: 'UPSTREAM_TIMEOUT', reason: 'status' },
  412: { code: 'ALIAS', reason: 'not_supported' },
  429: { code: 'RATE', reason: 'status' },
  502: { code: 'MONITOR_OFFLINE', reason: 'status' },
};

/** The failure for a status; null for 2xx, whose body decides. */
export function statusFailure(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  return { ...(named[status] ?? byClass(status)), status };
}

function byClass(status: number): Failure {
  if (status >= 400 && status < 500) return { code: 'UNSUPPORTED', reason: 'request_refused' };
  if (status >= 500 && status < 600) return { code: 'UPSTREAM', reason: 'status' };
  return { code: 'BAD_PAYLOAD', reason: 'unknown_status' };
}

const shortest = 1000;
const longest = 5 * minuteMs;

/** Retry-After (RFC 9110, 10.2.3) in milliseconds, limited to 1 s to 5 min; null when it is missing or invalid. */
export function retryAfter(header: string | null, now: Millis): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return limitDelay(Number(text) * 1000);
  // Date.parse accepts more than HTTP dates, which end in GMT.
  const date = text.endsWith(' GMT') ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : limitDelay(date - now);
}

function limitDelay(delayMs: number): number {
  return Math.min(longest, Math.max(shortest, delayMs));
}

export type JsonResult = { readonly json: unknown } | { readonly failure: Failure };

/** Parses a body, and leaves out what has a name that JavaScript reserves. Ignores the content type, because devices send wrong ones; HTML is detected by a leading `<`. */
export function readJson(bytes: Uint8Array, status: number): JsonResult {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64))
    .toString('latin1')
    .trimStart();
  if (start === '' && bytes.byteLength <= 64) return { failure: { code: 'BAD_PAYLOAD', reason: 'empty', status } };
  if (start.startsWith('<')) return { failure: { code: 'BAD_PAYLOAD', reason: 'html', status } };
  try {
    const json = parseUnchecked(bytes);
    removeReservedKeys(json);
    return { json };
  } catch (error) {
    return { failure: { ...shapeFailure(error), status } };
  }
}

/** The failure for a ProtocolError: the place in the JSON and what was expected. Rethrows every other error. */
export function shapeFailure(error: unknown): Failure {
  if (!(error instanceof ProtocolError)) throw error;
  if (error.path === '$' && error.expected !== 'object') return { code: 'BAD_PAYLOAD', reason: error.expected };
  return { code: 'BAD_PAYLOAD', reason: 'shape', params: { path: error.path, expected: error.expected } };
}
