/** Reads the time zone, the monitor and the units of the channels from a receiver's connection. */
import type { NodeAPI } from 'node-red';
import { createPublicClient } from '../../src/clients/public-client';
import type { MeterList, MonitorConnection } from '../../src/connection/connection';
import { CemmError } from '../../src/errors';
import { createPublicConnection } from '../../src/connection/public-connection';
import { type MeterTable, noTable } from '../../src/model/meter-table';
import type { MonitorInfo } from '../../src/model/payload';
import { buildDeliveryCatalogue, type DeliveryCatalogue } from '../../src/model/public-meters';
import type { DeliveredMeters } from '../cemm-connection/delivered-meters';
import { type ConnectionNode, followConnection, loopbackAllowed, findTimezone } from '../lib/run/connection-node';
import { minuteMs } from '../../src/time/units';

export interface ConnectionInfo {
  readonly timezone: string;
  readonly monitor: MonitorInfo | null;
  readonly catalogue: DeliveryCatalogue;
  /** The meters of the house. */
  readonly meters: MeterTable;
  /** Takes the meters of deliveries, for the dialog of the connection; null without one. */
  readonly delivered: DeliveredMeters | null;
  /** The connection has several monitors. */
  readonly hasSeveral: boolean;
}

export const defaultConnectionInfo: ConnectionInfo = {
  timezone: 'Europe/Amsterdam',
  monitor: null,
  catalogue: new Map(),
  meters: noTable,
  delivered: null,
  hasSeveral: false,
};

/** Deliveries work without units and MAC address, so a monitor that does not answer is asked again after a pause. */
const retryMs = 300_000;
/** Shortest time between two requests for the channels: every delivery may bring an unknown one. */
const refreshMs = minuteMs;
const localDeadlineMs = 5000;

export interface ConnectionInfoOptions {
  readonly RED: Pick<NodeAPI, 'nodes'>;
  /** Blank = none. */
  readonly connection: string;
  /** Host of a local connection; null for other connections. */
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
 * Reports the time zone first, and the monitor when it answers. Without a working connection the time zone is Europe/Amsterdam.
 * Deliveries are never of the demo monitor, so a connection to it gives what its owner has entered, and nothing of the monitor.
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

/** Reads one connection until it closes. */
class ConnectionInfoReader {
  private readonly abort = new AbortController();
  private readonly now: () => number;
  private retryTimer: NodeJS.Timeout | undefined;
  private connection: MonitorConnection | null = null;
  private hasCatalogue = false;
  /** Time of the last request to the monitor. */
  private askedAt = 0;

  constructor(
    private readonly node: ConnectionNode,
    private readonly options: ConnectionInfoOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.connectAndRead().catch((error: unknown) => {
      if (this.isStopped) return;
      options.warn(error);
      options.update(defaultConnectionInfo);
    });
  }

  refresh(): void {
    if (!this.hasCatalogue || this.now() - this.askedAt < refreshMs) return;
    // If the monitor does not answer, the earlier information stays.
    void this.readMonitor();
  }

  stop(): void {
    this.abort.abort();
    this.hasCatalogue = false;
    clearTimeout(this.retryTimer);
  }

  private get ofHouse(): Pick<ConnectionInfo, 'meters' | 'delivered'> {
    const { houseMeters = noTable, delivered = null } = this.node;
    return { meters: houseMeters, delivered };
  }

  private get isStopped(): boolean {
    return this.abort.signal.aborted;
  }

  private async connectAndRead(): Promise<void> {
    if (this.node.mode === 'demo') {
      const timezone = await findTimezone(this.node);
      if (!this.isStopped) this.options.update({ ...defaultConnectionInfo, timezone, ...this.ofHouse });
      return;
    }
    const connection = await this.node.connect();
    this.connection = connection;
    // So that deliveries right after a start, and while the monitor does not answer, have the same monitor as all others.
    const kept = connection.lastListed === undefined ? null : await connection.lastListed().catch(() => null);
    if (this.isStopped) return;
    const known = kept === null ? defaultConnectionInfo : infoFrom(kept);
    this.options.update({ ...known, timezone: connection.timezone, ...this.ofHouse });
    await this.readUntilKnown();
  }

  private async readUntilKnown(): Promise<void> {
    if ((await this.readMonitor()) || this.isStopped) return;
    this.retryTimer = setTimeout(() => {
      void this.readUntilKnown();
    }, retryMs);
  }

  /** False if the monitor does not answer. Never rejects. */
  private async readMonitor(): Promise<boolean> {
    const { connection } = this;
    if (connection === null) return false;
    this.askedAt = this.now();
    const host = this.options.localHost();
    const local = host === null ? null : { host, allowLoopback: loopbackAllowed(this.node.allowLoopback) };
    const known = await askMonitor(connection, local, this.abort.signal);
    if (known === null || this.isStopped) return false;
    this.hasCatalogue = known.catalogue.size > 0;
    // Read here, because a connection may learn its time zone from its first response.
    this.options.update({ ...known, timezone: connection.timezone, ...this.ofHouse });
    return true;
  }
}

interface LocalMonitor {
  readonly host: string;
  readonly allowLoopback: boolean;
}

type MonitorAnswer = Omit<ConnectionInfo, 'timezone' | 'meters' | 'delivered'>;

/** Null if nothing answers. Never rejects. */
async function askMonitor(
  connection: MonitorConnection,
  local: LocalMonitor | null,
  signal: AbortSignal,
): Promise<MonitorAnswer | null> {
  if (connection.transport === 'public') return askPublicApi(connection, signal);
  const answer = local === null ? null : await askPublicApiAt(local, signal);
  if (answer !== null) return answer;
  // The connection's monitor, if it has exactly one.
  const { catalogue } = defaultConnectionInfo;
  try {
    return { monitor: await connection.monitor(null, { signal, patience: 'poll' }), catalogue, hasSeveral: false };
  } catch (thrown) {
    const hasSeveral = thrown instanceof CemmError && thrown.reason === 'several_monitors';
    return hasSeveral ? { monitor: null, catalogue, hasSeveral } : null;
  }
}

/** The host of a local connection may be a CEMM 3.0, and only its public API has units. */
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
  return list === null ? null : infoFrom(list);
}

function infoFrom({ monitor, own }: Pick<MeterList, 'monitor' | 'own'>): MonitorAnswer {
  return { monitor, catalogue: buildDeliveryCatalogue(own), hasSeveral: false };
}

/** The stored host of a local connection with its variables replaced; null for any other connection. */
export function localHostOf(RED: Pick<NodeAPI, 'nodes'>, connectionId: string): string | null {
  let host: string | null = null;
  RED.nodes.eachNode((node) => {
    if (node.id !== connectionId || Reflect.get(node, 'mode') !== 'local') return;
    const stored: unknown = Reflect.get(node, 'host');
    if (typeof stored === 'string' && stored.trim() !== '') host = stored;
  });
  return host;
}
