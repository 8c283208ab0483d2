/** .ci/steps, which .ci/run is made of: what its last lines say. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import should from 'should';

const root = path.resolve(__dirname, '../../..');

/** The lines that a run of these commands prints, and its exit code. */
function run(...commands: string[]): { readonly lines: string[]; readonly status: number | null } {
  const text = ['source .ci/steps', ...commands].join('\n');
  const { stdout, status } = spawnSync('bash', ['-c', text], { cwd: root, encoding: 'utf8' });
  return { lines: stdout.trimEnd().split('\n'), status };
}

const suite = (passed: number): string =>
  `step 'a suite' bash -c 'echo "{\\"passed\\":${passed},\\"failed\\":0,\\"skipped\\":0}" >> "$CEMM_TEST_SUMMARY"'`;

describe('a run of all checks', function () {
  this.timeout(20_000);

  it('ends with the counts of all suites', () => {
    const { lines, status } = run(suite(3), suite(4));
    should(lines.at(-1)).equal('7 passed, 0 failed');
    should(status).equal(0);
    lines.filter((line) => line.startsWith('failed: ')).should.eql([]);
  });

  it('names the lane of each step that failed right before the counts', () => {
    const { lines, status } = run(
      suite(3),
      "( lane=checks; step 'lint' false; step 'types' true ) > /dev/null 2>&1 &",
      'wait',
      'lane=processes',
      "step 'process tests' false",
    );
    lines
      .slice(-3)
      .should.eql([
        'failed: lane checks, step lint',
        'failed: lane processes, step process tests',
        '3 passed, 2 failed',
      ]);
    should(status).equal(1);
  });

  it('fails without a single test', () => {
    const { lines, status } = run("step 'nothing' true");
    should(lines.at(-1)).equal('0 passed, 0 failed');
    should(status).equal(1);
  });
});
