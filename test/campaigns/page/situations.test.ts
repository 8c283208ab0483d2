/** Pictures of the page where something is unusual, checked as the others, and the focus of the keyboard. */
import should from 'should';
import type { Choice } from '../../../nodes/cemm-page/page/draw/choice';
import type { Answer } from '../../../nodes/cemm-page/page/messages';
import type { HouseName } from '../../../src/simulator/houses';
import { answersOf } from '../../support/page/answers-of';
import { HouseAnswers } from '../../support/page/house-answers';
import { Pictures } from '../../support/page/pictures';
import { hiddenFocus } from '../../support/page/shown-text';
import { situate } from '../../support/page/stand-in';

interface Situation {
  readonly choice: Partial<Choice>;
  readonly house?: HouseName;
  /** Local time with its offset. */
  readonly at?: string;
  readonly prices?: object;
  readonly transport?: 'remote';
  readonly of?: (answer: Answer & { state: 'answered' }) => Answer;
}

const noon = '2026-06-18T12:00+02:00';
const winter = '2026-01-14T21:00+01:00';
const wellPaid = { currency: 'EUR', import: 0.2, export: 0.6, gas: 1.3, water: 1.1, per_day: 0.1 };

const situations: Readonly<Record<string, Situation>> = {
  'table of a day': { choice: { view: 'day', shape: 'table' } },
  'table of a day with a battery': { choice: { view: 'day', shape: 'table' }, house: 'battery-measured' },
  'table of a month': { choice: { view: 'month', shape: 'table' } },
  'table of a year': { choice: { view: 'year', shape: 'table' }, transport: 'remote' },
  'a year over the internet': { choice: { view: 'year', compare: 'before' }, transport: 'remote' },
  'curve of a day': { choice: { view: 'day', shape: 'curve', compare: 'week' } },
  'value under the pointer': { choice: { view: 'day', at: 9, compare: 'before' }, house: 'battery-measured' },
  'value under the pointer of a month': { choice: { view: 'month', at: 3, compare: 'year' } },
  'a year with months before the first': {
    choice: { view: 'year', date: '2025-06-01', compare: 'before' },
    transport: 'remote',
  },
  'a month before the first': { choice: { view: 'month', date: '2025-02-01' } },
  'a day before the first': { choice: { view: 'day', date: '2025-02-01' } },
  'income larger than cost, day': { choice: { view: 'day' }, prices: wellPaid },
  'income larger than cost, now': { choice: { view: 'now' }, prices: wellPaid },
  'income larger than cost, bill': { choice: { view: 'bill' }, prices: wellPaid },
  'no prices': { choice: { view: 'bill' }, prices: { currency: 'EUR' } },
  'no prices of a day': { choice: { view: 'day' }, prices: { currency: 'EUR' } },
  'a wrong price': { choice: { view: 'bill', prices: { buy: 'cheap', sell: '', perDay: '' } } },
  'typed prices': { choice: { view: 'bill', prices: { buy: '0,31', sell: '0.07', perDay: '1' } } },
  'a day of 23 hours': { choice: { view: 'day', date: '2026-03-29' } },
  'a day of 25 hours': { choice: { view: 'day', date: '2025-10-26' }, house: 'battery-measured' },
  'a winter evening': { choice: { view: 'now' }, at: winter },
  'a winter day': { choice: { view: 'day', compare: 'before' }, at: winter },
  'the first of January': {
    choice: { view: 'year', compare: 'before' },
    at: '2026-01-01T07:10+01:00',
    transport: 'remote',
  },
  'the first minutes of a day': { choice: { view: 'now' }, at: '2026-06-18T00:04+02:00' },
  'gas of the smart meter': { choice: { view: 'day' }, house: 'gas-in-p1' },
  'the cable was pulled, now': { choice: { view: 'now' }, house: 'p1-pulled' },
  'the cable was pulled, day': { choice: { view: 'day', compare: 'before' }, house: 'p1-pulled' },
  'a meter away for hours': { choice: { view: 'day' }, house: 'p1-away' },
  'water only': { choice: { view: 'day' }, house: 'water-only' },
  'water only, bill': { choice: { view: 'bill' }, house: 'water-only' },
  'the first day, now': { choice: { view: 'now' }, house: 'first-day' },
  'the first day, year': { choice: { view: 'year', compare: 'before' }, house: 'first-day' },
  'the first day, bill': { choice: { view: 'bill' }, house: 'first-day' },
  snow: { choice: { view: 'now' }, house: 'snow' },
  'an inverter that takes power at night': { choice: { view: 'day' }, house: 'inverter-6w', at: winter },
  'a battery that trades': { choice: { view: 'day' }, house: 'battery-trades' },
  'a battery that sells': { choice: { view: 'now' }, house: 'battery-sells', at: '2026-06-18T18:30+02:00' },
  'a battery that sells, month': { choice: { view: 'month', compare: 'before' }, house: 'battery-sells' },
  'three inverters': { choice: { view: 'day' }, house: 'three-inverters' },
  'waiting, now': { choice: { view: 'now' }, of: ({ at }) => ({ state: 'waiting', since: at }) },
  'waiting, bill': { choice: { view: 'bill' }, of: ({ at }) => ({ state: 'waiting', since: at }) },
  'failed after it was shown': {
    choice: { view: 'now' },
    of: (answer) => ({ ...answer, state: 'failed', code: 'MONITOR_OFFLINE', message: '' }),
  },
  'not delivered for hours': {
    choice: { view: 'now' },
    of: (answer) => ({ ...answer, balance: { ...answer.balance, ts: answer.balance.ts - 7_200_000 } }),
  },
};

describe('pictures of unusual situations', function () {
  this.timeout(3_600_000);
  let pictures: Pictures;

  before(async () => {
    pictures = await Pictures.open();
  });

  after(() => pictures.close());

  for (const [name, { choice, house = 'standard', at = noon, prices, transport, of }] of Object.entries(situations)) {
    it(name, async () => {
      const moment = Date.parse(at);
      const answers = await answersOf(new HouseAnswers(house, moment, prices, transport), choice, of);
      const shown = { place: `other-${name.replaceAll(',', '')}`, choice, answers, moment };
      should([
        ...(await pictures.faults({ ...shown, screen: 'desktop', theme: 'light' }, ['en', 'nl'])),
        ...(await pictures.faults({ ...shown, screen: 'phone', theme: 'dark' }, ['en', 'nl', 'de', 'fr'])),
      ]).eql([]);
      should(pictures.errors).eql([]);
    });
  }

  for (const view of ['now', 'day', 'bill'] as const) {
    it(`shows the focus of the keyboard on each control of ${view}`, async () => {
      const moment = Date.parse(noon);
      const answers = await answersOf(new HouseAnswers('standard', moment), { view });
      for (const theme of ['light', 'dark'] as const) {
        await situate(pictures.page, { choice: { view }, answers, moment, language: 'en', theme });
        should(await hiddenFocus(pictures.page)).eql([]);
      }
    });
  }
});
