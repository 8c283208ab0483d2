/** Each check of `npm run lint:docs` names a deliberate fault by file and line. The checks themselves are in scripts/docs/lint-docs. */
import 'should';
import { architectureAgrees } from '../../../scripts/docs/lint-docs/architecture';
import { attackersHaveTests } from '../../../scripts/docs/lint-docs/attackers';
import { canvasIsReadable } from '../../../scripts/docs/lint-docs/canvas';
import { dashboardsAreProtected } from '../../../scripts/docs/lint-docs/dashboards';
import { examplesFollowTheirRules } from '../../../scripts/docs/lint-docs/examples';
import { fieldsAgree } from '../../../scripts/docs/lint-docs/fields';
import { hasTest } from '../../../scripts/docs/lint-docs/named-tests';
import * as pages from '../../../scripts/docs/lint-docs/pages';
import { payloadsAreComplete } from '../../../scripts/docs/lint-docs/payloads';
import { qualityHasTests } from '../../../scripts/docs/lint-docs/quality-scale';
import { quotedNamesAreShown } from '../../../scripts/docs/lint-docs/quoted-names';
import { checkWith, readText } from '../../../scripts/docs/lint-docs/text';
import { wordsAreUsual } from '../../../scripts/docs/lint-docs/words';
import { hashOf, shapeDifference } from '../../../scripts/docs/twins';

type Deliberate = readonly [check: () => string[], file: string, from: string | RegExp, to: string, fault: RegExp];

