/** What the page takes as a balance of the house. */
import should from 'should';
import { readBalance } from '../../../nodes/cemm-page/read-balance';
import { houseDay } from '../../support/formats/payloads';

const device = { meter: 'mb2', name: 'Heat pump', energy_kwh: 1.5, coverage: 1 };

describe('a balance that comes in by a wire', () => {
  it('has the energy of devices in its points', () => {
    const points = (houseDay.points ?? []).map((point) => ({ ...point, devices: { mb2: 0.1, mb3: null } }));
    should(readBalance({ ...houseDay, points, devices: [device] })).be.an.Object();
  });

  it('has a cost in a currency as prices may name it', () => {
    const cost = { import: 1, export: 0, gas: null, water: null, fixed: 0, total: 1, netted: 1, coverage: 1 };
    for (const currency of ['EUR', '€'])
      should(readBalance({ ...houseDay, cost: { ...cost, currency } })).be.an.Object();
    should(readBalance({ ...houseDay, cost: { ...cost, currency: '<b>a b</b>' } })).equal(null);
  });

  it('is not taken with a text in place of an energy', () => {
    const [first] = houseDay.points ?? [];
    should(readBalance({ ...houseDay, points: [{ ...first, devices: { mb2: '<b>' } }] })).equal(null);
    should(readBalance({ ...houseDay, points: [{ ...first, energy_import_kwh: '<b>' }] })).equal(null);
    should(readBalance({ ...houseDay, devices: [{ ...device, name: 3 }] })).equal(null);
  });
});
