/** The nodes of the example `dynamic-prices` for a connection, with what its contract adds to the market price. */
import { isRecord, parseJsonText } from '../../../../src/checks/record';
import type { AnyNode } from '../red';

/** Amounts that a contract adds, by the names of the example's environment variables. */
export const additions = ['SURCHARGE', 'TAX', 'VAT'] as const;

export type Additions = Readonly<Record<(typeof additions)[number], number>>;

/** Prices that the example makes of the list. */
const listed = ['currency', 'import', 'export', 'example'];

interface PriceFlow {
  readonly connection: string;
  readonly amounts: Additions;
  /** The JSON of the form: what does not change by the hour stays. */
  readonly prices: string;
  readonly newId: () => string;
}

/** The nodes of the example with new ids, for this connection. */
export function priceFlow(example: readonly AnyNode[], { connection, amounts, prices, newId }: PriceFlow): AnyNode[] {
  const configs = new Set(example.filter(({ type }) => type === 'cemm-connection').map(({ id }) => id));
  const ids = new Map(example.map(({ id }) => [id, configs.has(id) ? connection : newId()]));
  const stored = parseJsonText(prices);
  const others = Object.entries(isRecord(stored) ? stored : {}).filter(([name]) => !listed.includes(name));
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(additions.map((name) => [name, String(amounts[name])])),
    OTHER_PRICES: JSON.stringify(Object.fromEntries(others)),
  };
  return example
    .filter(({ id }) => !configs.has(id))
    .map((node) => {
      const copy = withNewIds(node, ids);
      return node.type === 'tab' ? { ...copy, env: withValues(node['env'], values) } : copy;
    });
}

/** The node with each text that is an id replaced, at any depth, such as those of wires and links. */
function withNewIds(node: AnyNode, ids: ReadonlyMap<string, string>): AnyNode {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(replace);
    return value;
  };
  const entries = Object.entries(node).map(([name, value]) => [name, replace(value)]);
  return { ...node, ...(Object.fromEntries(entries) as Record<string, unknown>) };
}

function withValues(env: unknown, values: Readonly<Record<string, string>>): unknown {
  const list: unknown[] = Array.isArray(env) ? env : [];
  return list.map((one) => {
    const name = isRecord(one) ? one['name'] : undefined;
    const value = typeof name === 'string' ? values[name] : undefined;
    return isRecord(one) && value !== undefined ? { ...one, value } : one;
  });
}
