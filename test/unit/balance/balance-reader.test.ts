/** Requests of a balance: concurrency, caching, and failures. */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { type SeriesPeriod, periodFromLabel } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import type { BalanceParts, KnownMeters, ReadBalanceOptions } from '../../../src/balance/house-reader';
import { BalanceReader, type PeriodBalanceTarget } from '../../../src/balance/requests/period-reader';
import type { MeterTarget } from '../../../src/connection/connection';
import { CemmError } from '../../../src/errors';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import type { BalancePayload, MeterInfo, TotalsPayload } from '../../../src/model/payload';
import { millis } from '../../../src/time/units';
import { usualSteps } from '../../support/clients/in-process';
import { prices, SOURCE } from '../../support/balance/small-house';
import { failure, MONITOR } from '../../support/clients/fake-client';

const zone = 'Europe/Amsterdam';
const testNow = Date.parse('2026-07-01T12:00:00Z');

const failureOf = (request: string, code: 'MONITOR_OFFLINE' | 'ALIAS') =>
  request.startsWith('mb2') ? failure(code) : null;

/** A house of p1 and s01, each 1 kWh an hour. */
class FakeHouse {
  readonly asked: string[] = [];
  mostInFlight = 0;
  now = testNow;
  /** Request → failure. */
  fails: (request: string) => CemmError | null = () => null;
  unanswered: CemmError | null = null;
  /** The smart meter has never offered t3 and t4. */
  hasExport = true;
  others: MeterInfo[] = [];
  rows = new MeterTable();
  private inFlight = 0;

