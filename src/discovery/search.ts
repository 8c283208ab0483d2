/**
 * Searches the local networks for monitors (http://developer.cemm.nl/discovery-broadcast/): sends the query three times, and
 * again after a flood; collects answers for a few seconds, and requests the root of each host that answered.
 * The vendor does not document the port of the answers, so the sender's port and 9777 are both open during a search.
 */
import { setMaxListeners } from 'node:events';
import { networkInterfaces } from 'node:os';
import dgram from 'node:dgram';
import ipaddr from 'ipaddr.js';
import { type Clock, systemClock } from '../time/clock';
import { CemmError } from '../errors';
import type { MonitorRecord } from '../protocol/responses';
import { discoveryPort, discoveryQuery, type DiscoveryReply, parseDiscoveryReply } from '../protocol/datagram';
import { Candidates, type FoundMonitor } from './candidates';

export interface Subnet {
  readonly address: string;
  readonly prefix: number;
  readonly broadcast: string;
  /** A loopback interface: searched only by tests and for the simulator. */
  readonly internal: boolean;
}

/** All IPv4 networks of this machine. Point-to-point links (/31, /32) have no broadcast and are left out. */
export function localSubnets(interfaces: typeof networkInterfaces = networkInterfaces): Subnet[] {
  const found: Subnet[] = [];
  for (const addresses of Object.values(interfaces())) {
    for (const { family, address, cidr, internal } of addresses ?? []) {
      if (family !== 'IPv4' || cidr === null) continue;
      const [, prefix] = ipaddr.IPv4.parseCIDR(cidr);
      if (prefix > 30) continue;
      found.push({ address, prefix, broadcast: ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString(), internal });
    }
  }
  return found;
}

/** True if the address lies in one of the networks. */
export function isInSubnets(address: string, subnets: readonly Subnet[]): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  const parsed = ipaddr.IPv4.parse(address);
  return subnets.some((subnet) => parsed.match(ipaddr.IPv4.parse(subnet.address), subnet.prefix));
}

/** Requests the root of the local API at an address; null when there is no monitor. Never rejects. */
export type VerifyMonitor = (host: string, signal: AbortSignal) => Promise<MonitorRecord | null>;

export interface SearchOptions {
  /** IPv4 address to query; null: the broadcast address of every IPv4 interface. */
  readonly broadcast: string | null;
  /** Time for collecting answers, in ms. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly verify: VerifyMonitor;
  /** Also search the loopback network (simulator, tests). */
  readonly allowLoopback?: boolean;
  /** The monitors' port; default 9777. */
  readonly port?: number;
  readonly subnets?: () => Subnet[];
  /** For the times of the result; the search uses the timers of the system. */
  readonly clock?: Pick<Clock, 'monotonic' | 'now'>;
}

export interface SearchResult {
  /** Ordered by id. */
  readonly monitors: readonly FoundMonitor[];
  /** Datagrams that were invalid, came from another network, or claimed another address than their sender's. */
  readonly dropped: number;
  /** Addresses to which the query could not be sent. */
  readonly unreachable: readonly string[];
  /** Epoch ms at which the search was complete. */
  readonly fetchedAt: number;
  readonly latencyMs: number;
  /** Number of requested roots. */
  readonly requests: number;
}

/** Times of the queries in ms from the start, because datagrams may get lost. */
const sendTimes = [0, 1000, 2500] as const;

/**
 * A flood displaces the answers of monitors from the receive buffer of a socket. After a pause with this many dropped datagrams
 * the query is sent again, from a new socket: the flood does not reach the port of that one before the answers do.
 */
const flood = { pauseMs: 1500, datagrams: 50 } as const;
/** Most sockets that are open because of a flood. */
const mostNewSockets = 2;
/** Linux has 208 kB, room for about 250 short datagrams, and allows twice as much without a setting of its user. */
const receiveBytes = 1_000_000;

/**
 * @throws {CemmError} NETWORK `no_interface` (this machine has no IPv4 network), `no_socket` (no socket can be opened);
 * CANCELLED
 */
