/** The web site of the documentation, built by npm run docs, below its path on GitHub Pages. */
import 'should';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { anchorOf, readPage } from '../../scripts/docs/lint-docs/page';
import { findPageAddress, faultsFile, findSitePath, siteAddress, siteBase, sitePages } from '../../scripts/docs/site';
import { Browser } from '../support/browser/browser';
import { projectDir } from '../support/node-red/installed-package';
import { devices, findings } from '../support/browser/page-checks';

const folder = join(projectDir, 'site/dist');
const base = siteBase();
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', png: 'image/png', svg: 'image/svg+xml' };

/** The file behind an address of the site; undefined if there is none. */
function fileAt(address: string): string | undefined {
  const { pathname } = new URL(address, 'http://site');
  if (!pathname.startsWith(base)) return undefined;
  const file = join(folder, decodeURIComponent(pathname.slice(base.length)));
  const page = pathname.endsWith('/') ? join(file, 'index.html') : file;
  return existsSync(page) ? page : undefined;
}

function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const file = fileAt(request.url ?? '');
    const type = Object.entries(types).find(([ending]) => file?.endsWith(`.${ending}`))?.[1];
    response.writeHead(file === undefined ? 404 : 200, type === undefined ? {} : { 'content-type': type });
    response.end(file === undefined ? '' : readFileSync(file));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function built(file: string): string {
  return readFileSync(
    join(folder, findPageAddress(findSitePath(file) ?? '').replace(/(^|\/)$/, '$1index.html')),
    'utf8',
  );
}

function idsIn(html: string): string[] {
  return [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
}

/** Dead links, pictures and scripts of a page. */
function deadIn(address: string, html: string): string[] {
  const own = new URL(address, 'http://site');
  return [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)]
    .map(([, target = '']) => new URL(target.replaceAll('&amp;', '&'), own))
    .filter(({ host }) => host === own.host)
    .filter(({ href, hash }) => {
      const file = fileAt(href);
      if (file === undefined) return true;
      return hash !== '' && !idsIn(readFileSync(file, 'utf8')).includes(decodeURIComponent(hash.slice(1)));
    })
    .map(({ href }) => href);
}

describe('the site of the documentation', function () {
  this.timeout(300_000);
  let server: Server;
  let address: string;
  let browser: Browser;

  before(async () => {
    const { stderr } = await promisify(execFile)('npm', ['run', '--silent', 'docs'], { cwd: projectDir });
    // A page that cannot be rendered is an error on the console and not of the command.
    stderr.should.not.match(/error/i);
    server = await serve();
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(async () => {
    browser = await Browser.open({ ...devices.desktop });
  });

  afterEach(async () => {
    await browser.close();
  });

  /** Opens a page and waits until its scripts have run. */
  async function open(place: string): Promise<Page> {
    await browser.page.goto(address + place, { waitUntil: 'networkidle' });
    return browser.page;
  }

  it('has every page with all of its headings, and nothing else', () => {
    for (const file of sitePages()) {
      const headings = [...readPage(file).prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
        anchorOf(heading),
      );
      const ids = new Set(idsIn(built(file)));
      headings.filter((heading) => !ids.has(heading)).should.eql([], file);
    }
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
    pages.length.should.equal(sitePages().length + 1, 'the pages and 404.html');
  });

  it('has the page of the faults, to which the README links', () => {
    const [target = ''] =
      /https:[^)]*\/evidence\/[^)]*/.exec(readFileSync(join(projectDir, 'README.md'), 'utf8')) ?? [];
    target.should.equal(siteAddress() + findPageAddress(findSitePath(faultsFile) ?? ''));
    built(faultsFile).should.containEql('LC21');
  });

  it('has no link, picture or script that leads nowhere', () => {
    const dead = sitePages().flatMap((file) =>
      deadIn(base + findPageAddress(findSitePath(file) ?? ''), built(file)).map((target) => `${file}: ${target}`),
    );
    dead.should.be.empty();
  });

  for (const [place, query] of [
    ['', 'gas'],
    ...['teruglevering', 'kwartierpiek', 'saldering', 'capaciteitstarief', 'netbeheerder', 'zelfverbruik'].map(
      (word) => ['nl/', word] as const,
    ),
  ] as const) {
    it(`finds “${query}” in the language of the page, without a server`, async () => {
      const page = await open(place);
      await page.locator('#local-search button').first().click();
      await page.locator('#localsearch-input').fill(query);
      const results = page.locator('.VPLocalSearchBox .result');
      await results.first().waitFor();
      await browser.picture(`site-search-${query}`);
      const targets = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      targets.filter((target) => target.startsWith(`${base}nl/`) !== (place === 'nl/')).should.be.empty();
      await results.first().click();
      await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' });
      // The search closes before the page is loaded.
      await page.locator('main', { hasText: new RegExp(query, 'i') }).waitFor();
      browser.errors.should.be.empty();
      browser.outside.should.be.empty();
    });
  }

  it('leads from each page to the same one in the other language', async () => {
    const page = await open('webhooks.html');
    await page.locator('.VPNavBar .other-language').click();
    await page.waitForURL(/\/nl\/webhooks\.html$/);
    // The address changes before the page does.
    await page.locator('html[lang=nl]').waitFor();
    await page.locator('.VPNavBar .other-language').click();
    await page.waitForURL(/\/node-red-contrib-cemm\/webhooks\.html$/);
    // A page that is in English only leads to the first page in Dutch.
    await open('fields.html');
    await page.locator('.VPNavBar .other-language').click();
    await page.waitForURL(/\/nl\/$/);
    browser.errors.should.be.empty();
  });

  it('has names, roles and contrast, in the light and in the dark', async () => {
    const found: string[] = [];
    for (const place of [
      '',
      'nl/troubleshooting.html',
      'nl/dashboards.html',
      'nl/nodes/cemm-series.html',
      'databases.html',
    ]) {
      const page = await open(place);
      await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
      for (const dark of [false, true]) {
        await page.evaluate((isDark) => document.documentElement.classList.toggle('dark', isDark), dark);
        found.push(...(await findings(page, 'body')).map((line) => `${place} ${dark ? 'dark' : 'light'} ${line}`));
      }
    }
    found.should.be.empty();
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });

  it('fits a phone', async () => {
    for (const [place, name] of [
      ['nl/', 'first'],
      ['nl/troubleshooting.html', 'table'],
    ] as const) {
      const page = await open(place);
      await page.setViewportSize(devices.phone);
      await browser.picture(`site-phone-${name}`);
      (await page.evaluate(() => document.documentElement.scrollWidth)).should.be.belowOrEqual(devices.phone.width);
    }
    browser.errors.should.be.empty();
  });
});
