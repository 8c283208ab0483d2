import 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { normalizeTotals } from '../../../src/model/totals';
import { at, measurements, meter, MONITOR, SOURCE, valid, withSchemas } from './support';

const DAY = periodFromLabel('2026-10-25', 'Europe/Amsterdam');
const T = Date.parse('2026-10-25T22:59:30Z');

function normalize(data: Record<string, readonly [number, number]>, now: string) {
  const answer = { ioId: 1, time: null, data: measurements(data) };
  const [monitor, of, source] = [MONITOR, meter('p1', 'grid'), SOURCE];
  return valid(normalizeTotals({ answer, period: DAY, now: at(now), monitor, meter: of, source }));
}

describe('normalizeTotals', () => {
  withSchemas();

  it('gives the readings of a day as the contract has them', () => {
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

  it('is about the start of the day where no reading has a time', () => {
    const payload = normalize({ gas: [0, 0] }, '2026-10-26T00:00:00Z');
    payload.ts.should.equal(DAY.start);
    payload.values.should.eql({ gas_m3: null });
    payload.missing.should.eql({ gas_m3: 'no_timestamp' });
  });
});
