/** The prices of the next hours: this hour, the cheapest three hours in a row, and the price line of a day that is running. */
import should from 'should';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import type { Card } from '../../../nodes/cemm-page/page/draw/drawn';
import type { Answer } from '../../../nodes/cemm-page/page/messages';
import { PageState } from '../../../nodes/cemm-page/page-state';
import { parsePrices } from '../../../src/balance/prices/prices';
import { daysOfPrices, pricePoints } from '../../../src/balance/prices/price-points';
import { hourMs, millis } from '../../../src/time/units';
import { inputOf, noon } from '../../support/page/drawn-house';
import { settings } from '../../support/page/sheet';
import { houseNow } from '../../support/formats/payloads';

const timezone = 'Europe/Amsterdam';
const midnight = Date.parse('2026-06-18T00:00:00+02:00');

/** Prices of today and tomorrow, by the hour or by the quarter of an hour. */
function priced(values: readonly number[], stepMs = hourMs): Answer & { state: 'answered' } {
  const list = values.map((value, index) => ({ start: midnight + index * stepMs, value }));
  const prices = parsePrices({ currency: 'EUR', ...(list.length > 0 && { import: list }) }, timezone);
  const period = daysOfPrices({}, { timezone, now: millis(noon) });
  return { state: 'answered', balance: pricePoints({ prices, period, transport: 'demo', now: noon }), at: noon };
}

async function cardsWith(answer: Answer, language = 'en'): Promise<Card[]> {
  const input = await inputOf({ view: 'now' }, { language });
  return [...draw({ ...input, answers: { ...input.answers, 'prices ': answer } }).cards];
}

const byHour = (priceAt: (hour: number) => number): number[] => Array.from({ length: 48 }, (_, hour) => priceAt(hour));

describe('the price of the next hours', () => {
  it('is that of this hour, with the cheapest three hours in a row', async () => {
    const answer = priced(byHour((hour) => (hour >= 14 && hour < 17 ? 0.05 + hour / 1000 : 0.3)));
    const card = (await cardsWith(answer)).find(({ key }) => key === 'price');
    should(card?.tiles[0]?.text).equal('€0.300');
    should(card?.notes).eql(['Cheapest three hours: 14:00–\u206017:00, €0.064 – €0.066']);
    should(card?.prices?.label).startWith(
      '12:00–\u206013:00 €0.300, 13:00–\u206014:00 €0.300, 14:00–\u206015:00 €0.064',
    );
    should(card?.prices?.cheap).containEql({ x: 11.111 });
  });

  it('says tomorrow of hours after midnight', async () => {
    const answer = priced(byHour((hour) => (hour >= 27 && hour < 30 ? 0.1 : 0.3)));
    const notes = async (language: string): Promise<readonly string[]> =>
      (await cardsWith(answer, language)).find(({ key }) => key === 'price')?.notes ?? [];
    should(await notes('en')).eql(['Cheapest three hours: 03:00–\u206006:00 tomorrow, €0.100']);
    should((await notes('nl'))[0]).startWith('Goedkoopste drie uur: 03:00–\u206006:00 morgen, ');
  });

  it('counts quarters of an hour where the prices have them', async () => {
    const values = Array.from({ length: 192 }, (_, quarter) => (quarter >= 58 && quarter < 70 ? 0.1 : 0.3));
    const card = (await cardsWith(priced(values, hourMs / 4))).find(({ key }) => key === 'price');
    should(card?.notes[0]).startWith('Cheapest three hours: 14:30–\u206017:30');
  });

  it('is a dash where it is not known, and counts no hour without a price as cheap', async () => {
    const answer = priced(byHour((hour) => hour / 100));
    const points = answer.balance.points?.filter((_, index) => index < 12 || index >= 16) ?? [];
    const unknown = answer.balance.points?.slice(12, 16).map(({ ts, end = 0 }) => ({ ts, end, price_import: null }));
    const balance = { ...answer.balance, points: [...points, ...(unknown ?? [])].sort((a, b) => a.ts - b.ts) };
    const card = (await cardsWith({ ...answer, balance })).find(({ key }) => key === 'price');
    should(card?.tiles[0]?.text).equal('–');
    should(card?.notes[0]).startWith('Cheapest three hours: 16:00');
  });

  it('is absent where the price never changes, or no price is known', async () => {
    for (const answer of [priced(byHour(() => 0.3)), priced([])]) {
      should((await cardsWith(answer)).map(({ key }) => key)).not.containEql('price');
    }
  });

  it('goes on in the price line of a day that is running', async () => {
    const input = await inputOf({ view: 'day' });
    const lineWith = (answers: Record<string, Answer>): string => {
      const { cards } = draw({ ...input, answers: { ...input.answers, ...answers } });
      return cards.flatMap(({ chart }) => chart ?? [])[0]?.lines[0]?.d ?? '';
    };
    should(lineWith({})).equal('');
    should(lineWith({ 'prices ': priced(byHour((hour) => 0.2 + hour / 1000)) })).endWith('H100');
  });
});

describe('the question for prices', () => {
  it('is answered by no house, and is asked again after 15 minutes', () => {
    const page = new PageState(settings);
    const client = { socket: 'a', address: '192.0.2.1' };
    page.addBalance(houseNow, noon);
    page.noteSign(client, { viewer: 'a', wants: [{ balance: 'prices' }] }, noon);
    const [question] = page.due(noon);
    const answer = priced([]);
    should(page.addBalance({ ...answer.balance, question: question?.question ?? '' }, noon)).equal(true);
    const message = page.messages(noon)[0]?.message;
    should(message?.house).equal(houseNow.monitor.id);
    should(Object.keys(message?.answers ?? {})).eql(['prices ']);
    page.noteSign(client, { viewer: 'a', wants: [{ balance: 'prices' }] }, noon + 899_000);
    should(page.due(noon + 899_000)).eql([]);
    page.noteSign(client, { viewer: 'a', wants: [{ balance: 'prices' }] }, noon + 900_000);
    should(page.due(noon + 900_000).length).equal(1);
  });
});
