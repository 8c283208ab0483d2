/** One connection node: what other nodes call on it, and its close. */
import type { NodeAPI } from 'node-red';
import { toMacText } from '../../src/wire/mac';
import type { ConnectionNode } from '../shared/connection-node';
import { expandEnv } from '../shared/env-text';
import { lazy } from '../shared/lazy';
import { asCemmError, toNodeError } from '../shared/node-error';
import { createSay } from '../shared/sentences';
import type * as Build from './build-installation';
import { connectionDefaults, type ConnectionConfig, type ConnectionCredentials } from './config';
import { createConnection } from './connection';
import { readSettings, type ConnectionSettings } from './settings';

/** Node-RED itself waits 15 s for a node to close; ours never takes that long, whatever hangs. */
const CLOSE_MS = 900;

const installations = lazy<typeof Build>(__filename, './build-installation');

/** Returns what the connection runs with; null where it cannot (`problem` of the node says why). */
export function startConnection(
  RED: NodeAPI,
  node: ConnectionNode,
  config: Partial<ConnectionConfig>,
): ConnectionSettings | null {
  const connection = createConnection(
    () =>
      readSettings({
        config,
        apiKey: (node.credentials as ConnectionCredentials | undefined)?.apiKey,
        expand: (text) => expandEnv(RED, node, text),
      }),
    (settings) =>
      installations().buildInstallation(settings, (monitor, host) => {
        const words = { monitor: toMacText(monitor), host };
        node.log(createSay(RED)('log.moved', words) ?? `The monitor ${words.monitor} now answers at ${host}.`);
      }),
  );
  Object.assign(node, {
    mode: config.mode ?? connectionDefaults.mode,
    problem: connection.problem,
    installation: connection.installation,
    register: connection.register,
    deregister: connection.deregister,
  } satisfies Partial<ConnectionNode>);

  node.on('close', (_removed: boolean, done: () => void) => {
    const limit = setTimeout(done, CLOSE_MS);
    void connection
      .close()
      // Node-RED swallows what a close handler throws, so it is told here.
      .catch((thrown: unknown) => {
        node.error(toNodeError(asCemmError(thrown), createSay(RED)));
      })
      .finally(() => {
        clearTimeout(limit);
        done();
      });
  });
  return connection.settings;
}
