/** Finds prices in a flow file that the node cannot use, and those that look like cents. */
import { parsePrices } from '../../src/balance/prices/prices';
import { CemmError } from '../../src/errors';
import { mostUsualPrice, priceNames, unusualPrices } from '../../src/balance/prices/prices-input';
import { closest } from '../../src/checks/closest';
import { parseJsonText } from '../../src/checks/record';
import type { Complaint } from './finding';

/** Names inside a price. */
const innerNames = [
  'start',
  'end',
  'value',
  't1',
  't2',
  'list',
  'times',
  'plus',
  'every',
  'zones',
  'months',
  'days',
  'hours',
  'per_kw_year',
  'at_least_kw',
];
const timezone = 'Europe/Amsterdam';

/** @param json of the property `field` */
export function checkPrices(field: string, json: string): Complaint | null {
  const complainAbout = (message: string): Complaint => ({
    problem: 'wrong_value',
    field,
    message: `“${field}”: ${message}`,
  });
  const prices = parseJsonText(json);
  if (prices === undefined) return complainAbout('this is no JSON.');
  const path = flawIn(prices);
  if (path !== null) return complainAbout(flawText(path));
  const [unusual, ...more] = unusualPrices(prices);
  if (unusual === undefined) return null;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return {
    problem: 'unusual_value',
    field,
    message: `“${field}”: “${unusual}”${others} above ${mostUsualPrice} EUR per kWh. Is this in cents?`,
  };
}

/** The path of the property that is wrong; null if all are right. */
function flawIn(prices: unknown): string | null {
  try {
    parsePrices(prices, timezone);
    return null;
  } catch (thrown) {
    const path = thrown instanceof CemmError ? thrown.params['path'] : undefined;
    if (typeof path !== 'string') throw thrown;
    return path;
  }
}

function flawText(path: string): string {
  if (path === 'prices') return 'this is no object of prices, such as { "currency": "EUR", "import": 0.25 }.';
  if (path === 'currency') return '“currency” has to be a text such as “EUR”.';
  const name =
    path
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? path;
  const known: readonly string[] = path === name ? priceNames : innerNames;
  if (known.includes(name)) return `“${path}” is missing, or no price.`;
  const instead = closest(name, known);
  const advice = instead === null ? `There are: ${known.join(', ')}.` : `Write “${instead}”.`;
  return `there is no price “${path}”. ${advice}`;
}
