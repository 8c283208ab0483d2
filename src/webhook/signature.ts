/**
 * Authenticates a request: HMAC-SHA512 over the bytes of the body, a key in a header, a key in the URL. All configured methods
 * must match. Every comparison takes the same time for right and wrong values.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type HmacKey, type InstallationKeys, isBlank } from './keys';

/** Characters or bytes of a key. A shorter one can be guessed: it causes a warning, and guesses of it are limited. */
export const shortestKey = 32;

type AuthenticationMethod = 'hmac' | 'header' | 'query';

export interface AuthenticationRules {
  /** `previous` is accepted as well during a change of keys. `per_request`: `matchSignature` gets the keys of the installation. */
  readonly hmac?: { readonly current: HmacKey; readonly previous?: HmacKey | undefined } | 'per_request' | undefined;
  readonly header?: { readonly name: string; readonly key: string } | undefined;
  readonly query?: { readonly name: string; readonly key: string } | undefined;
}

type AuthenticationError = 'missing_signature' | 'bad_signature' | 'bad_key';

export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** Path and query as received. */
  readonly url?: string | undefined;
}

export interface Authenticator {
  readonly methods: readonly AuthenticationMethod[];
  /** True if `matchSignature` needs the keys of the installation. */
  readonly isPerRequest: boolean;
  /** True if one of the keys shared by all requests is short. */
  readonly hasShortKey: boolean;
  /** Checks the keys and the format of the signature, before the body is read. */
  checkHead(head: RequestHead): AuthenticationError | null;
  /**
   * Returns the key that made the signature, null if none did. Only called if `methods` has `hmac`. `keys` are those of
   * `per_request`; null for an unknown installation, which takes as long as a wrong signature.
   */
  matchSignature(head: RequestHead, body: Buffer, keys?: InstallationKeys | null): 'current' | 'previous' | null;
}

/** The header with the monitor's signature. */
const signatureHeader = 'x-signature';

/** Returns the signature that a monitor with this key sends. */
export function sign(key: HmacKey, body: Uint8Array): string {
  return computeMac(key, body).toString('hex');
}

/** @throws {RangeError} if a key is blank: anybody can compute the HMAC of an empty key */
export function createAuthenticator(rules: AuthenticationRules): Authenticator {
  const { hmac, header, query } = rules;
  const own = hmac === 'per_request' ? undefined : hmac;
  for (const key of [own?.current, header?.key, query?.key]) {
    if (key !== undefined && isBlank(key)) throw new RangeError('A key is blank.');
  }
  const previous = own?.previous !== undefined && !isBlank(own.previous) ? own.previous : undefined;
  // Used in place of a missing key; random, so that no signature matches it.
  const dummy = randomBytes(32);
  const headerDigest = header && digest(Buffer.from(header.key, 'utf8'));
  const queryDigest = query && digest(Buffer.from(query.key, 'utf8'));
  const methods: AuthenticationMethod[] = [];
  if (hmac) methods.push('hmac');
  if (header) methods.push('header');
  if (query) methods.push('query');

  const shared = [own?.current, previous, header?.key, query?.key];
  return {
    methods,
    isPerRequest: hmac === 'per_request',
    hasShortKey: shared.some((key) => key !== undefined && isShort(key)),
    checkHead(head) {
      const headerHolds = !header || !headerDigest || matchesDigest(headerKey(head, header.name), headerDigest);
      const queryHolds = !query || !queryDigest || matchesDigest(queryKey(head, query.name), queryDigest);
      if (!headerHolds || !queryHolds) return 'bad_key';
      if (!hmac) return null;
      const given = signatureText(head);
      if (given === '') return 'missing_signature';
      return isSignature(given) ? null : 'bad_signature';
    },
    matchSignature(head, body, keys = null) {
      const given = signatureText(head);
      if (!hmac || !isSignature(given)) return null;
      const signature = Buffer.from(given, 'hex');
      if (own === undefined) return matchKeys(keys, signature, body, dummy);
      const isCurrent = timingSafeEqual(signature, computeMac(own.current, body));
      // Computed even if the current key matches, so the time does not reveal which key it was.
      const isPrevious = previous !== undefined && timingSafeEqual(signature, computeMac(previous, body));
      if (isCurrent) return 'current';
      return isPrevious ? 'previous' : null;
    },
  };
}

/** Always two digests and two comparisons, so the time reveals neither known installations nor changes of keys. */
function matchKeys(
  keys: InstallationKeys | null,
  signature: Buffer,
  body: Buffer,
  dummy: HmacKey,
): 'current' | 'previous' | null {
  const isCurrent = timingSafeEqual(signature, computeMac(keys?.current ?? dummy, body));
  const isPrevious = timingSafeEqual(signature, computeMac(keys?.previous ?? dummy, body));
  if (isCurrent) return 'current';
  return isPrevious ? 'previous' : null;
}

/** True if it can be guessed. */
export function isShort(key: HmacKey): boolean {
  return key.length < shortestKey;
}

function computeMac(key: HmacKey, body: Uint8Array): Buffer {
  return createHmac('sha512', key).update(body).digest();
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Checked before decoding: Node's hex decoder stops at the first character that is not a digit. */
function isSignature(text: string): boolean {
  return /^[0-9a-f]{128}$/i.test(text);
}

function signatureText({ headers }: RequestHead): string {
  const value = headers[signatureHeader];
  return typeof value === 'string' ? value.trim() : '';
}

/** Node decodes header values as Latin-1; this restores the bytes that were sent. */
function headerKey({ headers }: RequestHead, name: string): Buffer {
  const value = headers[name.toLowerCase()];
  return Buffer.from(typeof value === 'string' ? value.trim() : '', 'latin1');
}

/** Exactly one value is allowed. A plus sign stays one: a Base64 key may contain it, and people do not encode it. */
function queryKey({ url = '' }: RequestHead, name: string): Buffer {
  const start = url.indexOf('?');
  if (start < 0) return Buffer.alloc(0);
  const values = new URLSearchParams(url.slice(start + 1).replaceAll('+', '%2B')).getAll(name);
  const [value] = values;
  return Buffer.from(values.length === 1 && value !== undefined ? value : '', 'utf8');
}

/** Digests have one length, so the comparison does not depend on the length of the key. */
function matchesDigest(given: Buffer, expected: Buffer): boolean {
  return timingSafeEqual(digest(given), expected);
}
