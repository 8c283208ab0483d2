/** The remote Open API of the simulated service (http://developer.cemm.nl/api-en/), with pending promises. */
import { toMonitorId, toRemoteUid } from '../protocol/mac';
import { millis } from '../time/units';
import { type RouteResponse, failure, json, onlyGet, type RouteRequest, type Route } from './http-server';
import { monitorIdOf } from './identity';
import { type Meter, netReader } from './meter-kinds';
import {
  asCounting,
  type Channels,
  currentMoment,
  installedMeters,
  offeredReadings,
  offeredSeries,
  type Readings,
  readingsAt,
  registerChannels,
  remoteMeter,
  type SeriesForm,
  telegramAgeMs,
} from './meters';
import { requestedPeriod, type RequestedPeriod, isUnit } from './requested-period';
import { gasMinutes, noValue, type MonitorState } from './series';
import type { SimulatedMonitor, SimulatorOptions } from './simulator';
import { stringify } from './faults';

/** The vendor does not document the channels of pulse meters in this interface. They are those of the local Open API. */
const seriesForm: SeriesForm = { low: 'electric_energy_low', future: 'zero', gasOfDay: gasMinutes };

interface PromiseOptions {
  /** Time from the first request to the data, in ms. 0: at once; Infinity: never. */
  readonly readyMs: () => number;
  /** A repeated request extends its promise by 10 seconds. */
  readonly renews: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** The number of the promise (status 202) for a request, or null if its data are available. */
type PendingPromises = (question: string) => number | null;

/** A promise expires if its request is not repeated in this time. */
const promiseLifetimeMs = 10_000;

interface Given {
  readonly number: number;
  readonly at: number;
  expires: number;
}

export function createPendingPromises({ readyMs, renews, now }: PromiseOptions): PendingPromises {
  const given = new Map<string, Given>();
  let count = 0;

  function give(question: string, at: number): number {
    for (const [key, { expires }] of given) if (at >= expires) given.delete(key);
    count += 1;
    given.set(question, { number: count, at, expires: at + promiseLifetimeMs });
    return count;
  }

  return (question) => {
    if (readyMs() <= 0) return null;
    const at = now();
    const promise = given.get(question);
    if (promise === undefined || at >= promise.expires) return give(question, at);
    if (at - promise.at >= readyMs()) return null;
    if (renews) promise.expires = at + promiseLifetimeMs;
    return promise.number;
  };
}

interface RemoteApiOptions {
  readonly monitors: readonly SimulatedMonitor[];
  readonly apiKey: string;
  readonly promises: PendingPromises;
  readonly promiseBody: NonNullable<SimulatorOptions['promiseBody']>;
  readonly state: (monitor: SimulatedMonitor) => MonitorState;
  readonly faults: MonitorState['faults'];
}

/** A response that needs data of the monitor, so a promise can precede it. */
type Pending = () => RouteResponse;

/** The route `/v1/`. Checks the key, then monitor and alias, and then the promises. */
export function remoteApi(options: RemoteApiOptions): Route {
  return (question) => {
    const [version, resource, ...rest] = question.path.split('/').slice(1, -1);
    if (version !== 'v1') return null;
    if (question.method !== 'GET') return onlyGet;
    const refused = refuseRequest(question, options);
    if (refused !== null) return refused;
    const answer = resource === 'cemm' ? route(rest, question, options) : failure(404, 'not found');
    return typeof answer === 'function' ? (promise(question, options) ?? answer()) : answer;
  };
}

function refuseRequest({ query }: RouteRequest, { apiKey, faults }: RemoteApiOptions): RouteResponse | null {
  if (faults.has('forbidden') || query.get('api_key') !== apiKey) return failure(403, 'access denied');
  if (faults.has('timeout')) return failure(408, 'the monitor did not answer in time');
  if (faults.has('bad-gateway')) return failure(502, 'the monitor could not be reached');
  return null;
}

function route(
  segments: readonly string[],
  question: RouteRequest,
  options: RemoteApiOptions,
): RouteResponse | Pending {
  const [uid, alias, ...rest] = segments;
  if (uid === undefined)
    return () => json(200, { data: options.monitors.map((monitor) => ({ uid: toRemoteUid(monitorIdOf(monitor)) })) });
  const id = toMonitorId(uid);
  const monitor = options.monitors.find((candidate) => monitorIdOf(candidate) === id);
  // 403 for a monitor that is not linked to the key, whether it exists or not.
  if (monitor === undefined) return failure(403, 'access denied');
  if (options.faults.has('monitor-forbidden') && monitor === options.monitors.at(-1)) {
    return failure(403, 'access denied');
  }
  const state = options.state(monitor);
  if (alias === 'io' && rest.length === 0) return () => json(200, { data: installedMeters(state).flatMap(formatIo) });
  if (alias === undefined) return failure(404, 'not found');
  const meter = remoteMeter(alias, state);
  if (meter === null) return failure(412, 'the alias is not supported');
  return ofMeter(asCounting(meter, state.faults), rest.join('/'), question.query, state);
}

function ofMeter(meter: Meter, what: string, query: URLSearchParams, state: MonitorState): RouteResponse | Pending {
  const ioId = meter.io?.ioId;
  if (what === '') return () => json(200, { data: formatIo(meter) });
  const answer = (body: unknown): RouteResponse => ({ status: 200, body: stringify(body, state.faults) });
  if (what === 'realtime') {
    const data = () => offeredReadings(meter, state.faults, readRemoteRealtime(meter, state));
    return () => answer({ io_id: ioId, data: data() });
  }
  const unit = what === 'totals' ? 'day' : what.replace(/^data\//, '');
  if (!isUnit(unit) || what === unit) return failure(404, 'not found');
  const isOfToday = what === 'totals' && state.faults.has('totals-of-today');
  const asked = requestedPeriod(unit, isOfToday ? new URLSearchParams() : query, state.now, state.household.timezone);
  if (asked === null) return failure(400, 'time is no Unix time in seconds');
  return () => {
    const data =
      what === 'totals'
        ? offeredReadings(meter, state.faults, totals(meter, state, asked))
        : offeredSeries(meter, state, asked, seriesForm);
    return answer({ io_id: ioId, time: asked.period.start, data });
  };
}

function formatIo({ io }: Meter): readonly Readonly<Record<string, unknown>>[] {
  if (io === null) return [];
  return [{ io_id: io.ioId, port: io.port, type: io.type, port_option: io.portOption, full_id: 0 }];
}

function readRemoteRealtime(meter: Meter, state: MonitorState): Channels {
  const { power, reading, gas } = readingsAt(state, currentMoment(meter, state), meter);
  if (meter.kind === 'gas') return { gas: gas() };
  if (meter.kind === 'pulse') return { flow: power(meter.litres), volume: reading(meter.volume) };
  if (meter.of !== 'grid') return { electric_power: power(meter.power) };
  return {
    ...registerChannels(meter, reading),
    electric_power: power(meter.power),
    rate: power((minute) => minute.tariff),
    switch: state.faults.has('switch-on') ? [0, 1] : noValue,
    gas: gas(),
  };
}

/** The last readings of a day, or no values if there are none yet. */
function totals(meter: Meter, state: MonitorState, { period }: RequestedPeriod): Channels {
  const at = millis(Math.min(state.now - telegramAgeMs, period.end - 1));
  const last = readingsAt(state, at, meter);
  const has = last.time >= period.start;
  const reading: Readings['reading'] = (value) => (has ? last.reading(value) : noValue);
  const gas = has ? last.gas() : noValue;
  if (meter.kind === 'gas') return { gas };
  if (meter.kind === 'pulse') return { volume: reading(meter.volume) };
  const net = {
    electric_energy: reading(netReader(meter, 'low')),
    electric_energy_high: reading(netReader(meter, 'high')),
  };
  return meter.of === 'grid' ? { ...registerChannels(meter, reading), ...net, gas } : net;
}

/** One promise per path and period, whatever the key is. */
function promise({ path, query }: RouteRequest, { promises, promiseBody }: RemoteApiOptions): RouteResponse | null {
  const number = promises(`${path}?${query.get('time') ?? ''}`);
  if (number === null) return null;
  const code = number.toString(16).padStart(12, '0');
  if (promiseBody === 'empty') return { status: 202, body: '' };
  if (promiseBody === 'number') return json(202, { promise: number });
  return json(202, { promise: promiseBody === 'object' ? { code, expires: promiseLifetimeMs / 1000 } : code });
}
