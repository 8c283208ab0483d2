/** The page of cemm-page as one text for a ui-template of Dashboard 2. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundled, smallStyle } from './editor';

/** Handlers of the template. */
const calls = ['choose', 'step'] as const;

/**
 * Dashboard takes the script of a ui-template apart and keeps only the parts of `export default`, each evaluated by itself, so the
 * bundle is inside `data`.
 */
async function scriptOf(root: string): Promise<string> {
  const bundle = await bundled(root, {
    entryPoints: [path.join(root, 'nodes/cemm-page/page/component.ts')],
    globalName: 'cemmPage',
    target: 'es2018',
  });
  const methods = calls.map((call) => `${call}(a){this.page.viewer.${call}(a)}`);
  return [
    'export default{',
    `data(){${bundle};return{drawn:null,page:{},begin:cemmPage.start}},`,
    'watch:{msg(){if(this.page.viewer)this.page.viewer.receive(this.msg.payload)}},',
    `methods:{${methods.join(',')}},`,
    'mounted(){this.page=this.begin(this)},',
    'unmounted(){this.page.stop()}',
    '}',
  ].join('');
}

export async function pageText(root: string): Promise<string> {
  const read = (name: string): string => readFileSync(path.join(root, 'nodes/cemm-page/page', name), 'utf8');
  const html = read('template.html')
    .trim()
    .replace(/\s*\n\s*/g, '\n');
  return [
    `<template>${html}</template>`,
    `<script>${await scriptOf(root)}</script>`,
    `<style>${smallStyle(read('style.css'))}</style>`,
  ].join('\n');
}
