/** Cost by part. The total is the one of the balance, everywhere on the page. */
import type { Colour } from '../../../lib/colours';
import type { BalanceCost, BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import type { Card, Shares } from './drawn';
import { totalCost } from './known';
import { addingUp, isNumber } from './numbers';
import type { Slot } from './slots';
import type { TextKey } from './texts';

const parts = [
  { part: 'import', name: 'import', colour: 'import' },
  { part: 'export', name: 'export', colour: 'export' },
  { part: 'export_fee', name: 'fee', colour: 'fee' },
  { part: 'gas', name: 'gas', colour: 'gas' },
  { part: 'water', name: 'water', colour: 'water' },
  { part: 'fixed', name: 'fixed', colour: 'rest' },
  { part: 'peak', name: 'capacity', colour: 'peak' },
] as const satisfies readonly {
  readonly part: keyof BalanceCost;
  readonly name: TextKey;
  readonly colour: Colour | 'fee' | 'rest' | 'peak';
}[];

type Part = (typeof parts)[number]['part'];

/** The known parts. Income has a minus. */
export function costParts(
  valueOf: (part: Part) => number | null | undefined,
): ((typeof parts)[number] & { readonly value: number })[] {
  return parts.flatMap((row) => {
    const value = valueOf(row.part);
    return isNumber(value) ? [{ ...row, value: row.part === 'export' ? -value + 0 : value }] : [];
  });
}

function costShares(
  { say, formats }: Sheet,
  currency: string,
  total: number | null,
  valueOf: (part: Part) => number | null | undefined,
): Shares {
  const known = costParts(valueOf);
  const shown = addingUp(
    total,
    known.map(({ value }) => value),
    2,
  );
  return {
    list: known.flatMap(({ part, name, colour }, index) =>
      shown[index] === 0
        ? []
        : [{ key: part, name: say(name), text: formats.money(shown[index], currency), note: '', colour, part: null }],
    ),
    sum: { name: say('total'), text: formats.money(total, currency) },
  };
}

/** The cost of the period, or of the chosen bar; nothing while the total is not known. */
export function costCards(sheet: Sheet, balance: BalancePayload, slot: Slot | null): Card[] {
  const { cost } = balance;
  const whole = totalCost(balance);
  if (cost === undefined || whole === null) return [];
  const { point } = slot ?? {};
  const total = point === undefined ? whole : point?.['cost'];
  if (!isNumber(total)) return [];
  // The parts of a bar are in newer answers only; a capacity tariff is none of them.
  const ofBar = point === undefined ? null : (part: Part) => (part === 'peak' ? null : point?.[`cost_${part}`]);
  const valueOf = ofBar ?? ((part: Part) => cost[part]);
  return [
    cardOf('cost', sheet.say('cost'), {
      ...(slot !== null && { note: slot.fullName }),
      shares: costShares(sheet, cost.currency, total, valueOf),
    }),
  ];
}
