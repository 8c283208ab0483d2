/** Admin routes of the dialog: the addresses of this Node-RED, the last deliveries, and a signed test delivery. */
import type { Node, NodeAPI } from 'node-red';
import type { HmacKey } from '../../../src/webhook/keys';
import { untouched } from '../../lib/stored/config';
import { type BodyReader, AdminError, refuseVariables, registerAdminRoutes, serveLatest } from '../../lib/admin-routes';
import { expandEnv, expandKey } from '../../lib/stored/typed-input';
import { lazy } from '../../../src/loading/lazy';
import { adminRoutes, normalizePath, parsePort, type WebhookInCredentials, webhookInDefaults } from '../config';
import type { WebhookRoute } from './webhook-route';
import type * as NodeRecordings from '../node-recording';
import type { NodeRecording } from '../node-recording';
import type * as HomeAssistantApp from '../home-assistant-app';
import type * as SelfTest from '../self-test';
import type { TestKeys, TestOutcome } from '../self-test';
import {
  atHost,
  hasNodeAuth,
  networkInfo,
  serverOfNodeRed,
  serverOfOwn,
  serverRoots,
  type TestServer,
} from './server-roots';

const selfTest = lazy(() => require('../self-test') as typeof SelfTest);
const nodeRecording = lazy(() => require('../node-recording') as typeof NodeRecordings);
const homeAssistantApp = lazy(() => require('../home-assistant-app') as typeof HomeAssistantApp);

/** Returns the route of a deployed node by the id of the node. */
export type RouteOf = (id: string) => WebhookRoute | null;

/** Call at each load of the module of the node. */
export function registerWebhookRoutes(RED: NodeAPI, routeOf: RouteOf): void {
  // With httpAdminRoot false there is no editor to ask anything.
  if (serverRoots(RED).admin === false) return;
  const read = 'cemm-webhook-in.read';

  serveLatest(RED, 'get', adminRoutes.server, read, (req, res) => {
    const port = routeOf(toTextOrEmpty(req.query['id']))?.mount.server?.address.port ?? null;
    res.json({ root: serverRoots(RED).node, auth: hasNodeAuth(RED), port });
  });

  serveLatest(RED, 'get', adminRoutes.deliveries, read, (req, res) => {
    // A node that is not deployed yet, or has an invalid setting, has no deliveries.
    const { accepted = [], refused = [] } = routeOf(toTextOrEmpty(req.query['id']))?.state.history ?? {};
    res.json({ accepted, refused });
  });

  // POST, because another site could send a GET and learn the addresses of this network. A test connects to this Node-RED only,
  // so its duration reveals nothing.
  const common = { permission: 'cemm-webhook-in.write', atLeastMs: 0 } as const;
  registerAdminRoutes(RED, [
    {
      ...common,
      path: adminRoutes.test,
      perMinute: 20,
      handle: (body, _signal, mayDeploy) => testDelivery(RED, routeOf, body, mayDeploy),
    },
    {
      ...common,
      path: adminRoutes.network,
      perMinute: 60,
      handle: async () => ({ ...networkInfo(RED), app: await homeAssistantApp().findAppServer(RED) }),
    },
    {
      ...common,
      path: adminRoutes.record,
      perMinute: 60,
      handle: (body) => {
        const { startRecording, stateOf } = nodeRecording();
        const wantsStart = body('start') === true;
        return Promise.resolve(
          wantsStart ? startRecording(deployedRecording(routeOf, body)) : stateOf(recordingOf(routeOf, body)),
        );
      },
    },
    {
      ...common,
      path: adminRoutes.report,
      perMinute: 6,
      handle: async (body) => nodeRecording().makeRecordingReport(deployedRecording(routeOf, body)),
    },
  ]);
}

function recordingOf(routeOf: RouteOf, body: BodyReader): NodeRecording | null {
  return routeOf(toTextOrEmpty(body('id')))?.owner?.recording ?? null;
}

/** @throws {AdminError} not_deployed */
function deployedRecording(routeOf: RouteOf, body: BodyReader): NodeRecording {
  const recording = recordingOf(routeOf, body);
  if (recording === null) throw new AdminError(404, 'not_deployed');
  return recording;
}

/** The fields of the dialog that may hold variables. */
const testedFields = ['path', 'port', 'monitors', 'headerName', 'queryName', 'hmacKey', 'headerKey', 'queryKey'];

