/** The life of a connection: nothing before the first question, one installation for all, everything ended by close. */
import { CemmError } from '../../src/clients/errors';
import type { Installation } from '../../src/installation/installation';
import type { ConnectionUser } from '../shared/connection-node';
import { asCemmError } from '../shared/node-error';
import type { ConnectionSettings } from './settings';

export interface Built {
  readonly installation: Installation;
  close(): Promise<void>;
}

export interface Connection {
  readonly problem: CemmError | null;
  /** What it runs with; null where `problem` says why it cannot. */
  readonly settings: ConnectionSettings | null;
  readonly installation: () => Promise<Installation>;
  readonly register: (user: ConnectionUser) => void;
  readonly deregister: (user: ConnectionUser) => void;
  readonly close: () => Promise<void>;
}

export function createConnection(
  read: () => ConnectionSettings,
  build: (settings: ConnectionSettings) => Promise<Built>,
): Connection {
  const { settings, problem } = attempt(read);
  const users = new Set<ConnectionUser>();
  let building: Promise<Built> | null = null;
  let closed = false;

  async function installation(): Promise<Installation> {
    if (settings === null) throw problem.copy();
    if (closed) throw new CemmError('CANCELLED', 'The connection is closed.', { reason: 'closed' });
    building ??= build(settings);
    try {
      return (await building).installation;
    } catch (thrown) {
      // The next question tries again: a port that was taken may be free by then.
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
    installation,
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
