/** SECURITY.md: the abilities of each attacker, and the test of each line exists. */
import should from 'should';
import { readPage } from '../../../scripts/check-docs';
import { hasTest, namedIn } from '../../support/docs/named-tests';

const attackers = [
  'Somebody on the internet',
  'Somebody in the local network',
  'A visitor of a dashboard, and any page in the browser',
  'A user of the editor with part of the rights',
  'A monitor with a key of its own',
  'The reader of a report',
  'The author of a report',
];

interface Line {
  readonly attempt: string;
  readonly result: string;
  readonly tests: string;
}

const { prose } = readPage('SECURITY.md');

function linesOf(attacker: string): Line[] {
  const section = prose.split(/^#{2,3} /m).find((part) => part.startsWith(`${attacker}\n`)) ?? '';
  return [...section.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
    .map(([, attempt = '', result = '', tests = '']) => ({ attempt, result, tests }))
    .filter(({ tests }) => tests !== 'Test');
}

describe('the attackers of SECURITY.md', () => {
  it('are these', () => {
    const [, table = ''] = prose.split('## Who can do what\n');
    const headings = [...(table.split(/^## /m)[0] ?? '').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    headings.should.eql(attackers);
  });

  it('would notice a test that is not there', () => {
    const file = 'test/unit/docs/security.test.ts';
    hasTest(file, 'would notice a test that is not there').should.be.true();
    hasTest(file, 'would notice a test that is').should.be.false();
    hasTest('test/unit/docs/nowhere.test.ts', 'are these').should.be.false();
  });

  for (const attacker of attackers) {
    describe(attacker, () => {
      const lines = linesOf(attacker);

      it('is refused something', () => {
        lines.some(({ result }) => result.startsWith('cannot')).should.be.true();
      });

      for (const { attempt, result, tests } of lines) {
        it(`${attempt}: ${result}`, () => {
          result.should.match(/^(?:can|cannot)\b/);
          const named = namedIn(tests);
          if (named.length === 0) {
            // Only an ability of an attacker needs no test.
            tests.should.equal('–');
            result.should.startWith('can').and.not.startWith('cannot');
          }
          for (const { file, title } of named) {
            file.should.match(/^test\/.+\.test\.ts$/);
            should(title).be.a.String();
            hasTest(file, title ?? '').should.be.true(`${file} has the test “${title ?? ''}”`);
          }
        });
      }
    });
  }
});
