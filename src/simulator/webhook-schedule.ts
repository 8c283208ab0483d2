/** When a webhook runs: at slots of the wall clock in the installation's zone (spec.md, Events E1), never `every` after the start. */
import { IANAZone } from 'luxon';
import { millis, type Millis } from '../wire/time';

const DAY = 86_400_000;

/**
 * The first slot after `now`. Slots are the moments at which the wall clock shows a multiple of `everySeconds` since
 * midnight, and midnight itself; `everySeconds` is 1 to 86 400. An hour that the clock shows twice has its slots twice,
 * an hour that it skips has none.
 */
export function nextSlot(now: Millis, everySeconds: number, timezone: string): Millis {
  const zone = IANAZone.create(timezone);
  const every = everySeconds * 1000;
  const wallClock = wallClockOf(zone, now);
  const candidate = now + untilMultiple(wallClock + 1, every) + 1;
  if (zone.offset(candidate) === zone.offset(now)) return millis(candidate);
  const change = firstMomentOfNewOffset(zone, now, candidate);
  const changed = wallClockOf(zone, change);
  const isNewDay = Math.floor(changed / DAY) > Math.floor(wallClock / DAY);
  return millis(isNewDay ? change : change + untilMultiple(changed, every));
}

/** Milliseconds from a wall-clock reading to the next multiple of `every` in its day, or to the next midnight; 0 when it is one. */
function untilMultiple(wallClock: number, every: number): number {
  const sinceMidnight = wallClock % DAY;
  return Math.min(Math.ceil(sinceMidnight / every) * every, DAY) - sinceMidnight;
}

function wallClockOf(zone: IANAZone, moment: number): number {
  return moment + zone.offset(moment) * 60_000;
}

function firstMomentOfNewOffset(zone: IANAZone, before: number, after: number): number {
  const old = zone.offset(before);
  let low = before;
  let high = after;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offset(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}
