/** Checks of the fields of a balance: lists of meters, and prices. */
import { isAlias, isKey } from '../../src/limits';
import { batteryName, hasPulses } from '../../src/meter-names';
import type { FieldCheck } from '../lib/editor/checks';
import type { RuleCheck } from '../lib/field-rules';
import { namesIn } from './config';
import { priceProblem, priceRows } from './price-table';

export const meters: FieldCheck = (list) => {
  const wrong = namesIn(list).find((name) => !isAlias(name) && !isKey(name));
  return wrong === undefined ? true : { key: 'check.meters', values: { meter: wrong } };
};

export const battery: FieldCheck = (list) => {
  const names = namesIn(list).map(batteryName);
  const pulsed = names.find(hasPulses);
  return pulsed === undefined ? meters(names.join()) : { key: 'check.battery', values: { meter: pulsed } };
};

/** @param text the name of a price in the dialog */
export function pricesCheck(text: (key: string) => string): RuleCheck {
  return (json, node) => {
    if (node.textOf('pricesType') !== 'json') return true;
    const problem = priceProblem(json);
    if (problem === null) return true;
    if (problem === 'json' || problem === 'currency') return { key: `check.prices.${problem}` };
    if (typeof problem === 'object') {
      return { key: 'check.prices.unknown', values: { price: problem.unknown, list: priceRows.join(', ') } };
    }
    return { key: 'check.prices.price', values: { price: text(`prices.${problem}`) } };
  };
}
