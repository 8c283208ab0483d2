/** Cost by part. The total is the one of the balance, everywhere on the page. */
import type { BalanceCost, BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import type { Card, Table } from './drawn';
import { addingUp } from './numbers';
import type { TextKey } from './texts';

const parts: readonly {
  readonly part: 'import' | 'export' | 'export_fee' | 'gas' | 'water' | 'fixed' | 'peak';
  readonly name: TextKey;
}[] = [
  { part: 'import', name: 'import' },
  { part: 'export', name: 'export' },
  { part: 'export_fee', name: 'fee' },
  { part: 'gas', name: 'gas' },
  { part: 'water', name: 'water' },
  { part: 'fixed', name: 'fixed' },
  { part: 'peak', name: 'capacity' },
];

export function costTable({ say, formats }: Sheet, cost: BalanceCost): Table {
  const known = parts.flatMap(({ part, name }) => {
    const value = cost[part];
    return value === null ? [] : [{ name, value: part === 'export' ? -value + 0 : value }];
  });
  const shown = addingUp(
    cost.total,
    known.map(({ value }) => value),
    2,
  );
  return {
    heads: [say('costPart'), say('cost')],
    rows: [
      ...known.map(({ name }, index) => [say(name), formats.money(shown[index], cost.currency)]),
      [say('total'), formats.money(cost.total, cost.currency)],
    ],
    hasSum: true,
  };
}

export function costCards(sheet: Sheet, { cost }: BalancePayload, key: string): Card[] {
  if (cost === undefined || cost.total === null) return [];
  return [cardOf(`${key}-cost`, sheet.say('cost'), { table: costTable(sheet, cost) })];
}