async function testDelivery(
  RED: NodeAPI,
  routeOf: RouteOf,
  body: BodyReader,
  mayDeploy: boolean,
): Promise<TestOutcome> {
  const id = toTextOrEmpty(body('id'));
  if (!mayDeploy) refuseVariables(RED, id, body, testedFields);
  const route = routeOf(id);
  const node = webhookNode(RED, id);
  if (route === null || node === null) throw new AdminError(404, 'not_deployed');
  if (!isSamePlace(RED, node, route, body)) return { failure: 'other_path', ms: 0 };
  const server = await serverToTest(RED, route, body);
  if (server === null) return { failure: route.mount.server === null ? 'no_server' : 'port_closed', ms: 0 };
  const target = await selfTest().findTestTarget(route, body('hmac') === true, toTextOrEmpty(body('installation')));
  if (target.failure !== null) return { failure: target.failure, ms: 0 };
  const keys = keysOf(RED, node, body, target.hmacKey);
  if (keys === null) return { failure: 'key_missing', ms: 0 };
  const cemm = target.cemm ?? Number(/\d{1,15}/.exec(readText(RED, node, body, 'monitors'))?.[0] ?? 0);
  return selfTest().sendTest(server, target.fullPath, cemm, keys);
}

/**
 * The server behind the address in the dialog. A test goes to this machine only, at a port of Node-RED, of the node or of the
 * Home Assistant app. Null if none of them is open.
 */
async function serverToTest(RED: NodeAPI, { mount }: WebhookRoute, body: BodyReader): Promise<TestServer | null> {
  const host = toTextOrEmpty(body('host'));
  if (mount.server !== null) return atHost(serverOfOwn(mount.server), host, mount.server.address.bind);
  const app = body('way') === 'app' ? await homeAssistantApp().findAppServer(RED) : null;
  if (app !== null) {
    const { isSecure, port } = app;
    return port === null ? null : atHost({ isSecure, host: '127.0.0.1', port }, host, '0.0.0.0');
  }
  return atHost(serverOfNodeRed(RED), host, networkInfo(RED).shared?.bind ?? '');
}

/** True if the form has the path and port of the deployed node. */
function isSamePlace(RED: NodeAPI, node: Node, route: WebhookRoute, body: BodyReader): boolean {
  if (normalizePath(readText(RED, node, body, 'path')) !== route.path) return false;
  const { server } = route.mount;
  const isOwn = body('listen') === 'own';
  if (server === null || !isOwn) return server === null && !isOwn;
  return parsePort(readText(RED, node, body, 'port')) === server.address.port;
}

/**
 * The keys in the form, or the deployed ones for unchanged fields. Null if a selected method has no key.
 * @param found HMAC key from a key store; null if the node has its own
 */
function keysOf(
  RED: NodeAPI,
  node: Node<WebhookInCredentials>,
  body: BodyReader,
  found: HmacKey | null,
): TestKeys | null {
  const readTypedKey = (name: 'hmacKey' | 'headerKey' | 'queryKey'): string => {
    const typed = toTextOrEmpty(body(name));
    const key = typed === '' || typed === untouched ? node.credentials[name] : typed;
    return expandKey(key, (text) => expandOrBlank(RED, node, text)) ?? '';
  };
  const named = (name: 'headerName' | 'queryName'): string =>
    readText(RED, node, body, name) || webhookInDefaults[name];
  const hmac = body('hmac') === true ? (found ?? readTypedKey('hmacKey')) : null;
  const header = body('header') === true ? { name: named('headerName'), key: readTypedKey('headerKey') } : null;
  const query = body('query') === true ? { name: named('queryName'), key: readTypedKey('queryKey') } : null;
  const isMissing = [hmac, header?.key, query?.key].some((key) => typeof key === 'string' && key.trim() === '');
  return isMissing ? null : { hmac, header, query };
}

/** A text of the form as the deployed node reads it. */
function readText(RED: NodeAPI, node: Node, body: BodyReader, name: string): string {
  return expandOrBlank(RED, node, toTextOrEmpty(body(name))).trim();
}

/** Blank if a variable is not set. */
function expandOrBlank(RED: NodeAPI, node: Node, text: string): string {
  try {
    return expandEnv(RED, node, text);
  } catch {
    return '';
  }
}

function webhookNode(RED: NodeAPI, id: string): Node<WebhookInCredentials> | null {
  const node = RED.nodes.getNode(id) as Node<WebhookInCredentials> | null | undefined;
  return node?.type === 'cemm-webhook-in' ? node : null;
}

function toTextOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
