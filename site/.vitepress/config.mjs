// The web site of the documentation: npm run docs writes it to site/dist. What its pages are and what their links lead to is
// decided in scripts/docs/site.ts.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { require as requireTypeScript } from 'tsx/cjs/api';
import { defineConfig } from 'vitepress';

const { anchorOf } = requireTypeScript('../../scripts/docs/lint-docs/page.ts', import.meta.url);
const { repositoryAddress, withRelativeLinks } = requireTypeScript(
  '../../scripts/docs/repository-address.ts',
  import.meta.url,
);
const { menu, otherLanguage, findSitePath, siteBase, siteLink, sitePages } = requireTypeScript(
  '../../scripts/docs/site.ts',
  import.meta.url,
);

const root = path.resolve(import.meta.dirname, '../..');
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0a5c8a"/><path d="M9 2 4 9h3l-1 5 6-7H8z" fill="#fff"/></svg>`;

function pagesOfDocs() {
  return readdirSync(path.join(root, 'docs'), { recursive: true }).map((name) => `docs/${name.replaceAll('\\', '/')}`);
}

/** The folders and pages of the repository that are no part of the site. */
function outsideOfSite() {
  const pages = sitePages();
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory() && entry.name !== 'docs') return [`${entry.name}/**`];
    const files = entry.isDirectory() ? pagesOfDocs() : [entry.name];
    return files.filter((file) => file.endsWith('.md') && !pages.includes(file));
  });
}

/**
 * Links of the Markdown as links of the site; badges of the README are pictures of another server, so they are left out. What
 * stands in code between double braces is no expression of Vue.
 */
function markdownOfTheRepository(md) {
  const inlineCode = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return inlineCode(tokens, index, ...rest);
  };
  md.core.ruler.before('normalize', 'badges', (state) => {
    state.src = withRelativeLinks(state.src.replace(/^\[!\[[^\]]*\]\(https:[^\n]*\n/gm, ''));
  });
  md.core.ruler.after('inline', 'links', (state) => {
    const file = path.relative(root, state.env.realPath ?? state.env.path).replaceAll('\\', '/');
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', siteLink(file, token.attrGet('href')));
    }
  });
}

/** What the search knows of a page. It takes the language from the path of the file, and would take README-nl.md for English. */
function searchable(source, env, md) {
  return env.relativePath === 'README-nl.md' ? '' : md.render(source, env);
}

const dutchSearch = {
  button: { buttonText: 'Zoeken', buttonAriaLabel: 'Zoeken' },
  modal: {
    displayDetails: 'Meer tonen',
    resetButtonTitle: 'Leegmaken',
    backButtonTitle: 'Sluiten',
    noResultsText: 'Niets gevonden voor',
    footer: {
      selectText: 'openen',
      selectKeyAriaLabel: 'Enter',
      navigateText: 'bladeren',
      navigateUpKeyAriaLabel: 'pijl omhoog',
      navigateDownKeyAriaLabel: 'pijl omlaag',
      closeText: 'sluiten',
      closeKeyAriaLabel: 'Escape',
    },
  },
};

const dutch = {
  outline: { label: 'Op deze pagina', level: [2, 3] },
  docFooter: { prev: 'Vorige pagina', next: 'Volgende pagina' },
  editLink: { pattern: `${repositoryAddress()}/edit/main/:path`, text: 'Deze pagina verbeteren' },
  darkModeSwitchLabel: 'Donker',
  lightModeSwitchTitle: 'Naar licht',
  darkModeSwitchTitle: 'Naar donker',
  sidebarMenuLabel: 'Menu',
  returnToTopLabel: 'Naar boven',
  skipToContentLabel: 'Naar de inhoud',
  notFound: {
    title: 'Deze pagina is er niet',
    quote: 'Controleer het adres, of begin op de eerste pagina.',
    linkLabel: 'Naar de eerste pagina',
    linkText: 'Eerste pagina',
  },
  nav: [{ text: 'Problemen oplossen', link: '/nl/troubleshooting' }],
  sidebar: menu('nl'),
};

const english = {
  outline: { label: 'On this page', level: [2, 3] },
  editLink: { pattern: `${repositoryAddress()}/edit/main/:path`, text: 'Improve this page' },
  notFound: { quote: 'Check the address, or start at the first page.' },
  nav: [{ text: 'Troubleshooting', link: '/troubleshooting' }],
  sidebar: menu('en'),
};

export default defineConfig({
  title: 'CEMM for Node-RED',
  description: 'Energy monitors of CEMM in Node-RED: readings for dashboards, databases and Home Assistant.',
  base: siteBase(),
  srcDir: root,
  srcExclude: outsideOfSite(),
  outDir: path.join(root, 'site/dist'),
  cacheDir: path.join(root, 'node_modules/.cache/vitepress'),
  rewrites: Object.fromEntries(sitePages().map((file) => [file, findSitePath(file)])),
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    config: markdownOfTheRepository,
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { promql: 'sql', caddyfile: 'nginx', haproxy: 'nginx' },
  },
  vite: { publicDir: false },
  locales: {
    root: { lang: 'en', themeConfig: english },
    nl: {
      lang: 'nl',
      title: 'CEMM voor Node-RED',
      description: 'Energiemonitors van CEMM in Node-RED: meetwaarden voor dashboards, databases en Home Assistant.',
      themeConfig: dutch,
    },
  },
  themeConfig: {
    otherLanguage: otherLanguage(),
    socialLinks: [{ icon: 'github', link: repositoryAddress(), ariaLabel: 'GitHub' }],
    search: {
      provider: 'local',
      options: {
        locales: { nl: { translations: dutchSearch } },
        _render: searchable,
        // One letter may differ in a long word, none in a short one: “gas” is not “has”.
        miniSearch: { searchOptions: { fuzzy: 0.1 } },
      },
    },
  },
});
