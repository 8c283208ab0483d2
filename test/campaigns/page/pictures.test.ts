/**
 * All pictures of the page: views, devices, themes, languages, times of a day and households, checked by program: text, places, contrast,
 * and numbers that agree with each other.
 */
import should from 'should';
import { views } from '../../../nodes/cemm-page/page/views';
import type { HouseName } from '../../../src/simulator/houses';
import { answersOf } from '../../support/page/answers-of';
import { HouseAnswers } from '../../support/page/house-answers';
import { Pictures } from '../../support/page/pictures';

const times = { '07:10': '07:10', noon: '12:00', '21:00': '21:00' };

interface Household {
  readonly name: string;
  readonly house: HouseName;
  readonly transport?: 'remote';
  readonly isAway?: true;
}

const households: readonly Household[] = [
  { name: 'gas and sun', house: 'standard' },
  { name: 'no sun', house: 'no-sun', transport: 'remote' },
  { name: 'battery', house: 'battery-measured', transport: 'remote' },
  { name: 'away', house: 'standard', isAway: true },
];
const message = 'The monitor is offline.';

describe('pictures of the page', function () {
  this.timeout(3_600_000);
  let pictures: Pictures;

  before(async () => {
    pictures = await Pictures.open();
  });

  after(() => pictures.close());

  for (const { name, house, transport, isAway = false } of households) {
    for (const [time, clock] of Object.entries(times)) {
      it(`${name} at ${time}`, async () => {
        const moment = Date.parse(`2026-06-18T${clock}:00+02:00`);
        const answering = new HouseAnswers(house, moment, undefined, transport);
        const faults: string[] = [];
        for (const view of views) {
          const choice = { view, compare: 'before' } as const;
          const answers = await answersOf(answering, choice, (answer) =>
            isAway ? { state: 'failed', code: 'MONITOR_OFFLINE', message, at: moment } : answer,
          );
          const shown = { place: `${name}-${time}-${view}`, choice, answers, moment };
          for (const screen of ['desktop', 'tablet', 'phone'] as const) {
            for (const theme of ['light', 'dark'] as const)
              faults.push(...(await pictures.faults({ ...shown, screen, theme }, ['en', 'nl'])));
          }
          // Beside the others: a wide screen, and the long words of German and French on a small one.
          faults.push(...(await pictures.faults({ ...shown, screen: 'wide', theme: 'light' }, ['en', 'nl'])));
          faults.push(...(await pictures.faults({ ...shown, screen: 'phone', theme: 'light' }, ['en', 'de', 'fr'])));
        }
        should(faults).eql([]);
        should(pictures.errors).eql([]);
      });
    }
  }
});
