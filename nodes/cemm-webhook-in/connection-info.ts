/** What a connection tells a receiver: the time zone, which monitor the deliveries come from, and the units of its channels. */
import type { NodeAPI } from 'node-red';
import type { MonitorConnection } from '../../src/connection/connection';
import type { MonitorInfo } from '../../src/model/payload';
import { catalogueOf } from '../../src/model/public-meters';
import type { DeliveryCatalogue } from '../../src/protocol/delivery-catalogue';
import { findConnection, type ConnectionNode, type ConnectionUser } from '../lib/connection-node';
import { askCatalogue } from './monitor-catalogue';

export interface ConnectionInfo {
  readonly timezone: string;
  readonly monitor: MonitorInfo | null;
  readonly catalogue: DeliveryCatalogue;
}

export const defaultConnectionInfo: ConnectionInfo = {
  timezone: 'Europe/Amsterdam',
  monitor: null,
  catalogue: new Map(),
};

const replacedMs = 1000;
/** Units and MAC are a bonus: a monitor that does not answer is left alone for a while. */
const retryMs = 300_000;
/** A key that stays unknown must not make a question of every delivery. */
const refreshMs = 60_000;

export interface FactsOptions {
  readonly RED: NodeAPI;
  /** Blank = none. */
  readonly connection: string;
  /** Host of a local connection; null for others. */
  readonly localHost: () => string | null;
  /** Called again when more is known. */
  readonly tell: (facts: ConnectionInfo) => void;
  readonly complain: (error: unknown) => void;
  /** Monotonic ms; default performance.now. */
  readonly now?: () => number;
}

export interface FollowedConnection {
  /** Asks the monitor again what it has, where it was asked before and not just now. Never throws; `tell` gives the answer. */
  refresh(): void;
  stop(): void;
}

/**
 * Tells the facts as they become known: the zone first, the monitor when it answers. Without a connection, or with one that
 * does not work, the zone is Europe/Amsterdam.
 */
export function followConnection(options: FactsOptions): FollowedConnection {
  const { RED, connection: id, localHost, tell, complain, now = () => performance.now() } = options;
  let refresh: () => void = () => undefined;
  let stop: () => void = () => undefined;
  let timer: NodeJS.Timeout | null = null;

  function begin(): void {
    timer = null;
    try {
      stop = follow(findConnection(RED, id));
    } catch (error) {
      complain(error);
      tell(defaultConnectionInfo);
    }
  }

  function beginLater(ms: number): void {
    timer = setTimeout(begin, ms);
  }

  function follow(connection: ConnectionNode): () => void {
    const abort = new AbortController();
    const user: ConnectionUser = {
      connectionClosed() {
        leave();
        beginLater(replacedMs);
      },
    };
    const leave = (): void => {
      stop = () => undefined;
      refresh = () => undefined;
      abort.abort();
      connection.deregister(user);
      if (timer !== null) clearTimeout(timer);
    };
    connection.register(user);
    ask(connection, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      complain(error);
      tell(defaultConnectionInfo);
    });
    return leave;
  }

  async function ask(connection: ConnectionNode, signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    const installation = await connection.connect();
    if (isOver()) return;
    tell({ ...defaultConnectionInfo, timezone: installation.timezone });
    let askedAt = now();
    const said = await askMonitor(installation, localHost(), signal);
    if (isOver()) return;
    if (said !== null) {
      tell({ ...said, timezone: installation.timezone });
      refresh = () => {
        if (said.catalogue.size === 0 || now() - askedAt < refreshMs) return;
        askedAt = now();
        void askMonitor(installation, localHost(), signal).then((more) => {
          // What was known stays known where nobody answers.
          if (!isOver() && more !== null) tell({ ...more, timezone: installation.timezone });
        });
      };
    } else {
      timer = setTimeout(() => {
        stop();
        begin();
      }, retryMs);
    }
  }

  if (id === '') tell(defaultConnectionInfo);
  // Not at once: the connection may be created after this node.
  else beginLater(0);
  return {
    refresh: () => {
      refresh();
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      stop();
    },
  };
}

/** Null where nobody answers. Never rejects. */
async function askMonitor(
  installation: MonitorConnection,
  localHost: string | null,
  signal: AbortSignal,
): Promise<Omit<ConnectionInfo, 'timezone'> | null> {
  if (installation.transport === 'public') {
    const said = await installation.listMeters(null, { signal, patience: 'poll' }).catch(() => null);
    return said === null ? null : { monitor: said.monitor, catalogue: catalogueOf(said.meters) };
  }
  const said = localHost === null ? null : await askCatalogue(localHost, signal);
  const monitor = said?.monitor ?? (await onlyMonitor(installation, signal));
  return monitor === null ? null : { monitor, catalogue: said?.channels ?? new Map() };
}

/** The monitor of the connection where there is one and no more. */
async function onlyMonitor(installation: MonitorConnection, signal: AbortSignal): Promise<MonitorInfo | null> {
  return installation.monitor(null, { signal, patience: 'poll' }).catch(() => null);
}
