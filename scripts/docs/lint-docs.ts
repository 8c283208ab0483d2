// Checks the texts and links of README and docs, and the rules of the examples (`npm run lint:docs`). Prints each fault with file
// and line. A check is a function that returns faults; test/unit/docs/lint-docs.test.ts shows that each finds one.
import { architectureAgrees } from './lint-docs/architecture';
import { attackersHaveTests } from './lint-docs/attackers';
import { canvasIsReadable } from './lint-docs/canvas';
import { dashboardsAreProtected } from './lint-docs/dashboards';
import { examplesFollowTheirRules } from './lint-docs/examples';
import { fieldsAgree } from './lint-docs/fields';
import * as pages from './lint-docs/pages';
import { payloadsAreComplete } from './lint-docs/payloads';
import { qualityHasTests } from './lint-docs/quality-scale';
import { quotedNamesAreShown } from './lint-docs/quoted-names';
import { wordsAreUsual } from './lint-docs/words';

const checks: readonly (() => string[])[] = [
  ...[pages.pagesHold, pages.nothingIsLost, pages.generatedPagesAgree, pages.translationsAgree],
  ...[pages.readmeIsComplete, pages.readmeHasItsOrder, pages.readmeLinksAreAbsolute, pages.manifestAgrees],
  ...[pages.errorsAreListed, architectureAgrees, attackersHaveTests, qualityHasTests, quotedNamesAreShown],
  ...[wordsAreUsual, fieldsAgree, payloadsAreComplete, examplesFollowTheirRules, canvasIsReadable],
  dashboardsAreProtected,
];

const faults = checks.flatMap((check) => check());
for (const fault of faults) console.error(fault);
if (faults.length > 0) console.error(`${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
