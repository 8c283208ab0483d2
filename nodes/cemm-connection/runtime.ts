/** Registers the connection node: one connection to monitors, opened by the first request and shared by all nodes. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { registerAdminRoutes } from '../lib/admin-routes';
import { connectionType, type ConnectionNode } from '../lib/run/connection-node';
import { loadedFor } from '../lib/run/register-node';
import { lazy } from '../../src/loading/lazy';
import { connectionAdminRoutes } from './admin-routes';
import type { ConnectionConfig, ConnectionCredentials } from './config';
import { languageKey } from './languages';
import type { ConnectionSettings } from '../../src/library/open-connection';
import type * as Start from './connection';

const start = lazy(() => require('./connection') as typeof Start);

type StoredConfig = Partial<ConnectionConfig> & NodeDef;

export = (RED: NodeAPI): void => {
  // Not a property of the node, because other nodes must not read the key.
  const deployed = new WeakMap<Node, ConnectionSettings>();
  registerAdminRoutes(
    RED,
    connectionAdminRoutes(RED, (node) => deployed.get(node) ?? null),
  );

  function ConnectionNodeConstructor(this: ConnectionNode, config: StoredConfig): void {
    RED.nodes.createNode(this, config);
    const settings = loadedFor(RED, this, start)?.startConnection(RED, this, config) ?? null;
    if (settings !== null) deployed.set(this, settings);
  }

  RED.nodes.registerType<ConnectionNode, StoredConfig, unknown, ConnectionCredentials>(
    connectionType,
    ConnectionNodeConstructor,
    {
      credentials: { apiKey: { type: 'password' } },
      settings: { cemmConnectionLanguage: { value: RED._(languageKey), exportable: true } },
    },
  );
};
