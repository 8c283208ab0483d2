/**
 * The contracts of a house as a connection stores them and as a question gives them. Dialogs and cemm-check-flow use the same function, so
 * this file imports only rules for texts.
 */
import { readDate } from '../../time/date-text';
import type { PricesInput } from './prices-input';
import { isRecord, parseJsonText, type UnknownRecord } from '../../checks/record';

/** A contract as a flow file, a message or a program gives it. */
export interface ContractInput {
  /** 1 to 40 characters. */
  readonly name: string;
  /** First day, such as `2026-03-01`; with one of both dates it is a contract of the house, else an offer. */
  readonly from?: string | null | undefined;
  /** Last day (inclusive). */
  readonly until?: string | null | undefined;
  /** The prices, their JSON, or the name of the global context that holds them. */
  readonly prices: PricesInput | string;
  /** Default `json`. */
  readonly pricesType?: 'json' | 'global' | undefined;
}

export interface ContractRow {
  readonly name: string;
  /** `2026-03-01`; null: no first day. */
  readonly from: string | null;
  /** Inclusive; null: no last day. */
  readonly until: string | null;
  readonly prices: unknown;
  readonly pricesType: 'json' | 'global';
}

export const mostContracts = 20;
export const mostContractsAsked = 10;
export const longestContractName = 40;

/** `list`: no list, too many, or an entry that is no contract; `order`: the last day is before the first one. */
type ContractFlaw = 'list' | 'name' | 'nameTwice' | 'date' | 'order' | 'prices' | 'overlap';

export interface ContractProblem {
  readonly flaw: ContractFlaw;
  /** Such as `contracts[1].from`. */
  readonly path: string;
  /** Blank where it has none. */
  readonly name: string;
  /** The other contract of an `overlap`. */
  readonly other?: string;
}

/** @param most number of contracts */
export function readContractRows(value: unknown, most = mostContracts): readonly ContractRow[] | ContractProblem {
  if (!Array.isArray(value) || value.length > most) return { flaw: 'list', path: 'contracts', name: '' };
  const rows: ContractRow[] = [];
  for (const [index, entry] of (value as readonly unknown[]).entries()) {
    const row = readRow(entry, `contracts[${index}]`);
    if ('flaw' in row) return row;
    if (rows.some(({ name }) => name === row.name)) {
      return { flaw: 'nameTwice', path: `contracts[${index}].name`, name: row.name };
    }
    rows.push(row);
  }
  return rows;
}

/** The first contract of the house that has a price of the same medium at the same time as an earlier one; null if there is none. */
export function overlappingRow(rows: readonly ContractRow[]): ContractProblem | null {
  for (const [index, row] of rows.entries()) {
    const other = rows.slice(0, index).find((earlier) => overlaps(earlier, row));
    if (other !== undefined) {
      return { flaw: 'overlap', path: `contracts[${index}]`, name: row.name, other: other.name };
    }
  }
  return null;
}

/** True for a contract of the house, false for an offer. */
export function isDated({ from, until }: Pick<ContractRow, 'from' | 'until'>): boolean {
  return from !== null || until !== null;
}

const members: readonly string[] = ['name', 'from', 'until', 'prices', 'pricesType'];

function readRow(entry: unknown, path: string): ContractRow | ContractProblem {
  if (!isRecord(entry)) return { flaw: 'list', path, name: '' };
  const name = typeof entry['name'] === 'string' ? entry['name'].trim() : '';
  const wrong = (flaw: ContractFlaw, member: string): ContractProblem => ({ flaw, path: `${path}.${member}`, name });
  const unknown = Object.keys(entry).find((member) => !members.includes(member));
  if (unknown !== undefined) return wrong('list', unknown);
  const length = Array.from(name).length;
  if (length === 0 || length > longestContractName || /\p{Cc}/u.test(name)) return wrong('name', 'name');
  const [from, until] = [dateIn(entry, 'from'), dateIn(entry, 'until')];
  if (from === undefined) return wrong('date', 'from');
  if (until === undefined) return wrong('date', 'until');
  if (from !== null && until !== null && until < from) return wrong('order', 'until');
  const { prices, pricesType = 'json' } = entry;
  if (pricesType !== 'json' && pricesType !== 'global') return wrong('prices', 'pricesType');
  const isGiven = typeof prices === 'string' ? prices.trim() !== '' : pricesType === 'json' && isRecord(prices);
  if (!isGiven) return wrong('prices', 'prices');
  return { name, from, until, prices, pricesType };
}

/** Null where it is absent or blank, undefined where it is no date. */
function dateIn(entry: UnknownRecord, member: 'from' | 'until'): string | null | undefined {
  const written = entry[member] ?? '';
  if (typeof written !== 'string') return undefined;
  const date = written.trim();
  if (date === '') return null;
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && typeof readDate(date) !== 'string' ? date : undefined;
}

/** The names of the prices of a medium. */
const media = [['import', 'export', 'export_fee', 'peak'], ['gas'], ['water']] as const;

function overlaps(one: ContractRow, other: ContractRow): boolean {
  if (!isDated(one) || !isDated(other)) return false;
  if (isBefore(one.until, other.from) || isBefore(other.until, one.from)) return false;
  const [first, second] = [pricesIn(one), pricesIn(other)];
  return media.some((names) =>
    [first, second].every((prices) => names.some((name) => (prices[name] ?? null) !== null)),
  );
}

function isBefore(until: string | null, from: string | null): boolean {
  return until !== null && from !== null && until < from;
}

/** Empty if they are not in the row, or not readable. */
function pricesIn({ prices, pricesType }: ContractRow): UnknownRecord {
  if (pricesType === 'global') return {};
  const read: unknown = typeof prices === 'string' ? parseJsonText(prices) : prices;
  return isRecord(read) ? read : {};
}
