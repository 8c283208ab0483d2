/** The list of prices that a deployed connection has now, for its dialog. */
import { summarizeList } from '../../src/balance/prices/list-summary';
import { parsePricesInParts } from '../../src/balance/prices/prices';
import { dayRange } from '../../src/calendar/periods';
import { wallClock } from '../lib/stored/choice';
import { createPause, runWithPauses } from '../../src/time/pause';
import { millis } from '../../src/time/units';
import type { ConnectionNode } from '../lib/run/connection-node';
import { asCemmError } from '../lib/run/node-error';
import type { PriceListAnswer } from './admin-answers';
import { connectionDefaults } from './config';

const longestPath = 100;

/**
 * @param node null: it is not deployed
 * @param contract name of one of its contracts; blank: its prices
 */
export async function readPriceList(
  node: ConnectionNode | null,
  zone: string | null,
  contract: string,
): Promise<PriceListAnswer> {
  if (node === null) return { state: 'notDeployed', list: null, place: null };
  const timezone = zone ?? connectionDefaults.timezone;
  try {
    const given = (await readGiven(node, contract)) ?? null;
    const now = millis(wallClock());
    const prices = given === null ? null : await runWithPauses(parsePricesInParts(given, timezone), createPause());
    const list = prices === null ? null : summarizeList(prices, dayRange(timezone, now, now), now);
    return list === null
      ? { state: 'none', list, place: null }
      : { state: 'list', list: { ...list, timezone, now }, place: null };
  } catch (thrown) {
    const { reason, params } = asCemmError(thrown);
    if (reason !== 'prices') return { state: 'none', list: null, place: null };
    return { state: 'wrong', list: null, place: String(params['path'] ?? '').slice(0, longestPath) };
  }
}

async function readGiven(node: ConnectionNode, contract: string): Promise<unknown> {
  if (contract === '') return node.prices?.();
  const contracts = (await node.contracts?.()) ?? [];
  return contracts.find(({ row }) => row.name === contract)?.prices;
}
