/** The page of cemm-page as one text for a ui-template of Dashboard 2. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { colours } from '../../nodes/lib/colours';
import { own } from '../../nodes/lib/field-rules';
import { bundled, smallStyle } from './editor';

/** Properties that neither the template, nor a message, nor the browser reads: the bundle has short names for them. */
const ownNames =
  /^(formats|choice|frame|moment|questions|lineFactor|fullName|compared|isMajor|valueFor|isBelow|comparison|shortName|amount|percent|screen|receive|isBrief|field|money|signedAt|isHidden|ofHouse|ofGrid)$/;

/** Handlers of the template. */
const calls = ['choose', 'step', 'price', 'download'] as const;

/**
 * Dashboard takes the script of a ui-template apart and keeps only the parts of `export default`, each evaluated by itself, so the
 * bundle is inside `data`.
 */
async function scriptOf(root: string): Promise<string> {
  const bundle = await bundled(root, {
    entryPoints: [path.join(root, 'nodes/cemm-page/page/component.ts')],
    format: 'esm',
    // Dashboard's printer of scripts does not know class fields.
    target: 'es2021',
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  });
  const methods = calls.map((call) => `${call}(a,b){this.page.viewer.${call}(a,b)}`);
  const written = [
    'export default{',
    `data(){${withoutExport(bundle)};return{drawn:null,page:{},begin:start}},`,
    'watch:{msg(){if(this.page.viewer)this.page.viewer.receive(this.msg.payload)}},',
    `methods:{${methods.join(',')},swipe(event){this.page.swipe(event)}},`,
    'mounted(){this.page=this.begin(this)},',
    'unmounted(){this.page.stop()}',
    '}',
  ].join('');
  const { minify } = await import('terser');
  const { code = '' } = await minify(written, {
    ...{ module: true, ecma: 2020, compress: { passes: 3, unsafe_arrows: true, unsafe_methods: true } },
    mangle: { properties: { regex: ownNames, builtins: true } },
    format: { comments: false },
  });
  return code.replace(/;$/, '');
}

/** The bundle ends with `export{x as start};`. */
function withoutExport(bundle: string): string {
  return bundle.replace(/export\{(\w+) as start\};?\s*$/, 'const start=$1');
}

function withColours(css: string): string {
  return css.replace(/COLOUR-(\w+)/g, (_, name: string) => own(colours, name) ?? '');
}

export async function pageText(root: string): Promise<string> {
  const read = (name: string): string => readFileSync(path.join(root, 'nodes/cemm-page/page', name), 'utf8');
  const html = read('template.html')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('> <', '><');
  return [
    `<template>${html}</template>`,
    `<script>${await scriptOf(root)}</script>`,
    `<style>${smallStyle(withColours(read('style.css')))}</style>`,
  ].join('\n');
}
