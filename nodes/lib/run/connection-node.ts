/** The interface of a cemm-connection node for the nodes that use it. */
import type { ReadContract } from '../../../src/balance/prices/house-contracts';
import type { Node, NodeAPI, NodeStatus } from 'node-red';
import type { HouseBalances } from '../../../src/balance/balances';
import type { DayBalances } from '../../../src/balance/day-sums/day-balances';
import type { PriceKeeper } from '../../../src/balance/prices/price-keeper';
import { CemmError } from '../../../src/errors';
import type { MeterTable } from '../../../src/model/meter-table';
import type { MonitorConnection } from '../../../src/connection/connection';
import type { MonitorId } from '../../../src/protocol/mac';
import type { PastDays } from '../../../src/store/past-days';
import type { ConnectionCredentials, ConnectionLanguage, ConnectionMode } from '../../cemm-connection/config';
import type { ReadBackAnswer } from '../../cemm-connection/admin-answers';
import type { DeliveredMeters } from '../../cemm-connection/delivered-meters';
import type { KeptReadings } from '../../cemm-connection/kept-days';
import { stateStatus } from './status';
import type { Translate } from './translate';

export const connectionType = 'cemm-connection';

export interface ConnectionUser {
  /** The connection closed before its user: its pending requests are cancelled. */
  connectionClosed(): void;
}

export interface ConnectionNode extends Node<ConnectionCredentials> {
  readonly mode: ConnectionMode;
  /**
   * Language of statuses and errors of the nodes that use it. Blank: Node-RED's language. An older copy of this package has no
   * such member.
   */
  readonly language?: ConnectionLanguage;
  /** Time zone of the house; null: the monitor's own, once it has answered. An older copy has no such member. */
  readonly timezone?: string | null;
  /** The monitor may run on this machine. */
  readonly allowLoopback?: boolean;
  /** Why it cannot work with its settings (CONFIG); null if no reason is known. */
  readonly problem: CemmError | null;
  /** Built on first use and shared. Rejects with a CemmError: `problem`, or the reason that the demo monitor did not start. */
  connect(): Promise<MonitorConnection>;
  /** Keeps what messages say; null: the node that adds them up does, in its context. An older copy has no such member. */
  readonly past?: () => PastDays | null;
  /** Keeps the readings of midnights; null: the node that reads them does, in its context. An older copy has no such member. */
  readonly readings?: () => KeptReadings | null;
  /**
   * Prices of the house as stored, unchecked; null: there are none. Rejects with a CemmError if they cannot be read. An older
   * copy has no such member.
   */
  readonly prices?: () => Promise<unknown>;
  /**
   * Contracts of the house with their prices, unchecked; empty without any. Rejects as `prices`. An older copy has no such member.
   */
  readonly contracts?: () => Promise<readonly ReadContract[]>;
  /** Type of the property `prices`. An older copy has no such member. */
  readonly pricesType?: string;
  /** Keeps the lists of prices that come from a context. An older copy has no such member. */
  readonly priceKeeper?: PriceKeeper;
  /** The meters of the house; empty while it cannot work with its settings. An older copy has no such member. */
  readonly houseMeters?: MeterTable;
  /** The meters of the demo monitor; absent for another monitor, and in an older copy. */
  readonly simulatedMeters?: MeterTable | undefined;
  /** The meters that deliveries of the nodes that use it have named. An older copy has no such member. */
  readonly delivered?: DeliveredMeters;
  /** As connect(). An older copy has null for a CEMM 3.0. */
  balances(): Promise<HouseBalances | null>;
  /** As connect(): the sums of days of a CEMM 3.0; null for another monitor. An older copy has no such member. */
  readonly days?: () => Promise<DayBalances | null>;
  /**
   * Expects this monitor at the address from now on, whatever is configured or has answered before, and begins anew. An older copy
   * has no such member.
   */
  readonly acceptMonitor?: (monitor: MonitorId) => Promise<void>;
  /** The past that was read in the background. An older copy has no such member. */
  readonly readBack?: () => Promise<ReadBackAnswer>;
  register(user: ConnectionUser): void;
  deregister(user: ConnectionUser): void;
}

/**
 * A simulated monitor on this machine is allowed by the connection or for the whole process. Otherwise loopback is Node-RED
 * itself.
 */
export function loopbackAllowed(inConnection = false): boolean {
  return inConnection || process.env['CEMM_ALLOW_LOOPBACK'] === 'true';
}

