/** Roles of meters (src/balance/meters/choice.ts), and the current values in a delivery (src/balance/now/moment.ts). */
import should from 'should';
import {
  everyMeter,
  type MeterChoice,
  metersInBalance,
  metersWithoutAlias,
  roleInBalance,
  untypedSources,
} from '../../../src/balance/meters/choice';
import { deliveredReading } from '../../../src/balance/now/moment';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import type { MeterInfo, WebhookPayload, WebhookReading } from '../../../src/model/payload';
import { SOURCE } from '../../support/balance/small-house';

const meters: readonly MeterInfo[] = [
  { alias: 'p1', role: 'grid' },
  { alias: 's01', role: 'production' },
  { alias: 's02', role: 'production' },
  { alias: 'usage', role: 'consumption' },
  { alias: 'mb5', role: null },
  { role: 'grid' },
];

const names = (choice: Parameters<typeof metersInBalance>[0]): string[] =>
  metersInBalance(choice, meters).map(({ name, role }) => `${name} ${role}`);

describe('the meters of a balance', () => {
  it('are by default those with a known role', () => {
    names(everyMeter).should.deepEqual(['p1 grid', 's01 production', 's02 production']);
  });

  it('are the named ones, even without a role, in the role of their name list', () => {
    names({ ...everyMeter, production: ['s02', 'mb5'] }).should.deepEqual([
      'p1 grid',
      's02 production',
      'mb5 production',
    ]);
    names({ ...everyMeter, grid: ['s01', 'p9'] }).should.deepEqual(['s01 grid', 's02 production', 'p9 grid']);
  });

  it('do not count if their role lists other names', () => {
    should(roleInBalance({ ...everyMeter, grid: ['p1'] }, 'p2', 'grid')).equal(null);
    should(roleInBalance(everyMeter, 'usage', 'consumption')).equal(null);
    should(roleInBalance(everyMeter, 'zon', null)).equal(null);
  });
});

describe('the meters of a balance that no request reaches', () => {
  const inverter: MeterInfo = { role: 'production', ioId: 4 };
  const gas: MeterInfo = { role: 'gas', ioId: 2, portOption: 'enabled' };
  const pulses: MeterInfo = { role: 'gas', ioId: 6, portOption: 's0_in' };

  it('are those of a role without a name list, by the number of the I/O', () => {
    should(metersWithoutAlias(everyMeter, [inverter, { role: 'consumption', ioId: 7 }, { role: null }])).deepEqual([
      { name: 'io 4', role: 'production' },
    ]);
    should(metersWithoutAlias({ ...everyMeter, production: ['s01'] }, [inverter])).deepEqual([]);
  });

  it('are those of the rows of Modbus meters, where the service lists a meter without an alias that can be one', () => {
    const table = new MeterTable(
      parseMeterRows([
        { meter: 'mb6', name: 'Battery', role: 'battery' },
        { meter: 'batterij', role: 'battery' },
        { meter: 'mb2,mb7', name: 'Heat pump', role: 'consumption' },
        { meter: 'laadpaal', role: 'consumption' },
        { meter: 'mb9', role: 'none' },
      ]),
    );
    const rows = table.rowsOf({ id: '001a2b3c4d5e' }, true);
    const listed: MeterInfo[] = [{ alias: 'p1', role: 'grid' }, inverter];
    const hidden: MeterInfo = { role: 'consumption', ioId: 7 };
    should(metersWithoutAlias(everyMeter, [...listed, hidden], rows)).deepEqual([
      { name: 'io 4', role: 'production' },
      { name: 'mb6', role: 'battery', title: 'Battery' },
      { name: 'mb2', role: 'consumption', title: 'Heat pump', succession: { row: 'mb2', order: 0 } },
    ]);
    const namesFor = (choice: MeterChoice, others: readonly MeterInfo[]): string[] =>
      metersWithoutAlias(choice, [...listed, ...others], rows).map(({ name }) => name);
    namesFor(everyMeter, []).should.deepEqual(['io 4']);
    namesFor({ ...everyMeter, battery: ['s01'] }, [hidden]).should.deepEqual(['io 4', 'mb2']);
    namesFor({ ...everyMeter, gas: ['mb2'] }, [hidden]).should.deepEqual(['io 4', 'mb6']);
    namesFor(everyMeter, [hidden, { alias: 'mb6', role: 'battery' }]).should.deepEqual(['io 4', 'mb2']);
    namesFor(everyMeter, [hidden, { alias: 'mb7', role: null }]).should.deepEqual(['io 4', 'mb6']);
  });

  it('exclude a gas meter that the smart meter counts as well', () => {
    const p1: MeterInfo = { alias: 'p1', role: 'grid' };
    should(metersWithoutAlias(everyMeter, [p1, gas, pulses])).deepEqual([{ name: 'io 6', role: 'gas' }]);
    should(metersWithoutAlias(everyMeter, [gas])).deepEqual([{ name: 'io 2', role: 'gas' }]);
  });
});

