/** Pictures of the page with each preset of Dashboard's theme, checked as the others. */
import should from 'should';
import { views } from '../../../nodes/cemm-page/page/views';
import { answersOf } from '../../support/page/answers-of';
import { HouseAnswers } from '../../support/page/house-answers';
import { Pictures } from '../../support/page/pictures';
import { presetThemes } from '../../support/page/stand-in';

const moment = Date.parse('2026-06-18T13:40+02:00');

describe('pictures of the page with the presets of Dashboard', function () {
  this.timeout(3_600_000);
  let pictures: Pictures;

  before(async () => {
    pictures = await Pictures.open();
  });

  after(() => pictures.close());

  it('knows the presets', () => {
    should(presetThemes).containDeep(['light', 'dark', 'dracula', 'nord', 'sepia'].map((name) => `preset-${name}`));
  });

  for (const house of ['demo', 'battery-measured', 'no-sun'] as const) {
    const answering = new HouseAnswers(house, moment, undefined, 'remote');
    for (const theme of presetThemes) {
      it(`${house} with ${theme}`, async () => {
        const faults: string[] = [];
        for (const view of views) {
          const choice = { view, compare: 'before', seesCarpet: true } as const;
          const shown = {
            place: `preset-${house}-${view}`,
            choice,
            moment,
            answers: await answersOf(answering, choice),
          };
          for (const screen of ['desktop', 'phone'] as const)
            faults.push(...(await pictures.faults({ ...shown, screen, theme }, ['en'])));
        }
        should(faults).eql([]);
        should(pictures.errors).eql([]);
      });
    }
  }
});
