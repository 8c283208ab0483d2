/**
 * The polling life of a node: begins once all nodes of a deploy exist, tells what keeps it from beginning, ends with the
 * node, and begins again when its connection was replaced under it.
 */
import type { NodeAPI } from 'node-red';
import { CemmError } from '../../src/clients/errors';
import type { ConnectionMode } from '../cemm-connection/config';
import { findConnection, type ConnectionNode, type ConnectionUser } from './connection-node';
import { asCemmError } from './node-error';
import { pollIntervalMs, wantsPolling } from './poll-interval';
import type { Runner } from './runner';
import { errorStatus, stateStatus } from './status-table';

const REPLACED_MS = 1000;

export interface PollingSettings {
  readonly connection: string;
  readonly interval: unknown;
  /**
   * Field and type of everything the question is made of: a poll has no message to take it from. A function where that
   * depends on the kind of connection.
   */
  readonly fields: Fields | ((mode: ConnectionMode) => Fields);
}

type Fields = readonly { readonly field: string; readonly type: string | undefined }[];

/** @param begin starts asking and returns what stops it */
export function keepPolling(
  RED: NodeAPI,
  runner: Runner,
  settings: PollingSettings,
  begin: (connection: ConnectionNode, intervalMs: number) => () => void,
): void {
  const polls = wantsPolling(settings.interval);
  let leave: (() => void) | null = null;
  // Not in the constructor: the connection may be created after this node.
  let timer: NodeJS.Timeout | null = setTimeout(start, 0);

  function start(): void {
    timer = null;
    try {
      const connection = findConnection(RED, settings.connection);
      if (connection.problem !== null) throw connection.problem.copy();
      const intervalMs = pollIntervalMs(settings.interval, connection.mode);
      if (intervalMs === null) return;
      refuseMessageFields(settings, connection.mode);
      runner.status(stateStatus('connecting', runner.say));
      join(connection, begin(connection, intervalMs));
    } catch (thrown) {
      const error = asCemmError(thrown);
      // A node that only answers messages will tell with each of them; until then the status is enough.
      if (polls) runner.report(error);
      else runner.status(errorStatus(error, runner.say));
    }
  }

  function join(connection: ConnectionNode, stop: () => void): void {
    const user: ConnectionUser = {
      connectionClosed() {
        leave?.();
        runner.status(stateStatus('connecting', runner.say));
        // When the whole flow is restarted this node closes, too, before the time is over.
        timer = setTimeout(start, REPLACED_MS);
      },
    };
    connection.register(user);
    leave = () => {
      leave = null;
      connection.deregister(user);
      stop();
    };
  }

  runner.onClose(() => {
    if (timer !== null) clearTimeout(timer);
    leave?.();
  });
}

function refuseMessageFields({ fields }: PollingSettings, mode: ConnectionMode): void {
  const asked = typeof fields === 'function' ? fields(mode) : fields;
  const found = asked.find(({ type }) => type === 'msg');
  if (found === undefined) return;
  throw new CemmError('CONFIG', `${found.field} is taken from a message, and a node that polls has none.`, {
    reason: 'needs_message',
    params: { field: found.field },
  });
}
