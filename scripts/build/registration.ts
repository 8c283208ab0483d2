/**
 * Writes `...dialog` in a dialog out: the public palette reads the definition of a node type without running it, and knows no
 * spread (https://github.com/node-red/flow-library, lib/modules.js).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { nodeTypes } from '../../nodes/check-flow/node-types';

/** The functions of nodes/lib/editor/dialog.ts. */
const calls = [
  'paletteLabel',
  'labelStyle',
  'inputLabels',
  'outputLabels',
  'oneditsave',
  'oneditcancel',
  'oneditdelete',
] as const;

const spread = /^ {2}\.\.\.dialog,$/m;

/** @param properties names of the stored properties of the node type */
export function writtenOut(source: string, properties: readonly string[]): string {
  if (!spread.test(source)) throw new Error('The definition of a node type contains `...dialog`.');
  const isOwn = (call: string): boolean => new RegExp(`^ {2}${call}[:(]`, 'm').test(source);
  return source.replace(
    spread,
    [
      `defaults: { ${properties.map((name) => `${name}: dialog.defaults.${name}`).join(', ')} },`,
      ...calls.filter((call) => !isOwn(call)).map((call) => `${call}: dialog.${call},`),
    ].join('\n'),
  );
}

export function definitionsWrittenOut(root: string, type: string): Plugin {
  const file = path.join(root, 'nodes', type, 'editor.ts');
  return {
    name: 'definitions written out',
    setup(build) {
      build.onLoad({ filter: /editor\.ts$/ }, ({ path: loaded }) => {
        if (loaded !== file) return undefined;
        const properties = Object.keys(nodeTypes[type]?.defaults ?? {});
        // Without an export, the bundler takes the module for CommonJS, and wraps it with all that it imports.
        const contents = `${writtenOut(readFileSync(file, 'utf8'), properties)}\nexport {};\n`;
        return { contents, loader: 'ts' };
      });
    },
  };
}
