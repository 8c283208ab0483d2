/** Starts a webhook-in node from its stored properties. Reports an invalid setting and then opens nothing. */
import type { Node, NodeAPI } from 'node-red';
import { asCemmError } from '../lib/run/node-error';
import { createRunner } from '../lib/run/runner';
import { expandEnv } from '../lib/stored/typed-input';
import { adminPaths } from './routes/admin-paths';
import { webhookInDefaults, type WebhookInConfig, type WebhookInCredentials } from './config';
import { ReceiverNode } from './receiver-node';
import { Reporter } from './reporter';
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
  // The node has no input, so there is no work; the runner handles sending, status and close.
  const runner = createRunner(RED, node, { connection, parallel: 1, work: () => Promise.resolve() });
  const reporter = new Reporter(runner, node);
  try {
    const settings = readWebhookSettings({
      config: stored,
      credentials: node.credentials,
      expand: (text) => expandEnv(RED, node, text),
      nodeRoot: serverRoots(RED).node,
      admin: adminPaths(RED),
    });
    const receiver = new ReceiverNode({ RED, node, routes, connection, localHost }, settings, runner, reporter);
    runner.onClose((removed) => {
      receiver.close(removed);
    });
  } catch (thrown) {
    reporter.block(asCemmError(thrown));
  }
}
