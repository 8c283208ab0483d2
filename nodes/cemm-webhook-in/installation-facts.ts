/** What a connection tells a receiver: the time zone, and which monitor the deliveries come from. */
import type { NodeAPI } from 'node-red';
import type { MonitorInfo } from '../../src/model/payload';
import { findConnection, type ConnectionNode, type ConnectionUser } from '../shared/connection-node';

export interface InstallationFacts {
  readonly timezone: string;
  readonly monitor: MonitorInfo | null;
}

export const defaultFacts: InstallationFacts = { timezone: 'Europe/Amsterdam', monitor: null };

const replacedMs = 1000;
/** Asking the monitor may fail while it restarts; a delivery is proof that it is back, but nobody is in a hurry. */
const retryMs = 300_000;

/**
 * Tells the facts as they become known: the zone first, the monitor when it answers. Without a connection the zone is
 * Europe/Amsterdam. The returned function ends it.
 */
export function followInstallation(
  RED: NodeAPI,
  connectionId: string,
  tell: (facts: InstallationFacts) => void,
  complain: (error: unknown) => void,
): () => void {
  let stop: () => void = () => undefined;
  let timer: NodeJS.Timeout | null = null;

  function begin(): void {
    timer = null;
    try {
      stop = follow(findConnection(RED, connectionId));
    } catch (error) {
      complain(error);
      tell(defaultFacts);
    }
  }

  function follow(connection: ConnectionNode): () => void {
    const abort = new AbortController();
    const user: ConnectionUser = {
      connectionClosed() {
        leave();
        timer = setTimeout(begin, replacedMs);
      },
    };
    const leave = (): void => {
      abort.abort();
      connection.deregister(user);
      if (timer !== null) clearTimeout(timer);
      stop = () => undefined;
    };
    connection.register(user);
    ask(connection, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      complain(error);
      tell(defaultFacts);
    });
    return leave;
  }

  async function ask(connection: ConnectionNode, signal: AbortSignal): Promise<void> {
    const installation = await connection.installation();
    const { timezone } = installation;
    if (!signal.aborted) tell({ timezone, monitor: null });
    const monitor = await installation.monitor(null, { signal, patience: 'poll' }).catch(() => null);
    if (signal.aborted) return;
    if (monitor !== null) tell({ timezone, monitor });
    else {
      timer = setTimeout(() => {
        stop();
        begin();
      }, retryMs);
    }
  }

  if (connectionId === '') tell(defaultFacts);
  // Not at once: the connection may be created after this node.
  else timer = setTimeout(begin, 0);
  return () => {
    if (timer !== null) clearTimeout(timer);
    stop();
  };
}
