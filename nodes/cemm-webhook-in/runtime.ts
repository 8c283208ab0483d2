/** Registers the webhook-in node, which receives deliveries of monitors: deliveries at its first output, problems at its second. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { loadedFor } from '../lib/run/register-node';
import { lazy } from '../../src/loading/lazy';
import { registerWebhookRoutes } from './routes/admin-routes';
import type { WebhookInConfig, WebhookInCredentials } from './config';
import type * as WebhookRoutesModule from './routes/webhook-routes';
import type * as WebhookIn from './node';

const webhookRoutes = lazy(() => require('./routes/webhook-routes') as typeof WebhookRoutesModule);
const webhookIn = lazy(() => require('./node') as typeof WebhookIn);

export = (RED: NodeAPI): void => {
  /** Null before the first node. */
  let routes: WebhookRoutesModule.WebhookRoutes | null = null;
  registerWebhookRoutes(RED, (id) => routes?.routeOf(id) ?? null);

  function WebhookInNode(this: Node<WebhookInCredentials>, stored: Partial<WebhookInConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    const code = loadedFor(RED, this, () => ({ ...webhookRoutes(), ...webhookIn() }));
    if (code === null) return;
    routes ??= new code.WebhookRoutes(RED);
    code.startWebhookIn(RED, routes, this, stored);
  }

  RED.nodes.registerType<Node<WebhookInCredentials>, Partial<WebhookInConfig> & NodeDef, unknown, WebhookInCredentials>(
    'cemm-webhook-in',
    WebhookInNode,
    {
      credentials: {
        hmacKey: { type: 'password' },
        previousHmacKey: { type: 'password' },
        headerKey: { type: 'password' },
        queryKey: { type: 'password' },
      },
    },
  );
};
