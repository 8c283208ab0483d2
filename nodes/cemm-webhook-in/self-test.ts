/**
 * "Send a signed test": posts a delivery without values, signed like those of a monitor, to the address of the node.
 * Finds the address and the key first when the node receives from many installations.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { backgroundClock } from '../../src/time/clock';
import { type HmacKey, type InstallationKeys, lookUpKeys } from '../../src/webhook/keys';
import { sign } from '../../src/webhook/signature';
import type { PathMatch } from '../../src/webhook/path-pattern';
import type { WebhookRoute } from './routes/webhook-route';
import type { TestServer } from './routes/server-roots';

export type TestTarget =
  | {
      readonly failure: null;
      readonly fullPath: string;
      /** From a key store; null if the node has its own key. */
      readonly hmacKey: HmacKey | null;
      /** A monitor that may send to the address; null if none is known. */
      readonly cemm: number | null;
    }
  /** `no_installation`: no usable value for the parameters; `unknown_installation`: there is no key for it. */
  | { readonly failure: 'no_installation' | 'unknown_installation' };

/** @param installation values of the path parameters, separated by slashes */
export async function findTestTarget(
  route: WebhookRoute,
  wantsHmac: boolean,
  installation: string,
): Promise<TestTarget> {
  const match = matchOf(route, installation);
  if (match?.kind === 'invalid') return { failure: 'no_installation' };
  const fullPath = match === null ? route.fullPath : route.fullPathOf(match);
  const keyLookup = route.owner?.lookUpKeys ?? null;
  if (!wantsHmac || keyLookup === null) return { failure: null, fullPath, hmacKey: null, cemm: match?.cemm ?? null };
  const keys = await new Promise<InstallationKeys | null | 'late'>((resolve) => {
    lookUpKeys(keyLookup, match, backgroundClock, new Set(), resolve);
  });
  if (keys === null || keys === 'late') return { failure: 'unknown_installation' };
  const [own = null] = keys.monitors ?? [];
  return { failure: null, fullPath, hmacKey: keys.current, cemm: match?.cemm ?? own };
}

function matchOf({ path, pattern }: WebhookRoute, installation: string): PathMatch | null {
  if (pattern === null) return null;
  const values = installation.trim().split('/');
  const filled = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? (values.shift() ?? '') : segment))
    .join('/');
  return values.length > 0 ? { kind: 'invalid' } : pattern.match(filled);
}

export interface TestKeys {
  readonly hmac: HmacKey | null;
  readonly header: { readonly name: string; readonly key: string } | null;
  readonly query: { readonly name: string; readonly key: string } | null;
}

export type TestOutcome =
  | {
      readonly failure: null;
      readonly status: number;
      readonly answer: string;
      readonly ms: number;
      /** Destination of the test, without a key. */
      readonly sentTo: string;
    }
  | { readonly failure: TestFailure; readonly ms: number; readonly sentTo?: string };

/**
 * `other_path`: the form has another path or port than the deployed node; `key_missing`: a selected method has no key;
 * `no_installation`, `unknown_installation`: see findTestTarget.
 */
export type TestFailure =
  'no_server' | 'port_closed' | 'no_answer' | 'other_path' | 'key_missing' | 'no_installation' | 'unknown_installation';

/** The timeout of a monitor (https://wiki.cemm.nl/tools/webhooks). */
const limitMs = 5000;
/** The part of a response that a monitor stores (https://wiki.cemm.nl/tools/webhooks). */
const storedCharacters = 1000;

/**
 * @param path with httpNodeRoot
 * @param cemm a monitor that may send
 */
export async function sendTest(server: TestServer, path: string, cemm: number, keys: TestKeys): Promise<TestOutcome> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const { isSecure, host, port } = server;
  const sentTo = `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  const body = Buffer.from(JSON.stringify(sampleDelivery(cemm)));
  const query = keys.query === null ? '' : `?${new URLSearchParams([[keys.query.name, keys.query.key]]).toString()}`;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...(keys.hmac === null ? {} : { 'X-Signature': sign(keys.hmac, body) }),
    ...(keys.header === null ? {} : { [keys.header.name]: Buffer.from(keys.header.key, 'utf8').toString('latin1') }),
  };
  return new Promise((resolve) => {
    const fail = (): void => {
      resolve({ failure: 'no_answer', ms: elapsed(), sentTo });
    };
    try {
      // The certificate of this server need not name a loopback address.
      const request = (isSecure ? httpsRequest : httpRequest)({
        host,
        port,
        path: `${path}${query}`,
        method: 'POST',
        headers,
        agent: false,
        signal: AbortSignal.timeout(limitMs),
        ...(isSecure ? { rejectUnauthorized: false } : {}),
      });
      request.on('error', fail);
      request.on('response', (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (answer.length < storedCharacters) answer += chunk;
        });
        response.on('error', fail);
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          resolve({ failure: null, status, answer: answer.slice(0, storedCharacters), ms: elapsed(), sentTo });
        });
      });
      request.end(body);
    } catch {
      fail();
    }
  });
}

/** Its only value is null ("no recent value"), so a test adds no number to a database. */
function sampleDelivery(cemm: number): unknown {
  return {
    format: 'basic-v1',
    cemm,
    time: Math.floor(Date.now() / 1000),
    data: { test: { electric_power_import: { realtime: null } } },
  };
}
