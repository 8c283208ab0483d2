/** Numbers of the page that agree with each other as they are printed. */
import should from 'should';
import { type Choice, firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import type { Card } from '../../../nodes/cemm-page/page/draw/drawn';
import { type Answer } from '../../../nodes/cemm-page/page/messages';
import type { HouseName } from '../../../src/simulator/houses';
import { answersOf } from '../../support/page/answers-of';
import { sharedAnswers, zone } from '../../support/page/house-answers';
import { wrongSums } from '../../support/page/sums';
import { settings, textsFor } from '../../support/page/sheet';

const evening = Date.parse('2026-01-14T21:07:00+01:00');
const afternoon = Date.parse('2026-06-18T16:40:00+02:00');

interface Plan {
  readonly house?: HouseName;
  readonly moment?: number;
  readonly transport?: 'remote';
}

function cards(chosen: Partial<Choice>, moment: number, answers: Record<string, Answer>): readonly Card[] {
  const frame = { moment, timezone: zone };
  const said = { language: 'en', texts: textsFor('en') };
  return draw({ choice: { ...firstChoice, ...chosen }, answers, frame, message: { settings }, ...said }).cards;
}

async function cardsOf(chosen: Partial<Choice>, plan: Plan = {}): Promise<readonly Card[]> {
  const { house = 'standard', moment = afternoon, transport } = plan;
  return cards(chosen, moment, await answersOf(sharedAnswers(house, moment, transport), chosen));
}

describe('the printed numbers of the page', function () {
  this.timeout(120_000);

  for (const house of ['standard', 'battery-measured', 'inverter-6w', 'no-sun'] as const) {
    it(`add up: ${house}`, async () => {
      for (const moment of [evening, afternoon]) {
        const answering = sharedAnswers(house, moment);
        for (const view of ['now', 'day', 'month'] as const) {
          const answers = await answersOf(answering, { view, compare: 'before' });
          for (const shape of ['bars', 'table'] as const)
            should(wrongSums(cards({ view, shape, compare: 'before' }, moment, answers), 'en')).eql([]);
        }
      }
    });
  }

  it('are found where they do not', async () => {
    const cards = await cardsOf({ view: 'day' });
    const changed = (text: string): string =>
      text.replace(/\d(?=\skWh|$)/, (digit) => String((Number(digit) + 5) % 10));
    const wrong = (change: (card: Card) => Card): number => wrongSums(cards.map(change), 'en').length;
    should(wrong((card) => card)).equal(0);
    should(
      wrong((card) => ({ ...card, tiles: card.tiles.map((tile) => ({ ...tile, text: changed(tile.text) })) })),
    ).be.above(0);
    should(wrong((card) => ({ ...card, hero: card.hero && { ...card.hero, text: changed(card.hero.text) } }))).be.above(
      0,
    );
    should(wrong((card) => ({ ...card, aside: card.aside && changed(card.aside) }))).be.above(0);
    should(wrong((card) => ({ ...card, note: card.aside && card.note.replace(/\d/g, '9') }))).be.above(0);
  });

  it('have no minus where an inverter takes power', async () => {
    const [now] = await cardsOf({ view: 'now' }, { house: 'inverter-6w', moment: evening });
    should(now?.flow?.nodes.find(({ key }) => key === 'sun')?.text).equal('0\u00a0W');
  });

  it('say which part a bill lacks because its meter cannot be read', async () => {
    const [bill] = await cardsOf({ view: 'bill' }, { transport: 'remote' });
    should(bill?.hero?.text).match(/^€\d/);
    should(bill?.hero?.notes).deepEqual(['Water: a meter cannot be read']);
    should(bill?.sentence).equal('');
  });

  it('promise no savings to a house without sun', async () => {
    const cards = await cardsOf({ view: 'bill' }, { house: 'no-sun' });
    const [bill] = cards;
    should(bill?.hero?.text).match(/^€\d/);
    should(cards.some(({ key }) => key === 'savings')).equal(false);
  });

  it('say how much of the compared period was measured', async () => {
    const [year] = await cardsOf({ view: 'year', compare: 'before' }, { transport: 'remote' });
    const [day] = await cardsOf({ view: 'day', compare: 'before' }, { transport: 'remote' });
    const notesOf = (card: Card | undefined) => [card?.hero?.notes, card?.hero?.cost?.notes];
    // The service has a reading at the end of April: 48.7 of 168.7 days.
    should(year?.hero?.cost?.notes.join('; ')).match(/2025, until Jun 18: .*, 28% measured$/);
    for (const notes of notesOf(day)) should(notes?.join('; ')).match(/Wed, June 17, until 16:40: [^,]*\d(?:\skWh)?$/);
  });

  it('say how much was measured of a year that is the sum of its days', async () => {
    // Measured since April 14: 65.7 of 168.7 days.
    const [year] = await cardsOf({ view: 'year', compare: 'before' });
    should(year?.hero?.cost?.notes.join('; ')).match(/2025, until Jun 18: .*, 38% measured$/);
  });

  it('are different at each line of a chart, also in the first minutes of a day', async () => {
    const cards = await cardsOf({ view: 'now' }, { moment: Date.parse('2026-06-18T00:04:00+02:00') });
    should(wrongSums(cards, 'en')).eql([]);
  });

  it('are explained by the days where a house is new', async () => {
    const [bill] = await cardsOf({ view: 'bill' }, { house: 'first-day' });
    should(bill?.sentence).equal('The bill is not known: less than 98% of the days was measured and has a price.');
  });

  it('are those of the other month until the same day of it', async () => {
    for (const [moment, until] of [
      [afternoon, 'May 18'],
      [Date.parse('2026-03-31T16:40:00+02:00'), 'Feb 28'],
    ] as const) {
      const [month] = await cardsOf({ view: 'month', compare: 'before' }, { moment });
      should(month?.hero?.notes.join('; ')).match(new RegExp(`, until ${until}: `));
    }
  });
});
