import should from 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { normalizeTotals } from '../../../src/model/totals';
import { millis } from '../../../src/time/units';
import { momentOf, measurements, meter, MONITOR, SOURCE, valid, withSchemas } from '../../support/model/wire';

const day = periodFromLabel('2026-10-25', 'Europe/Amsterdam');
const T = Date.parse('2026-10-25T22:59:30Z');

function normalize(data: Record<string, readonly [number, number | null]>, now: string, about: number | null = null) {
  const response = { ioId: 1, time: about === null ? null : millis(about), data: measurements(data) };
  const [monitor, of, source] = [MONITOR, meter('p1', 'grid'), SOURCE];
  return valid(normalizeTotals({ response, period: day, now: momentOf(now), monitor, meter: of, source }));
}

describe('normalizeTotals', () => {
  withSchemas();

  it('returns the documented payload', () => {
    normalize(
      { t1: [T, 10.5], t2: [T, 20], electric_energy: [T, 4], electric_energy_high: [T, 3], gas: [T - 1_770_000, 7] },
      '2026-10-26T00:00:00Z',
    ).should.eql({
      schema: 'cemm/1',
      kind: 'totals',
      id: 'tt:001122aabbcc:p1:2026-10-25',
      ts: T,
      time: '2026-10-25T22:59:30.000Z',
      monitor: MONITOR,
      meter: { alias: 'p1', role: 'grid' },
      period: {
        unit: 'day',
        label: '2026-10-25',
        timezone: 'Europe/Amsterdam',
        start: Date.parse('2026-10-24T22:00:00Z'),
        end: Date.parse('2026-10-25T23:00:00Z'),
        final: true,
      },
      values: {
        energy_import_t1_kwh: 10.5,
        energy_import_t2_kwh: 20,
        energy_import_kwh: 30.5,
        energy_net_t1_kwh: 4,
        energy_net_t2_kwh: 3,
        energy_net_kwh: 7,
        gas_m3: 7,
      },
      times: { gas_m3: T - 1_770_000 },
      missing: {},
      source: SOURCE,
    });
  });

  it('is final from the first moment after the day', () => {
    normalize({ gas: [T, 7] }, '2026-10-25T22:59:59.999Z').period.final.should.be.false();
    normalize({ gas: [T, 7] }, '2026-10-25T23:00:00Z').period.final.should.be.true();
  });

  it('has the start of the day as its time if no reading has one', () => {
    const payload = normalize({ gas: [0, 0] }, '2026-10-26T00:00:00Z');
    payload.ts.should.equal(day.start);
    payload.values.should.eql({ gas_m3: null });
    payload.missing.should.eql({ gas_m3: 'no_timestamp' });
  });

  describe('readings of another day', () => {
    const running = '2026-10-25T12:00:00Z';
    const over = '2026-10-26T12:00:00Z';
    const before = day.start - 4 * 3_600_000;

    for (const [name, time, now] of [
      ['later than a day that is over', day.end + 1000, over],
      ['of the first moment after the day', day.end, over],
      ['earlier than a day that is over', before, over],
      ['later than the running day', day.end, running],
    ] as const) {
      it(`RA37: are left out when they are ${name}`, () => {
        const { ts, values, missing, times } = normalize({ t1: [time, 10], t2: [T, 20], gas: [time, 7] }, now);
        ts.should.equal(T);
        values.should.eql({
          energy_import_t1_kwh: null,
          energy_import_t2_kwh: 20,
          energy_import_kwh: null,
          gas_m3: null,
        });
        missing.should.eql({
          energy_import_t1_kwh: 'no_recent_value',
          energy_import_kwh: 'incomplete_sum',
          gas_m3: 'no_recent_value',
        });
        times.should.eql({});
      });
    }

    it('count for the current day until the device has newer ones, with their own time', () => {
      const { ts, values, times, missing } = normalize({ t1: [before, 10], t2: [before, 20] }, running);
      ts.should.equal(day.start);
      values.should.eql({ energy_import_t1_kwh: 10, energy_import_t2_kwh: 20, energy_import_kwh: 30 });
      times.should.eql({ energy_import_t1_kwh: before, energy_import_t2_kwh: before, energy_import_kwh: before });
      missing.should.eql({});
    });

    it('do not count for it if the response is about another day', () => {
      const { values, missing } = normalize({ gas: [before, 7] }, running, before);
      values.should.eql({ gas_m3: null });
      missing.should.eql({ gas_m3: 'no_recent_value' });
      normalize({ gas: [before, 7] }, running, day.start).values.should.eql({ gas_m3: 7 });
    });

    it('without a time count unless the response is about another day', () => {
      normalize({ gas: [0, 7] }, over).values.should.eql({ gas_m3: 7 });
      normalize({ gas: [0, 7] }, over, day.start).should.containEql({ ts: day.start, values: { gas_m3: 7 } });
      normalize({ gas: [0, 7] }, over, day.end).missing.should.eql({ gas_m3: 'no_recent_value' });
    });

    it('are recognized by their own time, for any day of the response', () => {
      should(normalize({ gas: [T, 7] }, over, before).values['gas_m3']).equal(7);
    });
  });

  it('has the total of a single counter, and none of a P1 port without its second tariff', () => {
    const response = { ioId: 1, time: null, data: measurements({ electric_energy: [T, 5] }) };
    const input = { response, period: day, now: momentOf('2026-10-26T00:00:00Z'), monitor: MONITOR, source: SOURCE };
    const totalOf = (alias: string) =>
      normalizeTotals({ ...input, meter: meter(alias, null) }).values['energy_net_kwh'];
    should(totalOf('s01')).equal(5);
    should(totalOf('p1')).be.null();
  });
});
