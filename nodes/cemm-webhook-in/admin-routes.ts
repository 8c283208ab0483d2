/** What the dialog asks this Node-RED: where it is, what came in last, and to send itself a signed test. */
import type { IncomingMessage } from 'node:http';
import type { Node, NodeAPI } from 'node-red';
import { expandEnv } from '../shared/env-text';
import { adminHeader, adminRoutes, normalizePath, webhookInDefaults, type WebhookInCredentials } from './config';
import type { Hooks } from './hooks';
import { sendTest, type TestKeys } from './self-test';
import { hasNodeAuth, serverRoots } from './server-roots';

const bodyLimit = 4096;
const testsPerMinute = 20;

interface AdminRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly query: Readonly<Record<string, unknown>>;
}

interface AdminResponse {
  status(code: number): this;
  json(body: unknown): unknown;
}

/** The fixed words an admin route refuses with. */
type AdminWord = 'bad_request' | 'too_large' | 'not_deployed' | 'other_path' | 'too_many' | 'key_missing';

/** Registered once per process: Node-RED loads this module once. */
export function registerAdminRoutes(RED: NodeAPI, hooks: Hooks): void {
  // With httpAdminRoot false there is no editor to ask anything.
  if (serverRoots(RED).admin === false) return;
  const { httpAdmin } = RED;
  const mayRead = RED.auth.needsPermission('cemm-webhook-in.read');
  const mayWrite = RED.auth.needsPermission('cemm-webhook-in.write');
  const limit = createRateLimit(testsPerMinute);

  httpAdmin.get(`/${adminRoutes.server}`, mayRead, (_req, res: AdminResponse) => {
    res.json({ root: serverRoots(RED).node, auth: hasNodeAuth(RED) });
  });

  httpAdmin.get(`/${adminRoutes.deliveries}`, mayRead, (req: AdminRequest, res: AdminResponse) => {
    const hook = hooks.hookOf(textOf(req.query['id']));
    if (hook === null) refuse(res, 404, 'not_deployed');
    else res.json({ deliveries: hook.state.history.list() });
  });

  httpAdmin.post(`/${adminRoutes.test}`, mayWrite, (req: AdminRequest, res: AdminResponse) => {
    if (!isOurs(req)) {
      refuse(res, 400, 'bad_request');
      return;
    }
    if (!(Number(req.headers['content-length'] ?? Infinity) <= bodyLimit)) {
      refuse(res, 413, 'too_large');
      return;
    }
    const form = formOf(req.body);
    if (form === null) {
      refuse(res, 400, 'bad_request');
      return;
    }
    const hook = hooks.hookOf(form.id);
    const node = webhookNode(RED, form.id);
    if (hook === null || node === null) refuse(res, 404, 'not_deployed');
    else if (normalizePath(form.path) !== hook.path) refuse(res, 409, 'other_path');
    else if (!limit()) refuse(res, 429, 'too_many');
    else {
      const keys = keysOf(RED, node, form);
      if (keys === null) refuse(res, 409, 'key_missing');
      else {
        const cemm = Number(/\d{1,15}/.exec(form.monitors)?.[0] ?? 0);
        // Never rejects.
        void sendTest(RED.server, hook.fullPath, cemm, keys).then((outcome) => res.json(outcome));
      }
    }
  });
}

function refuse(res: AdminResponse, status: number, error: AdminWord): void {
  res.status(status).json({ error });
}

/** Where nobody has to log in, another site could make a browser post here, but not JSON with a header of its own. */
function isOurs({ headers }: IncomingMessage): boolean {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  return isJson && headers[adminHeader.toLowerCase()] !== undefined;
}

interface TestForm {
  readonly id: string;
  readonly path: string;
  readonly monitors: string;
  readonly hmac: boolean;
  readonly header: boolean;
  readonly query: boolean;
  readonly headerName: string;
  readonly queryName: string;
  /** What the password fields say; absent where they were not touched. */
  readonly keys: Partial<Record<'hmacKey' | 'headerKey' | 'queryKey', string>>;
}

function formOf(body: unknown): TestForm | null {
  if (typeof body !== 'object' || body === null) return null;
  const member = (name: string): unknown => (Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined);
  const id = textOf(member('id'));
  if (id === '' || id.length > 100) return null;
  const keys: TestForm['keys'] = {};
  for (const name of ['hmacKey', 'headerKey', 'queryKey'] as const) {
    const key = member(name);
    if (typeof key === 'string' && key !== '' && key !== '__PWRD__') keys[name] = key;
  }
  return {
    id,
    path: textOf(member('path')),
    monitors: textOf(member('monitors')),
    hmac: member('hmac') === true,
    header: member('header') === true,
    query: member('query') === true,
    headerName: textOf(member('headerName')) || webhookInDefaults.headerName,
    queryName: textOf(member('queryName')) || webhookInDefaults.queryName,
    keys,
  };
}

/** The unsaved keys, and the deployed ones where a field was not touched; null where a ticked way has none. */
function keysOf(RED: NodeAPI, node: Node<WebhookInCredentials>, form: TestForm): TestKeys | null {
  const keyOf = (name: keyof TestForm['keys']): string => {
    const typed = form.keys[name];
    try {
      return typed === undefined ? (node.credentials[name] ?? '') : expandEnv(RED, node, typed);
    } catch {
      return '';
    }
  };
  const hmac = form.hmac ? keyOf('hmacKey') : null;
  const header = form.header ? { name: form.headerName, key: keyOf('headerKey') } : null;
  const query = form.query ? { name: form.queryName, key: keyOf('queryKey') } : null;
  const isMissing = [hmac, header?.key, query?.key].some((key) => key?.trim() === '');
  return isMissing ? null : { hmac, header, query };
}

function webhookNode(RED: NodeAPI, id: string): Node<WebhookInCredentials> | null {
  const node = RED.nodes.getNode(id) as Node<WebhookInCredentials> | null | undefined;
  return node?.type === 'cemm-webhook-in' ? node : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** True as long as there were fewer than so many within the last minute. */
function createRateLimit(perMinute: number): () => boolean {
  let times: number[] = [];
  return () => {
    const now = performance.now();
    times = times.filter((time) => now - time < 60_000);
    if (times.length >= perMinute) return false;
    times.push(now);
    return true;
  };
}
