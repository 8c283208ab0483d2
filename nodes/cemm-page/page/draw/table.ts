/** The values of a period as a table and as text for a spreadsheet. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import { localTime } from './dates';
import type { Table } from './drawn';
import { digitsFor, isNumber } from './numbers';
import { columns, houseSeries } from './series';
import { slotsOf } from './slots';

interface Cells {
  readonly names: readonly string[];
  readonly digits: readonly number[];
  readonly rows: readonly { readonly name: string; readonly ts: number; readonly values: readonly (number | null)[] }[];
  readonly sums: readonly (number | null)[];
}

function cellsOf({ say, formats }: Sheet, balance: BalancePayload, comparison: Comparison | null): Cells {
  const points = balance.points ?? [];
  const fields = columns.filter(({ field }) => points.some((point) => isNumber(point[field])));
  const sumOf = (field: string): number | null =>
    (field === 'cost' ? balance.cost?.total : balance.values[field]) ?? null;
  const unitOf = (field: string): string =>
    field === 'cost' ? (balance.cost?.currency ?? '') : field.endsWith('m3') ? 'm³' : 'kWh';
  const others = comparison === null ? [] : [houseSeries(comparison.balance)];
  const slots = comparison === null ? [] : slotsOf(comparison.balance, formats);
  return {
    names: [
      ...fields.map(({ field, name }) => `${say(name)} (${unitOf(field)})`),
      ...others.map(({ field, name }) => `${say(name)}, ${comparison?.name ?? ''} (${unitOf(field)})`),
    ],
    digits: [...fields, ...others].map(({ field }) => (field === 'cost' ? 2 : digitsFor([sumOf(field)]))),
    rows: slotsOf(balance, formats).flatMap(({ point, fullName, ts }, index) => {
      if (point === null) return [];
      const values = [
        ...fields.map(({ field }) => point[field] ?? null),
        ...others.map(({ field }) => slots[index]?.point?.[field] ?? null),
      ];
      return [{ name: fullName, ts, values }];
    }),
    sums: [
      ...fields.map(({ field }) => sumOf(field)),
      ...others.map(({ field }) => comparison?.valueFor(field) ?? null),
    ],
  };
}

/** Null if nothing was measured. */
export function tableOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Table | null {
  const { say, formats } = sheet;
  const { names, digits, rows, sums } = cellsOf(sheet, balance, comparison);
  if (names.length === 0) return null;
  const texts = (values: readonly (number | null)[]): string[] =>
    values.map((value, index) => formats.number(value, digits[index] ?? 2));
  return {
    heads: [say('time'), ...names],
    rows: [...rows.map(({ name, values }) => [name, ...texts(values)]), [say('total'), ...texts(sums)]],
    hasSum: true,
  };
}

/** Dutch spreadsheets expect decimal commas, and semicolons between the columns. */
const spreadsheets = { point: [',', '.'], comma: [';', ','] } as const;

/** With a byte order mark, so that a spreadsheet reads it as UTF-8. An unknown value is an empty cell. */
export function csvOf(sheet: Sheet, balance: BalancePayload, kind: keyof typeof spreadsheets): string {
  const [separator, decimal] = spreadsheets[kind];
  const { names, rows } = cellsOf(sheet, balance, null);
  const lines = [
    [sheet.say('time'), ...names],
    ...rows.map(({ ts, values }) => [
      `${localTime(ts, sheet.frame.timezone).day} ${sheet.formats.clock(ts)}`,
      ...values.map((value) => (value === null ? '' : String(Number(value.toFixed(4))).replace('.', decimal))),
    ]),
  ];
  return `\uFEFF${lines.map((cells) => cells.join(separator)).join('\r\n')}\r\n`;
}
