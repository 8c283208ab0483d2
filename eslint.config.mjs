import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { arrows } from './scripts/arrows.mjs';
import { lazyRule } from './scripts/lazy-rule.mjs';

const noExportedLet = {
  selector: 'ExportNamedDeclaration > VariableDeclaration[kind="let"]',
  message: 'Others would read the first value (test/support/mocha/plain-exports.cjs): export a function.',
};

const noSpreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties themselves: `...{ a, b }` only keeps lines together.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'site/dist/**', 'node_modules/**', 'test-results/**', '.demo/**'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './tsconfig.editor.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      eqeqeq: ['error', 'always'],
      'no-restricted-syntax': ['error', noExportedLet, noSpreadLiteral],
      'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  ...arrows,
  {
    files: ['src/**/*.ts', 'nodes/**/*.ts'],
    plugins: { cemm: { rules: { lazy: lazyRule } } },
    rules: {
      'cemm/lazy': 'error',
      '@typescript-eslint/no-require-imports': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.object.name="Math"] > SpreadElement, CallExpression[callee.property.name=/^(?:push|unshift|splice|fromCharCode|concat)$/] > SpreadElement',
          message:
            'A list of more than about 100,000 entries as arguments is a RangeError: use a loop, or largest() and smallest().',
        },
        noExportedLet,
        noSpreadLiteral,
      ],
    },
  },
  // should.js asserts through getters (`x.should.be.true`), which the rule takes for statements without effect.
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unused-expressions': 'off', 'max-lines': 'off' } },
  { files: ['**/*.{cjs,mjs,js}'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.{cjs,mjs,js}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'require',
          'module',
          'setInterval',
          'globalThis',
          'performance',
          'fetch',
          'AbortController',
          'AbortSignal',
        ].map((name) => [name, 'writable']),
      ),
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
