/** What a receiver learns from its connection: the time zone, the monitor, and the units of the channels. */
import type { NodeAPI } from 'node-red';
import { createPublicClient } from '../../src/clients/public-client';
import type { MonitorConnection } from '../../src/connection/connection';
import { createPublicConnection } from '../../src/connection/public-connection';
import type { MonitorInfo } from '../../src/model/payload';
import { catalogueOf, type DeliveryCatalogue } from '../../src/model/public-meters';
import { type ConnectionNode, followConnection } from '../lib/connection-node';
import { loopbackAllowed } from '../lib/network-search';

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

/** Deliveries work without units and MAC, so a monitor that does not answer is asked again only after this time. */
const retryMs = 300_000;
/** An unknown channel may come with every delivery; the monitor is asked for it at most this often. */
const refreshMs = 60_000;
const localDeadlineMs = 5000;

export interface ConnectionInfoOptions {
  readonly RED: Pick<NodeAPI, 'nodes'>;
  /** Blank = none. */
  readonly connection: string;
  /** Host of a local connection; null for others. */
  readonly localHost: () => string | null;
  /** Called again when more is known. */
  readonly update: (info: ConnectionInfo) => void;
  readonly warn: (error: unknown) => void;
  /** Monotonic ms; default performance.now. */
  readonly now?: () => number;
}

export interface ConnectionInfoSource {
  /** Reads the channels again, unless that was less than a minute ago. Never throws; `update` gets the result. */
  refresh(): void;
  stop(): void;
}

/**
 * Updates the info as it becomes known: the time zone first, the monitor when it answers. Without a connection, or with one
 * that does not work, the time zone is Europe/Amsterdam.
 */
export function readConnectionInfo(options: ConnectionInfoOptions): ConnectionInfoSource {
  const { RED, connection: id, update, warn } = options;
  if (id === '') {
    update(defaultConnectionInfo);
    return { refresh: () => undefined, stop: () => undefined };
  }
  let reader: ConnectionInfoReader | null = null;
  const stop = followConnection(RED, id, {
    begin(connection) {
      const current = new ConnectionInfoReader(connection, options);
      reader = current;
      return () => {
        reader = null;
        current.stop();
      };
    },
    failed(error) {
      warn(error);
      update(defaultConnectionInfo);
    },
  });
  return {
    refresh: () => {
      reader?.refresh();
    },
    stop,
  };
}

/** Reads one connection from its start to its end. */
class ConnectionInfoReader {
  private readonly abort = new AbortController();
  private readonly now: () => number;
  private retryTimer: NodeJS.Timeout | undefined;
  private connection: MonitorConnection | null = null;
  private hasCatalogue = false;
  /** When the monitor was last asked. */
  private askedAt = 0;

  constructor(
    private readonly node: ConnectionNode,
    private readonly options: ConnectionInfoOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.start().catch((error: unknown) => {
      if (this.isStopped) return;
      options.warn(error);
      options.update(defaultConnectionInfo);
    });
  }

  refresh(): void {
    if (!this.hasCatalogue || this.now() - this.askedAt < refreshMs) return;
    // What was known before stays where the monitor does not answer.
    void this.readMonitor();
  }

  stop(): void {
    this.abort.abort();
    this.hasCatalogue = false;
    clearTimeout(this.retryTimer);
  }

  private get isStopped(): boolean {
    return this.abort.signal.aborted;
  }

  private async start(): Promise<void> {
    this.connection = await this.node.connect();
    if (this.isStopped) return;
    this.options.update({ ...defaultConnectionInfo, timezone: this.connection.timezone });
    await this.readUntilKnown();
  }

  private async readUntilKnown(): Promise<void> {
    if ((await this.readMonitor()) || this.isStopped) return;
    this.retryTimer = setTimeout(() => {
      void this.readUntilKnown();
    }, retryMs);
  }

  /** False where the monitor does not answer. Never rejects. */
  private async readMonitor(): Promise<boolean> {
    const { connection } = this;
    if (connection === null) return false;
    this.askedAt = this.now();
    const host = this.options.localHost();
    const local = host === null ? null : { host, allowLoopback: loopbackAllowed(this.node.allowLoopback) };
    const known = await askMonitor(connection, local, this.abort.signal);
    if (known === null || this.isStopped) return false;
    this.hasCatalogue = known.catalogue.size > 0;
    // Read now: a connection may know its time zone only after the first answer.
    this.options.update({ ...known, timezone: connection.timezone });
    return true;
  }
}

interface LocalMonitor {
  readonly host: string;
  readonly allowLoopback: boolean;
}

type MonitorAnswer = Omit<ConnectionInfo, 'timezone'>;

/** Null where nothing answers. Never rejects. */
async function askMonitor(
  connection: MonitorConnection,
  local: LocalMonitor | null,
  signal: AbortSignal,
): Promise<MonitorAnswer | null> {
  if (connection.transport === 'public') return askPublicApi(connection, signal);
  const answer = local === null ? null : await askPublicApiAt(local, signal);
  if (answer !== null) return answer;
  // The monitor of the connection, where it has exactly one.
  const monitor = await connection.monitor(null, { signal, patience: 'poll' }).catch(() => null);
  return monitor === null ? null : { monitor, catalogue: defaultConnectionInfo.catalogue };
}

/** A CEMM 3.0 answers at the host of a local connection as well, and only its public API tells units. */
async function askPublicApiAt(
  { host, allowLoopback }: LocalMonitor,
  signal: AbortSignal,
): Promise<MonitorAnswer | null> {
  try {
    const client = createPublicClient({ host, allowLoopback });
    const connection = createPublicConnection({ client, timezone: null, deadlineMs: localDeadlineMs });
    return await askPublicApi(connection, signal).finally(() => connection.close());
  } catch {
    return null;
  }
}

async function askPublicApi(connection: MonitorConnection, signal: AbortSignal): Promise<MonitorAnswer | null> {
  const list = await connection.listMeters(null, { signal, patience: 'poll' }).catch(() => null);
  return list === null ? null : { monitor: list.monitor, catalogue: catalogueOf(list.meters) };
}

/** The host in the stored properties of a local connection, with its variables; null for any other connection. */
export function localHostOf(RED: Pick<NodeAPI, 'nodes'>, connectionId: string): string | null {
  let host: string | null = null;
  RED.nodes.eachNode((node) => {
    if (node.id !== connectionId || Reflect.get(node, 'mode') !== 'local') return;
    const stored: unknown = Reflect.get(node, 'host');
    if (typeof stored === 'string' && stored.trim() !== '') host = stored;
  });
  return host;
}
