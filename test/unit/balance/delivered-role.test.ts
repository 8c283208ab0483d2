/** Roles of delivered meters, over all deliveries of a monitor. */
import should from 'should';
import {
  deliveredRole,
  roleOfMessage,
  unknownSources,
  withDelivered,
} from '../../../src/balance/messages/delivered-role';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import type { DeliveredMeters } from '../../../src/balance/messages/state';
import type { MeterChoice } from '../../../src/balance/meters/choice';
import type { BalanceRole } from '../../../src/balance/meters/amounts';
import type { Role, WebhookPayload, WebhookReading } from '../../../src/model/payload';
import { dayMs } from '../../../src/time/units';
import { SOURCE } from '../../support/balance/small-house';

const electric = ['power_import_w', 'power_export_w', 'energy_import_kwh', 'energy_export_kwh'];

const open: MeterChoice = { grid: null, production: null, battery: null, gas: null, water: null };

function delivery(meters: Readonly<Record<string, readonly string[]>>, ts: number): WebhookPayload {
  const readings = Object.entries(meters).flatMap(([key, fields]) =>
    fields.map((field): WebhookReading => ({
      meter: key,
      channel: '',
      topic: 'reading',
      field,
      value: 1,
      unit: '',
      unitSource: 'assumed',
      ts,
    })),
  );
  return {
    schema: 'cemm/1',
    kind: 'webhook',
    id: 'wh',
    ts,
    time: '',
    monitor: { id: null, cemm: 1 },
    values: {},
    readings,
    delivery: { format: 'basic-v1', verified: [], ageMs: 0, bytes: 1, replayCheck: 'none' },
    source: SOURCE,
  };
}

const known = (...deliveries: Readonly<Record<string, readonly string[]>>[]): DeliveredMeters =>
  deliveries.reduce<DeliveredMeters>((all, meters, index) => withDelivered(all, delivery(meters, index)), {});

const another = { another: ['energy_import_t1_kwh', 'energy_export_t1_kwh'] };

/** Beside a smart meter with the key `another`. */
function rolesOf(meters: Readonly<Record<string, readonly string[]>>, choice: MeterChoice = open) {
  const all = known({ ...another, ...meters });
  const roleIn = (meter: string, own: Role | null): BalanceRole | null => roleOfMessage(choice, meter, own);
  return Object.fromEntries(Object.keys(all).map((key) => [key, deliveredRole(all, key, roleIn)]));
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

  it('is that of the lists, before its own', () => {
    const meters = { zon: electric, garage: electric, gas: ['gas_m3'] };
    should(rolesOf(meters)).eql({ another: 'grid', zon: 'production', garage: null, gas: 'gas' });
    const named = rolesOf(meters, { ...open, production: ['zon', 'garage'] });
    should(named).eql({ another: 'grid', zon: 'production', garage: 'production', gas: 'gas' });
    const battery = rolesOf(meters, { ...open, battery: ['garage'] });
    should(battery).eql({ another: 'grid', zon: 'production', garage: 'battery', gas: 'gas' });
  });

  it('follows from all deliveries of the monitor', () => {
    const all = known({ zon: ['energy_import_kwh'], p: ['energy_import_t1_kwh'] }, { zon: ['energy_export_kwh'] });
    const own = (meter: string): BalanceRole | null =>
      deliveredRole(all, meter, (_, role) => roleOfMessage(open, meter, role));
    should(own('zon')).equal('production');
    should(own('p')).equal('grid');
  });
});

describe('a delivered meter that may be an inverter or a battery', () => {
  const unknown = (all: DeliveredMeters, choice: MeterChoice = open, since = 0) => unknownSources(all, choice, since);

  it('is one that counts export, or has a power, in any delivery', () => {
    for (const field of ['energy_export_kwh', 'power_export_w', 'power_w', 'energy_export_t1_kwh_x']) {
      should(unknown(known({ ...another, gas: ['gas_m3'] }, { garage: [field] }))).eql(['garage']);
    }
  });

  it('is not one that counts use only, or whose role is known', () => {
    const meters = { ...another, zon: electric, laadpaal: ['energy_import_kwh', 'power_import_w'], usage: ['power_w'] };
    should(unknown(known(meters))).eql([]);
  });

  it('is none that is in a list, and none where the inverters are named', () => {
    const all = known({ ...another, garage: electric });
    for (const role of ['grid', 'production', 'battery'] as const) {
      should(unknown(all, { ...open, [role]: ['garage'] })).eql([]);
    }
    should(unknown(all, { ...open, production: ['zon'] })).eql([]);
    should(unknown(all, { ...open, grid: ['another'] })).eql(['garage']);
  });

  it('is none that a row leaves out or calls a consumer, also where the row is newer than the delivery', () => {
    const all = known({ ...another, garage: electric });
    const withRow = (role: 'none' | 'consumption' | 'production') =>
      unknownSources(
        all,
        open,
        0,
        new MeterTable(parseMeterRows([{ meter: 'garage', role }])).rowsOf({ id: null }, true),
      );
    should(withRow('none')).eql([]);
    should(withRow('consumption')).eql([]);
    // Nothing of it was added up before, so the use of the house is not known.
    should(withRow('production')).eql(['garage']);
  });

  it('counts for a time in or before which it was delivered, and is forgotten after 400 days', () => {
    const all = known({ garage: electric });
    should(unknown(all, open, 1)).eql([]);
    should(unknown(withDelivered(all, delivery(another, 399 * dayMs)))).eql(['garage']);
    should(unknown(withDelivered(all, delivery(another, 401 * dayMs)))).eql([]);
  });

  it('is one of fifty meters at most', () => {
    const keys = Array.from({ length: 60 }, (_, index) => `meter ${index}`);
    const all = known(Object.fromEntries(['__proto__', 'constructor', ...keys].map((key) => [key, electric])));
    should(Object.keys(all)).have.length(50);
    should(unknown(all).slice(0, 2)).eql(['__proto__', 'constructor']);
  });
});
