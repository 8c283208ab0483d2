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
  const client = { socket: 'a', address: '192.0.2.1' };
  let now = noon;

  function asked(): { page: PageState; id: string } {
    const page = new PageState(settings);
    now = noon;
    page.sign(client, { viewer: 'a', wants: [year] }, noon);
    const [question] = page.due(noon);
    if (question === undefined) throw new Error('It asks for the year.');
    next(page);
    return { page, id: question.question };
  }

  /** The next message to the viewer. */
  function next(page: PageState): PageMessage | null {
    now += 1_000;
    return page.messages(now)[0]?.message ?? null;
  }

  it('is in the next message while the question waits', () => {
    const { page, id } = asked();
    page.progress(id, 12, 365, now);
    should(next(page)?.answers[key]).containEql({ state: 'waiting', progress: [12, 365] });
    should(next(page)).equal(null);
  });

  it('is of no interest to questions of others and beside an answer of before', () => {
    const { page, id } = asked();
    page.progress('another', 12, 365, now);
    page.progress(7, 12, 365, now);
    should(next(page)).equal(null);
    page.take({ ...houseDay, question: id }, now);
    next(page);
    page.progress(id, 12, 365, now);
    should(next(page)).equal(null);
  });

  it('stands in the card that waits', () => {
    const answers = { [key]: { state: 'waiting', since: noon, progress: [12, 365] } } as const;
    const choice = { ...firstChoice, view: 'year', date: '2026-01-01', compare: 'none' } as const;
    const states = draw({ ...unanswered, choice, answers }).cards.map(({ state }) => state);
    should(states).eql(['Reading 2026: 12 of 365']);
  });
});
