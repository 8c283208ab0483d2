/** The devices of a balance in the formats that give each its meter. */
import should from 'should';
import { balanceNow } from '../../../src/balance/now/now';
import type { MeterNow } from '../../../src/balance/now/present';
import { createFormatter } from '../../../src/formats/formatter';
import { isRecord } from '../../../src/checks/record';
import type { BalancePayload, RealtimePayload, Values } from '../../../src/model/payload';
import { balance, meter, minutesFrom, period, prices, SOURCE } from '../../support/balance/small-house';

const ts = Date.parse('2026-06-15T10:00:00Z');
const monitor = { id: '001122aabbcc' };

function reading(values: Values): RealtimePayload {
  const common = { schema: 'cemm/1', kind: 'realtime', id: 'rt', ts, time: new Date(ts).toISOString() } as const;
  return {
    ...common,
    monitor,
    meter: { role: null },
    values,
    times: {},
    missing: {},
    source: { ...SOURCE, fetchedAt: ts },
  };
}

const meters: readonly MeterNow[] = [
  { name: 'p1', role: 'grid', reading: reading({ power_import_w: 3000, power_export_w: 0 }) },
  { name: 'mb2', role: 'consumption', title: 'Heat pump', reading: reading({ power_w: 1500 }) },
  { name: 'mb4', role: 'consumption', title: 'Boiler', within: 'mb2', reading: reading({ power_w: 400 }) },
  { name: 'mb3', role: 'consumption', reading: null },
];
const { payload } = balanceNow({ monitor, meters, intervalMs: 10_000, now: ts + 2000, quarter: null });
const topic = 'cemm/001122aabbcc/balance';

function formatted(name: 'rows' | 'influx' | 'openmetrics' | 'values', of: BalancePayload = payload): unknown {
  const [message, ...more] = createFormatter(name, { now: () => ts + 2000 })({ payload: of, topic });
  should(more).be.empty();
  return message?.payload;
}

describe('the devices of a balance', () => {
  it('are rows of their meter, null where it cannot be read', () => {
    const rows = formatted('rows') as readonly { meter: string | null; field: string; value: number | null }[];
    const ofDevices = rows.filter(({ meter }) => meter !== null);
    const expected = [
      { meter: 'mb2', value: 1500 },
      { meter: 'mb4', value: 400 },
      { meter: 'mb3', value: null },
    ];
    const common = { ts, monitor: monitor.id, field: 'power_w', unit: 'W' };
    should(ofDevices).deepEqual(expected.map((one) => ({ ...common, ...one })));
    const house = rows.filter(({ meter }) => meter === null).map(({ field, value }) => [field, value]);
    should(Object.fromEntries(house)).containEql({ power_house_w: 3000, power_other_w: null });
  });

  it('are points of InfluxDB with the tag of their meter, and no tag of their name', () => {
    const points = formatted('influx') as readonly { tags: Readonly<Record<string, string>>; fields: object }[];
    const ofDevices = points.filter(({ tags }) => 'meter' in tags);
    should(ofDevices.map(({ tags, fields }) => ({ tags, fields }))).deepEqual([
      { tags: { monitor: monitor.id, meter: 'mb2' }, fields: { power_w: 1500 } },
      { tags: { monitor: monitor.id, meter: 'mb4' }, fields: { power_w: 400 } },
    ]);
  });

  it('are metrics with the label of their meter', () => {
    String(formatted('openmetrics'))
      .split('\n')
      .filter((line) => line.startsWith('cemm_balance_') && line.includes('meter='))
      .should.deepEqual([
        `cemm_balance_power_w{monitor="${monitor.id}",meter="mb2"} 1500 ${ts}`,
        `cemm_balance_power_w{monitor="${monitor.id}",meter="mb4"} 400 ${ts}`,
      ]);
  });
});

