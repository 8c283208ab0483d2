/** Means of minutes over any window, quickly: `this/month` and `last/month` are 90 000 minutes and are asked every minute. */
import { millis, type Millis } from '../wire/time';
import { increase, numberAt } from './column';
import type { House } from './house';
import { meters, type Channel } from './webhook-channels';
import type { Window } from './webhook-windows';

export interface Averages {
  /** The mean over the whole minutes of the window, from the day the meters went into service; null when there are none. */
  mean(channel: Channel, window: Window): number | null;
}

interface Sums {
  readonly minutes: number;
  readonly sums: Float64Array;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Two months of hours and some. */
const HOURS_KEPT = 1600;

const averaged = meters.flatMap((meter) => meter.channels.filter((channel) => channel.measure.kind === 'average'));
const columnOf = new Map(averaged.map((channel, column) => [channel, column]));

/** Keeps the sums of past hours of this one house; hours of UTC, so that no zone comes into it. */
export function createAverages(house: House): Averages {
  const hours = new Map<number, Sums>();
  let latest: { readonly start: Millis; readonly end: Millis; readonly result: Sums } | null = null;

  function ofHour(start: number): Sums {
    const known = hours.get(start);
    if (known) return known;
    const result = ofMinutes(house, start, start + HOUR);
    hours.set(start, result);
    for (const oldest of hours.keys()) {
      if (hours.size <= HOURS_KEPT) break;
      hours.delete(oldest);
    }
    return result;
  }

  function ofWindow({ start, end }: Window): Sums {
    // A delivery asks for the same window once per channel.
    if (latest?.start === start && latest.end === end) return latest.result;
    const first = Math.ceil(Math.max(start, house.since) / MINUTE) * MINUTE;
    const last = Math.floor(end / MINUTE) * MINUTE;
    const firstHour = Math.ceil(first / HOUR) * HOUR;
    const lastHour = Math.floor(last / HOUR) * HOUR;
    const parts: Sums[] = [];
    if (firstHour < lastHour) {
      parts.push(ofMinutes(house, first, firstHour));
      for (let hour = firstHour; hour < lastHour; hour += HOUR) parts.push(ofHour(hour));
      parts.push(ofMinutes(house, lastHour, last));
    } else {
      parts.push(ofMinutes(house, first, last));
    }
    const result = added(parts);
    latest = { start, end, result };
    return result;
  }

  return {
    mean(channel, window) {
      const column = columnOf.get(channel);
      if (column === undefined) return null;
      const { minutes, sums } = ofWindow(window);
      return minutes === 0 ? null : numberAt(sums, column) / minutes;
    },
  };
}

function ofMinutes(house: House, start: number, end: number): Sums {
  const sums = new Float64Array(averaged.length);
  let minutes = 0;
  for (let moment = start; moment < end; moment += MINUTE) {
    const minute = house.minute(millis(moment));
    minutes += 1;
    averaged.forEach(({ measure }, column) => {
      if (measure.kind === 'average') increase(sums, column, measure.of(minute));
    });
  }
  return { minutes, sums };
}

function added(parts: readonly Sums[]): Sums {
  const total = new Float64Array(averaged.length);
  for (const { sums } of parts) {
    sums.forEach((sum, column) => {
      increase(total, column, sum);
    });
  }
  return { minutes: parts.reduce((minutes, part) => minutes + part.minutes, 0), sums: total };
}
