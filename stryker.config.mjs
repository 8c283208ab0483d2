/** Mutation testing, one area at a time: `npm run campaign -- mutation [area …]` (test/mutation.md). */
import { area } from './test/mutation/areas.mjs';

export default {
  mutate: area.mutate,
  testRunner: 'our-mocha',
  plugins: ['./test/mutation/mocha-runner.mjs'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: `test-results/mutation/${process.env.CEMM_MUTATION_AREA}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  tempDirName: 'test-results/stryker',
  ignorePatterns: ['dist', 'docs', 'examples', 'test-results', 'bench'],
};