  readonly parts: BalanceParts = {
    clock: { ...systemClock, now: () => millis(this.now) },
    reader: {
      timezone: zone,
      transport: 'remote',
      knownMeters: (): Promise<KnownMeters> =>
        Promise.resolve({
          monitor: { id: MONITOR },
          meters: [{ alias: 'p1', role: 'grid' }, { alias: 's01', role: 'production' }, ...this.others],
          rows: this.rows.rowsOf({ id: MONITOR }, true),
          unanswered: this.unanswered,
        }),
      readTotals: (target, period) =>
        this.answer(`${target.alias} totals ${period.label}`, this.totals(target, period)),
      readSeries: (target, period) =>
        this.answer(`${target.alias} series ${period.label}`, {
          ...this.base(target, period.start),
          kind: 'series',
          period: { ...span(period), step: period.unit === 'day' ? 'PT1M' : 'P1D' },
          fields: {},
          points: [{ ts: period.start, power_import_w: 1000, power_export_w: 0, power_production_w: 1000 }],
          stats: { expected: 0, received: 0, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
          complete: true,
        }),
      readRealtime: () =>
        Promise.reject(new Error('A service with readings of the past is not asked for those of now.')),
      watchRealtime: () => () => undefined,
    },
  };

  private async answer<Answer>(request: string, answer: Answer): Promise<Answer> {
    this.asked.push(request);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    this.inFlight -= 1;
    const error = this.fails(request);
    if (error !== null) throw error;
    return answer;
  }

  private base({ alias }: MeterTarget, ts: number) {
    return {
      schema: 'cemm/1' as const,
      id: 'fake',
      ts,
      time: new Date(ts).toISOString(),
      monitor: { id: MONITOR },
      meter: { alias, role: null },
      source: SOURCE,
    };
  }

  private totals(target: MeterTarget, period: SeriesPeriod): TotalsPayload {
    const ts = Math.min(period.end, this.now) - 1000;
    const kwh = Math.round(ts / 3_600) / 1000;
    return {
      ...this.base(target, ts),
      kind: 'totals',
      period: { ...span(period), final: true },
      values: {
        energy_import_kwh: kwh,
        ...(this.hasExport && { energy_export_kwh: 0 }),
        energy_production_kwh: kwh,
        energy_own_use_kwh: 0,
      },
      times: {},
      missing: {},
    };
  }
}

function span({ unit, label, timezone, start, end }: SeriesPeriod) {
  return { unit, label, timezone, start, end };
}

describe('the requests of a balance', () => {
  let house: FakeHouse;
  let reader: BalanceReader;
  beforeEach(() => {
    house = new FakeHouse();
    reader = new BalanceReader(house.parts);
  });

  function read(
    label: string,
    more: Partial<ReadBalanceOptions> = {},
    contract: PeriodBalanceTarget['prices'] = null,
  ): Promise<BalancePayload> {
    const period = periodFromLabel(label, zone);
    const step = usualSteps[period.unit];
    const target: PeriodBalanceTarget = {
      monitor: null,
      meters: everyMeter,
      period,
      step,
      prices: contract,
      wantsPeak: false,
      counters: null,
    };
    return reader.read(target, { signal: new AbortController().signal, ...more });
  }

  it('run two at a time, and are counted', async () => {
    const progress: number[] = [];
    const { values } = await read('2026-06', { onProgress: (done, all) => progress.push(done / all) });
    house.mostInFlight.should.equal(2);
    should(progress.at(-1)).equal(1);
    progress.should.have.length(64);
    should(values['energy_import_kwh']).be.approximately(720, 0.01);
  });

  it('fail together if a meter stops answering halfway', async () => {
    house.fails = (request) => (request === 'p1 totals 2026-06-10' ? failure('UPSTREAM') : null);
    (await rejected(read('2026-06'))).code.should.equal('UPSTREAM');
    house.fails = () => null;
    should((await read('2026-06')).values['energy_import_kwh']).be.approximately(720, 0.01);
  });

  it('make no use of the house while nothing says what an input for pulses is', async () => {
    const plain = await read('2026-06');
    house.others = [{ alias: 's03', role: null }];
    const { values, missing, complete, unknownMeters } = await read('2026-06');
    should([unknownMeters, complete]).deepEqual([['s03'], false]);
    should(missing).containEql({ energy_house_kwh: 'unknown_meter' });
    should(values).eql({
      ...plain.values,
      energy_house_kwh: null,
      energy_self_consumed_kwh: null,
      self_consumption: null,
      self_sufficiency: null,
    });
  });

  it('ask a device last, and leave the balance as it is where the device fails', async () => {
    house.rows = new MeterTable(parseMeterRows([{ meter: 'mb2', name: 'Heat pump', role: 'consumption' }]));
    const plain = await read('2026-06');
    house.others = [{ alias: 'mb2', role: 'consumption' }];
    house.asked.length = 0;
    const { devices, values, meters } = await read('2026-06');
    should(devices?.map(({ meter, name, energy_kwh: kwh }) => [meter, name, kwh])).deepEqual([
      ['mb2', 'Heat pump', values['energy_import_kwh']],
    ]);
    meters.should.deepEqual(plain.meters);
    const first = house.asked.findIndex((request) => request.startsWith('mb2'));
    house.asked
      .slice(first)
      .filter((request) => !request.startsWith('mb2'))
      .should.deepEqual([]);
    for (const code of ['MONITOR_OFFLINE', 'ALIAS'] as const) {
      const errors: CemmError[] = [];
      house.fails = (request) =>
        request === 'mb2 totals 2026-06-10' || code === 'ALIAS' ? failureOf(request, code) : null;
      const away = await read('2026-06', { onMeterError: (error) => errors.push(error) });
      should(away.devices?.[0]?.energy_kwh).equal(null);
      should(away.devices?.[0]?.missing?.['energy_kwh']).equal('not_readable');
      should(away.complete).equal(plain.complete);
      should(away.values).containEql(plain.values);
      should(errors.length).equal(code === 'ALIAS' ? 1 : 0);
    }
  });

  for (const label of ['2026-06', '2025']) {
    it(`are no more for the cost and the sun of a device of ${label} over the internet`, async () => {
      const flat = prices({ currency: 'EUR', import: 0.3, export: 0.1 });
      await read(label, {}, flat);
      const ofHouse = [...house.asked].sort();
      house.asked.length = 0;
      house.rows = new MeterTable(parseMeterRows([{ meter: 'mb2', role: 'consumption' }]));
      house.others = [{ alias: 'mb2', role: 'consumption' }];
      reader = new BalanceReader(house.parts);
      const { devices } = await read(label, {}, flat);
      const ofDevice = house.asked.filter((request) => request.startsWith('mb2'));
      house.asked
        .filter((request) => !ofDevice.includes(request))
        .sort()
        .should.deepEqual(ofHouse);
      ofDevice.filter((request) => /series \d{4}-\d\d-\d\d/.test(request)).should.deepEqual([]);
      should(devices?.[0]).containEql({ cost: null, from_sun: null });
      should(devices?.[0]?.missing).deepEqual({ cost: 'not_by_hour', from_sun: 'not_by_hour' });
    });
  }

  it('are none for a named device at Modbus that the service has no alias for, which is not readable, as is the rest', async () => {
    const plain = await read('2026-06');
    house.asked.length = 0;
    house.others = [{ role: 'consumption', ioId: 7 }];
    house.rows = new MeterTable(parseMeterRows([{ meter: 'mb2', name: 'Heat pump', role: 'consumption' }]));
    const { devices, values, missing, complete, notReadable } = await read('2026-06');
    should(devices).deepEqual([
      {
        meter: 'mb2',
        name: 'Heat pump',
        energy_kwh: null,
        coverage: 0,
        from_sun: null,
        missing: { energy_kwh: 'not_readable', from_sun: 'not_readable' },
      },
    ]);
    should(values).deepEqual({ ...plain.values, energy_other_kwh: null });
    should(missing).deepEqual({ ...plain.missing, energy_other_kwh: 'not_readable' });
    should([complete, notReadable]).deepEqual([plain.complete, undefined]);
    house.asked.filter((request) => request.startsWith('mb2')).should.deepEqual([]);
  });

  it('make no device of a meter that only the monitor calls a consumer', async () => {
    house.others = [{ alias: 'usage', role: 'consumption' }];
    should(await read('2026-06')).not.have.property('devices');
    house.asked.filter((request) => request.startsWith('usage')).should.deepEqual([]);
  });

  it('BA4: leave a meter out that does not answer at all, after one request', async () => {
    house.fails = (request) => (request.startsWith('s01') ? failure('MONITOR_OFFLINE') : null);
    const errors: CemmError[] = [];
    const { values, missing } = await read('2026-06', { onMeterError: (error) => errors.push(error) });
    should(values['energy_import_kwh']).be.approximately(720, 0.01);
    missing.should.containDeep({ energy_production_kwh: 'not_readable', energy_house_kwh: 'not_readable' });
    errors.map(({ code }) => code).should.deepEqual(['MONITOR_OFFLINE']);
    house.asked.filter((request) => request.startsWith('s01')).length.should.be.belowOrEqual(2);
  });

  it('fail if no meter answers, or if one cannot be found', async () => {
    house.fails = () => failure('NETWORK');
    (await rejected(read('2026-06-29'))).code.should.equal('NETWORK');
    house.fails = () => null;
    house.unanswered = failure('UPSTREAM_TIMEOUT');
    (await rejected(read('2026-06-29'))).code.should.equal('UPSTREAM_TIMEOUT');
  });

  it("do not need the monitor's own month, which only verifies the net", async () => {
    house.fails = (request) => (request.includes('series') ? failure('UPSTREAM') : null);
    const { values, missing } = await read('2026-06');
    should(values['energy_import_kwh']).be.approximately(720, 0.01);
    missing.should.deepEqual({});
  });

  for (const label of ['2026-06-15', '2026-06', '2025']) {
    it(`make of ${label} of a smart meter that has never offered its export a house without export, and say so`, async () => {
      const withExport = await read(label);
      house.hasExport = false;
      reader = new BalanceReader(house.parts);
      const { values, missing, complete, method, coverage } = await read(label);
      for (const field of ['energy_import_kwh', 'energy_export_kwh', 'energy_net_kwh', 'energy_house_kwh']) {
        should(values[field]).equal(withExport.values[field], field);
        should(coverage[field]).equal(1, field);
      }
      should(values['energy_export_kwh']).equal(0);
      should(missing['energy_export_kwh']).equal('not_offered');
      should(method['energy_house_kwh']).equal('registers');
      should(complete).equal(withExport.complete);
    });
  }

  it('return no production and no house value for an inverter without an alias, and name it', async () => {
    house.others = [{ role: 'production', ioId: 4 }];
    const { values, missing, complete, meters, notReadable } = await read('2026-06-15');
    should(values).containDeep({ energy_import_kwh: 24, energy_production_kwh: null, energy_house_kwh: null });
    should(missing).containDeep({ energy_production_kwh: 'not_readable', energy_house_kwh: 'not_readable' });
    should([complete, meters.production, notReadable]).deepEqual([false, ['s01', 'io 4'], ['io 4']]);
    should((await read('2026-06-14')).missing).not.have.property('energy_import_kwh');
    house.asked.every((request) => /^(p1|s01) /.test(request)).should.be.true();
  });

  it('BA5: end with the first that is cancelled', async () => {
    house.fails = () => new CemmError('CANCELLED');
    (await rejected(read('2026-06'))).code.should.equal('CANCELLED');
    house.asked.length.should.be.belowOrEqual(2);
  });
});

async function rejected(work: Promise<unknown>): Promise<CemmError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CemmError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}
