/** Benchmark of kept days: a year of a local monitor with a smart meter, an inverter, gas and water, as balances and as series. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as BalancesModule from '../src/balance/balances';
import type * as Choice from '../src/balance/meters/choice';
import type * as Periods from '../src/calendar/periods';
import type * as Connection from '../src/connection/open-api-connection';
import type * as PastDaysModule from '../src/store/past-days';
import type { SeriesResponse } from '../src/protocol/responses';
import { dayMs, millis, millisToSeconds } from '../src/time/units';
import { seriesToJson } from '../src/store/kept-answers';
import { MONITOR as id } from '../test/support/clients/fake-client';
import { timeOf } from '../test/support/houses/by-chance';
import { FakeMonitor } from '../test/support/houses/fake-monitor';
import { listedMeters } from '../test/support/houses/recorded';
import { type RandomHouse, randomHouse } from '../test/support/houses/random-house';
import { StillClock } from '../test/support/houses/still-clock';
import { Random } from '../test/support/random';
import { median } from './support/interleaved';
import { shipped } from './support/shipped';
import { rounded, type Table } from './support/table';

const { Balances } = shipped<typeof BalancesModule>('balance/balances');
const { everyMeter } = shipped<typeof Choice>('balance/meters/choice');
const { periodContaining, nextPeriod } = shipped<typeof Periods>('calendar/periods');
const { createOpenApiConnection } = shipped<typeof Connection>('connection/open-api-connection');
const { PastDays } = shipped<typeof PastDaysModule>('store/past-days');

const restarts = 5;

/** The first house with these meters. */
function localHouse(): RandomHouse {
  for (let seed = 1; ; seed += 1) {
    const { kind, hasGrid, gas, hasWater, inverters } = randomHouse(seed, timeOf(seed, 2));
    const isWanted = kind === 'local' && hasGrid && gas === 'behind' && hasWater && inverters.length === 1;
    if (isWanted) return randomHouse(seed, timeOf(seed, 365));
  }
}

