/** The stored properties of a webhook-in node with their defaults, and the rules that dialog and runtime share. */
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';

export const listens = ['shared', 'own'] as const;

export const expectedIntervals = ['', '1m', '5m', '10m', '15m', '1h', '1d'] as const;

/** `credential`: the key in the dialog. The others are looked up for every delivery. */
export const keySources = ['credential', 'env', 'flow', 'global', 'jsonata'] as const;

export type KeySource = (typeof keySources)[number];

export interface WebhookInCredentials {
  hmacKey?: string;
  previousHmacKey?: string;
  headerKey?: string;
  queryKey?: string;
}

export const credentialNames = ['hmacKey', 'previousHmacKey', 'headerKey', 'queryKey'] as const;

/** One day, in seconds. */
export const longestMaxAge = 86_400;

const ifOwn = { when: { listen: ['own'] } } as const;

export const webhookInFields = {
  name: nameField,
  /** Segments after the first may be parameters: `/cemm/:installation`. */
  path: { is: 'text', check: 'path', parsedByNode: true, default: '/cemm' },
  /** `shared`: Node-RED's own port, below httpNodeRoot. `own`: a separate port for deliveries only. */
  listen: { is: 'text', values: listens, default: 'shared' },
  /** Text, to allow `${CEMM_RECEIVER_PORT}`. */
  port: { is: 'text', check: 'port', parsedByNode: true, default: '1881', ...ifOwn },
  /** An IP address of this machine, or `0.0.0.0` or `::` for all of them. */
  bind: { is: 'text', check: 'bind', parsedByNode: true, default: '0.0.0.0', ...ifOwn },
  /** Id of a core tls-config node; blank = plain HTTP. */
  tls: { is: 'text', refersTo: 'tls-config', default: '', ...ifOwn },
  // Required authentication methods; all selected ones must match.
  hmac: { is: 'boolean', default: true },
  header: { is: 'boolean', default: false },
  query: { is: 'boolean', default: false },
  /** Source of the HMAC key: a name that may contain path parameters as `${installation}`, or an expression. */
  hmacKeyFrom: {
    is: 'text',
    typed: ['credential', 'env'],
    check: 'keyFrom',
    parsedByNode: true,
    checksKind: true,
    default: '',
    when: { hmac: ['true'] },
  },
  hmacKeyFromType: { is: 'text', values: keySources, reason: 'webhook_hmac_key_from', default: 'credential' },
  headerName: { is: 'text', check: 'headerName', parsedByNode: true, default: 'X-API-Key', when: { header: ['true'] } },
  queryName: { is: 'text', check: 'queryName', parsedByNode: true, default: 'api_key', when: { query: ['true'] } },
  /** Accept requests without authentication. */
  open: { is: 'boolean', check: 'proof', parsedByNode: true, default: false },
  /** Largest difference of a signed `time` from the clock, in seconds; 0 = not checked. */
  maxAge: { is: 'number', range: { min: 0, max: longestMaxAge }, reason: 'webhook_max_age', default: 300 },
  /** Comma-separated `cemm` numbers; blank = all. */
  monitors: { is: 'text', check: 'monitors', parsedByNode: true, blank: true, default: '' },
  /** The interval set on the monitor; blank = missed slots are not reported. */
  expected: { is: 'text', values: expectedIntervals, reason: 'webhook_expected', default: '' },
  // Meter and channel of a Public API delivery.
  meter: { is: 'text', default: '' },
  channel: { is: 'text', default: '' },
  connection: { is: 'text', refersTo: 'cemm-connection', default: '' },
  version: { is: 'number', default: 2 },
} as const;

export type WebhookInConfig = ConfigOf<typeof webhookInFields>;
export const webhookInDefaults = defaultsOf(webhookInFields);

/** Kinds of payload that each output sends. */
export const webhookInOutputs = [['webhook'], ['problem']] as const;

/** For load balancers, on a separate port. */
export const healthPath = '/health';

