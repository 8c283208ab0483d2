import should from 'should';
import { campaigns } from '../../../scripts/campaign';
import {
  complaints,
  faults,
  faultsPage,
  faultTests,
  groupOf,
  groups,
  measuredByHand,
  notApplicable,
} from '../../../scripts/docs/faults';

/** That the titles of all tests fit it is a check of `npm run lint`: `npx tsx scripts/docs/faults.ts titles`. */
describe('the fault catalogue', () => {
  const ids = Object.keys(faults);

  it('lists every id once, in order', () => {
    const expected = Object.keys(groups).flatMap((group) =>
      ids.filter((id) => groupOf(id) === group).map((_, index) => `${group}${index + 1}`),
    );
    should(ids).eql(expected);
  });

  it('has a sentence for every id', () => {
    for (const [id, sentence] of Object.entries(faults)) should(sentence.length).be.within(8, 120, id);
  });

  it('finds a fault without a test and an id without a fault', () => {
    const test = (title: string) => ({ file: 'x.test.ts', titles: ['a suite', title] });
    const all = ids.filter((id) => id !== 'WA3').map((id) => test(`${id}: works`));
    should(complaints(faultTests([...all, test('rejects WA3: something')]))).match([/^WA3 has no test: /]);
    should(complaints(faultTests([...all, test('WA3, WA999: works')]))).match([
      /^WA999 is not in .*x\.test\.ts: works$/,
    ]);
    should(complaints(faultTests([...all, test('WA3: works')]))).be.empty();
  });

  it('says only of listed faults that they do not apply', () => {
    for (const id of Object.keys(notApplicable)) should(id in faults).be.true(id);
  });

  it('names commands that exist for what is measured by hand', () => {
    for (const [id, { command }] of Object.entries(measuredByHand)) {
      should(id in faults).be.true(id);
      should((/^npm run campaign -- (\S+)/.exec(command)?.[1] ?? '') in campaigns).be.true(id);
    }
  });

  it('has a page with every fault and the tests that show it', () => {
    const page = faultsPage(faultTests([{ file: 'x.test.ts', titles: ['a suite', 'WA3: works'] }]));
    for (const id of ids) should(page).containEql(`\n| ${id} | `);
    should(page).match(/^\| WA3 \| .* \| `x\.test\.ts`: a suite: works \|$/m);
  });
});
