/** Many days as statistics of Home Assistant, one after the other: what it draws of them. */
import should from 'should';
import { createFormatter } from '../../../src/formats/formatter';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs, hourMs } from '../../../src/time/units';
import { LongTermStatistics } from '../../support/home-assistant/home-assistant-statistics';
import { period, prices, reading } from '../../support/balance/small-house';
import { MAC } from '../../support/formats/payloads';
import { makeDayBalance, format, rows, smartMeter, START } from '../../support/formats/history-days';

describe('an import of many days', () => {
  const labels = ['2026-06-15', '2026-06-16', '2026-06-17'];
  type Day = (label: string, index: number) => BalancePayload;

  /** Sums in Home Assistant after a sequence of days, by the end of each hour since the first one. */
  function sumsOf(field: string, day: Day): (readonly [number, number])[] {
    const statistics = new LongTermStatistics();
    const sequence = createFormatter('homeassistant-history');
    labels.forEach((label, index) => {
      const parts = { id: 'sequence', index, count: labels.length };
      for (const message of sequence({ payload: day(label, index), parts, history: {} })) {
        statistics.runCommand({ ...message.payload.data });
      }
    });
    const found = statistics.rows(`cemm:${MAC}_${field}`);
    for (const { change } of statistics.bars(`cemm:${MAC}_${field}`)) change.should.be.aboveOrEqual(0);
    return found.map(({ start, sum }) => [(start - START) / hourMs + 1, Math.round((sum ?? NaN) * 1000) / 1000]);
  }

  const everyHour = (from: number, to: number) => Array.from({ length: to - from }, (_, hour) => from + hour + 1);

  it('BA20: counts from the reading at its first day, one day after the other', () => {
    sumsOf('energy_import_kwh', (label, index) =>
      makeDayBalance(label, [smartMeter(label, 1000, 12_000 + index * 24)]),
    ).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour]));
  });

  it('continues from the state in the message of the previous day', () => {
    const day = (index: number) =>
      makeDayBalance(labels[index] ?? '', [smartMeter(labels[index] ?? '', 1000, 12_000 + index * 24)]);
    const [first] = format({ payload: day(0), history: {} });
    should(first?.history).deepEqual({
      monitor: MAC,
      day: '2026-06-15',
      until: START + 24 * hourMs,
      base: { energy_import_kwh: 12_000 },
      sum: { energy_import_kwh: 24 },
      reading: { energy_import_kwh: 12_024 },
    });
    const history: unknown = JSON.parse(JSON.stringify(first?.history));
    rows('energy_import_kwh', day(1), { history })
      .map(({ sum }) => sum)
      .should.deepEqual(everyHour(24, 48));
  });

  it('has all energy and no negative bar after a meter replacement between two days', () => {
    const readings = [12_000, 3, 27];
    sumsOf('energy_import_kwh', (label, index) =>
      makeDayBalance(label, [smartMeter(label, 1000, readings[index])]),
    ).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour]));
  });

  it('has all energy and no negative bar after a meter replacement within a day', () => {
    const exchanged: Day = (label, index) => {
      const { start, end } = period(label);
      const whole = smartMeter(label, 1000, index === 0 ? 12_000 : 12);
      if (index !== 1) return makeDayBalance(label, [whole]);
      const readings = [
        reading('import', start - 1000, 12_024),
        reading('import', start + 12 * hourMs, 12_036),
        reading('import', start + 12 * hourMs + minuteMs, 1 / 60),
        reading('import', end - 1000, 12),
      ];
      return makeDayBalance(label, [{ ...whole, readings }]);
    };
    sumsOf('energy_import_kwh', exchanged).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour]));
  });

  it('leaves out a day without readings, and has its energy in the next row', () => {
    const lost: Day = (label, index) => {
      const whole = smartMeter(label, 1000, 12_000 + index * 24);
      return makeDayBalance(label, [index === 1 ? { ...whole, readings: [] } : whole]);
    };
    sumsOf('energy_import_kwh', lost).should.deepEqual(
      [...everyHour(0, 24), ...everyHour(48, 72)].map((hour) => [hour, hour]),
    );
  });

  it('adds up the amounts of a counter until its first reading', () => {
    const unread: Day = (label, index) => {
      const whole = smartMeter(label, 1000, 12_000);
      return makeDayBalance(label, [index < 2 ? { ...whole, readings: [] } : whole]);
    };
    sumsOf('energy_import_kwh', unread).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour]));
  });

  it('counts the day of installation, which has no reading at its start, back from its end', () => {
    const late: Day = (label, index) => {
      const whole = smartMeter(label, 1000, 12_000 + index * 24);
      return makeDayBalance(label, [index === 0 ? { ...whole, readings: whole.readings.slice(1) } : whole]);
    };
    sumsOf('energy_import_kwh', late).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour]));
    const unread: Day = (label, index) => {
      const whole = smartMeter(label, 1000, 12_000 + (index - 1) * 24);
      const readings = index === 0 ? [] : index === 1 ? whole.readings.slice(1) : whole.readings;
      return makeDayBalance(label, [{ ...whole, readings }]);
    };
    sumsOf('energy_import_kwh', unread).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour]));
  });

  it('does not take the 0 of a time before the installation for a reading', () => {
    const zeros: Day = (label, index) => {
      if (index > 0) return makeDayBalance(label, [smartMeter(label, 1000, 12_000 + index * 24)]);
      const none = smartMeter(label, 0, 0);
      return makeDayBalance(label, [{ ...none, readings: none.readings.slice(1) }]);
    };
    sumsOf('energy_import_kwh', zeros).should.deepEqual(everyHour(24, 72).map((hour) => [hour, hour - 24]));
  });

  it('adds up costs', () => {
    const priced: Day = (label, index) =>
      makeDayBalance(label, [smartMeter(label, 1000, 12_000 + index * 24)], {
        prices: prices({ currency: 'EUR', import: 0.25 }),
      });
    sumsOf('cost', priced).should.deepEqual(everyHour(0, 72).map((hour) => [hour, hour / 4]));
  });
});
