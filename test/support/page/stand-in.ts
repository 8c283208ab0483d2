/** A page with the built template of cemm-page and the style sheet of Dashboard, without Node-RED: answers are put into it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Choice } from '../../../nodes/cemm-page/page/draw/choice';
import { type PageMessage, pageVersion } from '../../../nodes/cemm-page/page/messages';
import { projectDir } from '../node-red/installed-package';
import { languageOf } from '../../../nodes/cemm-page/page/languages';
import { zone } from './house-answers';
import { settings, textsFor } from './sheet';

interface Colours {
  readonly background: string;
  readonly group: string;
  readonly text: string;
  readonly outline: string;
  readonly primary: string;
}

const dashboard = path.join(projectDir, 'node_modules/@flowfuse/node-red-dashboard');

/** Presets of the installed Dashboard, by name: hexadecimal colours in its own source. */
const presetPattern =
  /(\w+): \{\s+colors: \{ surface: '#\w+', primary: '#(\w+)', bgPage: '#(\w+)', groupBg: '#(\w+)', groupOutline: '#(\w+)' \}/g;

function listed(hex = ''): number[] {
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** Black or white, by the lightness of what is behind it, as Dashboard chooses. */
function chooseText(hex = ''): string {
  const [red = 0, green = 0, blue = 0] = listed(hex);
  return (red * 299 + green * 587 + blue * 114) / 1000 < 128 ? '255,255,255' : '0,0,0';
}

function readPresets(): Map<string, Colours> {
  const source = readFileSync(path.join(dashboard, 'nodes/config/ui_base.html'), 'utf8');
  const found = [...source.matchAll(presetPattern)].map(([, name = '', primary, background, group, outline]) => {
    const colours = {
      background: listed(background).join(),
      group: listed(group).join(),
      text: chooseText(group),
      outline: listed(outline).join(),
      primary: listed(primary).join(),
    };
    return [`preset-${name}`, colours] as const;
  });
  return new Map(found);
}

const presets = readPresets();

/** Names of the presets, such as `preset-nord`. */
export const presetThemes = [...presets.keys()].flatMap((name) => (isPreset(name) ? [name] : []));

function isPreset(name: string): name is `preset-${string}` {
  return name.startsWith('preset-');
}

/** Colours of the theme, as Dashboard writes them. */
const themes = {
  light: {
    background: '238,238,238',
    group: '255,255,255',
    text: '0,0,0',
    outline: '204,204,204',
    primary: '0,148,206',
  },
  dark: { background: '15,23,26', group: '24,36,40', text: '255,255,255', outline: '45,62,66', primary: '0,148,206' },
} as const;

export type Theme = keyof typeof themes | `preset-${string}`;

function findColours(theme: Theme): Colours {
  const colours = isPreset(theme) ? presets.get(theme) : themes[theme];
  if (colours === undefined) throw new Error(`Dashboard has no theme ${theme}`);
  return colours;
}

export interface Situation {
  readonly choice: Partial<Choice>;
  readonly answers: PageMessage['answers'];
  /** Epoch ms of the clock of the browser. */
  readonly moment: number;
  readonly language: string;
  readonly theme: Theme;
}

function styleOfDashboard(): string {
  const folder = path.join(dashboard, 'dist/assets');
  return readdirSync(folder)
    .filter((name) => /^index-.*\.css$/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('</style', ''))
    .join('\n');
}

/** The parts of the text that the ui-template gets. */
function partsOf(text: string): { template: string; script: string; style: string } {
  const part = (name: string): string => new RegExp(`<${name}>([\\s\\S]*)</${name}>`).exec(text)?.[1] ?? '';
  return { template: part('template'), script: part('script'), style: part('style') };
}

/** Loads the page once; `situate` shows a situation on it. */
export async function loadStandIn(page: Page, text: string): Promise<void> {
  const { template, script, style } = partsOf(text);
  const vue = readFileSync(path.join(projectDir, 'node_modules/vue/dist/vue.global.prod.js'), 'utf8');
  const component = script.replace('export default', 'globalThis.ofScript =');
  await page.setContent(
    [
      `<!doctype html><html lang="en"><title>CEMM</title><style>${styleOfDashboard()}</style>`,
      `<style>${style} body { overflow: auto !important; background: rgb(var(--v-theme-background)); padding: 12px } #frame { width: 100%; padding: 12px; background: rgb(var(--v-theme-group-background)) }</style>`,
      '<body class="v-theme--nrdb"><div class="v-application v-theme--nrdb"><div id="frame"></div></div></body></html>',
    ].join(''),
  );
  // The loader of the tests names functions with this helper, also in functions that run in the page.
  await page.addScriptTag({ content: 'globalThis.__name = (named) => named;' });
  await page.addScriptTag({ content: vue });
  await page.addScriptTag({ content: component });
  await page.evaluate((html) => {
    const parsed = new DOMParser().parseFromString(`<template>${html}</template>`, 'text/html');
    Object.assign(globalThis, { ofTemplate: parsed.querySelector('template')?.innerHTML });
  }, template);
}

/** What the scripts of the page keep in it. */
interface StandIn {
  Vue: {
    createApp(component: object): { mount(place: Element): unknown; unmount(): void };
    nextTick(): Promise<void>;
  };
  ofScript: { data: () => object };
  ofTemplate: string;
  app?: { unmount(): void };
}

export async function situate(page: Page, { choice, answers, moment, language, theme }: Situation): Promise<void> {
  const message: Omit<PageMessage, 'failure'> = {
    page: pageVersion,
    timezone: zone,
    house: 'house',
    answers,
    settings: { ...settings, language },
    texts: { [languageOf(language)]: textsFor(language) },
  };
  await page.evaluate(
    async ({ message, choice, moment, colours }) => {
      const standIn = globalThis as unknown as StandIn;
      standIn.app?.unmount();
      Date.now = () => moment;
      const names = {
        background: 'background',
        group: 'group-background',
        text: 'on-group-background',
        outline: 'group-outline',
        primary: 'primary',
      };
      for (const [key, name] of Object.entries(names)) {
        document.documentElement.style.setProperty(`--v-theme-${name}`, colours[key as keyof typeof names]);
      }
      document.body.style.color = `rgb(${colours.text})`;
      const { ofScript, ofTemplate, Vue } = standIn;
      const app = Vue.createApp({
        ...ofScript,
        template: ofTemplate,
        data: () => ({ ...ofScript.data(), id: 'page', msg: {}, send: () => undefined }),
      });
      const place = document.querySelector('#frame');
      if (place === null) throw new Error('no place for the page');
      const shown = app.mount(place) as { msg: unknown; choose: (choice: object) => void };
      shown.msg = { payload: message };
      await Vue.nextTick();
      shown.choose(choice);
      await Vue.nextTick();
      standIn.app = app;
    },
    { message, choice, moment, colours: findColours(theme) },
  );
}
