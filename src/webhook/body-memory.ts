/**
 * Memory for bodies that arrive or wait for their keys: one pool for the first 16 kB of each, which is all of most deliveries,
 * and one for the rest. When a pool is full, the address with the most memory loses its oldest body. So a slow client takes no
 * memory from others, nor from a fast delivery through the same proxy.
 */
import { getOrSet } from '../checks/get-or-set';
import { networkOf } from './remote-network';

const firstBytes = 16 * 1024;

export class BodyMemory {
  private readonly first: Pool;
  private readonly rest: Pool;

  /** @param limit size of each of the two pools */
  constructor(limit: number) {
    this.first = new Pool(limit);
    this.rest = new Pool(limit);
  }

  /** @param giveWay called after this body has lost its memory to another one */
  claimMemory(remote: string | null, giveWay: () => void): BodyClaim {
    return new BodyClaim([this.first, this.rest], networkOf(remote), giveWay);
  }

  get used(): number {
    return this.first.used + this.rest.used;
  }
}

/** The next size of a buffer: a small body takes nothing from the second pool. */
export function sizeToGrowTo(needed: number, wanted: number): number {
  return needed <= firstBytes ? Math.min(wanted, firstBytes) : wanted;
}

/** The memory of one body. */
export class BodyClaim {
  private size = 0;
  private isOver = false;

  constructor(
    private readonly pools: readonly [Pool, Pool],
    readonly network: string,
    private readonly giveWay: () => void,
  ) {}

  /** False if the pools have no room for the bytes. */
  growTo(size: number): boolean {
    const [first, rest] = this.pools;
    const more = size - this.size;
    const moreFirst = Math.min(size, firstBytes) - Math.min(this.size, firstBytes);
    this.size = size;
    return !this.isOver && first.take(this, moreFirst) && rest.take(this, more - moreFirst);
  }

  release(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const pool of this.pools) pool.release(this);
  }

  evict(): void {
    this.release();
    this.giveWay();
  }
}

interface Share {
  bytes: number;
  /** The oldest first. */
  readonly claims: Map<BodyClaim, number>;
}

class Pool {
  used = 0;
  private readonly shares = new Map<string, Share>();

  constructor(private readonly limit: number) {}

  take(claim: BodyClaim, bytes: number): boolean {
    if (bytes === 0) return true;
    while (this.used + bytes > this.limit) {
      const oldest = this.oldestOfLargest(claim.network, bytes);
      if (oldest === undefined || oldest === claim) return false;
      oldest.evict();
    }
    const share = getOrSet(this.shares, claim.network, () => ({ bytes: 0, claims: new Map() }));
    share.claims.set(claim, (share.claims.get(claim) ?? 0) + bytes);
    share.bytes += bytes;
    this.used += bytes;
    return true;
  }

  release(claim: BodyClaim): void {
    const share = this.shares.get(claim.network);
    const bytes = share?.claims.get(claim);
    if (share === undefined || bytes === undefined) return;
    share.claims.delete(claim);
    share.bytes -= bytes;
    this.used -= bytes;
    if (share.claims.size === 0) this.shares.delete(claim.network);
  }

  /** @param bytes additional bytes for this network */
  private oldestOfLargest(network: string, bytes: number): BodyClaim | undefined {
    let largest = this.shares.get(network);
    let most = (largest?.bytes ?? 0) + bytes;
    for (const [name, share] of this.shares) {
      if (name === network || share.bytes < most) continue;
      largest = share;
      most = share.bytes;
    }
    return largest?.claims.keys().next().value;
  }
}