/** Admin routes; relative, as the editor calls them. */
export const adminRoutes = {
  server: 'cemm-webhook-in/server',
  deliveries: 'cemm-webhook-in/deliveries',
  test: 'cemm-webhook-in/test',
  network: 'cemm-webhook-in/network',
  record: 'cemm-webhook-in/record',
  report: 'cemm-webhook-in/report',
} as const;

/** The web server of the Node-RED app of Home Assistant, in front of Node-RED. */
export interface AppServer {
  readonly isSecure: boolean;
  /** Null if the owner has switched it off. */
  readonly port: number | null;
  /** False: the settings of a new installation are assumed. */
  readonly isKnown: boolean;
}

/** See config.yaml of https://github.com/hassio-addons/app-node-red. */
export const usualAppServer: AppServer = { isSecure: true, port: 1880, isKnown: false };

/**
 * True for segments of letters, digits and `._~-`; from the second one on also parameters such as `:installation`, each with a
 * different name. Routers differ in how they treat other characters. False for `/` and for a parameter in the first segment,
 * which would match every address of the server.
 */
export function isUsablePath(path: string): boolean {
  const [first = '', ...segments] = path.slice(1).split('/');
  const names = parameterNames(path);
  return (
    path.length <= 200 &&
    path.startsWith('/') &&
    isPlainSegment(first) &&
    segments.every((segment) => isPlainSegment(segment) || parameter.test(segment)) &&
    new Set(names).size === names.length
  );
}

const parameter = /^:([A-Za-z][A-Za-z0-9_]{0,31})$/;

function isPlainSegment(segment: string): boolean {
  return /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/.test(segment);
}

/** Names of the parameters in a path, in order. */
export function parameterNames(path: string): string[] {
  return path.split('/').flatMap((segment) => parameter.exec(segment)?.[1] ?? []);
}

/**
 * True if the name of a variable has fixed text besides the parameters. Without it, a request could select any variable of the
 * machine as the key, even one with a public value.
 */
export function isSafeKeyName(name: string, path: string): boolean {
  return parameterNames(path)
    .reduce((rest, parameterName) => rest.replaceAll(`\${${parameterName}}`, ''), name)
    .split('')
    .some((character) => /[A-Za-z0-9]/.test(character));
}

/** Null if the text is not a port number. */
export function parsePort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** Equal to the limit in src/webhook/signature.ts, which is too large to load in a dialog or at the start of Node-RED. */
export const shortestKey = 32;

/** True if several installations use the same key: each can then send as another one. */
export function sharesKey(
  path: string,
  {
    hmac,
    hmacKeyFrom,
    hmacKeyFromType,
    header,
    query,
  }: Readonly<Record<'hmac' | 'header' | 'query', boolean>> & {
    readonly hmacKeyFrom: string;
    readonly hmacKeyFromType: string;
  },
): boolean {
  const names = parameterNames(path);
  if (names.length === 0) return false;
  if (!hmac) return header || query;
  const isOne = hmacKeyFromType === 'env' && !names.some((name) => hmacKeyFrom.includes(`\${${name}}`));
  return isOne || hmacKeyFromType === 'credential';
}

/** The path with a slash at the start and none at the end. */
export function normalizePath(path: string): string {
  const trimmed = path.trim().replace(/\/+$/, '');
  return trimmed.startsWith('/') || trimmed === '' ? trimmed : `/${trimmed}`;
}

/** This core node also serves paths on the port of Node-RED. */
export const httpInType = 'http in';

/** Equal for paths that Express does not distinguish: case, and a slash at either end, are ignored. */
export function pathKey(path: string): string {
  return `/${path.replace(/^\/+|\/+$/g, '')}`.toLowerCase();
}

/** True if one request can match both path keys: a parameter matches any segment. */
export function pathsOverlap(one: string, other: string): boolean {
  if (one === other) return true;
  const [segments, others] = [one.split('/'), other.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, place) => {
      const facing = others[place] ?? '';
      return segment === facing || segment.startsWith(':') || facing.startsWith(':');
    })
  );
}
