/** The invariants of random houses and of the matrix, each with a balance that breaks it. */
import should from 'should';
import type { BalanceCounter, BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { brokenIn, fieldOf, type Flow, type Flowed, flows } from '../../support/houses/invariants';
import { oddNumbers, oddText, oldIn, wrongAlarms } from '../../support/houses/odd-values';
import { period, SOURCE } from '../../support/balance/small-house';

const day = period('2026-06-18');
const now = day.end + hourMs;

/** kWh or m³ in each hour. */
const perHour: Readonly<Record<Flow, number>> = {
  import: 0.5,
  export: 0.25,
  production: 0.4,
  gas: 0.1,
  water: 0.01,
  charged: 0,
  discharged: 0,
};
const flowed: Flowed = (flow, from, to) => (perHour[flow] * (to - from)) / hourMs;

const points = Array.from({ length: 24 }, (_, hour) => ({
  ts: day.start + hour * hourMs,
  energy_import_kwh: 0.5,
  energy_export_kwh: 0.25,
  energy_production_kwh: 0.4,
  energy_net_kwh: 0.25,
  energy_house_kwh: 0.65,
  energy_self_consumed_kwh: 0.15,
  gas_m3: 0.1,
  water_m3: 0.01,
}));

const [whole] = points;
const fields = Object.keys(whole ?? {}).filter((field) => field !== 'ts');

/** A correct balance. */
function right(more: Partial<BalancePayload> = {}): BalancePayload {
  const sum = (field: string): number => points.reduce((total, point) => total + Number(Reflect.get(point, field)), 0);
  return {
    schema: 'cemm/1',
    kind: 'balance',
    id: 'bl:1',
    ts: day.start,
    time: '',
    monitor: { id: null },
    source: SOURCE,
    period: { ...day, step: 'PT1H' },
    meters: { grid: ['p1'], production: ['s01'], gas: ['gas'], water: ['water'] },
    values: {
      ...Object.fromEntries(fields.map((field) => [field, sum(field)])),
      self_consumption: 0.375,
      self_sufficiency: 3.6 / 15.6,
    },
    points,
    method: Object.fromEntries(fields.map((field) => [field, 'registers' as const])),
    coverage: Object.fromEntries(fields.map((field) => [field, 1])),
    peak: null,
    counters: Object.fromEntries(
      flows.map((flow) => [fieldOf[flow], { start: [day.start, 100], end: [day.end, 100 + perHour[flow] * 24] }]),
    ),
    estimated: [],
    missing: {},
    complete: true,
    ...more,
  };
}

/** With these sums, and points that match them. */
function withSums(sums: Readonly<Record<string, number>>, more: Partial<BalancePayload> = {}): BalancePayload {
  const base = right(more);
  return { ...base, values: { ...base.values, ...sums } };
}

function broken(payload: BalancePayload): string[] {
  return brokenIn(payload, flowed, now);
}

describe('the rules that hold in every house', () => {
  it('report nothing for a correct balance', () => {
    broken(right()).should.deepEqual([]);
  });

  it('1: find a complete sum by counters that is 0.002 kWh off', () => {
    const taken: BalanceCounter = { start: [day.start, 100], end: [day.end, 112.002] };
    const counters = { ...right().counters, energy_import_kwh: taken };
    const [first = ''] = broken(withSums({ energy_import_kwh: 12.002 }, { counters }));
    first.should.startWith('rule 1: energy_import_kwh is 12.002, wanted 12 by counters');
  });

  it('1: hold counters against the time between their two readings, not against the period', () => {
    const late: BalanceCounter = { start: [day.start - 4 * 60_000, 100], end: [day.end, 100 + 0.5 * (24 + 4 / 60)] };
    const payload = withSums(
      { energy_import_kwh: 0.5 * (24 + 4 / 60) },
      {
        counters: { ...right().counters, energy_import_kwh: late },
      },
    );
    broken(payload)
      .filter((one) => one.startsWith('rule 1: energy_import'))
      .should.deepEqual([]);
  });

  it('1: find complete minutes whose net is off by more than 1 % and 0.05 kWh, and a direction above the truth', () => {
    const minutes = { counters: {}, method: { energy_import_kwh: 'minutes' } } as const;
    broken(withSums({ energy_import_kwh: 11.8, energy_net_kwh: 5.3 }, minutes))
      .join()
      .should.match(/rule 1: energy_net_kwh is 5.3/);
    broken(withSums({ energy_export_kwh: 7 }, minutes))
      .join()
      .should.match(/rule 1: energy_export_kwh is 7, wanted at most/);
  });

  it('1: find a balance that is complete with a share of the time', () => {
    broken(right({ coverage: { ...right().coverage, energy_import_kwh: 0.9 } }))
      .join()
      .should.match(/rule 1: complete, and the coverage of energy_import_kwh is 0.9/);
  });

  it('2: find a sum above the truth, although it is marked', () => {
    const marked = { complete: false, coverage: { ...right().coverage, gas_m3: 0.5 } };
    broken(withSums({ gas_m3: 3 }, marked))
      .join()
      .should.match(/rule 2: gas_m3 is 3, wanted at most/);
    broken(withSums({ gas_m3: 1.2 }, marked))
      .join()
      .should.not.match(/rule 2/);
  });

  it('2: find a wrong sum in a field that is not marked, where another one is', () => {
    const other = { complete: false, coverage: { ...right().coverage, gas_m3: 0.5 } };
    broken(withSums({ water_m3: 3 }, { ...other, counters: {} }))
      .join()
      .should.match(/rule 1: water_m3 is 3/);
  });

  it('2: find a null and an incomplete balance without a reason', () => {
    broken({ ...right(), complete: false })
      .join()
      .should.match(/rule 2: not complete, and nothing says why/);
    const payload = right();
    broken({ ...payload, values: { ...payload.values, gas_m3: null } })
      .join()
      .should.match(/rule 2: gas_m3 is null, and missing does not say why/);
  });

  it('3: find a power of two hours ago, and a point of the future', () => {
    const moment = { ...right(), ts: now - 1000, values: { power_import_w: 1550, power_house_w: 1550 } };
    oldIn(moment, { grid: now - 2 * hourMs }, now, 10_000).should.have.length(2);
    oldIn(moment, { grid: now - 50_000 }, now, 10_000).should.deepEqual([]);
    oldIn({ ...moment, values: { power_import_w: null } }, { grid: now - 2 * hourMs }, now, 10_000).should.deepEqual(
      [],
    );
    brokenIn(right(), flowed, day.start + 3 * hourMs)
      .join()
      .should.match(/rule 3: a point/);
  });

  it('4: find a negative zero, no number, a percentage of nothing and one above 100 %', () => {
    oddNumbers({ values: { power_w: -0, power_l1_w: NaN } }).should.have.length(2);
    const payload = right();
    broken({ ...payload, values: { ...payload.values, self_consumption: 1.2 } })
      .join()
      .should.match(/rule 4: self_consumption/);
    broken({ ...payload, values: { ...payload.values, energy_production_kwh: -0.01 } })
      .join()
      .should.match(/rule 4: self_consumption is 0.375 of -0.01/);
    for (const text of ['-0.0 kWh', '−€0,00', 'NaN kWh', '104 %', 'undefined W', '[object Object]']) {
      oddText(text).should.have.length(1, text);
    }
    for (const text of ['-0.5 kWh', '2026-06-18', '100 %', '10-0 km', '0.0 kWh', '01:00-02:00']) {
      oddText(text).should.deepEqual([], text);
    }
  });

  it('5: find a point that is not the sum of its parts, and points that do not add up', () => {
    const wrong = points.map((point, hour) => (hour === 3 ? { ...point, energy_house_kwh: 0.9 } : point));
    const found = broken(right({ points: wrong })).join();
    found.should.match(/rule 5: house is 0.9/);
    found.should.match(/rule 5: the points of energy_house_kwh come to/);
  });

  it('6: find an alarm without its fault, one that is missing, and one that comes too late', () => {
    const faults = [{ name: 'sun', from: 1000, to: 2000 }];
    wrongAlarms([{ name: 'sun', at: 1500 }], faults).should.deepEqual([]);
    wrongAlarms([], faults).should.have.length(1);
    wrongAlarms([{ name: 'sun', at: 2500 }], faults).should.have.length(2);
    should(
      wrongAlarms(
        [
          { name: 'water', at: 1500 },
          { name: 'sun', at: 1500 },
        ],
        faults,
      )[0],
    ).startWith('rule 6: an alarm water');
  });
});