describe('the meters that may be a source', () => {
  const table = new MeterTable(
    parseMeterRows([
      { meter: 'mb7', name: 'Heat pump', role: 'consumption' },
      { meter: 'mb8', name: 'Shed' },
    ]),
  );
  const rows = table.rowsOf({ id: '001a2b3c4d5e' }, true);
  const untyped = ['s01', 'pulse-2', 'mb7', 'mb8', 'p9', 'usage'].map((alias): MeterInfo => ({ alias, role: null }));

  it('are inputs for pulses and Modbus meters without a type, which no list and no row explains', () => {
    untypedSources(everyMeter, untyped, rows).should.deepEqual(['s01', 'pulse-2', 'mb8']);
    untypedSources({ ...everyMeter, battery: ['s01'], water: ['pulse-2'] }, untyped).should.deepEqual(['mb7', 'mb8']);
    untypedSources(everyMeter, [{ alias: 'mb5', role: null, type: 'electricity' }]).should.deepEqual([]);
    untypedSources(everyMeter, [{ role: null }]).should.deepEqual([]);
  });

  it('are none where a list names the inverters', () => {
    untypedSources({ ...everyMeter, production: ['s02'] }, untyped).should.deepEqual([]);
  });
});

describe('the power in a delivery', () => {
  const ts = Date.parse('2026-06-15T10:00:00Z');
  function delivery(readings: readonly Partial<WebhookReading>[]): WebhookPayload {
    return {
      schema: 'cemm/1',
      kind: 'webhook',
      id: 'wh',
      ts,
      time: new Date(ts).toISOString(),
      monitor: { id: null, cemm: 1 },
      source: { ...SOURCE, transport: 'webhook' },
      delivery: { format: 'basic-v1', verified: [], ageMs: 0, bytes: 1, replayCheck: 'none' },
      values: {},
      readings: readings.map((each) => ({
        meter: 'm',
        channel: '',
        topic: 'realtime',
        field: 'power_w',
        value: null,
        unit: 'W',
        unitSource: 'specification',
        ts,
        ...each,
      })),
    };
  }
  const values = (role: 'grid' | 'production' | 'battery', readings: readonly Partial<WebhookReading>[]) =>
    deliveredReading(delivery(readings), { name: 'm', role })?.values ?? null;

  it('is as old as its power, whatever other channels of the meter say', () => {
    const old = 1_000;
    const payload = delivery([
      { field: 'power_import_w', value: 2500, ts: old },
      { field: 'voltage_l1_v', value: 230 },
      { field: 'power_export_w', value: null },
    ]);
    should(deliveredReading(payload, { name: 'm', role: 'grid' })?.ts).equal(old);
  });

  it('is import and export of the grid, by sign for a single number', () => {
    should(values('grid', [{ field: 'power_import_w', value: 300 }])).deepEqual({
      power_import_w: 300,
      power_export_w: 0,
    });
    should(values('grid', [{ value: -200 }])).deepEqual({ power_import_w: 0, power_export_w: 200 });
  });

  it('does not take a direction that is not delivered for 0, unless the other one flows', () => {
    const [nothing, given] = [
      { field: 'power_import_w', value: 0 },
      { field: 'power_export_w', value: 700 },
    ];
    should(values('grid', [nothing])).deepEqual({ power_import_w: 0, power_export_w: null });
    should(values('grid', [given])).deepEqual({ power_import_w: 0, power_export_w: 700 });
    should(values('grid', [nothing, { value: -2000 }])).deepEqual({ power_import_w: 0, power_export_w: 2000 });
    should(values('battery', [nothing])).deepEqual({ power_battery_w: null });
    should(values('battery', [nothing, { value: -700 }])).deepEqual({ power_battery_w: 700 });
    should(values('battery', [given])).deepEqual({ power_battery_w: 700 });
  });

  it('is the export minus the import of a battery, and the opposite of a single number', () => {
    const charging = [
      { field: 'power_export_w', value: 0 },
      { field: 'power_import_w', value: 900 },
    ];
    should(values('battery', charging)).deepEqual({ power_battery_w: -900 });
    should(values('battery', [{ value: -250 }])).deepEqual({ power_battery_w: 250 });
    should(values('battery', [{ field: 'voltage_v', value: 230 }])).be.null();
  });

  it('is the export minus the import of an inverter', () => {
    const exported = [
      { field: 'power_export_w', value: 900 },
      { field: 'power_import_w', value: 2 },
    ];
    should(values('production', exported)).deepEqual({ power_production_w: 898 });
    should(values('production', [{ value: 400 }])).deepEqual({ power_production_w: 400 });
  });

  it('is absent if the delivery has only counters, or another meter', () => {
    should(values('grid', [{ topic: 'reading', field: 'power_import_w', value: 300 }])).equal(null);
    should(values('grid', [{ meter: 'other', value: 300 }])).equal(null);
  });
});
