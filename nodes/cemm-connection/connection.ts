/**
 * The life cycle of a connection node: nothing starts before the first request, all nodes share one connection, and close ends
 * everything.
 */
import type { NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';
import type { MonitorConnection } from '../../src/connection/connection';
import { type ConnectionNode, connectionType, type ConnectionUser } from '../lib/connection-node';
import { asCemmError, toNodeError } from '../lib/node-error';
import { createTranslate } from '../lib/translate';
import { type ConnectionSettings, readSettings } from './settings';
import { toMacText } from '../../src/protocol/mac';
import { expandEnv } from '../lib/typed-input';
import { lazy } from '../lib/register-node';
import type * as Build from './build-connection';
import {
  type ConnectionConfig,
  type ConnectionCredentials,
  connectionDefaults,
  type ConnectionLanguage,
  connectionLanguages,
} from './config';

/** Node-RED waits 15 s for a node to close; this limit holds even if something hangs. */
const mostCloseMs = 900;

const builder = lazy<typeof Build>(__filename, './build-connection');

/** Returns the settings of the connection; null if it cannot work (the node's `problem` is the reason). */
export function startConnection(
  RED: NodeAPI,
  node: ConnectionNode,
  config: Partial<ConnectionConfig>,
): ConnectionSettings | null {
  const language = readLanguage(config.language);
  const translate = createTranslate(RED, { type: connectionType, language: () => language });
  const connection = createConnection(
    () =>
      readSettings({
        config,
        apiKey: (node.credentials as ConnectionCredentials | undefined)?.apiKey,
        expand: (text) => expandEnv(RED, node, text),
      }),
    (settings) =>
      builder().buildConnection(settings, (monitor, host) => {
        const words = { monitor: toMacText(monitor), host };
        node.log(translate('log.moved', words) ?? `The monitor ${words.monitor} now answers at ${host}.`);
      }),
  );
  Object.assign(node, {
    mode: config.mode ?? connectionDefaults.mode,
    language,
    allowLoopback: config.allowLoopback === true,
    problem: connection.problem,
    connect: connection.connect,
    register: connection.register,
    deregister: connection.deregister,
  } satisfies Partial<ConnectionNode>);

  node.on('close', (_removed: boolean, done: () => void) => {
    const limit = setTimeout(done, mostCloseMs);
    void connection
      .close()
      // Node-RED discards exceptions of a close handler, so they are reported here.
      .catch((thrown: unknown) => {
        node.error(toNodeError(asCemmError(thrown), translate));
      })
      .finally(() => {
        clearTimeout(limit);
        done();
      });
  });
  return connection.settings;
}

/** A flow from an older release, or edited by hand, may lack the property. */
function readLanguage(stored: unknown): ConnectionLanguage {
  return connectionLanguages.find((known) => known === stored) ?? connectionDefaults.language;
}

export interface BuiltConnection {
  readonly connection: MonitorConnection;
  close(): Promise<void>;
}

interface Connection {
  readonly problem: CemmError | null;
  /** Settings in use; null if `problem` is set. */
  readonly settings: ConnectionSettings | null;
  readonly connect: () => Promise<MonitorConnection>;
  readonly register: (user: ConnectionUser) => void;
  readonly deregister: (user: ConnectionUser) => void;
  readonly close: () => Promise<void>;
}

function createConnection(
  read: () => ConnectionSettings,
  build: (settings: ConnectionSettings) => Promise<BuiltConnection>,
): Connection {
  const { settings, problem } = attempt(read);
  const users = new Set<ConnectionUser>();
  let building: Promise<BuiltConnection> | null = null;
  let closed = false;

  async function connect(): Promise<MonitorConnection> {
    if (settings === null) throw problem.copy();
    if (closed) throw new CemmError('CANCELLED', { reason: 'closed' });
    building ??= build(settings);
    try {
      return (await building).connection;
    } catch (thrown) {
      // The next request tries again: an occupied port may be free by then.
      building = null;
      throw asCemmError(thrown);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    for (const user of [...users]) user.connectionClosed();
    const built = await building?.catch(() => null);
    await built?.close();
  }

  return {
    problem,
    settings,
    connect,
    register: (user) => users.add(user),
    deregister: (user) => users.delete(user),
    close,
  };
}

type Attempt =
  | { readonly settings: ConnectionSettings; readonly problem: null }
  | { readonly settings: null; readonly problem: CemmError };

function attempt(read: () => ConnectionSettings): Attempt {
  try {
    return { settings: read(), problem: null };
  } catch (thrown) {
    return { settings: null, problem: asCemmError(thrown) };
  }
}
