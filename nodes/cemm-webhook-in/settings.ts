/** Reads and checks the stored properties of a webhook-in node. */
import { isIP } from 'node:net';
import { CemmError } from '../../src/errors';
import { isWebhookInterval, type WebhookInterval } from '../../src/model/webhook-topics';
import { createPathPattern, type PathPattern } from '../../src/webhook/path-pattern';
import { createAuthenticator, type Authenticator } from '../../src/webhook/signature';
import type { CheckResult } from '../lib/stored/field-rules';
import { parseProperties } from '../lib/stored/stored-properties';
import { expandKey } from '../lib/stored/typed-input';
import * as checks from './field-checks';
import { belongsToEditor, type AdminPaths } from './routes/admin-paths';
import {
  healthPath,
  isSafeKeyName,
  isUsablePath,
  normalizePath,
  parsePort,
  sharesKey,
  webhookInFields,
  type KeySource,
  type WebhookInConfig,
  type WebhookInCredentials,
} from './config';

type TextProperty = {
  [Name in keyof WebhookInConfig]: WebhookInConfig[Name] extends string ? Name : never;
}[keyof WebhookInConfig];

/** The port and path of the node. */
export type Listen = { readonly kind: 'shared' } | OwnListen;

export interface OwnListen {
  readonly kind: 'own';
  readonly port: number;
  readonly bind: string;
  /** Id of a tls-config node; blank = plain HTTP. */
  readonly tls: string;
}

export interface WebhookSettings {
  readonly path: string;
  readonly listen: Listen;
  /** Null if the path has no parameters. */
  readonly pattern: PathPattern | null;
  readonly authenticator: Authenticator;
  /** Null if the key is entered in the node. */
  readonly keyStore: KeyStore | null;
  readonly maxAgeMs: number;
  readonly monitors: ReadonlySet<number>;
  readonly expected: WebhookInterval | null;
  readonly subject: { readonly meter: string; readonly channel: string };
  /** A key has leading or trailing blanks. It is used unchanged; the user is warned. */
  readonly hasBlankAroundKey: boolean;
  /** All keys of the node, which no report may contain. */
  readonly keys: readonly string[];
  /** See `sharesKey` in config.ts. */
  readonly sharesKey: boolean;
}

/** Source of the installations' keys. */
export interface KeyStore {
  readonly type: Exclude<KeySource, 'credential'>;
  /** Name or expression, still with the path parameters as `${name}`. */
  readonly text: string;
}

export interface StoredWebhook {
  /** A flow from an older release, or edited by hand, may lack fields. */
  readonly config: Partial<Record<keyof WebhookInConfig, unknown>>;
  readonly credentials: WebhookInCredentials;
  /** Replaces `${ENV}` in a text. */
  readonly expand: (text: string) => string;
  /** Root path of flows' addresses; false if there is none. */
  readonly nodeRoot: string | false;
  readonly admin: AdminPaths;
}

