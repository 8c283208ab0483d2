/** What a card that waits says of one long question. */
import should from 'should';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import { firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import type { PageMessage } from '../../../nodes/cemm-page/page/messages';
import { PageState } from '../../../nodes/cemm-page/page-state';
import { noon, settings, unanswered } from '../../support/page/drawn-house';
import { houseDay } from '../../support/formats/payloads';

const year = { balance: 'year', date: '2026' } as const;
const key = 'year 2026';

describe('the progress of a question', () => {
  function asked(): { page: PageState; id: string } {
    const page = new PageState(settings, 'node');
    page.sign({ viewer: 'a', wants: [year] }, noon);
    const [question] = page.due(noon);
    if (question === undefined) throw new Error('It asks for the year.');
    page.message(noon);
    return { page, id: question.question };
  }

  const answerIn = (message: PageMessage | null): unknown => message?.answers[key];

  it('is in the next message while the question waits', () => {
    const { page, id } = asked();
    page.progress(id, 12, 365);
    should(answerIn(page.message(noon))).containEql({ state: 'waiting', progress: [12, 365] });
    should(page.message(noon)).equal(null);
  });

  it('is of no interest to questions of others and beside an answer of before', () => {
    const { page, id } = asked();
    page.progress('another', 12, 365);
    page.progress(7, 12, 365);
    should(page.message(noon)).equal(null);
    page.take({ ...houseDay, question: id }, noon);
    page.message(noon);
    page.progress(id, 12, 365);
    should(page.message(noon)).equal(null);
  });

  it('stands in the card that waits', () => {
    const answers = { [key]: { state: 'waiting', since: noon, progress: [12, 365] } } as const;
    const choice = { ...firstChoice, view: 'year', date: '2026-01-01' } as const;
    const states = draw({ ...unanswered, choice, answers }).cards.map(({ state }) => state);
    should(states).eql(['Reading 2026: 12 of 365']);
  });
});
