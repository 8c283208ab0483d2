/**
 * The local Open API of a simulated monitor (http://developer.cemm.nl/local-open-api/), with the undocumented parts that real
 * monitors send: the list of I/Os, `totals`, and a meter with a single counter.
 */
import { millis, type Millis } from '../time/units';
import { type RouteResponse, failure, json, onlyGet, type Route } from './http-server';
import { coreVersion, respondingMac } from './identity';
import { type Meter, netReader, type VolumeMeter } from './meter-kinds';
import {
  asCounting,
  type Channels,
  currentMoment,
  findMeter,
  installedMeters,
  offeredReadings,
  offeredSeries,
  type Readings,
  readingsAt,
  registerChannels,
  type SeriesForm,
  telegramAgeMs,
} from './meters';
import { isUnit, requestedPeriod, spanFrom } from './requested-period';
import { gasFiveMinutes, noValue, type Sample, type MonitorState } from './series';
import type { SimulatedMonitor } from './simulator';
import { stringify } from './faults';

const seriesForm: SeriesForm = {
  low: 'electric_energy',
  future: 'last-null',
  gasOfDay: (state, day) => gasFiveMinutes(state, day, 'last-null'),
};

/** The route `/open-api/v1/`. An unknown alias or path is 404. */
export function localApi(monitor: SimulatedMonitor, state: () => MonitorState): Route {
  return ({ method, path, query }) => {
    const segments = path.split('/').slice(1, -1);
    if (segments[0] !== 'open-api' || segments[1] !== 'v1') return null;
    if (method !== 'GET') return onlyGet;
    const [alias, kind, unit, ...rest] = segments.slice(2);
    const now = state();
    if (now.faults.has('no-open-api')) return failure(404, 'not found');
    if (alias === undefined) return root(monitor, now);
    if (alias === 'io' && kind === undefined) return ioList(now);
    const connected = findMeter(installedMeters(now), alias);
    const meter = connected && asCounting(connected, now.faults);
    const answer = (body: unknown): RouteResponse => ({ status: 200, body: stringify(body, now.faults) });
    if (meter !== null && kind === 'realtime' && unit === undefined) return answer(offeredBy(meter, now));
    if (meter === null || kind !== 'data' || !isUnit(unit) || rest.length > 0) return failure(404, 'not found');
    const asked = now.faults.has('utc-days')
      ? requestedPeriod(unit, query, now.now, 'UTC')
      : requestedPeriod(unit, query, now.now, now.household.timezone, spanFrom);
    if (asked === null) return failure(400, 'time is no Unix time in seconds');
    const data = offeredSeries(meter, now, asked, seriesForm);
    return answer({ io_id: String(meter.io?.ioId ?? 0), time: asked.time, data });
  };
}

function root(monitor: SimulatedMonitor, { faults }: MonitorState): RouteResponse {
  const mac = respondingMac(monitor, faults);
  const type = `51AE${mac.replaceAll(':', '')}0007`;
  return json(200, { data: { mac, name: 'CEMM Basic', type, version: '2.26.0.0', core: coreVersion } });
}

/** With `alias`, and without `port_option` and `full_id` of the remote list. */
function ioList(state: MonitorState): RouteResponse {
  if (state.faults.has('no-io')) return failure(404, 'not found');
  const data = installedMeters(state).flatMap(({ alias, io }) =>
    io === null ? [] : [{ io_id: io.ioId, port: io.port, type: io.type, alias }],
  );
  return json(200, { data });
}

function offeredBy(meter: Meter, state: MonitorState): { data: Channels; totals?: Channels } {
  const { data, totals } = readLocalRealtime(meter, state);
  return {
    data: offeredReadings(meter, state.faults, data),
    ...(totals && { totals: offeredReadings(meter, state.faults, totals) }),
  };
}

function readLocalRealtime(meter: Meter, state: MonitorState): { data: Channels; totals?: Channels } {
  const readings = readingsAt(state, currentMoment(meter, state), meter);
  // The times in `totals` are a few seconds later than those in `data`.
  const later = millis(readings.time + telegramAgeMs);
  if (meter.kind !== 'electricity') return volumeRealtime(meter, readings, later);
  const power = readings.power(meter.power);
  if (meter.io === null) return { data: { electric_power: power } };
  const { reading, gas } = readings;
  const totals: Channels = {
    electric_energy: cents(reading(netReader(meter, 'low'), later)),
    electric_energy_high: cents(reading(netReader(meter, 'high'), later)),
    ...registerChannels(meter, reading, later),
  };
  if (meter.of === 'grid') {
    const rate = readings.power((minute) => minute.tariff);
    const data = { ...registerChannels(meter, reading), electric_power: power, rate, gas: gas() };
    return { data, totals: { ...totals, gas: gas() } };
  }
  if (meter.alias.startsWith('mb')) {
    // A single counter: t1 is the whole production, and only `totals` has both tariffs.
    const counter = reading((r) => meter.registers(r)[0] + meter.registers(r)[1]);
    return { data: { t1: counter, t2: noValue, electric_power: power }, totals };
  }
  return { data: { electric_power: power }, totals };
}

/** Water has its reading in `totals` only, and `[0, 0]` while nothing flows. */
function volumeRealtime(meter: VolumeMeter, readings: Readings, later: Millis): { data: Channels; totals: Channels } {
  if (meter.kind === 'gas') return { data: { gas: readings.gas() }, totals: { gas: readings.gas() } };
  const flow = readings.power(meter.litres);
  return { data: { flow: flow[1] === 0 ? noValue : flow }, totals: { volume: readings.reading(meter.volume, later) } };
}

/** Net energy in `totals` is rounded to two decimals on real monitors. */
function cents([time, value]: Sample): Sample {
  return [time, value === null ? null : Math.round(value * 100) / 100];
}
