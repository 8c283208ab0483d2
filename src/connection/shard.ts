/**
 * Shards, written `i/N`: assign each monitor to one of several Node-RED processes with the same flow. The shard of a monitor is
 * SHA-256 of its twelve lower-case hex digits, the first four bytes as a big-endian number, modulo N, plus one. The hash must
 * be the same in every process and every release.
 */
import { createHash } from 'node:crypto';
import { CemmError } from '../errors';
import { isShard, mostParts, splitShard } from '../checks/limits';
import type { MonitorId } from '../protocol/mac';

/** 0 ≤ n < 2³². */
function hashText(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readUInt32BE(0);
}

/** 0 ≤ x < 1. */
export function hashToFraction(text: string): number {
  return hashText(text) / 2 ** 32;
}

export interface Shard {
  /** 1 ≤ part ≤ parts. */
  readonly part: number;
  readonly parts: number;
}

/**
 * Parses a shard.
 * @param text `i/N`; blank: null, no shards
 * @throws {CemmError} CONFIG `shard` (another form) or `shard_range` (i is not between 1 and N)
 */
export function parseShard(text: string): Shard | null {
  if (text.trim() === '') return null;
  const shard = splitShard(text);
  if (shard === null) {
    throw new CemmError('CONFIG', { reason: 'shard' });
  }
  if (isShard(shard)) return shard;
  const { part, parts } = shard;
  throw new CemmError('CONFIG', { reason: 'shard_range', params: { shard: `${part}/${parts}`, most: mostParts } });
}

/** The shard, 1 to `parts`, that polls the monitor. */
export function findShard(monitor: MonitorId, parts: number): number {
  return (hashText(monitor) % parts) + 1;
}

/** The shard that polls the monitor, such as `3/4`, when it is another one; null when it is this one. */
export function otherShard(shard: Shard | null, monitor: MonitorId): string | null {
  if (shard === null) return null;
  const part = findShard(monitor, shard.parts);
  return part === shard.part ? null : `${part}/${shard.parts}`;
}
