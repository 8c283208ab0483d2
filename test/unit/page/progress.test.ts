/** What a card that waits says of one long question. */
import should from 'should';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import { firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import type { Answer, PageMessage } from '../../../nodes/cemm-page/page/messages';
import { PageState } from '../../../nodes/cemm-page/page-state';
import { type Change, drawnOf, noon, unanswered } from '../../support/page/drawn-house';
import { settings } from '../../support/page/sheet';
import { houseDay } from '../../support/formats/payloads';

const year = { balance: 'year', date: '2026' } as const;
const key = 'year 2026';

describe('the progress of a question', () => {
  const client = { socket: 'a', address: '192.0.2.1' };
  let now = noon;

  function asked(): { page: PageState; id: string } {
    const page = new PageState(settings);
    now = noon;
    page.noteSign(client, { viewer: 'a', wants: [year] }, noon);
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
    page.addBalance({ ...houseDay, question: id }, now);
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

describe('a long period that is known in part', () => {
  const client = { socket: 'a', address: '192.0.2.1' };
  const reading = { done: 12, all: 169, unit: 'day' } as const;
  const part = (question: string, done: number) => ({ ...houseDay, question, progress: { ...reading, done } });

  function asked(): { page: PageState; id: string } {
    const page = new PageState(settings);
    // The house is known.
    page.addBalance(houseDay, noon);
    page.noteSign(client, { viewer: 'a', wants: [year, { balance: 'day', date: '2026-06-18' }] }, noon);
    const questions = page.due(noon);
    should(questions.map(({ balance, progress = false }) => [balance, progress])).eql([
      ['day', false],
      ['year', true],
    ]);
    return { page, id: questions[1]?.question ?? '' };
  }

  function answerIn(page: PageState, at: number): Answer | undefined {
    page.noteSign(client, { viewer: 'a', wants: [year] }, at);
    return page.messages(at)[0]?.message.answers[key];
  }

  it('is shown as it grows, with the time since which it is read', () => {
    const { page, id } = asked();
    page.progress(id, 1, 300, noon);
    page.addBalance(part(id, 12), noon + 2_000);
    should(answerIn(page, noon + 2_000)).containEql({ state: 'answered', since: noon });
    page.addBalance(part(id, 60), noon + 4_000);
    should(answerIn(page, noon + 4_000)).containEql({ state: 'answered', since: noon });
    page.addBalance(part(id, 169), noon + 6_000);
    should(answerIn(page, noon + 6_000)).not.have.property('since');
  });

  it('is not asked again while it grows', () => {
    const { page, id } = asked();
    for (let second = 2; second < 300; second += 2) {
      const now = noon + 1_000 * second;
      page.noteSign(client, { viewer: 'a', wants: [year] }, now);
      page.addBalance(part(id, 12), now);
      should(page.due(now)).eql([]);
    }
    page.noteSign(client, { viewer: 'a', wants: [year] }, noon + 359_000);
    should(page.due(noon + 359_000).map(({ question }) => question)).eql([id]);
  });

  it('leaves a whole answer of before as it is', () => {
    const { page, id } = asked();
    page.addBalance(part(id, 169), noon);
    should(answerIn(page, noon)).containEql({ state: 'answered' });
    page.addBalance(part(id, 12), noon + 2_000);
    should(answerIn(page, noon + 2_000)).equal(undefined);
  });

  it('has what is known beside how much is read, and outlines the bars that are not', async () => {
    const change: Change = (balance) => ({
      ...balance,
      progress: { done: 14, all: 18, unit: 'day' },
      coverage: { energy_house_kwh: 0.2, energy_import_kwh: 0.2 },
      points: (balance.points ?? []).map((point, index) => (index < 4 ? { ts: point.ts } : point)),
    });
    const { cards } = await drawnOf({ view: 'month', compare: 'none' }, { change });
    should(cards[0]).containEql({ state: 'Reading June 2026: 14 of 18 days', progress: [14, 18], sentence: '' });
    should(cards[0]?.hero?.number).startWith('≥');
    const chart = cards.flatMap((card) => card.chart ?? [])[0];
    should(chart?.unread.length).equal(4);
    should(chart?.columns.some(({ isUnknown }) => isUnknown)).equal(false);
  });

  it('says since when a house is known that began within it', async () => {
    const since = Date.parse('2026-06-10T00:00:00+02:00');
    const change: Change = (balance) => ({ ...balance, since, coverage: { energy_house_kwh: 0.5 } });
    const { cards } = await drawnOf({ view: 'month', compare: 'none' }, { change });
    should(cards[0]?.hero?.name).equal('Used, since Jun 10');
    should(cards[0]?.sentence).equal('The measurements begin on June 10.');
  });
});
