/** The Local Open API of a simulated monitor (spec.md B; I/O list, `totals` and the single-counter meter: vendor-facts 1.2). */
import { millis, type Millis } from '../protocol/time';
import { type Answer, failure, json, onlyGet, type Route } from './http-server';
import { CORE, macAtAddress } from './identity';
import {
  asCounting,
  findMeter,
  installedMeters,
  type Meter,
  netHigh,
  netHighAmount,
  netLow,
  netLowAmount,
  offered,
  type Readings,
  readingsAt,
  registerChannels,
  TELEGRAM_AGE_MS,
  volumeAmount,
  type VolumeMeter,
} from './meters';
import { askedPeriod, type AskedPeriod, askedSpan, isUnit } from './local-days';
import {
  amounts,
  gasFiveMinutes,
  gasHours,
  gasTime,
  minuteSeries,
  NO_VALUE,
  type Sample,
  type Scene,
  wholeMinute,
} from './series';
import type { SimulatedMonitor } from './simulator';
import { stringify } from './faults';

type Channels = Readonly<Record<string, Sample>>;
type SeriesChannels = Readonly<Record<string, readonly Sample[]>>;

/** Answers everything under `/open-api/v1/`; an alias or path that the monitor does not have is 404. */
export function localApi(monitor: SimulatedMonitor, scene: () => Scene): Route {
  return ({ method, path, query }) => {
    const segments = path.split('/').slice(1, -1);
    if (segments[0] !== 'open-api' || segments[1] !== 'v1') return null;
    if (method !== 'GET') return onlyGet;
    const [alias, kind, unit, ...rest] = segments.slice(2);
    const now = scene();
    if (now.faults.has('no-open-api')) return failure(404, 'not found');
    if (alias === undefined) return root(monitor, now);
    if (alias === 'io' && kind === undefined) return ioList(now);
    const connected = findMeter(installedMeters(now), alias);
    const meter = connected && asCounting(connected, now.faults);
    const answer = (body: unknown): Answer => ({ status: 200, body: stringify(body, now.faults) });
    if (meter !== null && kind === 'realtime' && unit === undefined) return answer(offeredBy(meter, now));
    if (meter === null || kind !== 'data' || !isUnit(unit) || rest.length > 0) return failure(404, 'not found');
    const asked = now.faults.has('utc-days')
      ? askedPeriod(unit, query, now.now, 'UTC')
      : askedSpan(unit, query, now.now, now.house.timezone);
    if (asked === null) return failure(400, 'time is no Unix time in seconds');
    const data = offered(meter, now.faults, history(meter, now, asked));
    return answer({ io_id: String(meter.io?.ioId ?? 0), time: asked.time, data });
  };
}

function root(monitor: SimulatedMonitor, { faults }: Scene): Answer {
  const mac = macAtAddress(monitor, faults);
  const type = `51AE${mac.replaceAll(':', '')}0007`;
  return json(200, { data: { mac, name: 'CEMM Basic', type, version: '2.26.0.0', core: CORE } });
}

/** Records carry the alias and lack the remote list's `port_option` and `full_id`. */
function ioList(scene: Scene): Answer {
  if (scene.faults.has('no-io')) return failure(404, 'not found');
  const data = installedMeters(scene).flatMap(({ alias, io }) =>
    io === null ? [] : [{ io_id: io.ioId, port: io.port, type: io.type, alias }],
  );
  return json(200, { data });
}

function offeredBy(meter: Meter, scene: Scene): { data: Channels; totals?: Channels } {
  const { data, totals } = realtime(meter, scene);
  return {
    data: offered(meter, scene.faults, data),
    ...(totals && { totals: offered(meter, scene.faults, totals) }),
  };
}

function realtime(meter: Meter, scene: Scene): { data: Channels; totals?: Channels } {
  const readings = readingsAt(scene, millis(scene.now - TELEGRAM_AGE_MS));
  // Readings in `totals` have a time of their own, a few seconds after that of `data`.
  const later = millis(readings.time + TELEGRAM_AGE_MS);
  if (meter.kind !== 'electricity') return volumeRealtime(meter, readings, later);
  const power = readings.power(meter.power);
  if (meter.io === null) return { data: { electric_power: power } };
  const { reading, gas } = readings;
  const totals: Channels = {
    electric_energy: cents(reading((r) => netLow(meter, r), later)),
    electric_energy_high: cents(reading((r) => netHigh(meter, r), later)),
    ...registerChannels(meter, reading, later),
  };
  if (meter.alias === 'p1') {
    const rate = readings.power((minute) => minute.tariff);
    const data = { ...registerChannels(meter, reading), electric_power: power, rate, gas: gas() };
    return { data, totals: { ...totals, gas: gas() } };
  }
  if (meter.alias.startsWith('mb')) {
    // A single counter: all of the production in t1, and only `totals` splits it by tariff.
    const counter = reading((r) => meter.registers(r)[0] + meter.registers(r)[1]);
    return { data: { t1: counter, t2: NO_VALUE, electric_power: power }, totals };
  }
  return { data: { electric_power: power }, totals };
}

/** Water has its reading in `totals` only, and no flow at all while nothing flows. */
function volumeRealtime(meter: VolumeMeter, readings: Readings, later: Millis): { data: Channels; totals: Channels } {
  if (meter.kind === 'gas') return { data: { gas: readings.gas() }, totals: { gas: readings.gas() } };
  const flow = readings.power(meter.litres);
  return { data: { flow: flow[1] === 0 ? NO_VALUE : flow }, totals: { volume: readings.reading(meter.volume, later) } };
}

function history(meter: Meter, scene: Scene, { unit, period, parts }: AskedPeriod): SeriesChannels {
  if (meter.kind === 'electricity') {
    if (unit === 'day') return { electric_power: minuteSeries(scene, period, meter.power, 'last-null') };
    return {
      electric_energy: amounts(scene, parts, netLowAmount(meter), wholeMinute(scene)),
      electric_energy_high: amounts(scene, parts, netHighAmount(meter), wholeMinute(scene)),
    };
  }
  if (meter.kind === 'gas') {
    if (unit !== 'day') return { gas: amounts(scene, parts, volumeAmount(meter), gasTime(scene, scene.now)) };
    return { gas: (scene.dsmr === 4 ? gasHours : gasFiveMinutes)(scene, period, 'last-null') };
  }
  if (unit === 'day') return { flow: minuteSeries(scene, period, meter.litres, 'last-null') };
  return { volume: amounts(scene, parts, volumeAmount(meter), wholeMinute(scene)) };
}

/** Net energy in `totals` is rounded to two decimals on real monitors. */
function cents([time, value]: Sample): Sample {
  return [time, value === null ? null : Math.round(value * 100) / 100];
}