export async function search(options: SearchOptions): Promise<SearchResult> {
  const { signal, allowLoopback = false, clock = systemClock } = options;
  const startedAt = clock.monotonic();
  const subnets = (options.subnets ?? localSubnets)().filter((subnet) => allowLoopback || !subnet.internal);
  const targets =
    options.broadcast === null ? [...new Set(subnets.map((subnet) => subnet.broadcast))] : [options.broadcast];
  if (targets.length === 0) {
    throw new CemmError('NETWORK', { endpoint: 'discovery', reason: 'no_interface' });
  }
  // Every request for a root listens to this signal, 64 at a time.
  const verifying = AbortSignal.any([signal]);
  setMaxListeners(0, verifying);
  const candidates = new Candidates((host) => options.verify(host, verifying));
  const replies = await collect(options, targets, subnets, candidates);
  const monitors = await candidates.settled();
  if (signal.aborted) throw cancelled();
  return {
    monitors,
    dropped: replies.dropped,
    unreachable: [...replies.unreachable],
    fetchedAt: clock.now(),
    latencyMs: Math.round(clock.monotonic() - startedAt),
    requests: candidates.asked,
  };
}

interface Replies {
  readonly unreachable: Set<string>;
  dropped: number;
}

async function collect(
  options: SearchOptions,
  targets: string[],
  subnets: readonly Subnet[],
  candidates: Candidates,
): Promise<Replies> {
  const { port = discoveryPort, signal, waitMs } = options;
  const replies: Replies = { unreachable: new Set(), dropped: 0 };
  const sockets = await openSockets(port);
  const newSockets: dgram.Socket[] = [];
  const [asking] = sockets;
  if (asking === undefined || signal.aborted) {
    for (const socket of sockets) socket.close();
    throw signal.aborted ? cancelled() : new CemmError('NETWORK', { endpoint: 'discovery', reason: 'no_socket' });
  }
  const timers: NodeJS.Timeout[] = [];
  let stop = (): void => undefined;
  let isOver = false;
  try {
    await new Promise<void>((resolve, reject) => {
      const receive = (bytes: Buffer, { address }: dgram.RemoteInfo) => {
        if (bytes.equals(discoveryQuery)) return;
        const isNear = isInSubnets(address, subnets);
        if (!isNear || !candidates.add(address, () => replyFrom(address, bytes))) replies.dropped += 1;
      };
      const askFromNewSocket = async (): Promise<void> => {
        const socket = await openSocket(0);
        if (isOver) socket?.close();
        if (isOver) return;
        if (socket !== null) newSockets.push(socket.on('message', receive));
        if (newSockets.length > mostNewSockets) newSockets.shift()?.close();
        sendQueries(socket ?? asking, targets, port, replies);
      };
      for (const socket of sockets) socket.on('message', receive);
      stop = () => {
        reject(cancelled());
      };
      signal.addEventListener('abort', stop);
      for (const delay of sendTimes.filter((time) => time < waitMs)) {
        timers.push(setTimeout(sendQueries, delay, asking, targets, port, replies));
      }
      let droppedBefore = 0;
      timers.push(
        setInterval(() => {
          const isFlooded = replies.dropped - droppedBefore >= flood.datagrams;
          droppedBefore = replies.dropped;
          if (isFlooded) void askFromNewSocket();
        }, flood.pauseMs),
        setTimeout(resolve, waitMs),
      );
    });
    return replies;
  } finally {
    signal.removeEventListener('abort', stop);
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    for (const socket of [...sockets, ...newSockets]) socket.close();
  }
}

/** A socket on a free port, and one on the monitors' port when it is available. */
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
      // A socket that fails later receives nothing more; the other one and the next search are not affected.
      socket.on('error', () => undefined);
      socket.setBroadcast(true);
      enlargeBuffer(socket);
      resolve(socket);
    });
  });
}

function enlargeBuffer(socket: dgram.Socket): void {
  try {
    socket.setRecvBufferSize(receiveBytes);
  } catch {
    // Linux takes what it allows, other systems refuse too much: the buffer is then the usual one.
  }
}

function sendQueries(socket: dgram.Socket, targets: readonly string[], port: number, replies: Replies): void {
  for (const target of targets) {
    socket.send(discoveryQuery, port, target, (error) => {
      if (error) replies.unreachable.add(target);
    });
  }
}

/** Null for an invalid answer, or one that claims another address than its sender's. */
function replyFrom(address: string, bytes: Buffer): DiscoveryReply | null {
  try {
    const reply = parseDiscoveryReply(bytes);
    return reply.ip === address ? reply : null;
  } catch {
    return null;
  }
}

function cancelled(): CemmError {
  return new CemmError('CANCELLED', { endpoint: 'discovery' });
}
