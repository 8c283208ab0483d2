/** What a viewer chose, and the balances that are asked for it. */
import should from 'should';
import {
  type Choice,
  comparedDay,
  chooseDay,
  firstChoice,
  questionsOf,
  stepped,
} from '../../../nodes/cemm-page/page/draw/choice';
import { addTo, weekNumber } from '../../../nodes/cemm-page/page/draw/dates';
import { type Answer, buildQuestionKey } from '../../../nodes/cemm-page/page/messages';
import { isRecord } from '../../../src/checks/record';
import { readViewerMessage } from '../../../nodes/cemm-page/viewer-message';
import type { BalancePayload } from '../../../src/model/payload';
import { balanceWith } from '../../support/page/sheet';

const timezone = 'Europe/Amsterdam';
const noon = { moment: Date.parse('2026-06-18T12:00:00+02:00'), timezone };
const early = { moment: Date.parse('2026-06-18T07:10:00+02:00'), timezone };

function choice(changes: Partial<Choice>): Choice {
  return { ...firstChoice, ...changes };
}

describe('the choice of a viewer', () => {
  it('asks for the numbers of now first, for today next, for the same weekday before, and for prices', () => {
    questionsOf(choice({ view: 'now' }), noon).should.eql([
      { balance: 'now' },
      { balance: 'day', date: '2026-06-18', step: '1h' },
      { balance: 'day', date: '2026-06-11', step: '1h' },
      { balance: 'prices' },
    ]);
  });

  it('asks for the hours of a year when its carpet is seen', () => {
    const hours = (seesCarpet: boolean) =>
      questionsOf(choice({ view: 'year', compare: 'none', seesCarpet }), noon).map((question) => [
        buildQuestionKey(question),
        question.hours,
      ]);
    hours(false).should.eql([['year 2026', undefined]]);
    hours(true).should.eql([
      ['year 2026', undefined],
      ['year 2026 hours', true],
    ]);
    // Their answer has all of the year.
    const answers = { 'year 2026 hours': { state: 'answered', balance: balanceWith({}), at: 1 } } as const;
    questionsOf(choice({ view: 'year', compare: 'none', seesCarpet: true }), noon, answers)
      .map(buildQuestionKey)
      .should.eql(['year 2026 hours']);
    const wants = [
      { balance: 'year', date: '2026', hours: true },
      { balance: 'day', hours: true },
    ];
    should(readViewerMessage({ viewer: 'viewer-1', wants }, false)?.wants).eql([wants[0], { balance: 'day' }]);
  });

  it('asks for the prices of the hours to come of the day that is running alone', () => {
    const asked = (changes: Partial<Choice>): boolean =>
      questionsOf(choice({ view: 'day', ...changes }), noon).some(({ balance }) => balance === 'prices');
    should(asked({})).equal(true);
    for (const other of [{ date: '2026-06-17' }, { shape: 'curve' }, { view: 'week' }] as const) {
      should(asked(other)).equal(false);
    }
    const wants = [{ balance: 'prices', date: '2026-06-18', hours: true }];
    should(readViewerMessage({ viewer: 'viewer-1', wants }, false)?.wants).eql([{ balance: 'prices' }]);
  });

  it('asks for yesterday as well before 09:00', () => {
    questionsOf(choice({ view: 'now' }), early)
      .map(({ date }) => date)
      .should.eql([undefined, '2026-06-18', '2026-06-17', '2026-06-10', undefined]);
  });

  it('begins with yesterday before 09:00', () => {
    chooseDay(choice({ view: 'day' }), early).should.equal('2026-06-17');
    chooseDay(choice({ view: 'day' }), noon).should.equal('2026-06-18');
    chooseDay(choice({ view: 'month' }), early).should.equal('2026-06-18');
  });

  it('PA7: takes the day of the house, not of UTC', () => {
    const late = { moment: Date.parse('2026-06-18T00:30:00+02:00'), timezone };
    chooseDay(choice({ view: 'year' }), late).should.equal('2026-06-18');
  });

  it('PA6: steps to the period before and after, and not into the future', () => {
    should(stepped(choice({ view: 'day', date: '2026-06-17' }), 1, noon)).equal('2026-06-18');
    should(stepped(choice({ view: 'day' }), 1, noon)).equal(null);
    should(stepped(choice({ view: 'month', date: '2026-03-31' }), -1, noon)).equal('2026-02-28');
    should(stepped(choice({ view: 'year' }), 1, noon)).equal(null);
    should(stepped(choice({ view: 'bill' }), -1, noon)).equal(null);
  });

  it('compares with the period before, a week before and last year, and with the usual one of the view', () => {
    const days = (['none', 'before', 'week', 'year'] as const).map((compare) =>
      comparedDay(choice({ view: 'day', compare }), noon),
    );
    days.should.eql([null, '2026-06-17', '2026-06-11', '2025-06-18']);
    should(comparedDay(choice({ view: 'month', compare: 'week' }), noon)).equal('2026-05-18');
    const usual = (['day', 'month', 'year'] as const).map((view) => comparedDay(choice({ view }), noon));
    usual.should.eql(['2026-06-11', '2026-05-18', '2025-06-18']);
  });

  it('asks for a week by its Monday, and compares it with the one before and with that of 52 weeks before', () => {
    questionsOf(choice({ view: 'week', date: '2026-10-25' }), {
      ...noon,
      moment: noon.moment + 200 * 86_400_000,
    }).should.eql([
      { balance: 'week', date: '2026-10-19' },
      { balance: 'week', date: '2026-10-12' },
    ]);
    should(comparedDay(choice({ view: 'week', compare: 'year' }), noon)).equal('2025-06-19');
    should(stepped(choice({ view: 'week', date: '2026-06-14' }), 1, noon)).equal('2026-06-21');
    should(stepped(choice({ view: 'week', date: '2026-06-15' }), 1, noon)).equal(null);
  });

  it('knows the number of a week', () => {
    const days = ['2026-01-01', '2027-01-01', '2026-10-25', '2026-10-26', '2024-12-30', '2021-01-03'];
    days.map(weekNumber).should.eql([1, 53, 43, 44, 1, 53]);
  });

  it('asks for quarters where the power of a day is drawn, and for its minutes when they have come', () => {
    const curve = choice({ view: 'day', shape: 'curve', compare: 'none' });
    const quarters = { balance: 'day', date: '2026-06-18', step: '15m' } as const;
    questionsOf(curve, noon).should.eql([quarters]);
    const answered = (balance: object): Record<string, Answer> => ({
      [buildQuestionKey(quarters)]: { state: 'answered', balance: balance as BalancePayload, at: 0 },
    });
    const minutes = { balance: 'day', date: '2026-06-18', step: '1m' } as const;
    questionsOf(curve, noon, answered({})).should.eql([quarters, minutes]);
    questionsOf({ ...curve, shape: 'bars' }, noon, answered({})).should.not.containEql(minutes);
  });

  it('asks for a bill with typed prices, with a comma or a point', () => {
    const [question] = questionsOf(choice({ view: 'bill', prices: { buy: '0,27', sell: '0.06', perDay: '' } }), noon);
    const typed = { currency: 'EUR', import: 0.27, export: 0.06, per_day: 0 };
    should(question?.prices).eql([typed, typed]);
    should(questionsOf(choice({ view: 'bill' }), noon)[0]?.prices).equal(undefined);
  });

  it('asks for a bill with typed prices in the currency of the house', () => {
    const typed = choice({ view: 'bill', prices: { buy: '0.27', sell: '0.06', perDay: '' } });
    const [plain] = questionsOf(choice({ view: 'bill' }), noon);
    const cost = { import: 1, export: 0, export_fee: null, gas: null, water: null, fixed: null, peak: null, total: 1 };
    const known = { ...cost, currency: 'SEK', netted: null, per_kwh: 1, coverage: 1 };
    const contract = { name: 'A', cost: known, due: 1, moved: null, batteries: [], per_month: [] };
    const ofBill = plain === undefined ? '' : buildQuestionKey(plain);
    const answered = (balance: BalancePayload): Answer => ({ state: 'answered', balance, at: 1 });
    const currencyWith = (answers: Record<string, Answer>): unknown => {
      const [question] = questionsOf(typed, noon, answers);
      return question?.prices?.map((prices) => isRecord(prices) && prices['currency']);
    };
    should(currencyWith({})).eql(['EUR', 'EUR']);
    should(currencyWith({ [ofBill]: answered(balanceWith({ bills: [null, known] })) })).eql(['SEK', 'SEK']);
    should(currencyWith({ [ofBill]: answered(balanceWith({ contracts: [contract] })) })).eql(['SEK', 'SEK']);
    should(currencyWith({ 'day 2026-06-181h': answered(balanceWith({ cost: known })) })).eql(['SEK', 'SEK']);
  });

  it('knows the last day of a month and leap years', () => {
    addTo('2028-02-29', -1, 'year').should.equal('2027-02-28');
    addTo('2026-12-31', 1, 'day').should.equal('2027-01-01');
  });
});
