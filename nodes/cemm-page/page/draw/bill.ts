/** The bill of twelve months, with and without netting. */
import type { BalancePayload } from '../../../../src/model/payload';
import { cardOf, cardsOfAnswer, type Sheet } from './card';
import { billQuestion, isWrong, priceFields } from './choice';
import { contractCards } from './contracts';
import { costShares } from './cost';
import type { Card, Field, Tile } from './drawn';
import { amountIn, isNumber, rounded } from './numbers';
import { partReasons } from './tiles';

const reasons = ['no_price', 'too_few_days', 'not_measured'] as const;

export function billCards(sheet: Sheet): Card[] {
  const wrong = fieldsOf(sheet).find(({ error }) => error !== '');
  if (wrong !== undefined) {
    return [cardOf('bill', sheet.say('bill'), { state: sheet.say('pair', wrong.name, wrong.error), isFailure: true })];
  }
  return cardsOfAnswer(sheet, billQuestion(sheet.choice), sheet.say('twelve'), ({ contracts, ...balance }) =>
    contracts === undefined ? cardsOf(sheet, balance) : contractCards(sheet, balance, contracts),
  );
}

export function fieldsOf({ say, choice, formats }: Sheet): Field[] {
  return priceFields.map((key) => {
    const value = choice.prices[key];
    return { key, name: say(key), value, error: isWrong(choice, key) ? say('noNumber', formats.number(0.25, 2)) : '' };
  });
}

function cardsOf(sheet: Sheet, balance: BalancePayload): Card[] {
  const { say, formats } = sheet;
  const { bills: [until, later] = [null, null], share, period, peak } = balance;
  const money = (value: number | null | undefined): string => formats.money(value, later?.currency ?? 'EUR');
  const [netted, total] = [until?.netted ?? null, later?.total ?? null];
  const date = (ts: number): string => formats.date(ts, { day: 'numeric', month: 'short', year: 'numeric' });
  const tile = (key: string, name: string, text: string, colour: Tile['colour'] = null): Tile => ({
    ...{ key, name, colour, ...amountIn(text), notes: [] },
  });
  const kw = isNumber(peak?.power_w) ? [tile('peak', say('peak'), formats.amount(peak.power_w / 1000, 'kW', 2))] : [];
  const tiles = [
    tile('netted', say('netted'), money(netted)),
    tile('total', say('unnetted'), money(total)),
    ...(isSaving(balance.moved) ? [tile('moved', say('moved'), money(balance.moved), 'production')] : []),
    ...(balance.batteries ?? []).flatMap(({ kwh, saved }) =>
      isSaving(saved)
        ? [tile(`battery ${kwh}`, say('batteryOf', formats.amount(kwh, 'kWh', 0)), money(saved), 'battery')]
        : [],
    ),
    ...kw,
  ];
  return [
    cardOf('bill', say('bill'), {
      note: period === undefined ? '' : `${date(period.start)} – ${date(period.end - 1)}`,
      ...{ sentence: sentenceOf(sheet, balance, netted, total, money), tiles },
      notes: isNumber(share) && share < 1 ? [say('measured', formats.percent(share))] : [],
    }),
    ...(later === null || later.total === null
      ? []
      : [
          cardOf('parts', say('unnetted'), {
            shares: costShares(sheet, later.currency, later.total, (part) => later[part]),
          }),
        ]),
  ];
}

/** A house without sun has nothing to save. */
function isSaving(amount: number | null | undefined): amount is number {
  return isNumber(amount) && rounded(amount, 2) > 0;
}

/** The only difference that the page takes itself: of the two shown amounts. */
function sentenceOf(
  { say }: Sheet,
  { missing, share }: BalancePayload,
  netted: number | null,
  total: number | null,
  money: (value: number) => string,
): string {
  if (netted === null || total === null) {
    const reason = missing['bills.0'] ?? missing['bills.1'];
    // With all days of the smart meter, it is another meter.
    const [part] = (share ?? 0) >= 0.98 ? partReasons(say, missing, 'bills.0') : [];
    return say('noBill', part ?? say(reasons.find((one) => one === reason) ?? 'unknown'));
  }
  const more = rounded(rounded(total, 2) - rounded(netted, 2), 2);
  if (more === 0) return say('equal', money(total));
  return say('without', money(total), money(netted), money(Math.abs(more)), say(more > 0 ? 'more' : 'less'));
}
