/** The lists of monitors and meters that a connection keeps. */
import type { Clock } from '../time/clock';
import type { PastDays } from '../store/past-days';
import { keptMeters, type MeterLists } from './kept-meters';
import { keptMonitors, type MonitorLists } from './kept-monitors';

export interface KeptLists {
  readonly meters: MeterLists;
  /** Null: they are not kept. */
  readonly monitors: MonitorLists | null;
}

/** @param owner what the connection leads to; undefined: its monitors are not kept */
export function keptLists(past: PastDays, clock: Clock, transport: string, owner: string | undefined): KeptLists {
  const monitors = owner === undefined ? null : keptMonitors(past, owner);
  return { meters: keptMeters(past, clock, transport), monitors };
}
