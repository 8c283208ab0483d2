/**
 * One search for monitors: the question is broadcast three times, answers are collected for a few seconds, and each
 * monitor that answered is confirmed by the root of its own local API. Sockets are open for the search and no longer.
 *
 * Where answers go – to the port of the asker or always to 9777 – is documented nowhere, so both are listened to.
 */
import dgram from 'node:dgram';
import { systemClock, type Clock } from '../clients/clock';
import { CemmError } from '../clients/errors';
import type { MonitorRecord } from '../wire/answers';
import {
  discoveryPort,
  discoveryQuery,
  largestDatagram,
  parseDiscoveryReply,
  type DiscoveryReply,
} from '../wire/datagram';
import type { MonitorId } from '../wire/mac';
import { isInside, localSubnets, type Subnet } from './subnets';

/** Asks the root of the local API at an address; null when nothing there is a monitor. Rejects never. */
export type Confirm = (host: string, signal: AbortSignal) => Promise<MonitorRecord | null>;

export interface SearchOptions {
  /** IPv4 address to ask; null: the broadcast address of every IPv4 interface. */
  readonly broadcast: string | null;
  /** How long answers are collected, in ms. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly confirm: Confirm;
  /** Also search the loopback network (simulator, tests). */
  readonly allowLoopback?: boolean;
  /** The monitors' port; default 9777. */
  readonly port?: number;
  readonly subnets?: () => Subnet[];
  /** For the times of the result; the search itself lives on the system's timers. */
  readonly clock?: Pick<Clock, 'monotonic' | 'wall'>;
}

export interface FoundMonitor {
  readonly id: MonitorId;
  readonly host: string;
  /** True when the root of the local API at that address answered with the same MAC. */
  readonly verified: boolean;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly core: string | null;
}

export interface SearchResult {
  /** Ordered by id. */
  readonly monitors: readonly FoundMonitor[];
  /** Datagrams that were no answer of a monitor, came from elsewhere, or claimed another address than their sender's. */
  readonly dropped: number;
  /** Addresses that could not be asked. */
  readonly unreachable: readonly string[];
  /** Epoch ms at which the search was complete. */
  readonly fetchedAt: number;
  readonly latencyMs: number;
  /** Roots that were asked. */
  readonly requests: number;
}

/** When the question is sent, in ms from the start: datagrams get lost. */
const sendTimes = [0, 1000, 2500] as const;
const mostMonitors = 64;
/** Datagrams that are looked into per search, and per sender: a flood from one address cannot crowd out the others. */
const mostDatagrams = 1000;
const mostPerSender = 16;

/**
 * @throws {CemmError} `NETWORK` reason `no_interface` when this machine has no IPv4 network to ask, `no_socket` when no
 *   socket can be opened, `CANCELLED` when the signal fires.
 */
export async function search(options: SearchOptions): Promise<SearchResult> {
  const { signal, allowLoopback = false, clock = systemClock } = options;
  const startedAt = clock.monotonic();
  const subnets = (options.subnets ?? localSubnets)().filter((subnet) => allowLoopback || !subnet.internal);
  const targets =
    options.broadcast === null ? [...new Set(subnets.map((subnet) => subnet.broadcast))] : [options.broadcast];
  if (targets.length === 0) {
    throw new CemmError(
      'NETWORK',
      'This machine has no IPv4 network to search. In a container, use host networking, or type the address of the monitor.',
      { endpoint: 'discovery', reason: 'no_interface' },
    );
  }
  const replies = await collect(options, targets, subnets);
  const confirmed = await confirmAll([...replies.found.values()], options);
  if (signal.aborted) throw cancelled();
  return {
    monitors: confirmed,
    dropped: replies.dropped,
    unreachable: [...replies.unreachable],
    fetchedAt: clock.wall(),
    latencyMs: Math.round(clock.monotonic() - startedAt),
    requests: replies.found.size,
  };
}

interface Replies {
  /** By MAC and address: two devices that claim one MAC are both shown, and the confirmation tells which is true. */
  readonly found: Map<string, DiscoveryReply>;
  readonly unreachable: Set<string>;
  /** Sender → datagrams of it that were looked into. */
  readonly looked: Map<string, number>;
  lookedInto: number;
  dropped: number;
}

