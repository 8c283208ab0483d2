/**
 * The sentences of the page for every household of the simulator at five moments, over the internet and in the own network: none is
 * false. With a file name in the environment variable SENTENCES, they are written to it.
 */
import { writeFileSync } from 'node:fs';
import should from 'should';
import { CemmError } from '../../../src/errors';
import { views, type PeriodView } from '../../../nodes/cemm-page/page/views';
import { isPeriod } from '../../../nodes/cemm-page/page/draw/choice';
import { houses, type HouseName } from '../../../src/simulator/houses';
import { saidNow, saidOf } from '../../support/page/false-sentences';
import { HouseAnswers } from '../../support/page/house-answers';

const moments = [
  '2026-06-18T07:10+02:00',
  '2026-06-18T13:40+02:00',
  '2026-06-18T21:00+02:00',
  '2026-01-14T18:30+01:00',
  '2026-10-25T10:20+01:00',
];
/** In the own network a year is read day by day, which takes seconds. */
const ofLocalYear = moments[1];
/** Houses whose electricity is not known. */
const silent: ReadonlySet<HouseName> = new Set(['water-only', 'webhook-only']);
const periods = views.filter((view): view is PeriodView => isPeriod(view));

/** A house that cannot be asked has no sentence. */
function unanswered(error: unknown): null {
  if (error instanceof CemmError) return null;
  throw error;
}

describe('sentences of the page', function () {
  this.timeout(3_600_000);
  let said = 0;
  const texts: string[] = [];

  for (const name of Object.keys(houses) as HouseName[])
    it(`says nothing false about the house ${name}`, async () => {
      const before = said;
      for (const moment of moments) {
        for (const transport of ['remote', 'demo'] as const) {
          const answers = new HouseAnswers(name, Date.parse(moment), undefined, transport);
          const all = [await saidNow(answers).catch(unanswered)];
          for (const view of periods) {
            if (view === 'year' && transport === 'demo' && moment !== ofLocalYear) continue;
            all.push(await saidOf(answers, view).catch(unanswered));
          }
          const there = all.filter((one) => one !== null);
          said += there.length;
          texts.push(...there.flatMap((one) => one.texts.map((text) => `${name} ${transport} ${moment}: ${text}`)));
          should(there.flatMap(({ fault }) => (fault === '' ? [] : [`${transport} ${moment} ${fault}`]))).eql([]);
        }
      }
      if (!silent.has(name)) should(said).be.above(before);
    });

  after(() => {
    const file = process.env['SENTENCES'];
    if (file !== undefined) writeFileSync(file, `${texts.join('\n')}\n`);
    should(said).be.above(150);
  });
});
