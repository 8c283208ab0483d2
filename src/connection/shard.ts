/**
 * One number for a text, the same in every process and every release: the first four bytes of its SHA-256. Which machine
 * polls which monitor hangs on it, so it may never change.
 */
import { createHash } from 'node:crypto';
import { CemmError } from '../errors';
import { isShard, mostParts, splitShard } from '../limits';
import type { MonitorId } from '../protocol/mac';

/** 0 ≤ n < 2³². */
function hashOf(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readUInt32BE(0);
}

/** 0 ≤ x < 1. */
export function fractionOf(text: string): number {
  return hashOf(text) / 2 ** 32;
}

// Which of several Node-REDs with the same flow polls a monitor: one part of a fleet, written `i/N`. The part of a monitor
// is SHA-256 of its twelve lower-case hex digits, the first four bytes as a big-endian number, modulo N, plus one. So
// parts are counted from 1 to N as people count, and need not know of each other.

export interface Shard {
  /** 1 ≤ part ≤ parts. */
  readonly part: number;
  readonly parts: number;
}

/**
 * @param text `i/N`; blank: null, everything in one place
 * @throws {CemmError} CONFIG `shard` (no such form) or `shard_range` (a part that there is not)
 */
export function parseShard(text: string): Shard | null {
  if (text.trim() === '') return null;
  const shard = splitShard(text);
  if (shard === null) {
    throw new CemmError('CONFIG', 'The shard must be written as part/parts, such as 2/4, or be blank.', {
      reason: 'shard',
    });
  }
  if (isShard(shard)) return shard;
  const { part, parts } = shard;
  throw new CemmError('CONFIG', `There is no shard ${part}/${parts}: they are counted from 1/N to N/N, N up to 1000.`, {
    reason: 'shard_range',
    params: { shard: `${part}/${parts}`, most: mostParts },
  });
}

/** The part of so many that polls the monitor. */
export function partOf(monitor: MonitorId, parts: number): number {
  return (hashOf(monitor) % parts) + 1;
}

/** The shard that polls the monitor, such as `3/4`, where that is another one; null where it is this one. */
export function otherShard(shard: Shard | null, monitor: MonitorId): string | null {
  if (shard === null) return null;
  const part = partOf(monitor, shard.parts);
  return part === shard.part ? null : `${part}/${shard.parts}`;
}
