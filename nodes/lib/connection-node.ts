/** A cemm-connection node as the nodes that use it see it. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';
import type { MonitorConnection } from '../../src/connection/connection';
import type { ConnectionCredentials, ConnectionLanguage, ConnectionMode } from '../cemm-connection/config';
import type { Job, Runner } from './runner';
import { stateStatus } from './status';

export const connectionType = 'cemm-connection';

export interface ConnectionUser {
  /** The connection ends while its user goes on: whatever it asked for has been called off. */
  connectionClosed(): void;
}

export interface ConnectionNode extends Node<ConnectionCredentials> {
  readonly mode: ConnectionMode;
  /** Of the statuses and errors of the nodes that use it; blank (absent in an older copy of this package): that of Node-RED. */
  readonly language?: ConnectionLanguage;
  /** The monitor may run on this machine. */
  readonly allowLoopback?: boolean;
  /** Why it cannot work as it is set up (CONFIG); null where nothing is known against it. */
  readonly problem: CemmError | null;
  /** Built on first use and shared. Rejects with a CemmError: `problem`, or what kept the demo monitor from starting. */
  connect(): Promise<MonitorConnection>;
  register(user: ConnectionUser): void;
  deregister(user: ConnectionUser): void;
}

/**
 * The connection that a node names.
 * @throws CemmError CONFIG `no_connection` (none chosen) or `connection_missing` (deleted or disabled)
 */
export function findConnection(RED: Pick<NodeAPI, 'nodes'>, id: string | undefined): ConnectionNode {
  if (id === undefined || id === '') {
    throw new CemmError('CONFIG', { reason: 'no_connection' });
  }
  const node: unknown = RED.nodes.getNode(id);
  if (isConnectionNode(node)) return node;
  throw new CemmError('CONFIG', { reason: 'connection_missing' });
}

/** The language that the connection of this id asks for; blank: none, or there is no such connection. */
export function languageOf(RED: Pick<NodeAPI, 'nodes'>, id: string | undefined): ConnectionLanguage {
  const node: unknown = id === undefined || id === '' ? null : RED.nodes.getNode(id);
  return isConnectionNode(node) ? (node.language ?? '') : '';
}

/** By shape, not by class: another installed copy of this package makes connections, too. */
function isConnectionNode(node: unknown): node is ConnectionNode {
  return (
    typeof node === 'object' &&
    node !== null &&
    'type' in node &&
    node.type === connectionType &&
    'connect' in node &&
    typeof node.connect === 'function'
  );
}

/** A node that is restarted with its connection is closed within this time, and then follows no more. */
const replacedMs = 1000;

export interface ConnectionFollower {
  /** Starts using the connection. Returns what stops it, or null where the connection is not needed. What it throws goes to `failed`. */
  begin(connection: ConnectionNode): (() => void) | null;
  failed(error: unknown): void;
  /** The connection was closed; it is looked for again. */
  closed?(): void;
}

/**
 * Uses a connection as soon as all nodes of a deploy exist, and again after it was replaced. The returned function ends it.
 * Calls nothing before it has returned.
 */
export function followConnection(
  RED: Pick<NodeAPI, 'nodes'>,
  id: string | undefined,
  follower: ConnectionFollower,
): () => void {
  let leave: (() => void) | null = null;
  // Not at once: the connection may be created after this node.
  let timer = setTimeout(start, 0);

  function start(): void {
    try {
      const connection = findConnection(RED, id);
      const stop = follower.begin(connection);
      if (stop !== null) join(connection, stop);
    } catch (error) {
      follower.failed(error);
    }
  }

  function join(connection: ConnectionNode, stop: () => void): void {
    const user: ConnectionUser = {
      connectionClosed() {
        leave?.();
        follower.closed?.();
        timer = setTimeout(start, replacedMs);
      },
    };
    connection.register(user);
    leave = () => {
      leave = null;
      connection.deregister(user);
      stop();
    };
  }

  return () => {
    clearTimeout(timer);
    leave?.();
  };
}

/** True, with a status that names the shard, if this job is a poll and another shard polls the monitor. Messages are always served. */
export async function isPolledByAnotherShard(
  { msg, signal }: Pick<Job, 'msg' | 'signal'>,
  connection: Pick<MonitorConnection, 'otherShard'>,
  monitor: string | null,
  runner: Pick<Runner, 'translate' | 'status'>,
): Promise<boolean> {
  if (msg !== null) return false;
  const shard = await connection.otherShard(monitor, { signal, patience: 'poll' });
  if (shard === null) return false;
  runner.status(stateStatus('elsewhere', runner.translate, { shard }));
  return true;
}
