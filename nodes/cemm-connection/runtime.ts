/** How to reach monitors: one installation, built when the first node asks and shared by all of them. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { toMacText } from '../../src/wire/mac';
import { registerAdminRoutes } from '../shared/admin-route';
import { CONNECTION_TYPE, type ConnectionNode } from '../shared/connection-node';
import { expandEnv } from '../shared/env-text';
import { asCemmError, toNodeError } from '../shared/node-error';
import { createSay } from '../shared/sentences';
import { connectionAdminRoutes } from './admin-routes';
import { buildInstallation } from './build-installation';
import { connectionDefaults, type ConnectionConfig, type ConnectionCredentials } from './config';
import { createConnection } from './connection';
import { readSettings, type ConnectionSettings } from './settings';

/** Node-RED itself waits 15 s for a node to close; ours never takes that long, whatever hangs. */
const CLOSE_MS = 900;

type StoredConfig = Partial<ConnectionConfig> & NodeDef;

export = (RED: NodeAPI): void => {
  // Not on the node itself: other nodes have no business with the key.
  const deployed = new WeakMap<Node, ConnectionSettings>();
  registerAdminRoutes(
    RED,
    connectionAdminRoutes(RED, (node) => deployed.get(node) ?? null),
  );

  function ConnectionNodeConstructor(this: ConnectionNode, config: StoredConfig): void {
    RED.nodes.createNode(this, config);
    const connection = createConnection(
      () =>
        readSettings({
          config,
          apiKey: (this.credentials as ConnectionCredentials | undefined)?.apiKey,
          expand: (text) => expandEnv(RED, this, text),
        }),
      (settings) =>
        buildInstallation(settings, (monitor, host) => {
          const words = { monitor: toMacText(monitor), host };
          this.log(createSay(RED)('log.moved', words) ?? `The monitor ${words.monitor} now answers at ${host}.`);
        }),
    );
    if (connection.settings !== null) deployed.set(this, connection.settings);
    Object.assign(this, {
      mode: config.mode ?? connectionDefaults.mode,
      problem: connection.problem,
      installation: connection.installation,
      register: connection.register,
      deregister: connection.deregister,
    } satisfies Partial<ConnectionNode>);

    this.on('close', (_removed: boolean, done: () => void) => {
      const limit = setTimeout(done, CLOSE_MS);
      void connection
        .close()
        // Node-RED swallows what a close handler throws, so it is told here.
        .catch((thrown: unknown) => {
          this.error(toNodeError(asCemmError(thrown), createSay(RED)));
        })
        .finally(() => {
          clearTimeout(limit);
          done();
        });
    });
  }

  RED.nodes.registerType<ConnectionNode, StoredConfig, unknown, ConnectionCredentials>(
    CONNECTION_TYPE,
    ConnectionNodeConstructor,
    { credentials: { apiKey: { type: 'password' } } },
  );
};
