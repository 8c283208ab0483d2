/** The values of a period as a table and as text for a spreadsheet. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import { localTime } from './dates';
import type { FileKind, Table } from './drawn';
import { totalCost } from './known';
import { digitsFor, hasDecimalComma, isNumber, roundTo } from './numbers';
import { columns, comparedSeries, flows, shownOf, chooseUnit, used } from './series';
import { placeBeside, placeSlots } from './slots';

/** They have the same decimals. */
const energies = [used, ...flows].map(({ field }) => field);

type Value = number | null | undefined;

interface Cells {
  readonly fields: readonly string[];
  readonly names: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly index: number;
    readonly ts: number;
    readonly valueOf: (field: string) => Value;
  }[];
  readonly sumOf: (field: string) => Value;
}

function cellsOf({ say, formats }: Sheet, balance: BalancePayload): Cells {
  const points = balance.points ?? [];
  const there = columns.filter(({ field }) => points.some((point) => isNumber(point[field])));
  const unitOfColumn = (field: string): string =>
    field === 'cost' ? (balance.cost?.currency ?? '') : chooseUnit(field);
  return {
    fields: there.map(({ field }) => field),
    names: there.map(({ field, name }) => `${say(name)} (${unitOfColumn(field)})`),
    rows: placeSlots(balance, formats).flatMap(({ point, fullName, ts }, index) =>
      point === null ? [] : [{ name: fullName, index, ts, valueOf: (field) => point[field] }],
    ),
    sumOf: (field) => (field === 'cost' ? totalCost(balance) : balance.values[field]),
  };
}

/** Null if nothing was measured. */
export function tableOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Table | null {
  const { say, formats } = sheet;
  const { fields, names, rows, sumOf } = cellsOf(sheet, balance);
  const other = comparison === null ? null : comparedSeries(balance, comparison.balance);
  // The sum until this time is in the numbers; it has a share of the last row.
  const isWhole = comparison?.name === comparison?.shortName;
  // The same slot of the other period.
  const otherSlots = comparison === null ? [] : placeBeside(balance, comparison.balance, formats);
  if (names.length === 0) return null;
  const digits = digitsFor(energies.map(sumOf));
  // Behind the number of the house.
  const beside = ([first = '', ...others]: readonly string[], text: string): string[] => [
    first,
    ...(other === null ? [] : [text]),
    ...others,
  ];
  const texts = (valueOf: (field: string) => Value, compared: Value): string[] => {
    const shown = shownOf(valueOf, digits);
    return beside(
      fields.map((field) => formats.number(shown(field), energies.includes(field) ? digits : 2)),
      formats.number(compared, digits),
    );
  };
  const rowOf = ({ name, index, valueOf }: Cells['rows'][number]): string[] => [
    name,
    ...texts(valueOf, otherSlots[index]?.point?.[other?.field ?? '']),
  ];
  const shownBeside = new Set(rows.flatMap(({ index }) => otherSlots[index]?.ts ?? []));
  // Slots of the other period that are in its total and have no row of this one: the last day of a longer month.
  const beyond = (comparison === null || !isWhole ? [] : placeSlots(comparison.balance, formats)).flatMap(
    ({ ts, point, fullName }) => {
      const compared = point?.[other?.field ?? ''];
      return shownBeside.has(ts) || !isNumber(compared) ? [] : [[fullName, ...texts(() => null, compared)]];
    },
  );
  // It is in the total and in no row of a day; 0 without such a tariff.
  const capacity = balance.cost?.peak ?? 0;
  const capacityCells = fields.map((field) => (field === 'cost' ? formats.number(capacity, 2) : ''));
  return {
    heads: [
      say('time'),
      ...beside(
        names,
        `${say(other?.name ?? 'used')}, ${comparison?.shortName ?? ''} (${chooseUnit(other?.field ?? '')})`,
      ),
    ],
    rows: [
      ...rows.map(rowOf),
      ...beyond,
      ...(capacity !== 0 && fields.includes('cost') ? [[say('capacity'), ...beside(capacityCells, '')]] : []),
      [say('total'), ...texts(sumOf, isWhole ? comparison?.valueFor(other?.field ?? '') : null)],
    ],
    hasSum: true,
  };
}

/** Spreadsheets of languages with a decimal comma expect semicolons between the columns; programs a point. */
const separators = { point: [',', '.'], comma: [';', ','] } as const;

/** With a byte order mark, so that a spreadsheet reads it as UTF-8. An unknown value is an empty cell. */
export function csvOf(sheet: Sheet, balance: BalancePayload, kind: FileKind): string {
  const [separator, decimal] = separators[kind === 'excel' && hasDecimalComma(sheet.tag) ? 'comma' : 'point'];
  const { fields, names, rows } = cellsOf(sheet, balance);
  const textOf = (value: Value): string => (isNumber(value) ? String(roundTo(value, 4)).replace('.', decimal) : '');
  const lines = [
    [sheet.say('time'), ...names],
    ...rows.map(({ ts, valueOf }) => [
      `${localTime(ts, sheet.frame.timezone).day} ${sheet.formats.clock(ts)}`,
      ...fields.map((field) => textOf(valueOf(field))),
    ]),
  ];
  return `\uFEFF${lines.map((cells) => cells.join(separator)).join('\r\n')}\r\n`;
}
