/** Checks of prices in JSON, for dialogs and cemm-check-flow. The node itself checks the times of a list. */
import { parseDays, parseHours, parseMonths } from '../../../../src/balance/prices/zone-words';
import {
  fixedPriceNames,
  isCurrency,
  mostZones,
  priceNames,
  unitPriceNames,
  unitPrices,
} from '../../../../src/balance/prices/prices-input';
import { isAbsent, isRecord, parseJsonText, type UnknownRecord } from '../../../../src/checks/record';
import type { RuleCheck } from '../../stored/field-rules';
import { holdsVariable } from '../checks';
import { priceNames as namesInForm } from './form';

/** A mistake and its place: `import`, `import.t3`, `export[0].value`. */
export interface PriceProblem {
  readonly is: 'blank' | 'json' | 'currency' | 'unknown' | 'number' | 'zone';
  readonly path: string;
}

/** As in src/balance/prices. */
const mostPrice = 1e6;

/** The first problem; null if there is none. */
export function priceProblem(json: string): PriceProblem | null {
  if (json.trim() === '') return { is: 'blank', path: '' };
  const prices = parseJsonText(json);
  if (!isRecord(prices)) return { is: 'json', path: '' };
  const { currency, netting, example, peak } = prices;
  if (!isCurrency(currency)) return { is: 'currency', path: 'currency' };
  if (!isAbsent(netting) && typeof netting !== 'boolean') return { is: 'number', path: 'netting' };
  if (!isAbsent(example) && typeof example !== 'boolean') return { is: 'number', path: 'example' };
  return first([
    () => unknownName(prices, priceNames, ''),
    ...unitPriceNames.map((name) => () => priceOf(prices[name], name, unitPrices[name].hasTariffs)),
    ...fixedPriceNames.map((name) => () => number(prices[name], name)),
    () => (isAbsent(peak) ? null : checkPeak(peak)),
  ]);
}

type Found = PriceProblem | null;

function first(checks: readonly (() => Found)[]): Found {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

function priceOf(value: unknown, path: string, hasTariffs: boolean): Found {
  if (isAbsent(value)) return null;
  if (Array.isArray(value)) return listOf(value, path, hasTariffs);
  if (hasTariffs && isRecord(value) && 'zones' in value) return zonesOf(value, path);
  if (!isRecord(value) || !('list' in value)) return checkPriceValue(value, path, hasTariffs);
  const { list, times, plus, every } = value;
  return first([
    () => unknownName(value, ['list', 'times', 'plus', 'every'], `${path}.`),
    () => (isAbsent(every) || every === '1h' ? null : { is: 'number', path: `${path}.every` }),
    () => (Array.isArray(list) ? listOf(list, `${path}.list`, hasTariffs) : { is: 'number', path: `${path}.list` }),
    () => number(times, `${path}.times`),
    () => number(plus, `${path}.plus`),
  ]);
}

function listOf(list: readonly unknown[], path: string, hasTariffs: boolean): Found {
  if (list.length === 0) return { is: 'number', path };
  return first(list.map((entry, index) => () => checkEntry(entry, `${path}[${index}]`, hasTariffs)));
}

function checkEntry(entry: unknown, path: string, hasTariffs: boolean): Found {
  if (!isRecord(entry)) return { is: 'number', path };
  return first([
    () => unknownName(entry, ['start', 'end', 'value'], `${path}.`),
    () => checkPriceValue(entry['value'], `${path}.value`, hasTariffs),
  ]);
}

function zonesOf(price: UnknownRecord, path: string): Found {
  const { value, zones } = price;
  const list: readonly unknown[] = Array.isArray(zones) ? zones : [];
  return first([
    () => unknownName(price, ['value', 'zones'], `${path}.`),
    () => number(value, `${path}.value`),
    () => (list.length > 0 && list.length <= mostZones ? null : { is: 'number', path: `${path}.zones` }),
    ...list.map((zone, index) => () => zoneOf(zone, `${path}.zones[${index}]`)),
  ]);
}

const zoneWords = { months: parseMonths, days: parseDays, hours: parseHours } as const;

function zoneOf(zone: unknown, path: string): Found {
  if (!isRecord(zone)) return { is: 'number', path };
  return first([
    () => unknownName(zone, [...Object.keys(zoneWords), 'value'], `${path}.`),
    ...(Object.keys(zoneWords) as (keyof typeof zoneWords)[]).map((name) => (): Found => {
      const words = zone[name];
      const isRight = isAbsent(words) || holdsVariable(words) || zoneWords[name](words) !== null;
      return isRight ? null : { is: 'zone', path: `${path}.${name}` };
    }),
    () => needed(zone['value'], `${path}.value`),
  ]);
}

function checkPriceValue(value: unknown, path: string, hasTariffs: boolean): Found {
  return hasTariffs && isRecord(value) ? members(value, ['t1', 't2'], path) : needed(value, path);
}

function checkPeak(peak: unknown): Found {
  if (!isRecord(peak)) return { is: 'number', path: 'peak' };
  const { per_kw_year: price, at_least_kw: least } = peak;
  return first([
    () => unknownName(peak, ['per_kw_year', 'at_least_kw'], 'peak.'),
    () => needed(price, 'peak.per_kw_year') ?? notNegative(price, 'peak.per_kw_year'),
    () => number(least, 'peak.at_least_kw') ?? notNegative(least, 'peak.at_least_kw'),
  ]);
}

/** All of these, and no others. */
function members(value: UnknownRecord, names: readonly string[], path: string): Found {
  return first([
    () => unknownName(value, names, `${path}.`),
    ...names.map((name) => () => needed(value[name], `${path}.${name}`)),
  ]);
}

function number(value: unknown, path: string): Found {
  return isAbsent(value) ? null : needed(value, path);
}

/** A variable is a text. */
function needed(value: unknown, path: string): Found {
  const isNumber = typeof value === 'number' && Math.abs(value) <= mostPrice;
  return isNumber || holdsVariable(value) ? null : { is: 'number', path };
}

function notNegative(value: unknown, path: string): Found {
  return typeof value === 'number' && value < 0 ? { is: 'number', path } : null;
}

function unknownName(value: UnknownRecord, names: readonly string[], before: string): Found {
  const name = Object.keys(value).find((one) => !names.includes(one));
  return name === undefined ? null : { is: 'unknown', path: before + name };
}

/** @param text the name of a price in the dialog */
export function pricesCheck(text: (key: string) => string): RuleCheck {
  return (json, node) => {
    const kind = node.textOf('pricesType');
    if (kind === 'connection' && node.textOf('connection') === '') return { key: 'check.prices.connection' };
    const problem = kind === 'json' ? priceProblem(json) : null;
    if (problem === null) return true;
    const { is, path } = problem;
    if (is === 'unknown') return { key: 'check.prices.unknown', values: { price: path, list: priceNames.join(', ') } };
    if (is === 'zone') return { key: 'check.prices.zone', values: { price: path } };
    if (is !== 'number') return { key: `check.prices.${is}` };
    const name = namesInForm.find((one) => one === /^\w+/.exec(path)?.[0]);
    const isPlain = name === path || /^\w+\.(?:t1|t2)$|^peak\./.test(path);
    const price = name !== undefined && isPlain ? text(`form.price.${name}`) : path;
    return { key: 'check.prices.number', values: { price } };
  };
}