async function collect(options: SearchOptions, targets: string[], subnets: readonly Subnet[]): Promise<Replies> {
  const { port = discoveryPort, signal, waitMs } = options;
  const replies: Replies = { found: new Map(), unreachable: new Set(), looked: new Map(), lookedInto: 0, dropped: 0 };
  const sockets = await openSockets(port);
  const [asking] = sockets;
  if (asking === undefined || signal.aborted) {
    for (const socket of sockets) socket.close();
    throw signal.aborted ? cancelled() : noSocket();
  }
  const timers: NodeJS.Timeout[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const receive = (bytes: Buffer, sender: dgram.RemoteInfo) => {
        if (bytes.equals(discoveryQuery)) return;
        if (!accept(bytes, sender, subnets, replies)) replies.dropped += 1;
        if (replies.found.size >= mostMonitors) resolve();
      };
      for (const socket of sockets) socket.on('message', receive);
      signal.addEventListener(
        'abort',
        () => {
          reject(cancelled());
        },
        { once: true },
      );
      for (const delay of sendTimes) {
        if (delay < waitMs)
          timers.push(
            setTimeout(() => {
              ask(asking, targets, port, replies);
            }, delay),
          );
      }
      timers.push(setTimeout(resolve, waitMs));
    });
    return replies;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) socket.close();
  }
}

/** The asking socket on a port of its own first, then one that shares the monitors' port where that can be had. */
async function openSockets(port: number): Promise<dgram.Socket[]> {
  const opened = await Promise.all([openSocket(0), openSocket(port)]);
  return opened.filter((socket) => socket !== null);
}

function openSocket(port: number): Promise<dgram.Socket | null> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket({ type: 'udp4', reuseAddr: true });
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind(port, () => {
      socket.removeAllListeners('error');
      // A socket that fails later hears nothing more; the other one and the next search are not concerned.
      socket.on('error', () => undefined);
      socket.setBroadcast(true);
      resolve(socket);
    });
  });
}

function ask(socket: dgram.Socket, targets: readonly string[], port: number, replies: Replies): void {
  for (const target of targets) {
    socket.send(discoveryQuery, port, target, (error) => {
      if (error) replies.unreachable.add(target);
    });
  }
}

function accept(bytes: Buffer, sender: dgram.RemoteInfo, subnets: readonly Subnet[], replies: Replies): boolean {
  if (bytes.length > largestDatagram) return false;
  const looked = replies.looked.get(sender.address) ?? 0;
  if (looked >= mostPerSender || replies.lookedInto >= mostDatagrams) return false;
  if (!isInside(sender.address, subnets)) return false;
  replies.looked.set(sender.address, looked + 1);
  replies.lookedInto += 1;
  try {
    const reply = parseDiscoveryReply(bytes);
    if (reply.ip !== sender.address) return false;
    replies.found.set(`${reply.id} ${reply.ip}`, reply);
    return true;
  } catch {
    return false;
  }
}

async function confirmAll(
  replies: readonly DiscoveryReply[],
  { confirm, signal }: SearchOptions,
): Promise<FoundMonitor[]> {
  const found = await Promise.all(
    replies.map(async (reply): Promise<FoundMonitor> => {
      const root = await confirm(reply.ip, signal);
      const verified = root?.id === reply.id;
      return {
        id: reply.id,
        host: reply.ip,
        verified,
        name: verified ? root.name : null,
        type: (verified ? root.type : null) ?? reply.type,
        version: verified ? root.version : null,
        core: (verified ? root.core : null) ?? reply.core,
      };
    }),
  );
  const proven = new Set(found.filter((monitor) => monitor.verified).map((monitor) => monitor.id));
  // Another device that claims the MAC of a monitor that has proven itself is a forgery or a stale address.
  const believed = found.filter((monitor) => monitor.verified || !proven.has(monitor.id));
  return believed.sort((a, b) => (a.id + a.host < b.id + b.host ? -1 : 1));
}

function cancelled(): CemmError {
  return new CemmError('CANCELLED', 'The search was stopped before it was finished.', { endpoint: 'discovery' });
}

function noSocket(): CemmError {
  return new CemmError(
    'NETWORK',
    'No UDP socket could be opened for the search. Check whether this machine limits network access, or type the address of the monitor.',
    { endpoint: 'discovery', reason: 'no_socket' },
  );
}
