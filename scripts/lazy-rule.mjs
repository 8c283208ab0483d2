// The only form in which TypeScript of this project loads a module on demand, so that the compiler knows what it gets:
//   import type * as Node from './node';
//   const node = lazy(() => require('./node') as typeof Node);
// The import is also what the rules of the architecture see (scripts/arrows.mjs).

const wrongForm =
  'Write `lazy(() => require(…) as typeof X)` with `import type * as X from …` of the same path (src/loading/lazy.ts).';

export const lazyRule = {
  meta: { type: 'problem', schema: [], messages: { wrongForm } },
  create(context) {
    const imports = new Map();
    return {
      ImportDeclaration({ importKind, source, specifiers }) {
        for (const { local } of importKind === 'type' ? specifiers : []) imports.set(local.name, source.value);
      },
      "CallExpression[callee.name='require']"(node) {
        const { parent } = node;
        const isOnDemand =
          parent.type === 'TSAsExpression' &&
          parent.parent.type === 'ArrowFunctionExpression' &&
          parent.parent.parent.type === 'CallExpression' &&
          parent.parent.parent.callee.name === 'lazy';
        const type = isOnDemand && parent.typeAnnotation.type === 'TSTypeQuery' ? parent.typeAnnotation.exprName : null;
        const [argument] = node.arguments;
        if (type === null || argument?.type !== 'Literal' || imports.get(type.name) !== argument.value)
          context.report({ node, messageId: 'wrongForm' });
      },
    };
  },
};
