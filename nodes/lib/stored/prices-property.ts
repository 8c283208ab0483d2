/** The prices of a connection or of a balance node, from where the node says that they are. */
import type { ReadContract } from '../../../src/balance/prices/house-contracts';
import type { ContractRow } from '../../../src/balance/prices/contract-rows';
import { readNumber } from '../../../src/checks/limits';
import { type Evaluation, expandEnv, noValue, resolveTyped } from './typed-input';

interface StoredPrices {
  readonly prices?: string;
  readonly pricesType?: string;
}

/** `import.list[0].value.t1` */
const mostDepth = 6;

const kinds = ['json', 'msg', 'flow', 'global', 'jsonata'] as const;

/**
 * The unchecked prices; null without prices.
 * @throws {CemmError} as resolveTyped, and INPUT `no_value`
 */
export async function readPrices({ prices = '', pricesType }: StoredPrices, evaluation: Evaluation): Promise<unknown> {
  const type = kinds.find((known) => known === pricesType);
  if (type === undefined) return null;
  const { RED, node } = evaluation;
  const expand = (text: string): string => expandEnv(RED, node, text);
  // A variable may hold all prices, or one of them.
  const isVariable = type === 'json' && /^\s*\$\{[^}]+\}\s*$/.test(prices);
  const given = await resolveTyped('prices', isVariable ? expand(prices) : prices, type, evaluation);
  if (given === undefined || given === null) throw noValue('prices', type);
  return type === 'json' ? expanded(given, expand, mostDepth) : given;
}

/**
 * The unchecked prices of each contract of a connection.
 * @throws {CemmError} as readPrices
 */
export function readContracts(rows: readonly ContractRow[], evaluation: Evaluation): Promise<readonly ReadContract[]> {
  return Promise.all(
    rows.map(async (row): Promise<ReadContract> => {
      const { prices, pricesType } = row;
      const text = typeof prices === 'string' ? prices : JSON.stringify(prices);
      return { row, prices: await readPrices({ prices: text, pricesType }, evaluation) };
    }),
  );
}

function expanded(value: unknown, expand: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string' && value.includes('${')) return readNumber(expand(value)) ?? expand(value);
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => expanded(one, expand, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expanded(one, expand, depth - 1)]));
}
