// The spec reporter, which also appends its counts to the file named by CEMM_TEST_SUMMARY: .ci/run adds them up over all suites.
const fs = require('node:fs');
const { reporters } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.CEMM_TEST_SUMMARY;
    if (file) {
      runner.once('end', () => {
        const { passes = 0, failures = 0, pending = 0 } = this.stats;
        fs.appendFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }) + '\n');
      });
    }
  }
};
