/** Single slots: minutes, days and months of a series, and the windows of deliveries (src/balance/meters/shape.ts). */
import should from 'should';
import { perKwh, perM3, split } from '../../../src/balance/meters/amounts';
import { divideWithinOne } from '../../../src/balance/period/energies';
import { deliveredSlots, readNetSlots, buildShapes, volumesOf } from '../../../src/balance/meters/slots';
import { filled, limitRestOfProduction, type RestLimit, joinShapes, toShape } from '../../../src/balance/meters/shape';
import { withSums } from '../../../src/balance/period/long-slots';
import { joinSources } from '../../../src/balance/payload-parts';
import type { Step } from '../../../src/calendar/slots';
import type { SeriesPoint, WebhookReading } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { period, series, SOURCE, zone } from '../../support/balance/small-house';

const day = '2026-06-15';
const { start, end } = period(day);

const ofDay = (step: Step, points: SeriesPoint[]) => series(day, step, points);

describe('the shape of a day', () => {
  it('reads gas and water as amounts, otherwise as flows in litres per minute', () => {
    const amounts = (field: string, value: number) => {
      const { gas } = buildShapes(ofDay('PT5M', [{ ts: start, [field]: value }]), 'gas');
      return gas === undefined ? null : [...gas.amounts];
    };
    should(amounts('gas_m3', 0.25)).deepEqual([0.25 * perM3]);
    should(amounts('gas_lpm', 4)).deepEqual([0.02 * perM3]);
    should(amounts('flow_lpm', 4)).deepEqual([0.02 * perM3]);
    should(amounts('other', 4)).deepEqual([]);
  });

  it('ends with the day, and is empty for days and months', () => {
    const { import: shape } = buildShapes(ofDay('PT1H', [{ ts: end - minuteMs, power_import_w: 60 }]), 'grid');
    should([...(shape?.ends ?? [])]).deepEqual([end]);
    buildShapes(ofDay('P1D', [{ ts: start, power_import_w: 60 }]), 'grid').should.deepEqual({});
  });

  it('joins days in order, and counts a repeated day once', () => {
    const of = (from: number, amount: number) => ({
      import: toShape([{ start: from, end: from + minuteMs, amount, known: minuteMs }]),
    });
    const { import: joined } = joinShapes([
      of(start + minuteMs, 2),
      of(start, 1),
      of(start, 5),
      { import: toShape([]) },
    ]);
    should([...(joined?.amounts ?? [])]).deepEqual([1, 2]);
    joinShapes([{}]).should.deepEqual({});
  });
});

describe('the gas and water that a monitor adds up', () => {
  const amounts = (label: string, role: 'gas' | 'water', points: SeriesPoint[]) => {
    const shapes = volumesOf(series(label, label.length === 4 ? 'P1M' : 'P1D', points, period(label).end), role);
    return [...(shapes[role]?.amounts ?? [])].map((amount) => amount / perM3);
  };

  it('are used up to 100 m³ of gas or 5 m³ of water a day: a larger value is a meter reading', () => {
    const { start: first } = period('2026-06');
    const { start: january } = period('2026');
    amounts('2026-06', 'gas', [{ ts: first, gas_m3: 100 }]).should.deepEqual([100]);
    amounts('2026-06', 'gas', [{ ts: first, gas_m3: 100.001 }]).should.deepEqual([]);
    amounts('2026-06', 'water', [{ ts: first, water_m3: 5 }]).should.deepEqual([5]);
    amounts('2026-06', 'water', [{ ts: first, water_m3: 5.001 }]).should.deepEqual([]);
    amounts('2026', 'gas', [{ ts: january, gas_m3: 3100 }]).should.deepEqual([3100]);
    amounts('2026', 'gas', [{ ts: january, gas_m3: 3100.001 }]).should.deepEqual([]);
    amounts('2026', 'water', [{ ts: january, water_m3: 155 }]).should.deepEqual([155]);
    amounts('2026', 'water', [{ ts: january, water_m3: 155.001 }]).should.deepEqual([]);
  });
});

