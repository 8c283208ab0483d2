/**
 * Who answered a search. Anybody in the network can invent answers, also in the name of other addresses, so none of them may
 * take the place of a monitor: what a host claims is bounded, its root is asked at once, and those whose root did not answer
 * with the MAC that they claim give way first.
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

/** Shown at most. */
const mostMonitors = 64;
/** Of one sender that cannot prove either. */
const mostPerSender = 2;
/** Datagrams of one sender that are parsed. */
const mostParsed = 16;
const mostSenders = 512;
/** Roots that are asked at a time. */
const mostAsked = 64;

interface Sender {
  parsed: number;
  readonly claims: Map<MonitorId, DiscoveryReply>;
  /** Undefined until its root was asked; null where no monitor answered. */
  root: MonitorRecord | null | undefined;
}

export class Candidates {
  private readonly senders = new Map<string, Sender>();
  private readonly waiting: string[] = [];
  private asking = 0;
  private idle: (() => void) | null = null;
  /** Roots that were asked. */
  asked = 0;

  /** @param confirm asks the root of the local API at an address; null when nothing there is a monitor */
  constructor(private readonly confirm: (host: string) => Promise<MonitorRecord | null>) {}

  /** @param read called only where there is room; null for what is no answer. False where the datagram was dropped */
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

  /** Resolves when every root has answered or failed to. Ordered by id. */
  async settled(): Promise<readonly FoundMonitor[]> {
    if (this.asking > 0) {
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
    }
    const found = [...this.senders.values()].flatMap(monitorsOf);
    const proven = new Set(found.filter((monitor) => monitor.verified).map((monitor) => monitor.id));
    // Another device that claims the MAC of a monitor that has proven itself is a forgery or a stale address.
    const believed = found.filter((monitor) => monitor.verified || !proven.has(monitor.id));
    return believed
      .sort((a, b) => Number(b.verified) - Number(a.verified))
      .slice(0, mostMonitors)
      .sort((a, b) => (a.id + a.host < b.id + b.host ? -1 : 1));
  }

  get size(): number {
    return this.senders.size;
  }

  /** A sender without any proof gives way; one that is still being asked does not. */
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

/** The one that its root proves, and of the others the first. */
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