/**
 * The connection that a node refers to.
 * @throws {CemmError} CONFIG `no_connection` (none chosen) or `connection_missing` (deleted or disabled)
 */
export function findConnection(RED: Pick<NodeAPI, 'nodes'>, id: string | undefined): ConnectionNode {
  const node = lookUpConnection(RED, id);
  if (node !== null) return node;
  throw new CemmError('CONFIG', { reason: id === undefined || id === '' ? 'no_connection' : 'connection_missing' });
}

function lookUpConnection(RED: Pick<NodeAPI, 'nodes'>, id: string | undefined): ConnectionNode | null {
  const node: unknown = id === undefined || id === '' ? null : RED.nodes.getNode(id);
  return isConnectionNode(node) ? node : null;
}

/**
 * Time zone of the house. The demo monitor is not started for it.
 * @throws {CemmError} as connect()
 */
export async function findTimezone(connection: ConnectionNode): Promise<string> {
  const { mode, timezone } = connection;
  if (mode !== 'demo' || typeof timezone !== 'string') return (await connection.connect()).timezone;
  return timezone;
}

/** Language of the connection with this id; blank if it has none, or does not exist. */
export function languageOf(RED: Pick<NodeAPI, 'nodes'>, id: string | undefined): ConnectionLanguage {
  return lookUpConnection(RED, id)?.language ?? '';
}

/** Mode of the connection with this id; null if it does not exist. */
export function findMode(RED: Pick<NodeAPI, 'nodes'>, id: string | undefined): ConnectionMode | null {
  return lookUpConnection(RED, id)?.mode ?? null;
}

/** Checks the shape, not the class: another installed copy of this package has its own class. */
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

/**
 * Longest time from the close of a connection to the close of a node that is restarted with it. Such a node does not follow the
 * new one.
 */
const replacedMs = 1000;
/** Pause between two searches for a connection that does not exist. */
const searchMs = 1000;

export interface ConnectionFollower {
  /**
   * Starts using the connection. Returns a function that stops it, or null if the connection is not needed. Exceptions go to
   * `failed`.
   */
  begin(connection: ConnectionNode): (() => void) | null;
  /** Milliseconds from the start of the node to the first `begin`; default: 0. */
  delayMs?(connection: ConnectionNode): number;
  failed(error: unknown): void;
  /** The connection was closed; the next one is awaited. */
  closed?(): void;
}

/**
 * Uses a connection once all nodes of a deploy exist, and again after a replacement. The returned function ends this. Calls
 * nothing before it has returned.
 */
export function followConnection(
  RED: Pick<NodeAPI, 'nodes'>,
  id: string | undefined,
  follower: ConnectionFollower,
): () => void {
  let leave: (() => void) | null = null;
  // Deferred, because the connection may be created after this node.
  let timer = setTimeout(beginFirst, 0);

  function beginFirst(): void {
    const connection = lookUpConnection(RED, id);
    const delayMs = connection === null ? 0 : (follower.delayMs?.(connection) ?? 0);
    if (delayMs === 0) beginFollowing();
    else timer = setTimeout(beginFollowing, delayMs);
  }

  function beginFollowing(): void {
    try {
      const connection = findConnection(RED, id);
      const stop = follower.begin(connection);
      if (stop !== null) join(connection, stop);
    } catch (error) {
      if (error instanceof CemmError && error.reason === 'connection_missing') timer = setTimeout(search, searchMs);
      follower.failed(error);
    }
  }

  /** A deploy of the changed nodes alone adds a connection without a restart of the nodes that use it. */
  function search(): void {
    if (findMode(RED, id) === null) timer = setTimeout(search, searchMs);
    else beginFollowing();
  }

  function join(connection: ConnectionNode, stop: () => void): void {
    const user: ConnectionUser = {
      connectionClosed() {
        leave?.();
        follower.closed?.();
        timer = setTimeout(beginFollowing, replacedMs);
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

/**
 * True, with a status that names the shard, if this job is a poll and the monitor belongs to another shard. Messages always
 * run.
 */
export async function isPolledByAnotherShard(
  { msg, signal }: { readonly msg: object | null; readonly signal: AbortSignal },
  connection: Pick<MonitorConnection, 'otherShard'>,
  monitor: string | null,
  runner: { readonly translate: Translate; status(status: NodeStatus): void },
): Promise<boolean> {
  if (msg !== null) return false;
  const shard = await connection.otherShard(monitor, { signal, patience: 'poll' });
  if (shard === null) return false;
  runner.status(stateStatus('other_shard', runner.translate, { shard }));
  return true;
}
