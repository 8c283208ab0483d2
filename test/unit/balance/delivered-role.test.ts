/** Roles of the meters of a delivery. */
import should from 'should';
import { deliveredRole } from '../../../src/balance/messages/delivered-role';
import { roleOfMessage } from '../../../src/balance/messages/present-houses';
import type { MeterChoice } from '../../../src/balance/meters/choice';
import type { BalanceRole } from '../../../src/balance/meters/amounts';
import type { Role, WebhookReading } from '../../../src/model/payload';

const electric = ['power_import_w', 'power_export_w', 'energy_import_kwh', 'energy_export_kwh'];

const open: MeterChoice = { grid: null, production: null, battery: null, gas: null, water: null };

/** Beside a smart meter with the key `another`. */
function rolesOf(meters: Readonly<Record<string, readonly string[]>>, choice: MeterChoice = open) {
  const all = { another: ['energy_import_t1_kwh', 'energy_export_t1_kwh'], ...meters };
  const readings = Object.entries(all).flatMap(([key, fields]) =>
    fields.map((field): WebhookReading => ({
      ...{ meter: key, channel: '', topic: 'reading', field, value: 1, unit: '', unitSource: 'assumed', ts: 1 },
    })),
  );
  const roleIn = (meter: string, own: Role | null): BalanceRole | null => roleOfMessage(choice, meter, own);
  return Object.fromEntries(Object.keys(all).map((key) => [key, deliveredRole({ readings }, key, roleIn)]));
}

const roleOf = (meter: string, fields: readonly string[]): string | null => rolesOf({ [meter]: fields })[meter] ?? null;

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

  it('is none at all for electricity beside a meter that may be an inverter, until it is named', () => {
    const meters = { zon: electric, garage: electric, gas: ['gas_m3'] };
    should(rolesOf(meters)).eql({ another: null, zon: null, garage: null, gas: 'gas' });
    should(rolesOf({ garage: ['power_export_w'] })).have.property('another', null);
    const named = rolesOf(meters, { ...open, production: ['zon', 'garage'] });
    should(named).eql({ another: 'grid', zon: 'production', garage: 'production', gas: 'gas' });
    const battery = rolesOf(meters, { ...open, battery: ['garage'] });
    should(battery).eql({ another: 'grid', zon: 'production', garage: 'battery', gas: 'gas' });
    // A charger is no source: whoever names the inverters decides.
    should(rolesOf(meters, { ...open, production: ['zon'] })).match({ another: 'grid', garage: null });
  });

  it('stays beside a meter that counts use only', () => {
    const meters = { zon: electric, laadpaal: ['energy_import_kwh', 'power_import_w'] };
    should(rolesOf(meters)).eql({ another: 'grid', zon: 'production', laadpaal: null });
  });
});
