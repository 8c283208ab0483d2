/**
 * The time of one operation, shared by all its requests, without the time that they wait in the queue; for a poll, of each
 * of them: nobody waits for it.
 */
import { setMaxListeners } from 'node:events';
import type { SendOptions } from '../clients/client';
import type { Clock } from '../time/clock';
import { CemmError } from '../errors';
import type { ReadOptions } from './connection';

/** Returns the options of the next request, with the remaining time. Throws `DEADLINE` when there is none. */
export type Deadline = () => SendOptions;

export function startDeadline(ask: ReadOptions, usualMs: number, clock: Clock): Deadline {
  // All meters of a monitor wait at the same time, each with its own listener.
  setMaxListeners(0, ask.signal);
  const allMs = ask.deadlineMs ?? usualMs;
  if (ask.patience === 'poll' && ask.isBulk !== true) return pollDeadline(ask.signal, allMs);
  let until = clock.monotonic() + allMs;
  return () => {
    const deadlineMs = until - clock.monotonic();
    const elapsedMs = allMs - deadlineMs;
    if (deadlineMs <= 0) throw new CemmError('DEADLINE', { elapsedMs: Math.round(elapsedMs) });
    const onStart = (): void => {
      until = Math.max(until, clock.monotonic() + deadlineMs);
    };
    const { signal, patience = 'user', isBulk = false } = ask;
    return { signal, deadlineMs, elapsedMs, onStart, patience, isBulk };
  };
}

/** The options of each request of a poll: every request has the full time. */
export function pollDeadline(signal: AbortSignal, deadlineMs: number): Deadline {
  const options: SendOptions = { signal, deadlineMs, patience: 'poll' };
  return () => options;
}
