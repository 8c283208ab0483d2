/**
 * Who sent it (spec.md, Authentication, Webhooks): HMAC-SHA512 over the bytes as they came, a key in a header, a key in the
 * URL. Every way that is configured must hold. All comparisons take the same time whatever is wrong.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { InstallationKeys } from './keys';

export type AuthenticationMethod = 'hmac' | 'header' | 'query';

/** A text is used as its UTF-8 bytes, exactly as it stands. */
export type HmacKey = string | Uint8Array;

export interface AuthenticationRules {
  /**
   * `previous` is accepted too while the monitors are given the current key. `per_call`: `keyOf` is told the keys, because
   * every installation has its own.
   */
  readonly hmac?: { readonly current: HmacKey; readonly previous?: HmacKey | undefined } | 'per_call' | undefined;
  readonly header?: { readonly name: string; readonly key: string } | undefined;
  readonly query?: { readonly name: string; readonly key: string } | undefined;
}

export type AuthenticationError = 'missing_signature' | 'bad_signature' | 'bad_key';

export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** Path and query as received. */
  readonly url?: string | undefined;
}

export interface Authenticator {
  readonly methods: readonly AuthenticationMethod[];
  /** What can be told before the body is read: keys, and whether a signature is there and can be one. */
  checkHead(caller: RequestHead): AuthenticationError | null;
  /**
   * The key whose signature it is; null where it is nobody's. Only to be asked where `ways` has `hmac`. `keys` are those of
   * `per_call`, null for an unknown installation, which costs what a wrong signature costs.
   */
  matchSignature(caller: RequestHead, body: Buffer, keys?: InstallationKeys | null): 'current' | 'previous' | null;
}

/** The header of spec.md. */
export const signatureHeader = 'x-signature';

/** The signature a monitor with this key sends. */
export function sign(key: HmacKey, body: Uint8Array): string {
  return mac(key, body).toString('hex');
}

/** @throws {RangeError} where a key is blank: everybody knows the HMAC of the empty key. */
export function createAuthenticator(rules: AuthenticationRules): Authenticator {
  const { hmac, header, query } = rules;
  const own = hmac === 'per_call' ? undefined : hmac;
  for (const key of [own?.current, header?.key, query?.key]) {
    if (key !== undefined && isBlank(key)) throw new RangeError('A key is blank.');
  }
  const previous = own?.previous !== undefined && !isBlank(own.previous) ? own.previous : undefined;
  // Nobody knows it, this program included.
  const dummy = randomBytes(32);
  const headerDigest = header && digest(Buffer.from(header.key, 'utf8'));
  const queryDigest = query && digest(Buffer.from(query.key, 'utf8'));
  const methods: AuthenticationMethod[] = [];
  if (hmac) methods.push('hmac');
  if (header) methods.push('header');
  if (query) methods.push('query');

  return {
    methods,
    checkHead(caller) {
      const headerHolds = !header || !headerDigest || isSame(headerKey(caller, header.name), headerDigest);
      const queryHolds = !query || !queryDigest || isSame(queryKey(caller, query.name), queryDigest);
      if (!headerHolds || !queryHolds) return 'bad_key';
      if (!hmac) return null;
      const given = signatureText(caller);
      if (given === '') return 'missing_signature';
      return isSignature(given) ? null : 'bad_signature';
    },
    matchSignature(caller, body, keys = null) {
      const given = signatureText(caller);
      if (!hmac || !isSignature(given)) return null;
      const signature = Buffer.from(given, 'hex');
      if (own === undefined) return keyAmong(keys, signature, body, dummy);
      const isCurrent = timingSafeEqual(signature, mac(own.current, body));
      // Computed in any case where there is a previous key, so that time does not tell which one matched.
      const isPrevious = previous !== undefined && timingSafeEqual(signature, mac(previous, body));
      if (isCurrent) return 'current';
      return isPrevious ? 'previous' : null;
    },
  };
}

/** Two digests and two comparisons whoever asks, so that time tells neither who is known nor who is changing keys. */
function keyAmong(
  keys: InstallationKeys | null,
  signature: Buffer,
  body: Buffer,
  dummy: HmacKey,
): 'current' | 'previous' | null {
  const isCurrent = timingSafeEqual(signature, mac(keys?.current ?? dummy, body));
  const isPrevious = timingSafeEqual(signature, mac(keys?.previous ?? dummy, body));
  if (isCurrent) return 'current';
  return isPrevious ? 'previous' : null;
}

function isBlank(key: HmacKey): boolean {
  return typeof key === 'string' ? key.trim() === '' : key.length === 0;
}

function mac(key: HmacKey, body: Uint8Array): Buffer {
  return createHmac('sha512', key).update(body).digest();
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Before any decoding: Node's hex decoder ignores what follows the first character that is no digit. */
function isSignature(text: string): boolean {
  return /^[0-9a-f]{128}$/i.test(text);
}

function signatureText({ headers }: RequestHead): string {
  const value = headers[signatureHeader];
  return typeof value === 'string' ? value.trim() : '';
}

/** Header values arrive as one character per byte; the key is compared as the bytes it was sent in. */
function headerKey({ headers }: RequestHead, name: string): Buffer {
  const value = headers[name.toLowerCase()];
  return Buffer.from(typeof value === 'string' ? value.trim() : '', 'latin1');
}

/** Exactly one value counts. A plus sign is itself: a key in base64 may have one, and a URL typed by hand keeps it. */
function queryKey({ url = '' }: RequestHead, name: string): Buffer {
  const start = url.indexOf('?');
  if (start < 0) return Buffer.alloc(0);
  const values = new URLSearchParams(url.slice(start + 1).replaceAll('+', '%2B')).getAll(name);
  const [value] = values;
  return Buffer.from(values.length === 1 && value !== undefined ? value : '', 'utf8');
}

/** Digests have one length, so the comparison neither throws nor tells how long the key is. */
function isSame(given: Buffer, expected: Buffer): boolean {
  return timingSafeEqual(digest(given), expected);
}
