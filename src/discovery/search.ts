/**
 * One search for monitors: the question is broadcast three times, answers are collected for a few seconds, and each
 * host that answered is asked for the root of its own local API meanwhile. Sockets are open for the search and no longer.
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
import { Candidates, type FoundMonitor } from './candidates';
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
  const candidates = new Candidates((host) => options.confirm(host, signal));
  const replies = await collect(options, targets, subnets, candidates);
  const monitors = await candidates.settled();
  if (signal.aborted) throw cancelled();
  return {
    monitors,
    dropped: replies.dropped,
    unreachable: [...replies.unreachable],
    fetchedAt: clock.wall(),
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
        if (!accept(bytes, sender, subnets, candidates)) replies.dropped += 1;
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

function accept(
  bytes: Buffer,
  { address }: dgram.RemoteInfo,
  subnets: readonly Subnet[],
  candidates: Candidates,
): boolean {
  if (bytes.length > largestDatagram || !isInside(address, subnets)) return false;
  return candidates.add(address, () => replyFrom(address, bytes));
}

/** Null for what is no answer of a monitor, or claims another address than its sender's. */
function replyFrom(address: string, bytes: Buffer): DiscoveryReply | null {
  try {
    const reply = parseDiscoveryReply(bytes);
    return reply.ip === address ? reply : null;
  } catch {
    return null;
  }
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
