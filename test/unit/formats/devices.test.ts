/** The devices of a balance in the formats that give each its meter. */
import should from 'should';
import { balanceNow } from '../../../src/balance/now/now';
import type { MeterNow } from '../../../src/balance/now/present';
import { createFormatter } from '../../../src/formats/formatter';
import type { RealtimePayload, Values } from '../../../src/model/payload';
import { SOURCE } from '../../support/balance/small-house';

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

function formatted(name: 'rows' | 'influx' | 'openmetrics'): unknown {
  const [message, ...more] = createFormatter(name, { now: () => ts + 2000 })({ payload, topic });
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
