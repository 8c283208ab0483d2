/** The time that one wish of a node has for all the questions that it takes. */
import { setMaxListeners } from 'node:events';
import type { AskOptions } from '../clients/client';
import { CemmError } from '../clients/errors';
import type { Clock } from '../clients/clock';
import type { Ask } from './installation';

/** Gives the options for the next question: what is left of the time. Throws `DEADLINE` when nothing is. */
export type Budget = () => AskOptions;

export function startBudget(ask: Ask, usualMs: number, clock: Clock): Budget {
  // All meters of a monitor wait side by side, each with a listener of its own: that is no leak.
  setMaxListeners(0, ask.signal);
  const until = clock.monotonic() + (ask.deadlineMs ?? usualMs);
  return () => {
    const deadlineMs = until - clock.monotonic();
    if (deadlineMs <= 0) throw new CemmError('DEADLINE', 'No answer in the time that was allowed.');
    return { signal: ask.signal, deadlineMs, patience: ask.patience ?? 'user' };
  };
}
