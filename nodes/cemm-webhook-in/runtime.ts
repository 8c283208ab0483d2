/** Receives and verifies what a monitor pushes: deliveries leave by the first output, problems by the second. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { expandEnv } from '../shared/env-text';
import { registerWebhookRoutes } from './admin-routes';
import { webhookInDefaults, type WebhookInConfig, type WebhookInCredentials } from './config';
import { openEndpoint } from './endpoint';
import { Hooks } from './hooks';
import { localHostOf } from './monitor-catalogue';
import { serverRoots } from './server-roots';
import { readWebhookSettings } from './settings';

export = (RED: NodeAPI): void => {
  const hooks = new Hooks(RED);
  registerWebhookRoutes(RED, hooks);

  function WebhookInNode(this: Node<WebhookInCredentials>, stored: Partial<WebhookInConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    const connection = stored.connection ?? webhookInDefaults.connection;
    const localHost = (): string | null => {
      const host = localHostOf(RED, connection);
      return host === null ? null : expandEnv(RED, this, host);
    };
    const endpoint = openEndpoint({
      RED,
      node: this,
      hooks,
      connection,
      localHost,
      settings: () =>
        readWebhookSettings({
          config: stored,
          credentials: this.credentials,
          expand: (text) => expandEnv(RED, this, text),
          roots: serverRoots(RED),
        }),
    });
    this.on('close', (removed: boolean, done: () => void) => {
      try {
        endpoint.close(removed);
      } catch (error) {
        // Node-RED says nothing of what is thrown here.
        this.error(error instanceof Error ? error.name : 'close failed');
      }
      done();
    });
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
