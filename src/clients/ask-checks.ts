/** What is checked of a question before anything of it goes into a path: flows may put anything there. */
import { isAlias } from '../limits';
import type { MonitorId } from '../wire/mac';
import { toSeconds } from '../wire/time';
import type { Seconds } from '../wire/time';
import type { Failure } from './failure';

export interface Asked {
  readonly monitor?: MonitorId;
  readonly alias?: string;
  readonly time?: Seconds;
}

/** INPUT with the first thing that is wrong, or null. The types promise more than a flow keeps. */
export function inputFailure({ monitor, alias, time }: Asked): Failure | null {
  if (monitor !== undefined && !/^[0-9a-f]{12}$/.test(monitor)) return { code: 'INPUT', reason: 'monitor' };
  if (alias !== undefined && !isAlias(alias)) return { code: 'INPUT', reason: 'alias' };
  const wrongTime = time !== undefined && (toSeconds(time) === null || !Number.isInteger(time));
  return wrongTime ? { code: 'INPUT', reason: 'time' } : null;
}
