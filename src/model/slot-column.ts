/** The samples of one channel sorted into the slots of a period, one number per slot: NaN where there is none. */
import type { Slots } from '../calendar/slots';
import type { Samples } from '../wire/answers';

export interface SlotColumn {
  readonly values: Float64Array;
  /** Slots up to the last one with an entry, null ones included. */
  readonly reach: number;
  /** Slots with a number. */
  readonly known: number;
  readonly duplicates: number;
  readonly futureTrimmed: number;
  readonly outside: number;
}

export interface SlotWindow {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  /** The channel's own slots. */
  readonly slots: Slots;
  /** Of slots within a day: what is still to come may be 0 or null, the running minute with it. Days and months count on. */
  readonly withinDay: boolean;
}

/**
 * A sample's own time decides its slot; its place in the list means nothing. Of several entries for one slot a number
 * beats a null, then the later time beats the earlier (a running day is updated), then the one received last stands.
 */
export function fillSlots(samples: Samples, { start, end, now, slots, withinDay }: SlotWindow): SlotColumn {
  const { times, values } = samples;
  const { starts } = slots;
  const column = new Float64Array(slots.count).fill(NaN);
  const chosen = new Float64Array(slots.count);
  const running = now < start ? 0 : now < end ? slots.indexOf(now) : slots.count;
  let reach = 0;
  let known = 0;
  let duplicates = 0;
  let futureTrimmed = 0;
  let outside = 0;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] ?? NaN;
    if (!(time >= start && time < end)) {
      outside += 1;
      continue;
    }
    const slot = slots.indexOf(time);
    const value = values[index] ?? NaN;
    if (slot >= running && ((starts[slot] ?? 0) > now || (withinDay && !isNonZero(value)))) {
      futureTrimmed += 1;
      continue;
    }
    const rivalTime = chosen[slot] ?? 0;
    if (rivalTime !== 0) {
      duplicates += 1;
      const rival = column[slot] ?? NaN;
      if (!beats(value, time, rival, rivalTime)) continue;
      if (!Number.isNaN(rival)) known -= 1;
    }
    if (!Number.isNaN(value)) known += 1;
    // Adding 0 turns -0 into 0.
    column[slot] = value + 0;
    chosen[slot] = time;
    if (slot >= reach) reach = slot + 1;
  }
  return { values: column, reach, known, duplicates, futureTrimmed, outside };
}

/** False for NaN, too. */
function isNonZero(value: number): boolean {
  return Math.abs(value) > 0;
}

function beats(value: number, time: number, other: number, otherTime: number): boolean {
  const isKnown = !Number.isNaN(value);
  return isKnown === !Number.isNaN(other) ? time >= otherTime : isKnown;
}
