/** The rule about modules that are loaded on demand (scripts/lazy-rule.mjs). */
import { createRequire } from 'node:module';
import { Linter, type Rule } from 'eslint';
import should from 'should';
import tseslint from 'typescript-eslint';

const load = createRequire(__filename);
const { lazyRule } = load('../../../scripts/lazy-rule.mjs') as { lazyRule: Rule.RuleModule };

describe('the rule about what is loaded on demand', () => {
  const linter = new Linter();

  /** The problems of a file that imports the types of ./node and has this line. */
  function problems(line: string): string[] {
    const text = `import type * as Node from './node';\n${line}\n`;
    const found = linter.verify(
      text,
      [
        {
          files: ['**/*.ts'],
          languageOptions: { parser: tseslint.parser },
          plugins: { cemm: { rules: { lazy: lazyRule } } },
          rules: { 'cemm/lazy': 'error' },
        },
      ],
      'runtime.ts',
    );
    return found.map(({ message }) => message);
  }

  it('takes a module with the types of the same path', () => {
    should(problems("export const node = lazy(() => require('./node') as typeof Node);")).eql([]);
  });

  for (const line of [
    "export const node = lazy(() => require('./config') as typeof Node);",
    "export const node = lazy(() => require('./node') as object);",
    "export const node = require('./node') as typeof Node;",
    "export const node = lazy(() => require('./' + name) as typeof Node);",
    "export const node: unknown = lazy(() => require('./node'));",
  ]) {
    it(`refuses ${line}`, () => {
      const [problem, ...more] = problems(line);
      should(problem).startWith('Write `lazy(');
      should(more).eql([]);
    });
  }
});
