/** The list of prices that a deployed connection has now, for its dialog. */
import { summarizeList } from '../../src/balance/prices/list-summary';
import { parsePrices } from '../../src/balance/prices/prices';
import { dayRange } from '../../src/calendar/periods';
import { wallClock } from '../lib/stored/choice';
import { millis } from '../../src/time/units';
import type { ConnectionNode } from '../lib/run/connection-node';
import { asCemmError } from '../lib/run/node-error';
import type { PriceListAnswer } from './admin-answers';
import { connectionDefaults } from './config';

const longestPath = 100;

/** @param node null: it is not deployed */
export async function readPriceList(node: ConnectionNode | null, zone: string | null): Promise<PriceListAnswer> {
  if (node === null) return { state: 'notDeployed', list: null, place: null };
  const timezone = zone ?? connectionDefaults.timezone;
  try {
    const given = (await node.prices?.()) ?? null;
    const now = millis(wallClock());
    const prices = given === null ? null : parsePrices(given, timezone);
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
