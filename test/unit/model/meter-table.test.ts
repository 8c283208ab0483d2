/** The meters of the house in a connection: what a row may say (src/model/meter-rows.ts), and what wins (src/model/meter-table.ts). */
import should from 'should';
import type { balanceRoles } from '../../../src/balance/meters/choice';
import { choiceOf, metersInBalance, type MeterChoice } from '../../../src/balance/meters/choice';
import type { CemmError } from '../../../src/errors';
import { type MeterRow, readMeterRows, type RowFlaw, type StoredMeterRow } from '../../../src/model/meter-rows';
import { MeterTable, parseMeterRows, roleByLists, roleByNode } from '../../../src/model/meter-table';
import type { MeterInfo, Role } from '../../../src/model/payload';

const monitor = { id: '001a2b3c4d5e' } as const;

function tableOf(...rows: readonly StoredMeterRow[]): MeterTable {
  return new MeterTable(parseMeterRows(rows));
}

function flawOf(rows: unknown): string {
  const found = readMeterRows(rows);
  return 'flaw' in found ? `${found.row} ${found.flaw}` : 'none';
}

describe('a row of the meters of the house', () => {
  it('is read with its monitor, meters, name, role and device', () => {
    const rows = parseMeterRows([
      { meter: ' hp ', name: ' Heat pump ', role: 'consumption' },
      { monitor: '00:1A:2B:3C:4D:5E', meter: '-mb6', role: 'battery' },
      { monitor: '4321', meter: 's01, mb5', role: 'production', within: '' },
      { meter: 'pump', role: 'consumption', within: 'hp' },
      { meter: 'mb9', role: 'none' },
    ]);
    const expected: readonly MeterRow[] = [
      {
        monitor: null,
        meters: [{ name: 'hp', isReversed: false }],
        name: 'Heat pump',
        role: 'consumption',
        within: null,
      },
      {
        monitor: '001a2b3c4d5e',
        meters: [{ name: 'mb6', isReversed: true }],
        name: null,
        role: 'battery',
        within: null,
      },
      {
        monitor: '4321',
        meters: [
          { name: 's01', isReversed: false },
          { name: 'mb5', isReversed: false },
        ],
        name: null,
        role: 'production',
        within: null,
      },
      { monitor: null, meters: [{ name: 'pump', isReversed: false }], name: null, role: 'consumption', within: 'hp' },
      { monitor: null, meters: [{ name: 'mb9', isReversed: false }], name: null, role: 'none', within: null },
    ];
    rows.should.deepEqual(expected);
  });

  const consumer = { role: 'consumption' } as const;
  const flaws: readonly (readonly [string, unknown, `${number} ${RowFlaw}` | 'none'])[] = [
    ['no list', {}, '0 rows'],
    ['no object', ['mb2'], '1 rows'],
    ['an unknown property', [{ meter: 'mb2', title: 'Car' }], '1 rows'],
    ['no meter', [{ name: 'Car' }], '1 meter'],
    ['a number as its meter', [{ meter: 2 }], '1 meter'],
    ['a meter with a colon', [{ meter: 'mb:2' }], '1 meter'],
    ['a blank after a comma', [{ meter: 'mb2,' }], '1 meter'],
    ['a meter twice', [{ meter: 'mb2' }, { meter: 'mb2' }], '2 twice'],
    ['a meter twice in a row', [{ meter: 'mb2,mb2' }], '1 twice'],
    ['a meter of two monitors', [{ meter: 'mb2' }, { meter: 'mb2', monitor: '1234' }], 'none'],
    ['a name of 40 characters', [{ meter: 'mb2', name: '🚗'.repeat(40) }], 'none'],
    ['a name of 41 characters', [{ meter: 'mb2', name: 'x'.repeat(41) }], '1 name'],
    ['a name with a control character', [{ meter: 'mb2', name: 'a\u0007b' }], '1 name'],
    [
      'the name of another meter',
      [
        { meter: 'mb2', name: 'Car' },
        { meter: 'mb3', name: 'Car' },
      ],
      '2 nameTwice',
    ],
    ['an unknown role', [{ meter: 'mb2', role: 'car' }], '1 role'],
    ['the other way round at the grid', [{ meter: '-mb2', role: 'grid' }], '1 reversed'],
    ['the other way round without a role', [{ meter: '-mb2' }], '1 reversed'],
    ['the other way round of a device', [{ meter: '-mb2', ...consumer }], 'none'],
    ['a battery at an S0 output', [{ meter: 's01', role: 'battery' }], '1 pulses'],
    ['a device that is not in the table', [{ meter: 'mb2', ...consumer, within: 'mb3' }], '1 within'],
    [
      'a device of another monitor',
      [
        { meter: 'mb2', within: 'mb3' },
        { meter: 'mb3', monitor: '1' },
      ],
      '1 within',
    ],
    ['itself as its device', [{ meter: 'mb2', within: 'mb2' }], '1 circle'],
    [
      'a circle',
      [
        { meter: 'mb1', within: 'mb2' },
        { meter: 'mb2', within: 'mb3' },
        { meter: 'mb3', within: 'mb1' },
      ],
      '1 circle',
    ],
    ['a chain', [{ meter: 'mb1', within: 'mb2' }, { meter: 'mb2', within: 'mb3' }, { meter: 'mb3' }], 'none'],
    ['50 rows', Array.from({ length: 50 }, (_, row) => ({ meter: `mb${row}` })), 'none'],
    ['51 rows', Array.from({ length: 51 }, (_, row) => ({ meter: `mb${row}` })), '51 many'],
  ];
  for (const [what, rows, flaw] of flaws) {
    it(`with ${what}: ${flaw}`, () => {
      flawOf(rows).should.equal(flaw);
    });
  }

  it('that cannot be used is CONFIG `meters`, with its number and its meter', () => {
    should(() => parseMeterRows([{ meter: 'mb1' }, { meter: 'mb2', within: 'mb2' }])).throw({
      code: 'CONFIG',
      reason: 'meters',
      message: 'Row 2 of `meters` (mb2) cannot be used: `within` leads back to the meter itself.',
    } satisfies Partial<CemmError>);
  });
});

