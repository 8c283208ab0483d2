/**
 * One number for a text, the same in every process and every release: the first four bytes of its SHA-256. Which machine
 * polls which monitor hangs on it, so it may never change.
 */
import { createHash } from 'node:crypto';

/** 0 ≤ n < 2³². */
export function hashOf(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readUInt32BE(0);
}

/** 0 ≤ x < 1. */
export function fractionOf(text: string): number {
  return hashOf(text) / 2 ** 32;
}
