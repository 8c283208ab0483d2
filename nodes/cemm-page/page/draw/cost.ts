/** Cost by part. The total is the one of the balance, everywhere on the page. */
import type { Colour } from '../../../lib/colours';
import type { BalanceCost, BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import type { Card } from './drawn';
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

/** The known parts as they are shown: they add up to the shown total. */
export function shownCostParts(
  total: number | null,
  valueOf: (part: Part) => number | null | undefined,
  digits: number,
): ((typeof parts)[number] & { readonly shown: number | null })[] {
  const known = costParts(valueOf);
  const amounts = known.map(({ value }) => value);
  const shown = addingUp(total, amounts, digits);
  return known.map((row, index) => ({ ...row, shown: shown[index] ?? null }));
}

/** The cost of the period, or of the chosen bar; nothing while the total is not known. */
export function costCards({ say, formats }: Sheet, balance: BalancePayload, slot: Slot | null): Card[] {
  const { cost } = balance;
  const whole = totalCost(balance);
  if (cost === undefined || whole === null) return [];
  const { point } = slot ?? {};
  const total = point === undefined ? whole : point?.['cost'];
  if (!isNumber(total)) return [];
  // The parts of a bar are in newer answers only; a capacity tariff is none of them.
  const ofBar = point === undefined ? null : (part: Part) => (part === 'peak' ? null : point?.[`cost_${part}`]);
  const valueOf = ofBar ?? ((part: Part) => cost[part]);
  const money = (amount: number | null): string => formats.money(amount, cost.currency);
  const list = shownCostParts(total, valueOf, 2).flatMap(({ part, name, colour, shown }) =>
    shown === 0 ? [] : [{ key: part, name: say(name), text: money(shown), note: '', colour, part: null }],
  );
  const sum = { name: say('total'), text: money(total) };
  return [cardOf('cost', say('cost'), { ...(slot !== null && { note: slot.fullName }), shares: { list, sum } })];
}
