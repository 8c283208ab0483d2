/** Receives and verifies what a monitor pushes: deliveries leave by the first output, problems by the second. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../lib/register-node';
import { registerWebhookRoutes } from './admin-routes';
import type { WebhookInConfig, WebhookInCredentials } from './config';
import type * as HooksModule from './webhook-routes';
import type * as WebhookIn from './node';

const paths = lazy<typeof HooksModule>(__filename, './webhook-routes');
const webhookIn = lazy<typeof WebhookIn>(__filename, './node');

export = (RED: NodeAPI): void => {
  /** Null as long as there was no node that wants a path. */
  let routes: HooksModule.WebhookRoutes | null = null;
  registerWebhookRoutes(RED, (id) => routes?.routeOf(id) ?? null);

  function WebhookInNode(this: Node<WebhookInCredentials>, stored: Partial<WebhookInConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    routes ??= new (paths().WebhookRoutes)(RED);
    webhookIn().startWebhookIn(RED, routes, this, stored);
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
