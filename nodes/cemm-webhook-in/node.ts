/** Starts a webhook-in node from its stored properties. */
import type { Node, NodeAPI } from 'node-red';
import { expandEnv } from '../lib/stored/typed-input';
import { adminPaths } from './routes/admin-paths';
import { webhookInDefaults, type WebhookInConfig, type WebhookInCredentials } from './config';
import { openReceiverNode } from './receiver-node';
import type { WebhookRoutes } from './routes/webhook-routes';
import { localHostOf } from './connection-info';
import { serverRoots } from './routes/server-roots';
import { readWebhookSettings } from './settings';

export function startWebhookIn(
  RED: NodeAPI,
  routes: WebhookRoutes,
  node: Node<WebhookInCredentials>,
  stored: Partial<WebhookInConfig>,
): void {
  const connection = stored.connection ?? webhookInDefaults.connection;
  const localHost = (): string | null => {
    const host = localHostOf(RED, connection);
    return host === null ? null : expandEnv(RED, node, host);
  };
  openReceiverNode({
    RED,
    node,
    routes,
    connection,
    localHost,
    settings: () =>
      readWebhookSettings({
        config: stored,
        credentials: node.credentials,
        expand: (text) => expandEnv(RED, node, text),
        nodeRoot: serverRoots(RED).node,
        admin: adminPaths(RED),
      }),
  });
}