const example = 'examples/alarms.json';
const deliberate: readonly Deliberate[] = [
  [pages.pagesHold, 'docs/fleets.md', '](evidence/fleets.md)', '](evidence/nowhere.md)', /nowhere\.md is not there/],
  [pages.pagesHold, 'docs/fleets.md', '](images/fleet.svg)', '](fleets.md)', /fleets\.md is no picture/],
  [pages.pagesHold, 'docs/fleets.md', '# Many monitors', '# Many\n\n[x](webhooks.md#nothing)', /no such heading/],
  [pages.pagesHold, 'docs/webhooks.md', '```json\n{', '```json\n{{', /a sample in json cannot be read/],
  [pages.pagesHold, 'CONTRIBUTING.md', '```\n', '```\nnpm nothing\n', /npm has no command nothing here/],
  [
    pages.pagesHold,
    'docs/fleets.md',
    '# Many monitors',
    '# Many monitors of spec.md',
    /spec\.md is not in the repository/,
  ],
  [
    pages.pagesHold,
    'docs/decisions/past-days.md',
    'kept-series.ts',
    'kept-list.ts',
    /kept-list\.ts is not in the repo/,
  ],
  [
    pages.nothingIsLost,
    'CONTRIBUTING.md',
    /docs\/releasing\.md/g,
    'docs/fleets.md',
    /releasing\.md:1: cannot be reached/,
  ],
  [pages.nothingIsLost, 'docs/fleets.md', 'images/fleet.svg', 'images/palette.png', /fleet\.svg:1: is on no page/],
  [pages.generatedPagesAgree, 'docs/payload.md', /\n\| `schema`.*/, '', /payload\.md:\d+: is out of date.*build-docs/],
  [pages.generatedPagesAgree, 'docs/for-assistants.md', '## Ten', '## Two', /is out of date.*build-assistants/],
  [pages.translationsAgree, 'docs/nl/webhooks.md', /^## .*\n/m, '', /nl\/webhooks\.md:\d+: “.*” stands where/],
  [pages.translationsAgree, 'docs/webhooks.md', /^## .*$/m, '## Another', /docs\/webhooks\.md has changed/],
  [pages.translationsAgree, 'README.md', '[Nederlands](', '[Dutch](', /README\.md:1: no link to the Dutch one/],
  [pages.readmeIsComplete, 'README.md', 'docs/nodes/cemm-page.md', 'docs/nodes/cemm-totals.md', /no link to cemm-page/],
  [pages.readmeIsComplete, 'README.md', '| `alarms` |', '| `alarm` |', /the example alarms is missing/],
  [pages.readmeIsComplete, 'package.json', '"license": "MIT"', '"license": "ISC"', /badge license-ISC is missing/],
  [pages.readmeIsComplete, 'README.md', '"kind": "realtime"', '"kind": "series"', /the first message is no reading/],
  [pages.readmeHasItsOrder, 'README.md', '## From a copy', '## A word\n\n## From a copy', /README\.md:\d+: its order/],
  [pages.readmeHasItsOrder, 'README.md', 'npm ci && npm test', 'npm test', /the commands of a copy/],
  [
    pages.readmeLinksAreAbsolute,
    'README.md',
    /\]\(https:[^)]*fleets\.md/,
    '](docs/fleets.md',
    /fleets\.md leads to another/,
  ],
  [pages.manifestAgrees, 'CHANGELOG.md', /^## \S+/m, '## 0.0.1', /CHANGELOG\.md:\d+: the package has the version/],
  [pages.manifestAgrees, 'package.json', '"homepage": "https:', '"homepage": "http:', /package\.json:\d+: the site is/],
  [pages.errorsAreListed, 'docs/troubleshooting.md', '| `RATE` |', '| `RATES` |', /the codes are/],
  [pages.errorsAreListed, 'docs/webhooks.md', '429 `', '428 `', /webhooks\.md:\d+: the webhook does not answer 428/],
  [
    architectureAgrees,
    'docs/architecture.md',
    '`src/clients/',
    '`src/client/',
    /architecture\.md:\d+: src\/client\/.* is not there/,
  ],
  [
    architectureAgrees,
    'docs/architecture.md',
    '`src/webhook/raw-body.ts`',
    '`src/formats/rows.ts`',
    /architecture\.md:\d+: src\/formats\/rows\.ts imports no file above it/,
  ],
  [
    architectureAgrees,
    'docs/architecture.md',
    '`src/webhook/raw-body.ts`',
    '`src/webhook/receiver.ts`',
    /architecture\.md:\d+: “From a delivery” names src\/webhook\/receiver\.ts twice/,
  ],
  [architectureAgrees, 'docs/architecture.md', '## A page', '## Pages', /architecture\.md:1: “A page” names few files/],
  [
    architectureAgrees,
    'docs/architecture.md',
    '## A page',
    `${'\n'.repeat(20)}## A page`,
    /architecture\.md:\d+: the paths have more than 60 lines/,
  ],
  [
    architectureAgrees,
    'scripts/arrows.mjs',
    /^ {2}balance: \[/m,
    "  balance: ['webhook', ",
    /the imports src\/balance: .* is missing/,
  ],
  [
    attackersHaveTests,
    'SECURITY.md',
    '### Somebody on the internet',
    '### Anybody',
    /the attacker Anybody is not known/,
  ],
  [
    attackersHaveTests,
    'SECURITY.md',
    /(\| cannot.*)“[^”]+”/,
    '$1“nothing”',
    /SECURITY\.md:\d+: .* has no test “nothing”/,
  ],
  [qualityHasTests, 'docs/evidence/quality-scale.md', /^\| `brands`.*\n/m, '', /the rule brands is missing/],
  [
    qualityHasTests,
    'docs/evidence/quality-scale.md',
    /“[^”]+”/,
    '“nothing”',
    /quality-scale\.md:\d+: .*“nothing” is not there/,
  ],
  [
    quotedNamesAreShown,
    'docs/nl/webhooks.md',
    /\*Webhook-URL\*/g,
    '*Webhook URL*',
    /nl\/webhooks\.md:\d+: nobody sees “Webhook URL”/,
  ],
  [
    wordsAreUsual,
    'docs/webhooks.md',
    /^(# .*)$/m,
    '$1\n\nThe dearest hour.',
    /webhooks\.md:3: “dearest” → most expensive/,
  ],
  [fieldsAgree, 'docs/fields.md', '| `gas_m3`', '| `gas_l`', /fields\.md:\d+: the code says gas_m3 m³/],
  [
    payloadsAreComplete,
    'docs/nodes/cemm-totals.md',
    '"kind": "totals",',
    '"kind": "totals", "more": 1,',
    /cemm-totals\.md:\d+: .*additional properties/,
  ],
  [examplesFollowTheirRules, example, '"mode": "demo"', '"mode": "local"', /alarms\.json:\d+: has not the connection/],
  [examplesFollowTheirRules, example, /"version": \d,\n/, '', /alarms\.json:\d+: \S+: has not the version of its type/],
  [
    dashboardsAreProtected,
    'examples/energy-page.json',
    ', "ui-template"]',
    ']',
    /energy-page\.json:12: cemm-live-base: visitors can change templates/,
  ],
  [
    dashboardsAreProtected,
    'docs/for-assistants.md',
    ',"ui-template"]',
    ']',
    /for-assistants\.md:\d+: today-base: visitors/,
  ],
  [canvasIsReadable, example, /"y": \d+/, '"y": 20', /alarms\.json:\d+: .*is at the edge/],
];

describe('npm run lint:docs', function () {
  this.timeout(60_000);

  for (const [check, file, from, to, fault] of deliberate) {
    it(`${check.name}: ${file}, ${String(fault)}`, () => {
      const text = readText(file);
      const changed = text.replace(from, to);
      changed.should.not.equal(text);
      const found = checkWith(file, changed, check);
      found.some((one) => fault.test(one)).should.be.true(`found ${found.join('; ')}`);
      for (const one of found) one.should.match(/^[\w./-]+:\d+: /);
    });
  }

  it('knows a test by its whole title', () => {
    const file = 'test/unit/docs/lint-docs.test.ts';
    hasTest(file, 'knows a test by its whole title').should.be.true();
    hasTest(file, 'knows a test by its whole').should.be.false();
    hasTest('test/unit/docs/nowhere.test.ts', 'knows a test by its whole title').should.be.false();
  });
});

describe('the comparison of two languages', () => {
  const page = '# House\n\nText.\n\n## Gas\n\n| a | b |\n|---|---|\n| `1|2` | 3 |\n';

  it('accepts another language', () => {
    shapeDifference(
      page,
      '# Huis\n\nWoorden, en meer.\n\n## Gas\n\n| x | y |\n|---|---|\n| z | 3 |\n',
    ).should.be.empty();
  });

  it('finds a heading that is missing, too much, or of another level', () => {
    for (const other of [page.replace('## Gas\n', ''), `${page}\n## Water\n`, page.replace('## ', '### ')]) {
      shapeDifference(page, other).length.should.equal(1);
    }
  });

  it('finds a table with another row or column', () => {
    shapeDifference(page, `${page}| 4 | 5 |\n`).length.should.equal(1);
    shapeDifference(page, page.replace('| 3 |', '|')).length.should.equal(1);
  });

  it('notices a change of a heading or a cell, and none of a sentence', () => {
    hashOf(page).should.not.equal(hashOf(page.replace('Gas', 'Water')));
    hashOf(page).should.not.equal(hashOf(page.replace('| 3 |', '| 4 |')));
    hashOf(page).should.equal(hashOf(page.replace('Text.', 'Other text.')));
  });
});
