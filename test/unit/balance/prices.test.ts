/** Given prices, and costs in exact decimals. */
import should from 'should';
import { parsePrices } from '../../../src/balance/prices/prices';
import { CemmError } from '../../../src/errors';
import { hourMs } from '../../../src/time/units';
import { at, balance, meter, minutesFrom, period, prices, reading, zone } from '../../support/balance/small-house';

const { start, end } = period('2026-06-15');
const twoPrices = [
  { start: '2026-06-15T00:00', value: 0.1 },
  { start: '2026-06-15T01:00', value: 0.2 },
];
const flaw = (input: unknown) => {
  try {
    parsePrices(input, zone);
    return null;
  } catch (error) {
    if (!(error instanceof CemmError) || error.reason !== 'prices') throw error;
    return error.params['path'];
  }
};

describe('prices', () => {
  const flaws: readonly (readonly [string, unknown, string])[] = [
    ['no object', 'a text', 'prices'],
    ['a list', [], 'prices'],
    ['no currency', { import: 0.25 }, 'currency'],
    ['a number that is a text', { currency: 'EUR', import: '0.25' }, 'import'],
    ['a number that is none', { currency: 'EUR', gas: NaN }, 'gas'],
    ['a tariff without its second price', { currency: 'EUR', import: { t1: 0.2 } }, 'import.t2'],
    ['an empty list', { currency: 'EUR', export: [] }, 'export'],
    ['an entry without a start', { currency: 'EUR', import: [{ value: 1 }] }, 'import[0].start'],
    [
      'an entry that ends before it starts',
      { currency: 'EUR', import: [{ start: 2e9, end: 1e9, value: 1 }] },
      'import[0].end',
    ],
    ['an entry that is no object', { currency: 'EUR', import: [0.25] }, 'import[0]'],
    [
      'an entry that ends at the moment it starts',
      { currency: 'EUR', export: [{ start: '2026-06-15', end: '2026-06-15', value: 1 }] },
      'export[0].end',
    ],
    ['an entry whose start is no date', { currency: 'EUR', import: [{ start: 'noon', value: 1 }] }, 'import[0].start'],
    ['a name that is none', { currency: 'EUR', imprt: 0.3 }, 'imprt'],
    ['a third tariff', { currency: 'EUR', import: { t1: 0.2, t2: 0.3, t3: 0.4 } }, 'import.t3'],
    [
      'a name in an entry that is none',
      { currency: 'EUR', import: [{ start: '2026-06-15', until: '2026-06-16', value: 1 }] },
      'import[0].until',
    ],
    ['a price of gas by tariff', { currency: 'EUR', gas: { t1: 1, t2: 2 } }, 'gas'],
    [
      'a tariff of gas in a list',
      { currency: 'EUR', gas: [{ start: '2026-01-01', value: { t1: 1, t2: 2 } }] },
      'gas[0].value',
    ],
    ['a list that is none', { currency: 'EUR', import: { list: 0.2, times: 2 } }, 'import.list'],
    ['a factor that is a text', { currency: 'EUR', import: { list: [], times: '1.21' } }, 'import.times'],
    ['another name beside a list', { currency: 'EUR', import: { list: [], tmies: 1.21 } }, 'import.tmies'],
    ['a peak that is a number', { currency: 'EUR', peak: 53.25 }, 'peak'],
    ['a peak without a price', { currency: 'EUR', peak: { at_least_kw: 2.5 } }, 'peak.per_kw_year'],
    ['a peak below 0', { currency: 'EUR', peak: { per_kw_year: 1, at_least_kw: -1 } }, 'peak.at_least_kw'],
    ['an example that is a text', { currency: 'EUR', example: 'yes' }, 'example'],
    ['an entry without a value', { currency: 'EUR', import: [{ start: '2026-06-15' }] }, 'import[0].value'],
    ['another mean than that of an hour', { currency: 'EUR', import: { list: [], every: '2h' } }, 'import.every'],
    ['zones of gas', { currency: 'EUR', gas: { zones: [{ value: 1 }] } }, 'gas'],
    ['no zones', { currency: 'EUR', import: { value: 0.2, zones: [] } }, 'import.zones'],
    ['51 zones', { currency: 'EUR', import: { zones: Array(51).fill({ value: 0.2 }) } }, 'import.zones'],
    [
      'two prices for one slot',
      { currency: 'EUR', import: { list: [twoPrices[0], twoPrices[1], { ...twoPrices[0], value: 0.3 }] } },
      'import.list[0].start',
    ],
    ['a zone that is a number', { currency: 'EUR', import: { zones: [0.2] } }, 'import.zones[0]'],
    ['a list beside zones', { currency: 'EUR', import: { zones: [{ value: 1 }], list: [] } }, 'import.list'],
    [
      'a zone by tariff',
      { currency: 'EUR', import: { zones: [{ value: { t1: 1, t2: 2 } }] } },
      'import.zones[0].value',
    ],
    [
      'an unknown name in a zone',
      { currency: 'EUR', import: { zones: [{ day: 'Mon', value: 1 }] } },
      'import.zones[0].day',
    ],
  ];
  for (const [name, input, path] of flaws) {
    it(`are refused with ${name}`, () => {
      should(flaw(input)).equal(path);
    });
  }

  it('are valid until their end or the next entry, in an hourly list for an hour at most', () => {
    const entries = [
      { start: '2026-06-15T02:00', value: 0.3 },
      { start: '2026-06-15T00:00', value: 0.1 },
      { start: '2026-06-15T01:00', end: '2026-06-15T01:30', value: -0.2 },
    ];
    const parsed = prices({ currency: 'EUR', import: entries }).import;
    should(parsed?.kind === 'list' ? parsed.entries : null).deepEqual([
      { start, end: start + hourMs, value: 10n ** 23n },
      { start: start + hourMs, end: start + 1.5 * hourMs, value: -2n * 10n ** 23n },
      { start: start + 2 * hourMs, end: start + 3 * hourMs, value: 3n * 10n ** 23n },
    ]);
  });

  it('take a single entry from its start on, also if it is there twice', () => {
    const entries = [
      { start: '2026-06-15T00:00', value: 0.2 },
      { start: '2026-06-15T00:00', value: 0.2 },
    ];
    const parsed = prices({ currency: 'EUR', import: entries }).import;
    should(parsed?.kind === 'list' ? parsed.entries : null).deepEqual([
      { start, end: Infinity, value: 2n * 10n ** 23n },
    ]);
  });

  const entriesOf = (list: readonly object[]) => {
    const parsed = prices({ currency: 'EUR', import: list }).import;
    return parsed?.kind === 'list' ? parsed.entries.map(({ start: from, end: to }) => [from, to]) : [];
  };
  const hour = (number: number) => ({ start: start + number * hourMs, value: 0.1 });

  it('have a gap at missing hours of an hourly list', () => {
    should(entriesOf([0, 1, 5, 6].map(hour))).deepEqual(
      [0, 1, 5, 6].map((number) => [start + number * hourMs, start + (number + 1) * hourMs]),
    );
  });

  it('are valid for the smaller of two equally frequent distances', () => {
    should(entriesOf([0, 0.25, 1.25].map(hour))).deepEqual(
      [0, 0.25, 1.25].map((number) => [start + number * hourMs, start + (number + 0.25) * hourMs]),
    );
  });

  it('are valid until the next entry, the last one forever, if the usual distance exceeds an hour', () => {
    const two = entriesOf([0, 2, 26].map(hour));
    should(two).deepEqual([
      [start, start + 2 * hourMs],
      [start + 2 * hourMs, start + 26 * hourMs],
      [start + 26 * hourMs, Infinity],
    ]);
  });

  describe('in local time on the day on which clocks are set back', () => {
    const midnight = at('2026-10-25T00:00:00+02:00');
    const two = (number: number) => String(number).padStart(2, '0');
    const texts = Array.from({ length: 25 }, (_, index) => two(index < 3 ? index : index - 1));
    const hourly = texts.map((text, index) => ({ start: `2026-10-25T${text}:00`, value: index / 100 }));

    it('have 25 hours: the first of two equal entries is the earlier one', () => {
      const parsed = prices({ currency: 'EUR', import: hourly }).import;
      const entries = parsed?.kind === 'list' ? parsed.entries : [];
      should(entries.map((entry) => entry.start)).deepEqual(texts.map((_, index) => midnight + index * hourMs));
      should(entries.map((entry) => entry.value)).deepEqual(texts.map((_, index) => BigInt(index) * 10n ** 22n));
      should(entries.every((entry) => entry.end - entry.start === hourMs)).equal(true);
    });

    it('may have ends, also repeated local times', () => {
      const withEnds = hourly.map((entry, index) => ({
        ...entry,
        end: index === 24 ? '2026-10-26' : `2026-10-25T${texts[index + 1] ?? ''}:00`,
      }));
      should(entriesOf(withEnds)).deepEqual(
        texts.map((_, index) => [midnight + index * hourMs, midnight + (index + 1) * hourMs]),
      );
    });

    it('may be quarter-hourly as well', () => {
      const quarters = texts.flatMap((text) =>
        [0, 15, 30, 45].map((minute) => ({ start: `2026-10-25T${text}:${two(minute)}`, value: 0.1 })),
      );
      should(entriesOf(quarters)).deepEqual(
        quarters.map((_, index) => [midnight + (index * hourMs) / 4, midnight + ((index + 1) * hourMs) / 4]),
      );
    });

    const unclear: readonly (readonly [string, readonly object[], string])[] = [
      ['one of both hours is missing', hourly.filter((_, index) => index !== 3), 'import[2].start'],
      ['the hour is there three times', [...hourly.slice(0, 4), ...hourly.slice(3)], 'import[4].start'],
      ['the list descends', [...hourly].reverse(), 'import[21].start'],
    ];
    for (const [name, list, path] of unclear) {
      it(`are refused where ${name}`, () => {
        should(flaw({ currency: 'EUR', import: list })).equal(path);
      });
    }

    it('use the earlier hour in a list of longer times', () => {
      const list = ['2026-10-01', '2026-10-25T02:30', '2026-11-01'].map((from) => ({ start: from, value: 0.1 }));
      should(entriesOf(list)[1]?.[0]).equal(midnight + 2.5 * hourMs);
    });
  });

  it('are exact decimals to twelve places, however they are written', () => {
    const parsed = prices({ currency: 'EUR', gas: 1e-7, water: 0.1 + 0.2, per_day: -1.25, per_year: -628.96 });
    should(parsed).containEql({
      gas: { kind: 'fixed', value: 10n ** 17n },
      water: { kind: 'fixed', value: 3n * 10n ** 23n },
    });
    should(parsed.fixed[0]).containEql({ perDay: -125n * 10n ** 22n, perYear: -62_896n * 10n ** 22n });
  });
});

