/** What single slots say: minutes, days and months of a series, and the windows of deliveries (src/balance/shape.ts). */
import should from 'should';
import { PER_KWH, PER_M3, split } from '../../../src/balance/amounts';
import { ratioOf } from '../../../src/balance/energies';
import { deliveredSlots, joinShapes, netOf, shapeOf, shapesOf } from '../../../src/balance/shape';
import { joinSources } from '../../../src/balance/sources';
import type { Step } from '../../../src/calendar/slots';
import type { PeriodSeriesPayload, SeriesPoint, WebhookReading } from '../../../src/model/payload';
import { MINUTE, period, SOURCE } from './support';

const day = period('2026-06-15');
const { start, end } = day;

function series(step: Step, points: SeriesPoint[]): PeriodSeriesPayload {
  return {
    schema: 'cemm/1',
    kind: 'series',
    id: 'sr',
    ts: start,
    time: new Date(start).toISOString(),
    monitor: { id: '001122aabbcc' },
    meter: { role: null },
    period: { ...day, step },
    fields: {},
    points,
    stats: { expected: 0, received: 0, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
    complete: false,
    source: SOURCE,
  };
}

describe('the shape of a day', () => {
  it('is gas and water as amounts, else as flows in litres per minute', () => {
    const amounts = (field: string, value: number) => {
      const { gas } = shapesOf(series('PT5M', [{ ts: start, [field]: value }]), 'gas');
      return gas === undefined ? null : [...gas.amounts];
    };
    should(amounts('gas_m3', 0.25)).deepEqual([0.25 * PER_M3]);
    should(amounts('gas_lpm', 4)).deepEqual([0.02 * PER_M3]);
    should(amounts('flow_lpm', 4)).deepEqual([0.02 * PER_M3]);
    should(amounts('other', 4)).deepEqual([]);
  });

  it('ends with the day, and is nothing for days and months', () => {
    const { import: shape } = shapesOf(series('PT1H', [{ ts: end - MINUTE, power_import_w: 60 }]), 'grid');
    should([...(shape?.ends ?? [])]).deepEqual([end]);
    shapesOf(series('P1D', [{ ts: start, power_import_w: 60 }]), 'grid').should.deepEqual({});
  });

  it('joins days in their order, and counts a day that is given twice once', () => {
    const of = (from: number, amount: number) => ({
      import: shapeOf([{ start: from, end: from + MINUTE, amount, known: MINUTE }]),
    });
    const { import: joined } = joinShapes([of(start + MINUTE, 2), of(start, 1), of(start, 5), { import: shapeOf([]) }]);
    should([...(joined?.amounts ?? [])]).deepEqual([1, 2]);
    joinShapes([{}]).should.deepEqual({});
  });
});

describe('the net of a month or year', () => {
  it('is what its days say, the last one up to the end of the period', () => {
    const month = series('P1D', [
      { ts: start, energy_net_kwh: 1.5 },
      { ts: start + MINUTE, energy_net_kwh: null },
      { ts: start + 2 * MINUTE, energy_net_kwh: -2 },
    ]);
    netOf(month).should.deepEqual([
      { start, end: start + MINUTE, amount: 1.5 * PER_KWH, known: MINUTE },
      { start: start + 2 * MINUTE, end, amount: -2 * PER_KWH, known: end - start - 2 * MINUTE },
    ]);
  });

  it('is nothing for minutes', () => {
    netOf(series('PT1M', [{ ts: start, energy_net_kwh: 1 }])).should.deepEqual([]);
  });
});

describe('the windows of a delivery', () => {
  const of = (more: Partial<WebhookReading>): WebhookReading => ({
    meter: 'zon',
    channel: '',
    topic: 'last/hour',
    field: 'energy_import_kwh',
    value: 0.5,
    unit: 'kWh',
    unitSource: 'specification',
    ts: start,
    window: { start, end: start + 60 * MINUTE },
    ...more,
  });

  it('count what an inverter takes as less than nothing', () => {
    const [slot] = deliveredSlots([of({})], 'zon', 'production');
    should(slot).containEql({ quantity: 'production', length: 'hour', amount: -0.5 * PER_KWH });
  });

  it('are left out without a value, without a window, of other topics, fields and meters', () => {
    const { window, ...open } = of({});
    should(window).be.ok();
    const others = [of({ value: null }), open, of({ topic: 'this/hour' }), of({ field: 'gas_m3' }), of({ meter: 'x' })];
    deliveredSlots(others, 'zon', 'grid').should.deepEqual([]);
  });
});

describe('the arithmetic of a balance', () => {
  it('splits an amount by nothing into nothing', () => {
    split(10, [0, 0]).should.deepEqual([0, 0]);
    split(10, [1, 2]).should.deepEqual([3, 7]);
  });

  it('has a ratio from 0 to 1, and a reason where there is none', () => {
    should(ratioOf(3, 4)).equal(0.75);
    should(ratioOf(5, 4)).equal(1);
    should(ratioOf(-1, 4)).equal(0);
    should(ratioOf(1, 0)).equal('zero_divisor');
    should(ratioOf(null, 4)).equal('not_measured');
    should(ratioOf(1, null)).equal('not_measured');
  });

  it('comes from all of its sources, and from now where there are none', () => {
    joinSources([SOURCE, { ...SOURCE, fetchedAt: 9, transport: 'local' }], 100).should.deepEqual({
      transport: 'remote',
      fetchedAt: 9,
      latencyMs: 4,
      requests: 6,
      promises: 0,
    });
    joinSources([], 100).should.containEql({ transport: 'webhook', fetchedAt: 100, requests: 0 });
  });
});
