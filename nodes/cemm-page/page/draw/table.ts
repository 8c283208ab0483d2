/** The values of a period as a table and as text for a spreadsheet. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { localTime } from './dates';
import type { Table } from './drawn';
import { digitsFor, isNumber } from './numbers';
import { columns, flows, shownOf, used } from './series';
import { slotsOf } from './slots';

/** They have the same decimals. */
const energies = [used, ...flows].map(({ field }) => field);

type Value = number | null | undefined;

interface Cells {
  readonly fields: readonly string[];
  readonly names: readonly string[];
  readonly rows: readonly { readonly name: string; readonly ts: number; readonly valueOf: (field: string) => Value }[];
  readonly sumOf: (field: string) => Value;
}

function cellsOf({ say, formats }: Sheet, balance: BalancePayload): Cells {
  const points = balance.points ?? [];
  const there = columns.filter(({ field }) => points.some((point) => isNumber(point[field])));
  const unitOf = (field: string): string =>
    field === 'cost' ? (balance.cost?.currency ?? '') : field.endsWith('m3') ? 'm³' : 'kWh';
  return {
    fields: there.map(({ field }) => field),
    names: there.map(({ field, name }) => `${say(name)} (${unitOf(field)})`),
    rows: slotsOf(balance, formats).flatMap(({ point, fullName, ts }) =>
      point === null ? [] : [{ name: fullName, ts, valueOf: (field) => point[field] }],
    ),
    sumOf: (field) => (field === 'cost' ? balance.cost?.total : balance.values[field]),
  };
}

/** Null if nothing was measured. */
export function tableOf(sheet: Sheet, balance: BalancePayload): Table | null {
  const { say, formats } = sheet;
  const { fields, names, rows, sumOf } = cellsOf(sheet, balance);
  if (names.length === 0) return null;
  const digits = digitsFor(energies.map(sumOf));
  const texts = (valueOf: (field: string) => Value): string[] => {
    const shown = shownOf(valueOf, digits);
    return fields.map((field) => formats.number(shown(field), energies.includes(field) ? digits : 2));
  };
  return {
    heads: [say('time'), ...names],
    rows: [...rows.map(({ name, valueOf }) => [name, ...texts(valueOf)]), [say('total'), ...texts(sumOf)]],
    hasSum: true,
  };
}

/** Dutch spreadsheets expect decimal commas, and semicolons between the columns. */
const spreadsheets = { point: [',', '.'], comma: [';', ','] } as const;

/** With a byte order mark, so that a spreadsheet reads it as UTF-8. An unknown value is an empty cell. */
export function csvOf(sheet: Sheet, balance: BalancePayload, kind: keyof typeof spreadsheets): string {
  const [separator, decimal] = spreadsheets[kind];
  const { fields, names, rows } = cellsOf(sheet, balance);
  const textOf = (value: Value): string =>
    isNumber(value) ? String(Number(value.toFixed(4))).replace('.', decimal) : '';
  const lines = [
    [sheet.say('time'), ...names],
    ...rows.map(({ ts, valueOf }) => [
      `${localTime(ts, sheet.frame.timezone).day} ${sheet.formats.clock(ts)}`,
      ...fields.map((field) => textOf(valueOf(field))),
    ]),
  ];
  return `\uFEFF${lines.map((cells) => cells.join(separator)).join('\r\n')}\r\n`;
}
