/** Samples of a channel, as the protocol has them. */
import type { Samples } from '../../../src/protocol/responses';

export type Entry = readonly [time: number, value: number | null];

/** @param entries null: the monitor has sent no number */
export function samples(entries: readonly Entry[]): Samples {
  return {
    times: Float64Array.from(entries, ([time]) => time),
    values: Float64Array.from(entries, ([, value]) => value ?? NaN),
    withoutTime: 0,
    malformed: 0,
  };
}
