/** Check of the contracts, for the dialog and cemm-check-flow. The runtime parses them with the same functions. */
import {
  longestContractName,
  mostContracts,
  overlappingRow,
  readContractRows,
} from '../../src/balance/prices/contract-rows';
import { parseJsonText } from '../../src/checks/record';
import type { CheckResult } from '../lib/stored/field-rules';
import { priceProblem } from '../lib/editor/prices/checks';

/** @param written the contracts as JSON */
export function contracts(written: string): CheckResult {
  const found = readContractRows(parseJsonText(written));
  const problem = 'flaw' in found ? found : overlappingRow(found);
  if (problem !== null) {
    const { flaw, name, path, other = '' } = problem;
    const most = flaw === 'name' ? longestContractName : mostContracts;
    return { key: `check.contracts.${flaw}`, values: { contract: name, place: path, other, most } };
  }
  for (const [index, { name, prices, pricesType }] of ('flaw' in found ? [] : found).entries()) {
    const json = typeof prices === 'string' ? prices : JSON.stringify(prices);
    // A variable may hold all prices, or one of them.
    const wrong = pricesType === 'json' && !json.includes('${') ? priceProblem(json) : null;
    if (wrong === null) continue;
    const place = [`contracts[${index}].prices`, wrong.path].filter((part) => part !== '').join('.');
    return { key: 'check.contracts.prices', values: { contract: name, place } };
  }
  return true;
}
