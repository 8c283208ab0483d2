/** The public API of a simulated CEMM 3.0: `cemm`, `meters` and `timeseries` (https://wiki.cemm.nl/general/publicapi). */
import { type WebhookChannel, type WebhookMeter, webhookMeters } from './webhook-channels';
import { millis, type Millis, millisToSeconds } from '../time/units';
import type { House } from './house';
import type { Household } from './household';
import { dayContaining, startOfDay } from './house-day';
import { chooseHouse } from './houses';
import { type RouteResponse, failure, json, onlyGet, type Route } from './http-server';
import { createAverages, overWindow, roundToMillionths } from './webhook-payload';
import { respondingMac } from './identity';
import { asCounted } from './metered-household';
import type { MonitorState } from './series';
import type { SimulatedMonitor } from './simulator';

/** Names of the channels, in the language of the user of the monitor. */
const labels: Readonly<Record<string, string>> = {
  electric_power_import: 'Vermogen afname',
  electric_power_export: 'Vermogen teruglevering',
  electric_energy_import: 'Energie afname',
  electric_energy_export: 'Energie teruglevering',
  electric_energy_import_t1: 'Energie afname laag',
  electric_energy_import_t2: 'Energie afname normaal',
  electric_energy_export_t1: 'Energie teruglevering laag',
  electric_energy_export_t2: 'Energie teruglevering normaal',
  electric_power_l1: 'Vermogen fase 1',
  electric_energy_import_l1: 'Energie afname fase 1',
  electric_energy_export_l1: 'Energie teruglevering fase 1',
  voltage: 'Spanning',
  tariff_import_low: 'Tarief afname laag',
  tariff_import_high: 'Tarief afname normaal',
  tariff_export_low: 'Tarief teruglevering laag',
  tariff_export_high: 'Tarief teruglevering normaal',
  electric_usage_power: 'Verbruik vermogen',
  electric_usage_energy: 'Verbruik energie',
  volume: 'Volume',
  flow: 'Debiet',
};

function allChannels(house: House): readonly { readonly meter: WebhookMeter; readonly channel: WebhookChannel }[] {
  return webhookMeters(house).flatMap((meter) => meter.channels.map((channel) => ({ meter, channel })));
}

/** The list of meters. Channels are numbered across all meters, so a number identifies a channel. */
export function listedMeters(house: House) {
  const all = allChannels(house);
  return webhookMeters(house).map(({ key, label, type, role, channels }, index) => ({
    id: index + 1,
    key,
    label,
    type,
    role,
    channels: channels.map((channel) => ({
      id: all.findIndex((entry) => entry.channel === channel) + 1,
      key: channel.key,
      label: labels[channel.key] ?? channel.key,
      unit: channel.unit,
      aggregation_method: channel.class,
    })),
  }));
}

/** `<meter key>:<channel key>`, or the number of a channel. */
function findChannel(house: House, name: string): WebhookChannel | undefined {
  const all = allChannels(house);
  if (/^\d{1,4}$/.test(name)) return all[Number(name) - 1]?.channel;
  return all.find(({ meter, channel }) => `${meter.key}:${channel.key}` === name)?.channel;
}

export const timeseriesPath = '/api/v1/public/timeseries';
const metersPath = '/api/v1/public/meters';

/** Default request of a public webhook: the energy of the roof, seven days. */
export const defaultRequest = `${timeseriesPath}?channels=zon:electric_energy_export&include=cemm&resolution=day&count=7`;

/** Largest `count`. */
const mostEntries = 1000;

export interface TimeseriesQuery {
  /** Name in the request, and its channel. */
  readonly channels: readonly (readonly [name: string, WebhookChannel])[];
  readonly count: number;
}

/** The start of a day in Unix seconds, and a value per channel. */
type Entry = readonly [seconds: number, ...values: (number | null)[]];

/**
 * Parses path and query of a public webhook.
 * @throws {RangeError} with a sentence that says what to write
 */
