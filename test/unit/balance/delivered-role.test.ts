/** Roles of the meters of a delivery. */
import should from 'should';
import { deliveredRole } from '../../../src/balance/messages/delivered-role';
import type { WebhookReading } from '../../../src/model/payload';

const electric = ['power_import_w', 'power_export_w', 'energy_import_kwh', 'energy_export_kwh'];

function roleOf(meter: string, fields: readonly string[]): string | null {
  const readings = ['another', meter].flatMap((key) =>
    (key === meter ? fields : ['energy_import_t1_kwh']).map((field): WebhookReading => ({
      ...{ meter: key, channel: '', topic: 'reading', field, value: 1, unit: '', unitSource: 'assumed', ts: 1 },
    })),
  );
  return deliveredRole(readings, meter);
}

describe('the role of a delivered meter', () => {
  it('is the grid if it counts by tariff, whatever its key', () => {
    for (const key of ['smartmeter-dsmr', 'hoofdmeter', 'zon']) {
      should(roleOf(key, [...electric, 'energy_import_t2_kwh'])).equal('grid');
    }
  });

  it('is production if the key says sun and it counts export', () => {
    for (const key of ['zon', 'Zonnepanelen', 'zon-garage', 'solar_2', 'PV dak', 'omvormer']) {
      should(roleOf(key, electric)).equal('production');
    }
  });

  it('is that of its name for gas and water', () => {
    should(roleOf('gas', ['gas_m3'])).equal('gas');
    should(roleOf('water', ['volume_m3'])).equal('water');
  });

  it('is not guessed for anything else', () => {
    for (const key of ['garage', 'battery', 'zonwering', 'spv', 'laadpaal']) should(roleOf(key, electric)).equal(null);
    should(roleOf('zon', ['power_import_w', 'energy_import_kwh'])).equal(null);
  });
});
