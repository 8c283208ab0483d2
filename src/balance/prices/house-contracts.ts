/** The contracts of a connection or a question with their prices, and what a bill or a balance counts of them. */
import { periodContaining } from '../../calendar/periods';
import { parseDate } from '../../calendar/dates';
import { CalendarError } from '../../calendar/zone';
import {
  type ContractProblem,
  type ContractRow,
  isDated,
  mostContractsAsked,
  overlappingRow,
  readContractRows,
} from './contract-rows';
import { CemmError } from '../../errors';
import type { InParts } from '../../time/pause';
import type { Millis } from '../../time/units';
import { isRecord, parseJsonText } from '../../checks/record';
import { type BilledContract, type Contract, joinContracts, type Time, wholeContract } from './contracts';
import { type EarlierPrices, parsePricesInParts, type Prices } from './prices';

/** The law ends netting with this day. */
const lastNettedDay = '2026-12-31';

/**
 * The rows of a connection.
 * @throws {CemmError} CONFIG `contracts`, `contracts_overlap`
 */
export function parseContractRows(value: unknown): readonly ContractRow[] {
  const found = readContractRows(value);
  if ('flaw' in found) throw contractError('CONFIG', found);
  const overlap = overlappingRow(found);
  if (overlap !== null) throw contractError('CONFIG', overlap);
  return found;
}

/** Entries of all lists of one question: a year of quarter hours, for import and export, twice. */
const mostEntries = 150_000;

/**
 * The contracts of a question.
 * @param field where they are, such as `msg.payload.contracts`
 * @throws {CemmError} INPUT `contracts`, `prices`
 */
export function* parseContractsAsked(value: unknown, timezone: string, field: string): InParts<Contract[]> {
  const found = readContractRows(value, mostContractsAsked);
  if ('flaw' in found || found.length === 0) {
    const problem: ContractProblem = 'flaw' in found ? found : { flaw: 'list', path: 'contracts', name: '' };
    throw contractError('INPUT', { ...problem, path: problem.path.replace(/^contracts/, field) });
  }
  let entries = 0;
  const contracts: Contract[] = [];
  for (const [index, row] of found.entries()) {
    const place = `${field}[${index}].prices`;
    const prices = objectIn(row.prices);
    entries += listedEntries(prices);
    if (entries > mostEntries)
      throw new CemmError('INPUT', { reason: 'prices', params: { field: place, path: place } });
    contracts.push(yield* parseContract(row, prices, timezone, place));
  }
  return contracts;
}