/** @throws {CemmError} CONFIG with the reason of the first problem */
export function readWebhookSettings({ config, credentials, expand, ...served }: StoredWebhook): WebhookSettings {
  const properties = parseProperties({ rules: webhookInFields, checks: {}, expand }, config);
  const problem = properties.problem(null);
  if (problem !== null) throw problem;
  const stored = properties.config;
  const text = (name: TextProperty): string => expand(stored[name]).trim();
  const listen = stored.listen === 'own' ? readOwnListen(text('port'), text('bind'), text('tls')) : shared;
  const expandOwnKey = (key: string | undefined): string | undefined => expandKey(key, expand);
  const path = listen.kind === 'own' ? readOwnPath(text('path')) : readSharedPath(text('path'), served);
  const keyStore = stored.hmac ? readKeyStore(stored.hmacKeyFrom, stored.hmacKeyFromType, path) : null;
  const hasOwnKey = stored.hmac && keyStore === null;
  const hmacKey = hasOwnKey ? expandOwnKey(credentials.hmacKey) : undefined;
  const previousHmacKey = hasOwnKey ? expandOwnKey(credentials.previousHmacKey) : undefined;
  const headerKey = stored.header ? expandOwnKey(credentials.headerKey) : undefined;
  const queryKey = stored.query ? expandOwnKey(credentials.queryKey) : undefined;
  const authenticator = createAuthenticator({
    hmac: hasOwnKey
      ? { current: need(hmacKey, 'hmac_key'), previous: previousHmacKey }
      : keyStore === null
        ? undefined
        : 'per_request',
    header: stored.header
      ? { name: checked(text('headerName'), checks.headerName, 'header_name'), key: need(headerKey, 'header_key') }
      : undefined,
    query: stored.query
      ? { name: checked(text('queryName'), checks.queryName, 'query_name'), key: need(queryKey, 'query_key') }
      : undefined,
  });
  if (authenticator.methods.length === 0 && !stored.open) {
    refuseSettings('no_proof');
  }
  return {
    path,
    listen,
    pattern: createPathPattern(path),
    authenticator,
    keyStore,
    maxAgeMs: stored.maxAge * 1000,
    monitors: readMonitors(text('monitors')),
    expected: isWebhookInterval(stored.expected) ? stored.expected : null,
    subject: { meter: text('meter'), channel: text('channel') },
    sharesKey: sharesKey(path, {
      hmac: stored.hmac,
      hmacKeyFrom: keyStore?.text ?? '',
      hmacKeyFromType: keyStore?.type ?? 'credential',
      header: stored.header,
      query: stored.query,
    }),
    keys: [hmacKey, previousHmacKey, headerKey, queryKey].filter((key) => key !== undefined),
    hasBlankAroundKey: [hmacKey, headerKey, queryKey].some((key) => key !== undefined && key !== key.trim()),
  };
}

export function webhookError(reason: string, params: Readonly<Record<string, string>> = {}): CemmError {
  return new CemmError('CONFIG', { reason: `webhook_${reason}`, params });
}

function refuseSettings(reason: string): never {
  throw webhookError(reason);
}

function need(key: string | undefined, reason: 'hmac_key' | 'header_key' | 'query_key'): string {
  if (key !== undefined && key.trim() !== '') return key;
  return refuseSettings(reason);
}

/** Null if the key is entered in the node, as in flows from older releases. */
function readKeyStore(from: string, source: KeySource, path: string): KeyStore | null {
  const text = from.trim();
  if (source === 'credential') return null;
  const isUsable = text !== '' && (source !== 'env' || isSafeKeyName(text, path));
  return isUsable ? { type: source, text } : refuseSettings('hmac_key_from');
}

const shared: Listen = { kind: 'shared' };

function readOwnListen(portText: string, bind: string, tls: string): OwnListen {
  const port = parsePort(portText);
  if (port === null) return refuseSettings('port');
  if (isIP(bind) === 0) return refuseSettings('bind');
  return { kind: 'own', port, bind, tls };
}

function readPath(text: string): string {
  const path = normalizePath(text);
  if (isUsablePath(path)) return path;
  return refuseSettings('path');
}

function readOwnPath(text: string): string {
  const path = readPath(text);
  if (path.toLowerCase() === healthPath) refuseSettings('path_health');
  return path;
}

function readSharedPath(text: string, { nodeRoot, admin }: Pick<StoredWebhook, 'nodeRoot' | 'admin'>): string {
  if (nodeRoot === false) {
    return refuseSettings('http_node_root');
  }
  const path = readPath(text);
  if (belongsToEditor(`${nodeRoot}/${path}`, admin)) {
    refuseSettings('path_reserved');
  }
  return path;
}

function checked(text: string, check: (text: string) => CheckResult, reason: string): string {
  return check(text) === true ? text : refuseSettings(reason);
}

function readMonitors(text: string): Set<number> {
  const parts = checked(text, checks.monitors, 'monitors').split(/[\s,;]+/);
  return new Set(parts.filter((part) => part !== '').map(Number));
}