describe('the devices of the balance of a day', () => {
  const day = period('2026-06-15');
  const hour = (place: number): number => day.start + place * 3_600_000;
  const constant = (watts: number) => minutesFrom(day.start, Array<number>(1440).fill(watts));
  const device = (name: string, watts: number, title: string) =>
    meter(name, 'consumption', { title, shapes: { used: constant(watts), returned: constant(0) } });
  // Each hour has 1 kWh, half of it from the grid.
  const house = [
    meter('p1', 'grid', { shapes: { import: constant(500), export: constant(0) } }),
    meter('s01', 'production', { shapes: { production: constant(500) } }),
    device('mb2', 500, 'Heat pump'),
    meter('mb3', 'consumption', { isReadable: false }),
  ];
  const ofDay = balance('2026-06-15', house, {
    prices: prices({ currency: 'EUR', import: 0.3, export: 0.1 }),
  });

  it('are rows of their points, by meter, null where it cannot be read', () => {
    const rows = formatted('rows', ofDay) as readonly { meter: string | null }[];
    const common = { monitor: monitor.id, field: 'energy_kwh', unit: 'kWh' };
    const expected = Array.from({ length: 24 }, (_, place) => [
      { ts: hour(place), meter: 'mb2', value: 0.5, ...common },
      { ts: hour(place), meter: 'mb3', value: null, ...common },
    ]);
    should(rows.filter(({ meter: name }) => name !== null)).deepEqual(expected.flat());
  });

  it('are points of InfluxDB by meter, and their sums have cost and share of the sun', () => {
    const points = formatted('influx', ofDay) as readonly {
      tags: Readonly<Record<string, string>>;
      fields: object;
      timestamp: unknown;
    }[];
    const ofDevices = points.filter(({ tags }) => 'meter' in tags);
    const [sum] = ofDevices.splice(24);
    const tags = { monitor: monitor.id, meter: 'mb2' };
    should(ofDevices.map(({ tags: own, fields }) => ({ tags: own, fields }))).deepEqual(
      Array.from({ length: 24 }, () => ({ tags: { ...tags, step: 'PT1H' }, fields: { energy_kwh: 0.5 } })),
    );
    should(new Set(ofDevices.map(({ timestamp }) => Number(timestamp))).size).equal(24);
    should(sum?.tags).deepEqual({ ...tags, step: 'P1D' });
    should(sum?.fields).containEql({ energy_kwh: 12, from_sun: 0.5 });
    should(Reflect.get(sum?.fields ?? {}, 'cost')).be.approximately(6 * 0.3 + 6 * 0.1, 1e-9);
  });

  it('never take the place of the numbers of the house', () => {
    const cost = ofDay.cost?.total;
    should(cost).be.a.Number();
    should(formatted('values', ofDay)).containEql({ cost });
    should(formatted('values', ofDay)).not.have.property('energy_kwh');
    should(formatted('values')).not.have.property('power_w');
    const running = { ...ofDay, source: { ...ofDay.source, fetchedAt: day.end - 1 } };
    for (const [of, names] of [
      [running, ['energy_kwh', 'from_sun']],
      [payload, ['power_w']],
    ] as const) {
      const messages = createFormatter('homeassistant', { now: () => ts + 2000 })({ payload: of, topic });
      const state = messages
        .map(({ payload: sent }) => sent)
        .find((sent) => (isRecord(sent) && 'power_house_w' in sent) || (isRecord(sent) && 'last_reset' in sent));
      should(state).be.an.Object().and.not.have.properties(names);
      if (of === running) should(state).containEql({ cost });
    }
  });

  it('have a line each in a chart', () => {
    const lines = (of: BalancePayload, field: string): [string, number][] => {
      const [message] = createFormatter('chart', { fields: field })({ payload: of, topic });
      const names = (message?.payload as readonly { readonly series: string }[]).map(({ series }) => series);
      return [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]);
    };
    should(lines(payload, 'power_w')).eql([
      ['Heat pump power_w', 1],
      ['Boiler power_w', 1],
    ]);
    should(lines(ofDay, 'energy_kwh')).eql([['Heat pump energy_kwh', 24]]);
  });

  it('are no metrics, which are of this moment', () => {
    should(() => formatted('openmetrics', ofDay)).throw({ code: 'UNSUPPORTED', reason: 'not_current' });
  });
});
