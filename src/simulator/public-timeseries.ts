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

/** What a public webhook asks where nothing else is set: the energy of the roof, a week of days. */
export const defaultRequest = `${timeseriesPath}?channels=zon:electric_energy_export&include=cemm&resolution=day&count=7`;

/** A day may be asked for years back, but not without end. */
const MOST_ENTRIES = 1000;

export interface TimeseriesQuery {
  readonly channel: Channel;
  readonly count: number;
}

/** `[Unix seconds of the first moment of the day, value]`, oldest first, the last one is the current day. */
export interface Timeseries {
  readonly data: readonly (readonly [number, number | null])[];
}

/**
 * Reads path and query, as they are set in a public webhook.
 * @throws RangeError with a sentence that says what to write instead.
 */
export function parseTimeseriesRequest(request: string): TimeseriesQuery {
  const url = URL.canParse(request, 'http://monitor') ? new URL(request, 'http://monitor') : null;
  if (url?.pathname.replace(/\/$/, '') !== timeseriesPath) throw new RangeError(`The path must be ${timeseriesPath}.`);
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
  const channel = findChannel(ask.get('channels') ?? '');
  if (!channel) throw new RangeError('`channels` must be one <meter key>:<channel key> or one channel number.');
  if (ask.get('resolution') !== 'day') throw new RangeError('`resolution` must be day.');
  const count = Number(ask.get('count'));
  if (!Number.isInteger(count) || count < 1 || count > MOST_ENTRIES) {
    throw new RangeError(`\`count\` must be a whole number from 1 to ${MOST_ENTRIES}.`);
  }
  return { channel, count };
}

/** The most recent days of a channel: energies and volumes per day, powers as the mean of the day, null before the meter was there. */
export function timeseries(house: House, at: Millis, { channel, count }: TimeseriesQuery): Timeseries {
  const averages = createAverages(house);
  const today = DateTime.fromMillis(at, { zone: house.timezone }).startOf('day');
  const days = Array.from({ length: count }, (_, index) => today.minus({ days: count - 1 - index }).startOf('day'));
  return {
    data: days.map((day) => {
      const start = millis(day.toMillis());
      const end = millis(Math.min(day.plus({ days: 1 }).startOf('day').toMillis(), at));
      const value = end <= house.since ? null : overWindow(house, averages, channel, { start, end });
      return [start / 1000, value === null ? null : withoutNoise(value)];
    }),
  };
}