describe('what wins', () => {
  const auto = 'auto' as const;
  const cases: readonly {
    readonly what: string;
    readonly lists?: Partial<Record<'grid' | 'production' | 'battery', readonly string[]>>;
    readonly node?: Role;
    readonly row?: StoredMeterRow['role'];
    readonly own: Role | null;
    readonly becomes: Role | null;
  }[] = [
    { what: 'nothing but the monitor', own: 'production', becomes: 'production' },
    { what: 'nothing at all', own: null, becomes: null },
    { what: 'a row without a role, which only names', row: '', own: 'production', becomes: 'production' },
    { what: 'a row before the monitor', row: 'battery', own: 'production', becomes: 'battery' },
    { what: 'a row of an unknown meter', row: 'production', own: null, becomes: 'production' },
    { what: 'a row with none', row: 'none', own: 'production', becomes: null },
    { what: 'the role of the node before the row', node: 'grid', row: 'battery', own: 'production', becomes: 'grid' },
    { what: 'the role of the node before none', node: 'grid', row: 'none', own: 'production', becomes: 'grid' },
    { what: 'a list before the row', lists: { production: ['mb5'] }, row: 'battery', own: null, becomes: 'production' },
    { what: 'a list before none', lists: { production: ['mb5'] }, row: 'none', own: null, becomes: 'production' },
    { what: 'a list before the node', lists: { battery: ['mb5'] }, node: 'grid', own: null, becomes: 'battery' },
    { what: 'a list with another meter', lists: { production: ['s01'] }, row: 'production', own: null, becomes: null },
    { what: 'a list of another role', lists: { grid: ['p1'] }, row: 'production', own: null, becomes: 'production' },
  ];
  for (const { what, lists = {}, node = auto, row, own, becomes } of cases) {
    it(`${what}: ${own} becomes ${becomes}`, () => {
      const rows = tableOf(...(row === undefined ? [] : [{ meter: 'mb5', role: row }])).rowsOf(monitor, true);
      const described = roleByNode(node, rows.describe({ alias: 'mb5', role: own }));
      should(roleByLists(lists, ['grid', 'production', 'battery'], 'mb5', described.role)).equal(becomes);
    });
  }

  it('the name of a row, and the label of a CEMM 3.0 only where the connection has meters', () => {
    const meter: MeterInfo = { key: 'zon', label: 'Solar roof', role: 'production' };
    const named = tableOf({ meter: 'zon', name: 'Dak' }).rowsOf(monitor, true).describe(meter);
    named.should.deepEqual({ ...meter, name: 'Dak' });
    const other = tableOf({ meter: 'mb2', name: 'Car' }).rowsOf(monitor, true).describe(meter);
    other.should.deepEqual({ ...meter, name: 'Solar roof' });
    new MeterTable().rowsOf(monitor, true).describe(meter).should.deepEqual(meter);
  });

  it('rows of the monitor, by its MAC address, its number or its installation', () => {
    const table = tableOf(
      { meter: 'mb2', name: 'only' },
      { monitor: '00-1a-2b-3c-4d-5e', meter: 'mb2', name: 'MAC' },
      { monitor: '4321', meter: 'mb2', name: 'number' },
      { monitor: 'house-7', meter: 'mb2', name: 'installation' },
    );
    const names = (...owner: Parameters<MeterTable['rowsOf']>): (string | null)[] =>
      table.rowsOf(...owner).all.map(({ name }) => name);
    names(monitor, false).should.deepEqual(['MAC']);
    names({ id: null, cemm: 4321 }, false).should.deepEqual(['number']);
    names({ id: null, cemm: 1, installation: 'house-7' }, false).should.deepEqual(['installation']);
    names({ id: null }, true).should.deepEqual(['only']);
    names({ id: null }, false).should.deepEqual([]);
  });
});

describe('the meters of a balance with rows', () => {
  const meters: readonly MeterInfo[] = [
    { alias: 'p1', role: 'grid' },
    { alias: 's01', role: 'production' },
    { alias: 'mb2', role: null },
    { alias: 'mb6', role: null },
  ];
  const rows = tableOf(
    { meter: 's01', role: 'none' },
    { meter: 'mb2', name: 'Roof', role: 'production' },
    { meter: '-mb6', name: 'Battery', role: 'battery' },
  ).rowsOf(monitor, true);
  const counted = (lists: Partial<Record<(typeof balanceRoles)[number], readonly string[]>>) => {
    const choice: MeterChoice = choiceOf(
      (role) => lists[role],
      () => true,
    );
    const known = meters.filter(({ alias = '' }) => !rows.isLeftOut(alias)).map((meter) => rows.describe(meter));
    return metersInBalance(choice, known, rows);
  };

  it('have the roles, directions and names of the rows', () => {
    counted({}).should.deepEqual([
      { name: 'p1', role: 'grid' },
      { name: 'mb2', role: 'production', title: 'Roof' },
      { name: 'mb6', role: 'battery', isReversed: true, title: 'Battery' },
    ]);
  });

  it('are those of the list where there is one, in its direction', () => {
    counted({ production: ['s01'], battery: ['mb6'] }).should.deepEqual([
      { name: 'p1', role: 'grid' },
      { name: 'mb6', role: 'battery', title: 'Battery' },
      { name: 's01', role: 'production' },
    ]);
  });
});
