// The spec reporter with additional files for .ci/run: it appends the counts of every suite to the file in CEMM_TEST_SUMMARY,
// the passed tests, one per line, to CEMM_TESTS_PASSED, and readable failures to CEMM_TESTS_FAILED.
const fs = require('node:fs');
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { reporters } = require('mocha');

const mostOfAnError = 1500;

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const { CEMM_TEST_SUMMARY: summary, CEMM_TESTS_PASSED: passed, CEMM_TESTS_FAILED: failed } = process.env;
    if (summary) {
      runner.once('end', () => {
        const { passes = 0, failures = 0, pending = 0 } = this.stats;
        fs.appendFileSync(summary, JSON.stringify({ passed: passes, failed: failures, skipped: pending }) + '\n');
      });
    }
    if (passed) {
      runner.on('pass', (test) => {
        fs.appendFileSync(passed, JSON.stringify({ file: fileOf(test), titles: test.titlePath() }) + '\n');
      });
    }
    if (failed) {
      runner.on('fail', (test, error) => {
        const said = stripVTControlCharacters(String(error?.stack ?? error)).slice(0, mostOfAnError);
        fs.appendFileSync(failed, `${fileOf(test)}: ${test.titlePath().join(' › ')}\n${said.replace(/^/gm, '    ')}\n`);
      });
    }
  }
};

function fileOf(test) {
  return path
    .relative(process.cwd(), test.file ?? '')
    .split(path.sep)
    .join('/');
}
