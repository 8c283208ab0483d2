/** `/api/v1/public/timeseries` of a CEMM 3.0 (spec.md C, Public API Request; vendor-facts: only `resolution=day` is known). */
import { DateTime } from 'luxon';
import { millis, type Millis } from '../wire/time';
import type { House } from './house';
import { failure, json, type Answer } from './http-answer';
import { createAverages } from './webhook-averages';
import { findChannel } from './public-meters';
import type { Channel } from './webhook-channels';
import { overWindow, withoutNoise } from './webhook-payload';

export const timeseriesPath = '/api/v1/public/timeseries';
export const metersPath = '/api/v1/public/meters';

/** What a public webhook asks where nothing else is set: the energy of the roof, a week of days. */
export const defaultRequest = `${timeseriesPath}?channels=zon:electric_energy_export&include=cemm&resolution=day&count=7`;

/** A day may be asked for years back, but not without end. */
const MOST_ENTRIES = 1000;

export interface TimeseriesQuery {
  /** As asked for: the name, and the channel that it means. */
  readonly channels: readonly (readonly [name: string, Channel])[];
  readonly count: number;
}

type Entry = readonly [seconds: number, ...values: (number | null)[]];

/** Unix seconds of the first moment of the day and a value of each channel, oldest first, the last one is the current day. */
export interface Timeseries {
  readonly data: readonly Entry[];
}

/** How several channels are answered is not documented; this is the other form that would be likely. */
export interface TimeseriesByChannel {
  readonly data: Readonly<Record<string, readonly Entry[]>>;
}

/**
 * Reads path and query, as they are set in a public webhook.
 * @throws RangeError with a sentence that says what to write instead.
 */
export function parsePublicRequest(request: string): TimeseriesQuery | 'meters' {
  const url = URL.canParse(request, 'http://monitor') ? new URL(request, 'http://monitor') : null;
  const path = url?.pathname.replace(/\/$/, '');
  if (path === metersPath) return 'meters';
  if (url === null || path !== timeseriesPath) {
    throw new RangeError(`The path must be ${timeseriesPath} or ${metersPath}.`);
  }
  return parseTimeseriesQuery(url.searchParams);
}

/** Answers a query; one that the monitor does not know is 400. */
export function answerTimeseries(house: House, now: Millis, query: URLSearchParams): Answer {
  try {
    return json(200, timeseries(house, now, parseTimeseriesQuery(query)));
  } catch (error) {
    if (error instanceof RangeError) return failure(400, error.message);
    throw error;
  }
}

function parseTimeseriesQuery(ask: URLSearchParams): TimeseriesQuery {
  const channels = (ask.get('channels') ?? '').split(',').map((name) => {
    const channel = findChannel(name);
    if (!channel) throw new RangeError('`channels` must be <meter key>:<channel key> or channel numbers, with commas.');
    return [name, channel] as const;
  });
  if (ask.get('resolution') !== 'day') throw new RangeError('`resolution` must be day.');
  const count = Number(ask.get('count'));
  if (!Number.isInteger(count) || count < 1 || count > MOST_ENTRIES) {
    throw new RangeError(`\`count\` must be a whole number from 1 to ${MOST_ENTRIES}.`);
  }
  return { channels, count };
}

/** The most recent days of a channel: energies and volumes per day, powers as the mean of the day, null before the meter was there. */
export function timeseries(house: House, at: Millis, { channels, count }: TimeseriesQuery): Timeseries {
  const averages = createAverages(house);
  const today = DateTime.fromMillis(at, { zone: house.timezone }).startOf('day');
  const days = Array.from({ length: count }, (_, index) => today.minus({ days: count - 1 - index }).startOf('day'));
  return {
    data: days.map((day) => {
      const start = millis(day.toMillis());
      const end = millis(Math.min(day.plus({ days: 1 }).startOf('day').toMillis(), at));
      const values = channels.map(([, channel]) => {
        const value = end <= house.since ? null : overWindow(house, averages, channel, { start, end });
        return value === null ? null : withoutNoise(value);
      });
      return [start / 1000, ...values];
    }),
  };
}

export function timeseriesByChannel(house: House, at: Millis, query: TimeseriesQuery): TimeseriesByChannel {
  const ofOne = (channel: TimeseriesQuery['channels'][number]) =>
    timeseries(house, at, { ...query, channels: [channel] });
  return { data: Object.fromEntries(query.channels.map((channel) => [channel[0], ofOne(channel).data])) };
}
