/**
 * A CEMM 3.0 whose public API is written from the vendor's description alone (https://wiki.cemm.nl/general/publicapi): `cemm`, `meters`, and
 * `timeseries` with days. It shares no code with the package. What is not documented can be set.
 */
import { type JsonAnswer, JsonServer } from './json-server';
import { findUnitStart } from '../bills/calendar';

const dayMs = 86_400_000;

export interface ListedMeter {
  readonly key: string;
  readonly type: string;
  readonly role: string | null;
  /** Channel → unit. */
  readonly channels: Readonly<Record<string, string>>;
}

export interface Unspecified {
  readonly meters?: readonly ListedMeter[];
  /** The largest count; others are refused. */
  readonly most?: number;
  readonly refusal?: number;
  /** What the monitor shows for a day that it has lost, by the start of the day; undefined: the day is known. */
  readonly lost?: (start: number) => 0 | null | undefined;
  /** Channels in which nothing flows. */
  readonly idle?: (name: string) => boolean;
  /** Days that the list lags behind. */
  readonly behind?: number;
  /** Channels that show the reading at the end of each day. */
  readonly readings?: readonly string[];
}

export const usualMeters: readonly ListedMeter[] = [
  {
    key: 'hoofdmeter',
    type: 'electricity',
    role: 'grid-connection',
    channels: {
      electric_power_import: 'W',
      electric_energy_import: 'kWh',
      electric_energy_export: 'kWh',
      electric_energy_import_t1: 'kWh',
      electric_energy_import_t2: 'kWh',
    },
  },
  {
    key: 'zon',
    type: 'electricity',
    role: 'solar',
    channels: { electric_energy_export: 'kWh', electric_energy_import: 'kWh' },
  },
  { key: 'gas', type: 'gas', role: null, channels: { volume: 'm³' } },
  { key: 'water', type: 'water', role: null, channels: { volume: 'm³', flow: 'L/min' } },
];

/** What flows in a whole day, in thousandths of kWh or m³: no two neighbouring days are alike. */
const perDay: Readonly<Record<string, (day: number) => number>> = {
  'hoofdmeter:electric_energy_import_t1': (day) => 2000 + 310 * ((day * 7) % 11),
  'hoofdmeter:electric_energy_import_t2': (day) => 3000 + 170 * ((day * 5) % 13),
  'hoofdmeter:electric_energy_export': (day) => 1000 + 230 * ((day * 3) % 7),
  'zon:electric_energy_export': (day) => 4000 + 450 * ((day * 4) % 9),
  'zon:electric_energy_import': (day) => 24 + (day % 2),
  'gas:volume': (day) => 1500 + 90 * ((day * 8) % 17),
  'water:volume': (day) => 200 + 13 * ((day * 6) % 19),
};

/** The ledger: what really flowed in a local day, or so far in the current one. */
export function flowedOn(name: string, start: number, now: number): number {
  const day = Math.round((start + dayMs / 2) / dayMs);
  const whole =
    name === 'hoofdmeter:electric_energy_import'
      ? flowOf(`${name}_t1`, day) + flowOf(`${name}_t2`, day)
      : flowOf(name, day);
  const end = findUnitStart('day', start, 1);
  const share = Math.min(1, Math.max(0, (now - start) / (end - start)));
  return Math.round(whole * share) / 1000;
}

function flowOf(name: string, day: number): number {
  return perDay[name]?.(day) ?? 0;
}

/** The sum of the local days from one moment to another. */
export function flowedIn(name: string, from: number, to: number): number {
  let sum = 0;
  for (let start = findUnitStart('day', from); start < to; start = findUnitStart('day', start, 1))
    sum += flowedOn(name, start, to);
  return Math.round(sum * 1000) / 1000;
}

export class SpecifiedPublicApi {
  /** Path and query of each request. */
  readonly requests: string[] = [];
  private readonly server = new JsonServer((url) => this.answer(url));

  constructor(
    private readonly clock: () => number,
    /** When the monitor began to count. */
    private readonly since: number,
    public unspecified: Unspecified = {},
  ) {}

  /** @returns `host:port` */
  openServer(): Promise<string> {
    return this.server.openServer();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private answer(url: string): JsonAnswer {
    this.requests.push(url);
    const { pathname, searchParams } = new URL(url, 'http://monitor');
    const meters = this.unspecified.meters ?? usualMeters;
    if (pathname === '/api/v1/public/cemm') {
      const time = Math.floor(this.clock() / 1000);
      const identity = { id: 24_000_293, name: 'House', mac: '80:1F:12:47:06:B0', version: '1.10.0' };
      return {
        status: 200,
        body: { ...identity, timezone: 'Europe/Amsterdam', time, modules: ['webhooks'], currency: 'EUR' },
      };
    }
    if (pathname === '/api/v1/public/meters') return { status: 200, body: { meters: meters.map(listed) } };
    if (pathname !== '/api/v1/public/timeseries') return { status: 404, body: {} };
    return this.timeseries(searchParams.get('channels') ?? '', Number(searchParams.get('count')));
  }

  private timeseries(name: string, count: number): { readonly status: number; readonly body: object } {
    const { most = Infinity, refusal = 400, behind = 0 } = this.unspecified;
    if (count > most) return { status: refusal, body: { error: 'count' } };
    const now = this.clock();
    const today = findUnitStart('day', now, -behind);
    const starts = Array.from({ length: count }, (_, index) => findUnitStart('day', today, index + 1 - count));
    return { status: 200, body: { data: starts.map((start) => [start / 1000, this.valueAt(name, start, now)]) } };
  }

  private valueAt(name: string, start: number, now: number): number | null {
    const { lost, readings = [], idle } = this.unspecified;
    if (start < this.since) return null;
    if (idle?.(name) === true) return 0;
    const instead = lost?.(start);
    if (instead !== undefined) return instead;
    if (!readings.includes(name)) return flowedOn(name, start, now);
    return 250 + flowedIn(name, this.since, Math.min(now, findUnitStart('day', start, 1)));
  }
}

function listed({ key, type, role, channels }: ListedMeter, index: number): object {
  return {
    id: index + 1,
    key,
    label: key,
    type,
    role,
    channels: Object.entries(channels).map(([channel, unit], place) => ({
      id: 100 * index + place + 1,
      key: channel,
      label: channel,
      unit,
      aggregation_method: unit === 'W' || unit === 'L/min' ? 'AVG' : 'COUNTER',
    })),
  };
}
