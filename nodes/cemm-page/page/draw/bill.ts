/** The bill of twelve months: by the contracts of the house, or by prices that were typed or that a node has. */
import type { BalanceContract, BalancePayload } from '../../../../src/model/payload';
import { balanceOf, cardOf, cardsOfAnswer, type Sheet } from './card';
import { billQuestion, isWrong, priceFields } from './choice';
import { contractCards } from './contracts';
import type { Card, Field } from './drawn';
import { lacksElectricity } from './series';

export function billCards(sheet: Sheet): Card[] {
  const wrong = buildPriceFields(sheet).find(({ error }) => error !== '');
  if (wrong !== undefined) {
    return [cardOf('bill', sheet.say('bill'), { state: sheet.say('pair', wrong.name, wrong.error), isFailure: true })];
  }
  return cardsOfAnswer(sheet, billQuestion(sheet.choice, sheet.answers), sheet.say('twelve'), (balance) =>
    contractCards(sheet, balance, balance.contracts ?? [onlyContract(sheet, balance)]),
  );
}

/** The prices that a viewer types are of electricity. */
export function shownPriceFields(sheet: Sheet): Field[] {
  return lacksElectricity(balanceOf(sheet, billQuestion(sheet.choice, sheet.answers))) ? [] : buildPriceFields(sheet);
}

function buildPriceFields({ say, choice, formats }: Sheet): Field[] {
  return priceFields.map((key) => {
    const value = choice.prices[key];
    return { key, name: say(key), value, error: isWrong(choice, key) ? say('noNumber', formats.number(0.25, 2)) : '' };
  });
}

/** Prices without a contract: with netting until the end of 2026. Days from 2027 on have none, and a time with both is shown without it. */
function onlyContract({ say }: Sheet, { bills, moved, batteries, missing, period }: BalancePayload): BalanceContract {
  const [until, later] = bills ?? [null, null];
  const reason = missing['bills.0'] ?? missing['bills.1'];
  const [total, netted] = [later?.total ?? null, until?.netted ?? null];
  const [begins, ends] = period?.label.split('/') ?? [];
  const isNetted = netted !== null && !isLawOver(ends);
  const isUnnetted = !isNetted && netted !== total && !isLawOver(begins);
  return {
    name: say(isUnnetted ? 'totalUnnetted' : isYear(period) ? 'twelve' : 'knownDays'),
    cost: later,
    due: later !== null && isNetted ? netted : total,
    per_month: [],
    moved: moved ?? null,
    batteries: batteries ?? [],
    ...(reason !== undefined && { missing: { due: reason } }),
  };
}

/** @param day such as `2026-12-31` */
function isLawOver(day = ''): boolean {
  return day >= '2027';
}

/** False for a house that is known for a shorter time. */
function isYear(period: BalancePayload['period']): boolean {
  return period === undefined || period.end - period.start >= 364 * 86_400_000;
}
