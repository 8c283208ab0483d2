/** A refused or missed delivery as the normalized payload of contract.md section 2, kind `problem`. */
import type { Millis } from '../wire/time';
import type { MonitorInfo, ProblemPayload } from './payload';

export interface Problem {
  /** The `error` word of contract section 4, or `missed`. */
  readonly reason: string;
  readonly count: number;
  /** Address the calls came from. */
  readonly remote: string | null;
  readonly at: Millis;
  /** Which installation of a fleet it is about, where that is certain. */
  readonly installation?: string | undefined;
  /** For `missed`. */
  readonly slot?: { readonly start: Millis; readonly end: Millis };
}

/** `ts` is the end of the missed slot, or the moment of the (latest) refusal. */
export function problemPayload(problem: Problem, path: string, monitor: MonitorInfo | null): ProblemPayload {
  const { reason, count, remote, at, slot, installation } = problem;
  const ts = slot?.end ?? at;
  const from = installation === undefined ? path : `${path}:${installation}`;
  return {
    schema: 'cemm/1',
    kind: 'problem',
    id: slot ? `wp:${from}:missed:${slot.start}:${slot.end}` : `wp:${from}:${reason}:${remote ?? ''}:${at}`,
    ts,
    time: new Date(ts).toISOString(),
    monitor: monitor ?? { id: null },
    ...(installation === undefined ? {} : { installation }),
    source: { transport: 'webhook', fetchedAt: at, latencyMs: 0, requests: slot ? 0 : count, promises: 0 },
    reason,
    count,
    remote,
    ...(slot ? { slot: { start: slot.start, end: slot.end } } : {}),
  };
}