describe('costs', () => {
  const grid = meter('p1', 'grid', {
    readings: [
      ...[reading('import', start, 100), reading('import', end, 112.3)],
      ...[reading('import_t1', start, 40), reading('import_t1', end, 44.3)],
      ...[reading('import_t2', start, 60), reading('import_t2', end, 68)],
      ...[reading('export', start, 50), reading('export', end, 57)],
      ...[reading('export_t1', start, 20), reading('export_t1', end, 25)],
      ...[reading('export_t2', start, 30), reading('export_t2', end, 32)],
    ],
  });
  const cost = (input: object) => balance('2026-06-15', [grid], { prices: prices({ currency: 'EUR', ...input }) }).cost;

  it('are import + fixed − export, without binary rounding errors', () => {
    should(cost({ import: 0.1, export: 0.2, per_day: 0.3 })).containDeep({
      import: 1.23,
      export: 1.4,
      fixed: 0.3,
      total: 0.13,
      gas: null,
      coverage: 1,
    });
  });

  it('are netted by tariff: a surplus of one tariff is subtracted from the other one', () => {
    // t1 exported 0.7 kWh more than it imported, t2 imported 6 kWh more than it exported.
    should(cost({ import: { t1: 0.2, t2: 0.3 }, export: 0.1 })?.netted).equal(1.59);
    should(cost({ import: { t1: 0.2, t2: 0.3 }, export: 0.1 })?.total).equal(2.56);
    should(cost({ import: [{ start: '2026-06-01', value: 0.2 }], export: 0.1 })?.netted).equal(1.06);
    const hourly = ['2026-06-15T00:00', '2026-06-15T01:00'].map((from) => ({ start: from, value: 0.2 }));
    should(cost({ import: hourly, export: 0.1 })?.netted).equal(null);
  });

  it('have no points for prices by tariff, otherwise points that add up', () => {
    const points = (input: object) =>
      balance('2026-06-15', [grid], { prices: prices({ currency: 'EUR', ...input }) }).points ?? [];
    for (const point of points({ import: { t1: 0.2, t2: 0.3 } })) should(point['cost']).equal(null);
    const sum = points({ import: 0.2, per_day: 1.2 }).reduce((total, point) => total + (point['cost'] ?? 0), 0);
    sum.should.be.approximately(12.3 * 0.2 + 1.2, 1e-9);
  });

  it('leave out energy of an unknown hour for hourly prices', () => {
    const hourly = [
      { start: '2026-06-15T00:00', value: 0.1 },
      { start: '2026-06-15T12:00', value: 0.3 },
    ];
    should(cost({ import: hourly })).containDeep({ import: null, coverage: 0 });
    const shapes = {
      import: minutesFrom(
        start,
        Array.from({ length: 1440 }, (_, minute) => (minute < 720 ? 256 : 768)),
      ),
    };
    const counted = meter('p1', 'grid', { readings: grid.readings, shapes });
    const priced = balance('2026-06-15', [counted], { prices: prices({ currency: 'EUR', import: hourly }) }).cost;
    should(priced?.import).be.approximately(12.3 * (0.25 * 0.1 + 0.75 * 0.3), 1e-9);
    should(priced?.coverage).equal(1);
  });

  describe('with prices by the hour and missing minutes', () => {
    /** 250 W, and nothing from 10:00 to 14:00, while 3 kWh flowed. */
    const shape = minutesFrom(
      start,
      Array.from({ length: 1440 }, (_, minute) => (minute >= 600 && minute < 840 ? null : 250)),
    );
    const counted = meter('p1', 'grid', {
      readings: [reading('import', start, 100), reading('import', end, 108)],
      shapes: { import: shape },
    });
    const byHour = (value: (hour: number) => number) =>
      balance('2026-06-15', [counted], {
        prices: prices({
          currency: 'EUR',
          import: Array.from({ length: 24 }, (_, hour) => ({ start: start + hour * hourMs, value: value(hour) })),
        }),
      });

    it('BA23: leave out what flowed in the gap, because its hour is unknown', () => {
      const { cost: part, points, values } = byHour((hour) => (hour < 12 ? 0.1 : 0.3));
      should(values['energy_import_kwh']).equal(8);
      should(part?.import).be.approximately(20 * 0.25 * 0.2, 1e-9);
      should(part?.total).equal(part?.import);
      should(part?.coverage).be.approximately(5 / 8, 1e-9);
      should(points?.slice(9, 15).map((point) => point['cost'])).deepEqual([0.025, null, null, null, null, 0.075]);
    });

    it('BA23: include the gap if its hours have one price', () => {
      const { cost: part } = byHour((hour) => (hour >= 10 && hour < 14 ? 0.2 : 0.1));
      should(part?.import).be.approximately(5 * 0.1 + 3 * 0.2, 1e-9);
      should(part?.coverage).equal(1);
    });

    it('BA23: keep the measured part of an hour with missing minutes', () => {
      const half = minutesFrom(
        start,
        Array.from({ length: 1440 }, (_, minute) => (minute >= 630 && minute < 690 ? null : 240)),
      );
      const readings = [reading('import', start, 100), reading('import', end, 100 + 23 * 0.24 + 1)];
      const { cost: part, points } = balance(
        '2026-06-15',
        [meter('p1', 'grid', { readings, shapes: { import: half } })],
        {
          prices: prices({
            currency: 'EUR',
            import: Array.from({ length: 24 }, (_, hour) => ({ start: start + hour * hourMs, value: hour / 100 })),
          }),
        },
      );
      should(points?.[10]?.['cost']).be.approximately(0.12 * 0.1, 1e-9);
      should(points?.[10]?.['energy_import_kwh']).be.approximately(0.62, 1e-9);
      should(part?.coverage).be.approximately((23 * 0.24) / (23 * 0.24 + 1), 1e-9);
    });
  });

  it('have coverage 1 without any use, and no netted total for unknown tariffs', () => {
    const idle = meter('p1', 'grid', {
      readings: [reading('import', start, 5), reading('import', end, 5)],
      shapes: {
        import: minutesFrom(
          start,
          Array.from({ length: 1440 }, () => 0),
        ),
      },
    });
    const list = { currency: 'EUR', import: [{ start: '2026-06-01', value: 0.2 }] };
    should(balance('2026-06-15', [idle], { prices: prices(list) }).cost).containDeep({ import: 0, coverage: 1 });
    const byTariff = { currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, export: 0.1 };
    should(balance('2026-06-15', [idle], { prices: prices(byTariff) }).cost).containDeep({
      import: null,
      netted: null,
    });
    // Export by the hour cannot be netted.
    const hourly = ['2026-06-15T00:00', '2026-06-15T01:00'].map((from) => ({ start: from, value: 0.2 }));
    const mixed = { currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, export: hourly };
    should(balance('2026-06-15', [grid], { prices: prices(mixed) }).cost?.netted).equal(null);
  });

  it('leave out energy after the last price of a list', () => {
    const shapes = {
      import: minutesFrom(
        start,
        Array.from({ length: 1440 }, () => 500),
      ),
    };
    const morning = [{ start: '2026-06-15T00:00', end: '2026-06-15T06:00', value: 0.2 }];
    const { cost: part } = balance('2026-06-15', [meter('p1', 'grid', { shapes })], {
      prices: prices({ currency: 'EUR', import: morning }),
    });
    should(part?.import).be.approximately(3 * 0.2, 1e-9);
    should(part?.coverage).be.approximately(0.25, 1e-9);
  });

  it('have no total without prices', () => {
    should(cost({ gas: 1.3 })).containDeep({ import: null, gas: null, total: null, coverage: 0 });
    should(cost({})).containDeep({ total: null, netted: null, coverage: 0 });
  });

  it('are left out in the hours missing in a list, and lower the coverage', () => {
    const shapes = { import: minutesFrom(start, Array<number>(1440).fill(500)) };
    const hours = Array.from({ length: 24 }, (_, number) => ({ start: start + number * hourMs, value: 0.2 }));
    const { cost: part, points } = balance('2026-06-15', [meter('p1', 'grid', { shapes })], {
      prices: prices({ currency: 'EUR', import: hours.filter((_, number) => number < 4 || number > 6) }),
    });
    should(part?.import).be.approximately(21 * 0.5 * 0.2, 1e-9);
    should(part?.coverage).be.approximately(21 / 24, 1e-9);
    should(points?.slice(3, 8).map((point) => point['cost'] === null)).deepEqual([false, true, true, true, false]);
  });

  it('include the known media if gas is unknown, and name the missing one', () => {
    const gas = meter('p1-gas', 'gas');
    const bill = { currency: 'EUR', import: 0.1, export: 0.2, gas: 1.3, water: 1.1, per_day: 0.3 };
    const day = balance('2026-06-15', [grid, gas, meter('w', 'water', { isReadable: false })], {
      prices: prices(bill),
    });
    should(day.cost).containDeep({ import: 1.23, gas: null, total: 0.13, coverage: 0 });
    should(day.missing).containDeep({ 'cost.gas': 'not_measured', 'cost.water': 'not_readable' });
    should(day.complete).equal(false);
    const onlyGas = balance('2026-06-15', [gas], { prices: prices({ currency: 'EUR', gas: 1.3 }) });
    should(onlyGas.cost?.total).equal(null);
  });

  it('are null if the meter does not answer', () => {
    const away = { ...grid, isReadable: false };
    const { cost: none } = balance('2026-06-15', [away], {
      prices: prices({ currency: 'EUR', import: 0.2, per_day: 1 }),
    });
    should(none).containDeep({ import: null, fixed: null, total: null, coverage: 0 });
  });

  it('count the past part of the current day', () => {
    const now = at('2026-06-15T06:00:00+02:00');
    const readings = [reading('import', start, 100), reading('import', now, 101)];
    const { cost: part } = balance('2026-06-15', [meter('p1', 'grid', { readings })], {
      now,
      prices: prices({ currency: 'EUR', per_day: 1.2 }),
    });
    should(part?.fixed).equal(0.3);
  });

  it('by tariff have no price around a change without readings at that midnight, which lowers the coverage', () => {
    const [first, last, change] = [period('2026').start, period('2026').end, period('2026-07').start];
    const at0 = (counter: Parameters<typeof reading>[0], ...values: number[]) =>
      [first, ...(values.length === 3 ? [change] : []), last].map((moment, index) =>
        reading(counter, moment, values[index] ?? NaN),
      );
    const price = { start: '2026-01-01', value: { t1: 0.2, t2: 0.3 } };
    const bill = prices({ currency: 'EUR', import: [price, { start: '2026-07-01', value: { t1: 0.1, t2: 0.4 } }] });
    const year = (readings: ReturnType<typeof at0>) =>
      balance('2026', [meter('p1', 'grid', { readings })], { prices: bill }).cost;
    const known = [...at0('import', 0, 40, 100), ...at0('import_t1', 0, 30, 50), ...at0('import_t2', 0, 10, 50)];
    should(year(known)).containDeep({ import: 30 * 0.2 + 10 * 0.3 + 20 * 0.1 + 40 * 0.4, coverage: 1 });
    const unknown = [...at0('import', 0, 40, 100), ...at0('import_t1', 0, 50), ...at0('import_t2', 0, 50)];
    should(year(unknown)).containDeep({ import: null, total: null, netted: null, coverage: 0 });
  });

  it('have points of days by tariff in a month with readings at each midnight', () => {
    const midnights = [period('2026-06').start, start, end, period('2026-06').end];
    const counted = (counter: 'import' | 'import_t1' | 'import_t2', ...values: number[]) =>
      midnights.map((moment, index) => reading(counter, moment, values[index] ?? NaN));
    const readings = [
      ...[...counted('import', 0, 20, 25, 60), ...counted('import_t1', 0, 15, 17, 30)],
      ...counted('import_t2', 0, 5, 8, 30),
    ];
    const month = balance('2026-06', [meter('p1', 'grid', { readings })], {
      prices: prices({ currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, per_year: 365 }),
    });
    const point = month.points?.find(({ ts }) => ts === start);
    should(point).containDeep({ cost: 2.3, cost_import: 1.3, cost_fixed: 1 });
    should(month.points?.[0]).containDeep({ cost: null, cost_import: null, cost_fixed: 1 });
    should(month.cost).containDeep({ import: 15, fixed: 30, total: 45 });
  });

  it('of a peak that is not known are null, named, and no part of the coverage', () => {
    const bill = { currency: 'EUR', import: 0.1, peak: { per_kw_year: 60, at_least_kw: 2.5 } };
    const month = balance('2026-06', [grid], { prices: prices(bill) });
    should(month.cost).containDeep({ peak: null });
    should(month.missing['cost.peak']).equal('not_measured');
    const day = balance('2026-06-15', [grid], { prices: prices(bill) });
    should(day.cost).containDeep({ import: 1.23, peak: 0, total: 1.23, coverage: 1 });
    should(day.missing['cost.peak']).equal(undefined);
  });
});