/** Entries of all lists of an object of prices. */
function listedEntries(prices: unknown): number {
  const values: readonly unknown[] = isRecord(prices) ? Object.values(prices) : [];
  return values.reduce<number>((sum, value) => {
    const list = isRecord(value) ? value['list'] : value;
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
}

/** A row whose prices have been read. */
export interface ReadContract {
  readonly row: ContractRow;
  readonly prices: unknown;
  /** The slots of its lists that were kept. */
  readonly earlier?: EarlierPrices;
}

/**
 * The contracts of a connection.
 * @throws {CemmError} INPUT `prices`; CONFIG `contracts_overlap`, `contracts`
 */
export function* parseHouseContracts(read: readonly ReadContract[], timezone: string): InParts<Contract[]> {
  const contracts: Contract[] = [];
  for (const [index, { row, prices, earlier }] of read.entries()) {
    contracts.push(yield* parseContract(row, prices, timezone, `contracts[${index}].prices`, earlier));
  }
  // The prices of a context are known only now.
  const overlap = overlappingRow(read.map(({ row, prices }) => ({ ...row, prices, pricesType: 'json' })));
  if (overlap !== null) throw contractError('CONFIG', overlap);
  const dated = contracts.filter(({ time }) => time !== null);
  const other = dated.find(({ prices }) => prices.currency !== dated[0]?.prices.currency);
  if (other !== undefined) {
    const path = `contracts[${contracts.indexOf(other)}].prices.currency`;
    throw contractError('CONFIG', { flaw: 'prices', path, name: other.name });
  }
  return contracts;
}

/** The prices of the house at each moment; null without a contract that has dates. */
export function housePrices(contracts: readonly Contract[], timezone: string): Prices | null {
  return historyOf(contracts, timezone, { start: -Infinity, end: Infinity })?.prices ?? null;
}

/**
 * The contracts that a bill compares: the house's own contracts as one, then its offers.
 * @param before the prices of the house without contracts that have dates
 */
export function billedContracts(
  contracts: readonly Contract[],
  before: { readonly name: string; readonly prices: Prices } | null,
  timezone: string,
  period: Time,
): BilledContract[] {
  const own = historyOf(contracts, timezone, period) ?? (before === null ? null : { ...before, netted: [], runs: [] });
  const offers = contracts.filter(({ time }) => time === null).map((offer) => ({ ...offer, netted: [], runs: [] }));
  return [...(own === null ? [] : [own]), ...offers];
}

/** The contracts of a question, each over the whole period. */
export function billedAsAsked(contracts: readonly Contract[], timezone: string): BilledContract[] {
  const endOfNetting = findEndOfNetting(timezone);
  return contracts.map((contract) => wholeContract(contract, endOfNetting));
}

function historyOf(contracts: readonly Contract[], timezone: string, within: Time): BilledContract | null {
  const [first, ...others] = contracts.filter(({ time }) => time !== null);
  if (first === undefined) return null;
  return joinContracts([first, ...others], findEndOfNetting(timezone), within);
}

function findEndOfNetting(timezone: string): Millis {
  return periodContaining('day', timezone, parseDate(lastNettedDay, timezone)).end;
}

function* parseContract(
  row: ContractRow,
  given: unknown,
  timezone: string,
  place: string,
  earlier?: EarlierPrices,
): InParts<Contract> {
  const { name, from, until } = row;
  const prices = yield* parseInPlace(place, parsePricesInParts(objectIn(given), timezone, earlier));
  const time = isDated(row)
    ? {
        start: from === null ? -Infinity : parseContractDay(from, timezone, name).start,
        end: until === null ? Infinity : parseContractDay(until, timezone, name).end,
      }
    : null;
  return { name, time, prices };
}

/** The prices, also of their JSON. */
function objectIn(given: unknown): unknown {
  return typeof given === 'string' ? (parseJsonText(given) ?? given) : given;
}

function parseContractDay(
  date: string,
  timezone: string,
  name: string,
): { readonly start: Millis; readonly end: Millis } {
  try {
    return periodContaining('day', timezone, parseDate(date, timezone));
  } catch (thrown) {
    if (!(thrown instanceof CalendarError)) throw thrown;
    throw contractError('CONFIG', { flaw: 'date', path: date, name });
  }
}

function* parseInPlace<Result>(place: string, parse: InParts<Result>): InParts<Result> {
  try {
    return yield* parse;
  } catch (thrown) {
    if (!(thrown instanceof CemmError) || !isRecord(thrown.params)) throw thrown;
    const { path = '' } = thrown.params;
    const full = path === 'prices' ? place : `${place}.${path}`;
    throw new CemmError('INPUT', { reason: 'prices', params: { field: place, path: full } });
  }
}

/** English, for programs. */
const problems: Readonly<Record<Exclude<ContractProblem['flaw'], 'overlap'>, string>> = {
  list: 'a list of contracts is expected, each with name, prices and, if wanted, from, until and pricesType',
  name: 'the name must have 1 to 40 characters',
  nameTwice: 'another contract has this name already',
  date: 'a date such as 2026-03-01 is expected',
  order: 'the last day is before the first one',
  prices: 'the prices are missing, or of another currency',
};

function contractError(code: 'CONFIG' | 'INPUT', { flaw, path, name, other = '' }: ContractProblem): CemmError {
  if (flaw === 'overlap') {
    return new CemmError('CONFIG', { reason: 'contracts_overlap', params: { contract: name, other } });
  }
  return new CemmError(code, { reason: 'contracts', params: { path, contract: name, problem: problems[flaw] } });
}