describe('the net of a month or year', () => {
  it('is the sum of its days, the last one up to the end of the period', () => {
    const month = ofDay('P1D', [
      { ts: start, energy_net_kwh: 1.5 },
      { ts: start + minuteMs, energy_net_kwh: null },
      { ts: start + 2 * minuteMs, energy_net_kwh: -2 },
    ]);
    readNetSlots(month).should.deepEqual([
      { start, end: start + minuteMs, amount: 1.5 * perKwh, known: minuteMs },
      { start: start + 2 * minuteMs, end, amount: -2 * perKwh, known: end - start - 2 * minuteMs },
    ]);
  });

  it('is empty for minutes', () => {
    readNetSlots(ofDay('PT1M', [{ ts: start, energy_net_kwh: 1 }])).should.deepEqual([]);
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
    window: { start, end: start + 60 * minuteMs },
    ...more,
  });

  it('have the amount of their field', () => {
    const [slot] = deliveredSlots([of({})], zone);
    should(slot).containEql({ field: 'energy_import_kwh', length: 'hour', amount: 0.5 * perKwh });
  });

  it('are left out without a value or window, and for other topics and fields', () => {
    const { window, ...open } = of({});
    should(window).be.ok();
    const others = [of({ value: null }), open, of({ topic: 'this/hour' }), of({ field: 'power_w' })];
    deliveredSlots(others, zone).should.deepEqual([]);
  });
});

describe('the arithmetic of a balance', () => {
  it('returns zeros for weights of 0', () => {
    split(10, [0, 0]).should.deepEqual([0, 0]);
    split(10, [1, 2]).should.deepEqual([3, 7]);
  });

  it('has a ratio from 0 to 1, or a reason', () => {
    should(divideWithinOne(3, 4)).equal(0.75);
    should(divideWithinOne(5, 4)).equal(1);
    should(divideWithinOne(-1, 4)).equal(0);
    should(divideWithinOne(1, 0)).equal('zero_divisor');
    should(divideWithinOne(null, 4)).equal('not_measured');
    should(divideWithinOne(1, null)).equal('not_measured');
  });

  it('combines all sources, and uses the current time without any', () => {
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

describe('a sum over slots that are known in part', () => {
  it('gives its rest to the gaps and to the unknown time of slots, evenly', () => {
    const sum = { start: 0, end: 100, amount: 45, known: 100 };
    const [inPart, whole] = [
      { start: 0, end: 40, amount: 10, known: 20 },
      { start: 60, end: 100, amount: 15, known: 40 },
    ];
    should(filled([sum], [inPart, whole])).deepEqual([
      { start: 0, end: 40, amount: 20, known: 40 },
      { start: 40, end: 60, amount: 10, known: 20 },
      whole,
    ]);
  });

  it('of production leaves what an inverter takes at night, and no more', () => {
    const bright = { start: 60 * minuteMs, end: 120 * minuteMs, amount: 60_000_000, known: 60 * minuteMs };
    const restOf = (kwh: number, ...limit: [RestLimit?]): number | undefined => {
      const sum = { start: 0, end: 120 * minuteMs, amount: kwh * 60_000_000, known: 120 * minuteMs };
      return filled([sum], [bright], ...limit)[0]?.amount;
    };
    should(restOf(0.95, limitRestOfProduction)).equal(-3_000_000);
    should(restOf(0.85, limitRestOfProduction)).equal(0);
    should(restOf(0.95)).equal(0);
  });

  it('counts before a share of a slot that a counter cuts', () => {
    const quarter = { start: 0, end: 15 * minuteMs, amount: 90, known: 15 * minuteMs };
    const counted = [
      { from: 5 * minuteMs, to: 10 * minuteMs, begunAt: 5 * minuteMs, readAt: 10 * minuteMs, amount: 30 },
      { from: 10 * minuteMs, to: 60 * minuteMs, begunAt: 10 * minuteMs, readAt: 60 * minuteMs, amount: 200 },
    ];
    const day = { start: 0, end: 60 * minuteMs, amount: 240, known: 60 * minuteMs };
    const first = (sums: readonly (typeof day)[]) => {
      const { starts, amounts } = withSums(toShape([quarter]), [[quarter], [], sums], counted).shape;
      return [starts[0], amounts[0]];
    };
    should(first([day])).eql([0, 10]);
    should(first([])).eql([0, 40]);
  });
});
