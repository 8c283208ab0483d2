// The spec reporter, which also appends what .ci/run needs of every suite: its counts to the file named by CEMM_TEST_SUMMARY, and
// the tests that passed, one per line, to the file named by CEMM_TESTS_PASSED.
const fs = require('node:fs');
const path = require('node:path');
const { reporters } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const { CEMM_TEST_SUMMARY: summary, CEMM_TESTS_PASSED: passed } = process.env;
    if (summary) {
      runner.once('end', () => {
        const { passes = 0, failures = 0, pending = 0 } = this.stats;
        fs.appendFileSync(summary, JSON.stringify({ passed: passes, failed: failures, skipped: pending }) + '\n');
      });
    }
    if (passed) {
      runner.on('pass', (test) => {
        const file = path.relative(process.cwd(), test.file).split(path.sep).join('/');
        fs.appendFileSync(passed, JSON.stringify({ file, titles: test.titlePath() }) + '\n');
      });
    }
  }
};
