/** The balances of a CEMM 3.0 by its public API, of a monitor that is written from the vendor's description alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import { DayBalances } from '../../../src/balance/day-sums/day-balances';
import { everyMeter, type MeterChoice } from '../../../src/balance/meters/choice';
import { parsePrices } from '../../../src/balance/prices/prices';
import { dayRange, type Period, periodFromLabel, weekFromLabel } from '../../../src/calendar/periods';
import { createPublicClient } from '../../../src/clients/public-client';
import { systemClock } from '../../../src/time/clock';
import { createPublicConnection, type PublicConnection } from '../../../src/connection/public-connection';
import { CemmError } from '../../../src/errors';
import type { MeterRow } from '../../../src/model/meter-rows';
import { MeterTable } from '../../../src/model/meter-table';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs, dayMs, millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { usualSteps } from '../../support/clients/in-process';
import {
  flowedIn,
  flowedOn,
  SpecifiedPublicApi,
  type Unspecified,
  usualMeters,
} from '../../support/houses/specified-public-api';
import { findUnitStart } from '../../support/bills/calendar';
import { valid, withSchemas } from '../../support/model/wire';

const timezone = 'Europe/Amsterdam';
const periodOf = (label: string): Period =>
  label.includes('W') ? weekFromLabel(label, timezone) : periodFromLabel(label, timezone);
const began = Date.parse('2025-06-09T22:00:00Z');

const daysFrom = (first: string, last: string) =>
  dayRange(timezone, millis(Date.parse(`${first}T12:00:00Z`)), millis(Date.parse(`${last}T12:00:00Z`)));

describe('balances of a CEMM 3.0 by its public API', () => {
  withSchemas();
  let now: number;
  let folder: string;
  let api: SpecifiedPublicApi;
  let balances: DayBalances;
  let connection: PublicConnection;
  let past: PastDays;
  let host: string;
  const clock = { ...systemClock, now: () => millis(now), monotonic: () => now };
  const ask = () => ({ signal: new AbortController().signal });

  beforeEach(async () => {
    now = Date.parse('2026-11-24T15:00:00Z');
    folder = await mkdtemp(join(tmpdir(), 'cemm-days-'));
    api = new SpecifiedPublicApi(() => now, began);
    host = await api.openServer();
    open();
  });

  afterEach(async () => {
    await close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function open(rows: readonly MeterRow[] = [], owner?: string): void {
    const client = createPublicClient({ host, allowLoopback: true, clock });
    Object.assign(client, { limits: { ...client.limits, gapMs: 0 } });
    const meters = new MeterTable(rows);
    past = new PastDays({ folder, clock, onProblem: () => undefined });
    connection = createPublicConnection({
      client,
      timezone: null,
      deadlineMs: 25_000,
      clock,
      meters,
      ...(owner !== undefined && { past, owner }),
    });
    balances = new DayBalances({ reader: connection, past, clock });
  }

  async function close(): Promise<void> {
    balances.close();
    await connection.close();
    await past.flush();
  }

  async function restart(rows: readonly MeterRow[] = []): Promise<void> {
    await close();
    open(rows);
  }

  async function balance(label: string, choice: MeterChoice = everyMeter, prices?: object): Promise<BalancePayload> {
    const period = periodOf(label);
    const payload = await balances.read(
      {
        monitor: null,
        meters: choice,
        period,
        step: usualSteps[period.unit],
        wantsPeak: false,
        counters: null,
        prices: prices === undefined ? null : parsePrices(prices, timezone),
      },
      ask(),
    );
    valid(payload);
    return payload;
  }

  const of = (name: string, label: string): number => {
    const { start, end } = periodOf(label);
    return flowedIn(name, start, Math.min(end, now));
  };
  const isNear = (value: number | null | undefined, expected: number): void => {
    should(Math.abs((value ?? NaN) - expected)).be.below(0.0005, `${value} instead of ${expected}`);
  };
  const failure = async (work: Promise<unknown>): Promise<CemmError> => {
    const thrown: unknown = await work.then(
      () => null,
      (error: unknown) => error,
    );
    if (thrown instanceof CemmError) return thrown;
    throw new Error('a CemmError was expected');
  };

  it('gives the days, months and years of energy, gas and water with the first question', async () => {
    for (const label of ['2026-11-23', '2026-11-24', '2026-10', '2026-11', '2026-W47', '2026']) {
      const { values, method, missing } = await balance(label);
      isNear(values['energy_import_kwh'], of('hoofdmeter:electric_energy_import', label));
      isNear(values['energy_export_kwh'], of('hoofdmeter:electric_energy_export', label));
      const sun = of('zon:electric_energy_export', label) - of('zon:electric_energy_import', label);
      isNear(values['energy_production_kwh'], sun);
      isNear(values['gas_m3'], of('gas:volume', label));
      isNear(values['water_m3'], of('water:volume', label));
      const house =
        of('hoofdmeter:electric_energy_import', label) - of('hoofdmeter:electric_energy_export', label) + sun;
      isNear(values['energy_house_kwh'], house);
      should(method['energy_import_kwh']).equal('delivered');
      should(missing['energy_house_kwh']).equal(undefined);
    }
  });

  it('has no points of a day, and says so; a month has its days, and a year its months', async () => {
    const day = await balance('2026-11-23');
    should(day.missing['points']).equal('not_by_hour');
    day.points?.every((point) => point['energy_import_kwh'] === null).should.equal(true);
    day.complete.should.equal(true);
    should(day.source.transport).equal('public');
    const month = await balance('2026-10');
    should(month.points?.length).equal(31);
    month.points?.forEach(({ ts, energy_import_kwh: taken }) => {
      isNear(taken, flowedOn('hoofdmeter:electric_energy_import', ts, now));
    });
    const year = await balance('2026');
    isNear(year.points?.[2]?.['gas_m3'], of('gas:volume', '2026-03'));
  });

  it('refuses this moment', async () => {
    should(await failure(balances.readNow())).match({ code: 'UNSUPPORTED', reason: 'balance' });
  });

  it('asks for 400 days once a day, and for half of them where that is refused', async () => {
    const counts = () =>
      api.requests.flatMap((url) => /hoofdmeter:electric_energy_import&.*count=(\d+)/.exec(url)?.[1] ?? []);
    await balance('2026-11');
    now += 10 * 60_000;
    await balance('2026-11');
    should(counts()).deepEqual(['400', '4']);
    for (const refusal of [400, 404, 422, 413]) {
      await restart();
      api.unspecified = { most: 120, refusal };
      api.requests.splice(0);
      const { values } = await balance('2026-11');
      isNear(values['energy_import_kwh'], of('hoofdmeter:electric_energy_import', '2026-11'));
      should(counts()).deepEqual(['400', '200', '100']);
    }
  });

  it('reads nothing again for five minutes, and the new day at once', async () => {
    now = Date.parse('2026-11-24T22:58:00Z');
    await balance('2026-11-24');
    const asked = api.requests.length;
    await balance('2026-11');
    should(api.requests.length).equal(asked);
    now += 3 * 60_000;
    isNear((await balance('2026-11-25')).values['gas_m3'], of('gas:volume', '2026-11-25'));
  });

  it('does not guess which day an entry is of, if the last one is not of today', async () => {
    api.unspecified = { behind: 1 };
    should(await failure(balance('2026-11'))).match({ code: 'UNSUPPORTED', reason: 'day_series' });
  });

  it('takes 0 and null of a past day for unknown, and the counted days for a lower bound', async () => {
    const lostFrom = Date.parse('2026-11-10T00:00:00Z');
    for (const instead of [0, null] as const) {
      await restart();
      const isLost = (start: number): boolean => start >= lostFrom && start < lostFrom + 3 * dayMs;
      api.unspecified = { lost: (start) => (isLost(start) ? instead : undefined) };
      const { values, coverage, complete } = await balance('2026-11');
      should(complete).equal(false);
      should(coverage['energy_import_kwh']).be.within(0.85, 0.9);
      let known = 0;
      for (let start = findUnitStart('month', now); start < now; start = findUnitStart('day', start, 1)) {
        if (!isLost(start)) known += flowedOn('gas:volume', start, now);
      }
      isNear(values['gas_m3'], known);
      await rm(folder, { recursive: true, force: true, maxRetries: 9 });
    }
  });

  it('takes 0 for known where another channel of the meter has an amount that day', async () => {
    const idle = (name: string): boolean => name === 'hoofdmeter:electric_energy_export' || name === 'gas:volume';
    api.unspecified = { idle };
    const { values, coverage, missing } = await balance('2026-10');
    should(values['energy_export_kwh']).equal(0);
    should(coverage['energy_export_kwh']).equal(1);
    isNear(values['energy_import_kwh'], of('hoofdmeter:electric_energy_import', '2026-10'));
    should(values['gas_m3']).equal(null);
    should(missing['gas_m3']).equal('not_measured');
  });

  it('takes what is larger than a house can use in a day, and what never falls, for readings', async () => {
    const wrong: Unspecified = { readings: ['gas:volume', 'water:volume'] };
    api.unspecified = wrong;
    const { values, missing, complete } = await balance('2026-10');
    should(values['gas_m3']).equal(null);
    should(values['water_m3']).equal(null);
    should(missing['gas_m3']).equal('not_measured');
    should(complete).equal(false);
    isNear(values['energy_import_kwh'], of('hoofdmeter:electric_energy_import', '2026-10'));
  });

  it('makes the use of the house unknown by a meter whose role is not known, until the table has it', async () => {
    const meters = usualMeters.map((meter) => (meter.key === 'zon' ? { ...meter, key: 'dak', role: 'roof-a' } : meter));
    api.unspecified = { meters };
    const before = await balance('2026-11');
    should(before.values['energy_house_kwh']).equal(null);
    should(before.missing['energy_house_kwh']).equal('unknown_meter');
    should(before.values['energy_import_kwh']).be.a.Number();
    await restart([
      { monitor: null, meters: [{ name: 'dak', isReversed: false }], name: 'Roof', role: 'production', within: null },
    ]);
    const after = await balance('2026-11');
    should(after.values['energy_house_kwh']).be.a.Number();
    should(after.names?.['dak']).equal('Roof');
  });

  it('keeps the days that are over, also when the monitor has lost them', async () => {
    const whole = (await balance('2026-10')).values;
    await restart();
    api.unspecified = { lost: (start) => (start < Date.parse('2026-11-20T00:00:00Z') ? 0 : undefined) };
    should((await balance('2026-10')).values).deepEqual(whole);
    await api.stop();
    now += 2 * hourMs;
    const away = await balance('2026-10');
    should(away.values).deepEqual(whole);
    should(away.source.kept).equal(true);
  });

  it('says when the running day was read, once the monitor is away', async () => {
    const own = `public ${host}`;
    await close();
    open([], own);
    const readAt = now;
    const before = await balance('2026-11-24');
    await api.stop();
    now += 20 * hourMs;
    const away = await balance('2026-11-24');
    should(away.source).containEql({ kept: true, keptAt: readAt, fetchedAt: readAt });
    should(away.values).deepEqual(before.values);
  });

  it('shows a day as a part where one channel was last read before its end', async () => {
    await balance('2026-11-24');
    const readDays = connection.readDays.bind(connection);
    connection.readDays = (target, options) =>
      target.meter === 'gas' ? Promise.reject(new CemmError('UPSTREAM')) : readDays(target, options);
    now += 20 * hourMs;
    const { coverage, complete } = await balance('2026-11-24');
    should(coverage['gas_m3']).be.approximately(16 / 24, 0.01);
    should(coverage['energy_import_kwh']).equal(1);
    should(complete).equal(false);
  });

  it('gives a bill of the days that are known', async () => {
    const house = { monitor: null, meters: everyMeter };
    const prices = parsePrices({ currency: 'EUR', import: 0.25, export: 0.05, gas: 1.3, water: 1.1 }, timezone);
    const period = daysFrom('2025-11-01', '2026-10-31');
    should(await balances.knownDays(house, period, ask())).equal(null);
    const contracts = [{ name: 'Own', prices, netted: [], runs: [] }];
    const bill = await balances.bill({ ...house, period, counters: null, contracts, batteriesKwh: [] }, ask());
    valid(bill);
    const [own] = bill.contracts ?? [];
    const sum = (name: string): number => flowedIn(name, period.start, period.end);
    const due =
      0.25 * sum('hoofdmeter:electric_energy_import') -
      0.05 * sum('hoofdmeter:electric_energy_export') +
      1.3 * sum('gas:volume') +
      1.1 * sum('water:volume');
    should(Math.abs((own?.cost?.total ?? NaN) - due)).be.below(0.01);
    // No contract has dates, so its year is the calendar year.
    should(bill.missing['expected']).equal(undefined);
    should(bill.expected?.total).be.a.Number();
    // The monitor shows 400 days.
    const longer = daysFrom('2025-06-01', '2026-05-31');
    should((await balances.knownDays(house, longer, ask()))?.label).equal('2025-10-21/2026-11-23');
  });
});
