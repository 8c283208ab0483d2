/** The page of cemm-page as one text for a ui-template of Dashboard 2. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { colours } from '../../nodes/lib/colours';
import { own } from '../../nodes/lib/stored/field-rules';
import { bundled } from './editor';
import { withIncluded } from './include';

/** Handlers of the template. */
const calls = ['choose', 'open', 'openDay', 'move', 'step', 'price', 'download'] as const;

/**
 * Dashboard takes the script of a ui-template apart and keeps only the parts of `export default`, each evaluated by itself, so the
 * bundle is inside `data`, with the helpers that the bundler may add.
 */
async function scriptOf(root: string): Promise<string> {
  const bundle = await bundled(root, {
    // An entry without exports needs none of the bundler's helpers for them.
    stdin: {
      contents: "import { startComponent } from './component'; begin = startComponent;",
      resolveDir: path.join(root, 'nodes/cemm-page/page'),
    },
    // Dashboard's printer of scripts does not know class fields.
    target: 'es2021',
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  });
  const methods = calls.map((call) => `${call}(a,b){this.page.viewer.${call}(a,b)}`);
  return [
    'export default{',
    `data(){let begin;${bundle}return{drawn:null,page:{},begin}},`,
    'watch:{msg(){if(this.page.viewer)this.page.viewer.receive(this.msg?.payload)}},',
    `methods:{${methods.join(',')},swipe(event){this.page.swipe(event)},see(place){if(place&&this.page.see)this.page.see(place)}},`,
    'mounted(){this.page=this.begin(this)},',
    'unmounted(){this.page.stop()}',
    '}',
  ].join('');
}

function small(css: string): string {
  return transformSync(css, { loader: 'css', minify: true, charset: 'utf8' }).code.trim();
}

/** Without line ends between tags and without indentation, which Vue leaves out as well, and without spaces inside braces and before `/>`. */
function smallTemplate(html: string): string {
  return html
    .replace(/>\n *(?=<)/g, '>')
    .replace(/\n +/g, '\n')
    .replace(/(?<=\{) | (?=\}|\/>)/g, '');
}

function withColours(css: string): string {
  return css.replace(/COLOUR-(\w+)/g, (_, name: string) => own(colours, name) ?? '');
}

/** `template.html` with the parts that it includes, and `style.css` with the style of each part: a part is two files of one name. */
export async function pageText(root: string): Promise<string> {
  const folder = path.join(root, 'nodes/cemm-page/page');
  const parts = path.join(folder, 'parts');
  const html = withIncluded(path.join(folder, 'template.html'), parts).trim();
  const ofParts = readdirSync(parts).filter((name) => name.endsWith('.css'));
  const styles = [path.join(folder, 'style.css'), ...ofParts.sort().map((name) => path.join(parts, name))].map((file) =>
    readFileSync(file, 'utf8'),
  );
  // In this order the text is smaller when it is compressed: template and style have words in common.
  return [
    `<template>${smallTemplate(html)}</template>`,
    `<style>${small(withColours(styles.join('\n')))}</style>`,
    `<script>${await scriptOf(root)}</script>`,
  ].join('\n');
}
