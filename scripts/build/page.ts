/** The page of cemm-page as one text for a ui-template of Dashboard 2. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { colours } from '../../nodes/lib/colours';
import { own } from '../../nodes/lib/field-rules';
import { bundled, smallStyle } from './editor';

/** Properties that neither a message, nor a text, nor the browser reads: script and template have short names for them. */
const ownNames =
  /^(picker|hasNext|compares|isChosen|shapes|downloads|labels|cards|isFailure|isOld|isWide|scene|tiles|chart|columns|rects|lines|marks|legend|atName|atText|isMinor|ticks|hasSum|heads|isAway|seconds|clock|notes|note|sentence|title|way|icon|colour|name|text|fields|formats|choice|frame|moment|questions|lineFactor|fullName|compared|isMajor|valueFor|shareFor|isBelow|comparison|shortName|amount|percent|screen|receive|isBrief|field|money|signedAt|isHidden|ofHouse|ofGrid|names|digits|rows|sums|series|parts|error|input|shown|leave)$/;

/** `$` and a name → its short name. */
type ShortNames = Readonly<Record<string, string>>;

/** Handlers of the template. */
const calls = ['choose', 'step', 'price', 'download'] as const;

/**
 * Dashboard takes the script of a ui-template apart and keeps only the parts of `export default`, each evaluated by itself, so the
 * bundle is inside `data`.
 */
async function scriptOf(root: string): Promise<{ code: string; shortNames: ShortNames }> {
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
    'watch:{msg(){if(this.page.viewer)this.page.viewer.receive(this.msg?.payload)}},',
    `methods:{${methods.join(',')},swipe(event){this.page.swipe(event)}},`,
    'mounted(){this.page=this.begin(this)},',
    'unmounted(){this.page.stop()}',
    '}',
  ].join('');
  const { minify } = await import('terser');
  const nameCache: { props?: { props?: ShortNames } } = {};
  const { code = '' } = await minify(written, {
    nameCache,
    ...{ module: true, ecma: 2020, compress: { passes: 6, unsafe_arrows: true, unsafe_methods: true } },
    mangle: { properties: { regex: ownNames, builtins: true } },
    format: { comments: false },
  });
  return { code: code.replace(/;$/, ''), shortNames: nameCache.props?.props ?? {} };
}

/** The bundle ends with `export{x as start};`. */
function withoutExport(bundle: string): string {
  return bundle.replace(/export\{(\w+) as start\};?\s*$/, 'const start=$1');
}

function withColours(css: string): string {
  return css.replace(/COLOUR-(\w+)/g, (_, name: string) => own(colours, name) ?? '');
}

/** With short names of the custom properties that the template does not use; values of custom properties keep their spaces otherwise. */
function smallPageStyle(css: string): string {
  return smallStyle(withColours(css))
    .replace(/([:,]) /g, '$1')
    .replace(/\b0\./g, '.')
    .replace(/--(text|ground|soft|line|fill)\b/g, (_, [first = '']: string) => `--${first}`);
}

export async function pageText(root: string): Promise<string> {
  const read = (name: string): string => readFileSync(path.join(root, 'nodes/cemm-page/page', name), 'utf8');
  const { code, shortNames } = await scriptOf(root);
  const html = read('template.html')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('> <', '><')
    .replace(/(?<!\.)\.(\w+)/g, (whole, name: string) =>
      own(shortNames, `$${name}`) === undefined ? whole : `.${own(shortNames, `$${name}`)}`,
    );
  return [
    `<template>${html}</template>`,
    `<script>${code}</script>`,
    `<style>${smallPageStyle(read('style.css'))}</style>`,
  ].join('\n');
}
