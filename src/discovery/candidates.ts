/**
 * The hosts that answered a search. Any device in the network can forge answers, so the answers per sender are limited,
 * the root of each sender is requested at once, and unverified senders give way when there is no room.
 */
import type { MonitorRecord } from '../protocol/responses';
import type { DiscoveryReply } from '../protocol/datagram';
import type { MonitorId } from '../protocol/mac';

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

/** Most monitors in a result. */
const mostMonitors = 64;
/** Most monitors of one unverified sender. */
const mostPerSender = 2;
/** Most datagrams of one sender that are parsed. */
const mostParsed = 16;
const mostSenders = 512;
/** Most requests of roots at the same time. */
const mostAsked = 64;

interface Sender {
  parsed: number;
  readonly claims: Map<MonitorId, DiscoveryReply>;
  /** Undefined until the root is requested; null when no monitor answered. */
  root: MonitorRecord | null | undefined;
}

export class Candidates {
  private readonly senders = new Map<string, Sender>();
  private readonly waiting: string[] = [];
  private asking = 0;
  private idle: (() => void) | null = null;
  /** Number of requested roots. */
  asked = 0;

  /** @param confirm requests the root of the local API at an address; null when there is no monitor */
  constructor(private readonly confirm: (host: string) => Promise<MonitorRecord | null>) {}

  /** @param read called only when there is room; returns null for an invalid answer. Returns false for a dropped datagram. */
  add(host: string, read: () => DiscoveryReply | null): boolean {
    const known = this.senders.get(host);
    if (known === undefined && !this.makeRoom()) return false;
    const sender = known ?? { parsed: 0, claims: new Map<MonitorId, DiscoveryReply>(), root: undefined };
    if (sender.parsed >= mostParsed) return false;
    this.senders.set(host, sender);
    sender.parsed += 1;
    const reply = read();
    if (reply === null) return false;
    if (sender.claims.size === 0) this.ask(host);
    sender.claims.set(reply.id, reply);
    return true;
  }

  /** Resolves when every root has answered or failed. Ordered by id. */
  async settled(): Promise<readonly FoundMonitor[]> {
    if (this.asking > 0) {
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
    }
    const found = [...this.senders.values()].flatMap(monitorsOf);
    const proven = new Set(found.filter((monitor) => monitor.verified).map((monitor) => monitor.id));
    // Another device with the MAC of a verified monitor is a forgery or an old address.
    const believed = found.filter((monitor) => monitor.verified || !proven.has(monitor.id));
    return believed
      .sort((a, b) => Number(b.verified) - Number(a.verified))
      .slice(0, mostMonitors)
      .sort((a, b) => (a.id + a.host < b.id + b.host ? -1 : 1));
  }

  get size(): number {
    return this.senders.size;
  }

  /** Removes an unverified sender, unless its root is still being requested. */
  private makeRoom(): boolean {
    if (this.senders.size < mostSenders) return true;
    for (const [host, { root, claims }] of this.senders) {
      const isSilent = root === undefined && claims.size === 0;
      const isProven = root !== null && root !== undefined && claims.has(root.id);
      if (isSilent || (root !== undefined && !isProven)) return this.senders.delete(host);
    }
    return false;
  }

  private ask(host: string): void {
    if (this.asking >= mostAsked) {
      this.waiting.push(host);
      return;
    }
    this.asking += 1;
    this.asked += 1;
    void this.confirm(host).then((root) => {
      const sender = this.senders.get(host);
      if (sender !== undefined) sender.root = root;
      this.asking -= 1;
      const next = this.waiting.shift();
      if (next !== undefined) this.ask(next);
      else if (this.asking === 0) this.idle?.();
    });
  }
}

/** The claim that the root confirms, otherwise the first ones. */
function monitorsOf({ claims, root }: Sender): FoundMonitor[] {
  return [...claims.values()]
    .sort((a, b) => Number(b.id === root?.id) - Number(a.id === root?.id))
    .slice(0, mostPerSender)
    .map((reply) => describe(reply, root ?? null));
}

function describe({ id, ip, type, core }: DiscoveryReply, root: MonitorRecord | null): FoundMonitor {
  const isVerified = root?.id === id;
  return {
    id,
    host: ip,
    verified: isVerified,
    name: isVerified ? root.name : null,
    type: (isVerified ? root.type : null) ?? type,
    version: isVerified ? root.version : null,
    core: (isVerified ? root.core : null) ?? core,
  };
}