export function parsePublicRequest(request: string, house: House = chooseHouse()): TimeseriesQuery | 'meters' {
  const url = URL.canParse(request, 'http://monitor') ? new URL(request, 'http://monitor') : null;
  const path = url?.pathname.replace(/\/$/, '');
  if (path === metersPath) return 'meters';
  if (url === null || path !== timeseriesPath) {
    throw new RangeError(`The path must be ${timeseriesPath} or ${metersPath}.`);
  }
  return parseTimeseriesQuery(url.searchParams, house);
}

/** The response to a query; 400 if it is invalid. */
function answerTimeseries(household: Household, now: Millis, query: URLSearchParams): RouteResponse {
  try {
    return json(200, timeseries(household, now, parseTimeseriesQuery(query, household.house)));
  } catch (error) {
    if (error instanceof RangeError) return failure(400, error.message);
    throw error;
  }
}

function parseTimeseriesQuery(ask: URLSearchParams, house: House): TimeseriesQuery {
  const channels = (ask.get('channels') ?? '').split(',').map((name) => {
    const channel = findChannel(house, name);
    if (!channel) throw new RangeError('`channels` must be <meter key>:<channel key> or channel numbers, with commas.');
    return [name, channel] as const;
  });
  if (ask.get('resolution') !== 'day') throw new RangeError('`resolution` must be day.');
  const count = Number(ask.get('count'));
  if (!Number.isInteger(count) || count < 1 || count > mostEntries) {
    throw new RangeError(`\`count\` must be a whole number from 1 to ${mostEntries}.`);
  }
  return { channels, count };
}

/** The most recent days, oldest first: amounts of energy and volume, averages of power, null before the start of the measurements. */
export function timeseries(household: Household, at: Millis, { channels, count }: TimeseriesQuery) {
  const averages = createAverages(household);
  const { timezone } = household;
  const first = dayContaining(at, timezone).number - count + 1;
  return {
    data: Array.from({ length: count }, (_, index): Entry => {
      const start = startOfDay(first + index, timezone);
      const end = millis(Math.min(startOfDay(first + index + 1, timezone), at));
      const values = channels.map(([, channel]) => {
        const value = end <= household.since ? null : overWindow(household, averages, channel, { start, end });
        return value === null ? null : roundToMillionths(value);
      });
      return [start / 1000, ...values];
    }),
  };
}

/** Fault `series-by-channel`. The vendor does not document responses with several channels; this form is possible, too. */
export function timeseriesByChannel(household: Household, at: Millis, query: TimeseriesQuery) {
  const ofOne = (channel: TimeseriesQuery['channels'][number]) =>
    timeseries(household, at, { ...query, channels: [channel] });
  return { data: Object.fromEntries(query.channels.map((channel) => [channel[0], ofOne(channel).data])) };
}

/**
 * The route `/api/v1/public/`.
 * @param address `local_ip` of the response
 */
export function publicApi(monitor: SimulatedMonitor, state: () => MonitorState, address: string): Route {
  return ({ method, path, query }) => {
    const [api, version, open, name, ...rest] = path.split('/').slice(1, -1);
    if (api !== 'api' || version !== 'v1' || open !== 'public') return null;
    const now = state();
    const { faults, household } = now;
    if (faults.has('no-public-api')) return failure(404, 'not found');
    // The vendor does not document this status.
    if (faults.has('no-access')) return failure(403, 'no access');
    if (method !== 'GET') return onlyGet;
    if (rest.length > 0) return failure(404, 'not found');
    if (name === 'cemm') return identity(monitor, now, address);
    if (name === 'meters') return json(200, { meters: listedMeters(household.house) });
    if (name === 'timeseries') return answerTimeseries(asCounted(household, faults, now.now), now.now, query);
    return failure(404, 'not found');
  };
}

function identity(monitor: SimulatedMonitor, { now, household, faults }: MonitorState, address: string): RouteResponse {
  return json(200, {
    id: monitor.cemm,
    name: 'Demo',
    icon: 'building',
    icon_color: '#CF2D27',
    mac: respondingMac(monitor, faults),
    local_ip: address,
    version: '1.10.0',
    timezone: household.timezone,
    time: millisToSeconds(now),
    modules: ['webhooks', 'smartmeter', 'pulse'],
    currency: 'EUR',
  });
}
