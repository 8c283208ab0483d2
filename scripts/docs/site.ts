// The documentation as a web site (npm run docs): its pages, their addresses, and the targets of their links. The Markdown is
// also read in the repository, so it contains nothing about the site. site/.vitepress is the generator's part.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileAddresses, repositoryAddress } from './repository-address';
import { translations, twinOf } from './twins';

const root = path.resolve(__dirname, '../..');

export type SiteLanguage = 'en' | 'nl';

interface Group {
  readonly en: string;
  readonly nl: string;
  /** Pages below docs/, without their extension. */
  readonly pages: readonly string[];
}

/** The menu. A page that is in no group comes last. */
const groups: readonly Group[] = [
  {
    en: 'Your house',
    nl: 'Uw huis',
    pages: [
      'connections',
      'dashboards',
      'home-assistant',
      'home-assistant-app',
      'databases',
      'webhooks',
      'balance',
      'where-the-power-goes',
      'prices-by-the-hour',
      'home-batteries',
      'troubleshooting',
      'your-monitor',
    ],
  },
  { en: 'Other systems', nl: 'Andere systemen', pages: ['what-to-wire-it-to', 'homewizard', 'prometheus'] },
  { en: 'Messages', nl: 'Berichten', pages: ['payload', 'fields', 'checking-flows'] },
  { en: 'Many houses', nl: 'Veel huizen', pages: ['webhook-proxies', 'fleets', 'performance'] },
];
const nodes = { en: 'Nodes', nl: 'Nodes' };
const rest = { en: 'For developers', nl: 'Voor ontwikkelaars' };

/** Address of the repository's site on GitHub Pages; ends with a slash. */
export function siteAddress(): string {
  const [owner = '', name = ''] = new URL(repositoryAddress()).pathname.slice(1).split('/');
  return `https://${owner}.github.io/${name}/`;
}

/** Its path, such as `/node-red-contrib-cemm/`. */
export function siteBase(): string {
  return new URL(siteAddress()).pathname;
}

/** Made by `npm run docs` (scripts/docs/faults.ts): on the site, and not in the repository. */
export const faultsFile = 'docs/evidence/faults.md';

/** Pages in `docs` for maintainers: `evidence/fleets.md`. They are in the repository and not on the site. */
const forMaintainers = /^(?:evidence\/(?!faults\.md$)|releasing\.md$)/;

/** The files of the site, relative to the project: everything but what only maintainers read. */
export function sitePages(): string[] {
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    'README.md',
    'README-nl.md',
    ...docs.filter((name) => name.endsWith('.md') && !forMaintainers.test(name)).map((name) => `docs/${name}`),
  ].sort();
}

/** `docs/nl/webhooks.md` → `nl/webhooks.md`, the place of a page on the site. Anything else has none. */
export function findSitePath(file: string): string | undefined {
  if (file === 'README.md') return 'index.md';
  if (file === 'README-nl.md') return 'nl/index.md';
  const name = /^docs\/(.+\.md)$/.exec(file)?.[1];
  return name === undefined || forMaintainers.test(name) ? undefined : name;
}

/** Address of a page, relative to the site: `nl/webhooks.md` → `nl/webhooks.html`. */
export function findPageAddress(place: string): string {
  return place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html');
}

/** Target of a link in `file` on the site: another page of it, or the file in the repository. */
export function siteLink(file: string, href: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const linked = path.posix.join(path.posix.dirname(file), target);
  const place = findSitePath(linked);
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  return place === undefined ? `${fileAddresses().pages}${linked}${fragment}` : `/${place}${fragment}`;
}

/** Page of the site → the same page in the other language, or the first page of that language. */
export function otherLanguage(): Record<string, string> {
  const twins = new Map(translations().map((file) => [twinOf(file).twin, file]));
  return Object.fromEntries(
    sitePages().map((file) => {
      const other = languageOf(file) === 'nl' ? twinOf(file).twin : (twins.get(file) ?? 'README-nl.md');
      return [findSitePath(file) ?? '', `/${findPageAddress(findSitePath(other) ?? '')}`];
    }),
  );
}

function languageOf(file: string): SiteLanguage {
  return /(?:^README-nl|^docs\/nl\/)/.test(file) ? 'nl' : 'en';
}

interface MenuEntry {
  readonly text: string;
  readonly link: string;
}

/** The menu at the side. In Dutch it links, with a note, to the English page if there is no Dutch one. */
export function menu(language: SiteLanguage): { text: string; items: MenuEntry[] }[] {
  const english = sitePages().filter((file) => languageOf(file) === 'en' && file !== 'README.md');
  const grouped = groups.map((group) => ({
    text: group[language],
    files: group.pages.map((name) => `docs/${name}.md`).filter((file) => english.includes(file)),
  }));
  const nodePages = english.filter((file) => file.startsWith('docs/nodes/'));
  const named = new Set([...grouped.flatMap(({ files }) => files), ...nodePages]);
  const others = english.filter((file) => !named.has(file));
  return [...grouped, { text: nodes[language], files: nodePages }, { text: rest[language], files: others }].map(
    ({ text, files }) => ({ text, items: files.map((file) => makeMenuEntry(file, language)) }),
  );
}

function makeMenuEntry(file: string, language: SiteLanguage): MenuEntry {
  const translated = language === 'nl' ? translations().find((page) => twinOf(page).twin === file) : undefined;
  const shown = translated ?? file;
  const note = language === 'nl' && translated === undefined ? ' (Engels)' : '';
  return { text: `${readPageTitle(shown)}${note}`, link: `/${findSitePath(shown) ?? ''}` };
}

function readPageTitle(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(path.join(root, file), 'utf8'))?.[1]?.replaceAll('`', '') ?? file;
}
