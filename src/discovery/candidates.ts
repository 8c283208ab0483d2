/**
 * The hosts that answered a search. Any device in the network can forge answers. So the answers per sender are limited, the
 * root of each sender is requested once, and unverified senders are removed if there is no room. A forged answer can use the
 * address of a monitor: a root that answered counts without any answer.
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
  /** Senders whose root is not requested yet. */
  private readonly waiting = new Set<string>();
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
    if (known === undefined) this.waiting.add(host);
    sender.parsed += 1;
    const reply = read();
    if (reply !== null) sender.claims.set(reply.id, reply);
    this.askNext();
    return reply !== null;
  }

  /** Resolves when every root has answered or failed. Ordered by id. */
  async settled(): Promise<readonly FoundMonitor[]> {
    if (this.asking > 0) {
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
    }
    const found = [...this.senders].flatMap(([host, sender]) => monitorsOf(host, sender));
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

  /** Removes a sender whose root did not answer, or a waiting one without a valid answer. */
  private makeRoom(): boolean {
    if (this.senders.size < mostSenders) return true;
    for (const [host, { root, claims }] of this.senders) {
      const isSilent = claims.size === 0 && this.waiting.has(host);
      if (!isSilent && root !== null) continue;
      this.waiting.delete(host);
      return this.senders.delete(host);
    }
    return false;
  }

  /** Senders with valid answers come first. */
  private askNext(): void {
    const waiting = [...this.waiting];
    const host = waiting.find((sender) => this.senders.get(sender)?.claims.size !== 0) ?? waiting[0];
    if (host === undefined || this.asking >= mostAsked) return;
    this.waiting.delete(host);
    this.asking += 1;
    this.asked += 1;
    void this.confirm(host).then((root) => {
      const sender = this.senders.get(host);
      if (sender !== undefined) sender.root = root;
      this.asking -= 1;
      this.askNext();
      if (this.asking === 0) this.idle?.();
    });
  }
}

/** Uses the content of the root, otherwise the first claims. */
function monitorsOf(host: string, { claims, root = null }: Sender): FoundMonitor[] {
  const own = root === null ? [] : [claims.get(root.id) ?? { id: root.id, ip: host, type: null, core: null }];
  const others = [...claims.values()].filter(({ id }) => id !== root?.id);
  return [...own, ...others].slice(0, mostPerSender).map((reply) => describeCandidate(reply, root));
}

function describeCandidate({ id, ip, type, core }: DiscoveryReply, root: MonitorRecord | null): FoundMonitor {
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