export async function kept(): Promise<Table> {
  const house = localHouse();
  const listed = listedMeters(house).flatMap(({ alias }) => (alias === null ? [] : [alias]));
  const folder = await mkdtemp(path.join(tmpdir(), 'cemm-bench-'));
  const now = house.end + 60 * dayMs;
  const clock = new StillClock(now);

  const connect = (past: InstanceType<typeof PastDays> | null) =>
    createOpenApiConnection({
      client: new FakeMonitor(house, () => now),
      transport: house.kind,
      deadlineMs: 25_000,
      clock,
      past,
      timezone: house.timezone,
      random: () => 0.5,
    });

  /** Twelve months, day by day, with the peak. */
  const readYear = async () => {
    const past = new PastDays({ folder, clock, onProblem: fail });
    const connection = connect(past);
    const balances = new Balances({ reader: connection, clock });
    let requests = 0;
    const reading = await cpuSeconds(async () => {
      let month = periodContaining('month', house.timezone, millis(house.start + dayMs));
      for (let count = 0; count < 12; count += 1, month = nextPeriod(month)) {
        const target = { monitor: null, meters: everyMeter, period: month, step: 'P1D', prices: null } as const;
        const options = { signal: new AbortController().signal };
        const payload = await balances.read({ ...target, wantsPeak: true, counters: null }, options);
        requests += payload.source.requests;
      }
    });
    const writing = await cpuSeconds(async () => {
      await past.flush();
    });
    return { past, reading, writing, requests };
  };

  /** The 365 days of the smart meter. */
  const readDays = async (past: InstanceType<typeof PastDays> | null) => {
    const connection = connect(past);
    let requests = 0;
    const reading = await cpuSeconds(async () => {
      let day = periodContaining('day', house.timezone, millis(house.start + dayMs));
      for (let count = 0; count < 365; count += 1, day = nextPeriod(day)) {
        const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
        const payload = await connection.readSeries(target, day, { signal: new AbortController().signal });
        requests += payload.source.requests;
      }
    });
    return { reading, requests };
  };

  const first = await readYear();
  const { bytes } = await first.past.size();
  const known: { readonly reading: number; readonly requests: number }[] = [];
  for (let restart = 0; restart < restarts; restart += 1) known.push(await readYear());
  const second = {
    reading: median(known.map(({ reading }) => reading)),
    requests: Math.max(...known.map(({ requests }) => requests)),
  };
  await readDays(first.past);
  await first.past.flush();
  const series = {
    first: await readDays(null),
    later: await readDays(new PastDays({ folder, clock, onProblem: fail })),
  };
  const writingDay = await cpuSeconds(async () => {
    for (let day = 0; day < 20; day += 1) {
      const start = house.start + 40 * dayMs;
      for (const meter of ['p1', 's01', 'gas', 'water']) {
        const value = Array.from({ length: 1440 }, (_, minute) => (minute * 7919 * (day + 1)) % 2000);
        const fact = { kind: 'series', house: '001122aabbcc', start, name: `bench ${meter}` } as const;
        await first.past.keep(fact, value, () => value);
      }
      await first.past.flush();
    }
  });
  await rm(folder, { recursive: true, force: true });

  /** Size of all days of a year of the first of these meters, in MB. */
  const sizeOfYear = async (count: number, decimals: number): Promise<number> => {
    const past = new PastDays({ folder, clock, onProblem: fail });
    const monitor = new FakeMonitor(house, () => now);
    let day = periodContaining('day', house.timezone, millis(house.start + dayMs));
    for (let index = 0; index < 365; index += 1, day = nextPeriod(day)) {
      for (const alias of listed.slice(0, count)) {
        const request = { kind: 'series', monitor: id, alias, unit: 'day', time: millisToSeconds(day.start) } as const;
        const { value } = await monitor.request(request);
        const fact = seriesToJson({ ...times, changed: new Map(), response: withDecimals(value, decimals) });
        const name = `local ${alias} day ${day.start}-${day.end}`;
        await past.keep({ kind: 'series', house: id, start: day.start, name }, fact, () => fact);
      }
    }
    await past.flush();
    const { bytes: written } = await past.size();
    await rm(folder, { recursive: true, force: true });
    return written / 1e6;
  };
  const sizes = [
    { what: 'MB of a year: 1 meter, 0 decimals', value: await sizeOfYear(1, 0), limit: 1.4 },
    { what: 'MB of a year: 1 meter, 2 decimals', value: await sizeOfYear(1, 2), limit: 2.6 },
    { what: 'MB of a year: 4 meters, 0 decimals', value: await sizeOfYear(4, 0), limit: 3.1 },
    { what: 'MB of a year: 4 meters, 2 decimals', value: await sizeOfYear(4, 2), limit: 5 },
  ];
  return {
    name: 'kept',
    rows: [
      { what: 'requests of a year of months', first: first.requests, later: second.requests },
      { what: 'CPU seconds of it', first: rounded(first.reading), later: rounded(second.reading) },
      { what: 'requests of 365 series of a day', first: series.first.requests, later: series.later.requests },
      { what: 'CPU seconds of it', first: rounded(series.first.reading), later: rounded(series.later.reading) },
      { what: 'MB of the year', first: rounded(bytes / 1e6), later: '' },
      { what: 'CPU ms of writing a day', first: rounded((writingDay * 1000) / 20), later: '' },
      ...sizes.map(({ what, value }) => ({ what, first: rounded(value), later: '' })),
    ],
    goals: [
      ...sizes.map(({ what, value, limit }) => ({ what: `kept days: ${what}`, value, limit })),
      { what: 'kept days: requests of a known year', value: second.requests, limit: 0 },
      { what: 'kept days: CPU seconds of a known year', value: second.reading, limit: 1.5 },
      { what: 'kept days: requests of a known year of series', value: series.later.requests, limit: 0 },
      { what: 'kept days: CPU seconds of a known year of series', value: series.later.reading, limit: 0.5 },
      { what: 'kept days: CPU ms of writing a day', value: (writingDay * 1000) / 20, limit: 50 },
    ],
  };
}

const times = { asOf: 1, since: 1, readAt: 1, round: 0 };

/** As an inverter or a pulse meter sends them; 0 stays 0. */
function withDecimals({ channels, ...rest }: SeriesResponse, decimals: number): SeriesResponse {
  const factor = 10 ** decimals;
  // No pattern: it would be packed to nothing.
  const random = new Random(millisToSeconds(millis(rest.time ?? 0)));
  const noisy = (value: number): number =>
    value === 0 || decimals === 0 ? Math.round(value) : Math.round(value * factor + random.int(0, 99)) / factor;
  return {
    ...rest,
    channels: new Map(
      [...channels].map(([name, samples]) => [name, { ...samples, values: samples.values.map(noisy) }]),
    ),
  };
}

function fail(problem: string): never {
  throw new Error(`Past days cannot be kept: ${problem}.`);
}

async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}
