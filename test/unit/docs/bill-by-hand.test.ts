/** docs/balance.md: the names of prices and the two netted numbers. docs/evidence/balance.md: a bill that is worked out by hand. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Counter } from '../../../src/balance/meters/readings';
import { fixedPriceNames, priceNames, unitPriceNames } from '../../../src/balance/prices/prices-input';
import { makeSchemas } from '../../../scripts/build/build-schemas';
import { balance, meter, period, prices, reading } from '../../support/balance/small-house';

const pageOf = (name: string): string => readFileSync(path.resolve(__dirname, '../../../docs', name), 'utf8');
const page = pageOf('balance.md');
const evidence = pageOf('evidence/balance.md');

/** The cells of the rows of a table, below its header. */
function rowsBelow(header: string, text = page): string[][] {
  const [, table = ''] = text.split(`${header}\n`);
  const [rows = ''] = table.split('\n\n');
  const lines = rows.split('\n').slice(1);
  return lines.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Evaluates a calculation like a pocket calculator. */
function calculated(calculation: string): number {
  calculation.should.match(/^[\d.+−×÷() ]+$/);
  return Number(runInNewContext(calculation.replaceAll('−', '-').replaceAll('×', '*').replaceAll('÷', '/')));
}

describe('the prices on the page of the balance', () => {
  it('are all the names that an object of prices may have', () => {
    const rows = rowsBelow('| Name | Is | Written as |').flatMap(([names = '', , written]) =>
      names.split(', ').map((name) => ({ name: name.replaceAll('`', ''), written })),
    );
    should(rows.map(({ name }) => name)).deepEqual([...priceNames]);
    const writtenAs = (...kinds: readonly string[]): string[] =>
      rows.filter(({ written = '' }) => kinds.includes(written)).map(({ name }) => name);
    should(writtenAs('a price', 'a price without tariffs')).deepEqual([...unitPriceNames]);
    should(writtenAs('a number')).deepEqual([...fixedPriceNames]);
  });

  it('have the parts of a cost that a payload has', () => {
    const { properties } = makeSchemas().get('balance') as { properties: { cost: { properties: object } } };
    const parts = rowsBelow('| Part of a cost | Is |').flatMap(([part = '']) => part.split(', '));
    const wanted = Object.keys(properties.cost.properties).filter((name) => name !== 'currency' && name !== 'example');
    should(parts.map((part) => part.replaceAll('`', '')).sort()).deepEqual(wanted.sort());
  });

  it('give the netted numbers of the page', () => {
    const rows = rowsBelow('| Tariff 1, kWh | Tariff 2, kWh | Prices | Netted |');
    rows.length.should.equal(2);
    for (const [first = '', second = '', , netted = ''] of rows) {
      const kwh = (cell: string): number[] =>
        [...cell.matchAll(/[\d,]+\d/g)].map(([text]) => Number(text.replace(',', '')));
      const [[in1 = 0, out1 = 0], [in2 = 0, out2 = 0]] = [kwh(first), kwh(second)];
      const counters: Readonly<Partial<Record<Counter, number>>> = {
        import: in1 + in2,
        import_t1: in1,
        import_t2: in2,
        export: out1 + out2,
        export_t1: out1,
        export_t2: out2,
      };
      const { start, end } = period('2026');
      const readings = Object.entries(counters).flatMap(([counter, value]) => [
        reading(counter as Counter, start, 5),
        reading(counter as Counter, end, 5 + value),
      ]);
      const contract = prices({ currency: 'EUR', import: { t1: 0.3, t2: 0.35 }, export: 0.08 });
      const { cost } = balance('2026', [meter('p1', 'grid', { readings })], { prices: contract });
      const [calculation = '', result = ''] = netted.split(' = ');
      should(cost?.netted).equal(Number(result.replace('−', '-')));
      calculated(calculation.replace(/^−/, '0 − ')).should.be.approximately(Number(cost?.netted), 1e-9);
    }
  });

  it('give the bill that is worked out by hand, step by step', () => {
    const [, section = ''] = evidence.split('## A bill by hand\n');
    const [, json = ''] = /```json\n(.*)\n```/.exec(section) ?? [];
    const borders = [period('2026').start, period('2026-07').start, period('2026').end];
    const rows = rowsBelow('| Counter | 1 January | 1 July | 1 January 2027 | First half | Second half |', evidence);
    const readings = rows.flatMap(([name = '', ...cells]) => {
      const [, medium = '', tariff] = /^(import|export|gas)(?:, tariff (\d))?$/.exec(name) ?? [];
      const values = cells.slice(0, 3).map(Number);
      const [first = 0, middle = 0, last = 0] = values;
      should(cells.slice(3).map(Number.parseFloat)).deepEqual([middle - first, last - middle], name);
      const counter = (tariff === undefined ? medium : `${medium}_t${tariff}`) as Counter;
      return borders.map((at, index) => reading(counter, at, values[index] ?? NaN));
    });
    const sums = (['import', 'export'] as const).flatMap((direction) =>
      borders.map((at) => {
        const both = readings.filter(({ counter, ts }) => ts === at && counter.startsWith(`${direction}_`));
        return { counter: direction, ts: at, amount: both.reduce((sum, { amount }) => sum + amount, 0) };
      }),
    );
    const house = meter('p1', 'grid', { readings: [...readings, ...sums] });
    const { cost } = balance('2026', [house], { prices: prices(JSON.parse(json)) });
    should(cost?.coverage).equal(1);
    const steps = rowsBelow('| Step | Calculation | Comes to |', evidence);
    steps.length.should.equal(7);
    for (const [name = '', calculation = '', result = ''] of steps) {
      calculated(calculation).should.be.approximately(Number(result), 1e-9, name);
      should(Reflect.get(cost ?? {}, name.replaceAll('`', ''))).be.approximately(Number(result), 1e-9, name);
    }
  });
});
