/** What went wrong below HTTP, from the code of Node's error and from nothing else of it: its text may carry the URL. */
import { addressPublic, addressRefused } from './address-rules';
import type { Failure } from './failure';

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

/** HPE_… is Node's HTTP parser: whatever answers there, it is not speaking HTTP. */
const byFamily: readonly (readonly [RegExp, Failure])[] = [
  [/^HPE_/, { code: 'BAD_PAYLOAD', reason: 'not_http' }],
  [
    /^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|CRL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/,
    { code: 'TLS', reason: 'handshake' },
  ],
];

/** Any error that a request ended with. Unknown codes are told by name, since they are the operating system's own words. */
export function socketFailure(error: unknown): Failure {
  const code = errorCode(error);
  const known = Object.hasOwn(byCode, code) ? byCode[code] : byFamily.find(([family]) => family.test(code))?.[1];
  return (
    known ?? { code: 'NETWORK', reason: 'other', params: { errno: /^[A-Z][A-Z0-9_]{1,39}$/.test(code) ? code : '?' } }
  );
}

/** The `code` of a Node error, or an empty text. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
