/** Chromium with the editor or the dashboard. CHROMIUM names the program; otherwise the usual paths are tried. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { projectDir } from '../node-red/installed-package';
import { opened } from '../mocha/left-open';
import { updatesPictures } from './moving-picture';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function program(): string {
  const found = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error('No Chromium found. Install it (Debian: apt-get install chromium) or name it in CHROMIUM.');
  }
  return found;
}

/**
 * Node-RED 5 shows its tips at random moments, and fails if their box is missing (`setTip` in its red.js). Pages of this
 * package neither cause nor prevent it.
 */
function isTipOfNodeRed({ message, stack = '' }: Error): boolean {
  const [, place = ''] = stack.split('\n');
  return message === "Cannot read properties of undefined (reading 'html')" && /\/red(?:\.min)?\.js/.test(place);
}

interface Login {
  readonly username: string;
  readonly password: string;
}

export class Browser {
  /** Errors in the console of the page, and requests to other hosts: the list must stay empty. */
  readonly errors: string[] = [];
  readonly outside: string[] = [];
  /** The tab that a person sees. */
  page: Page;
  private readonly closed = opened({ shows: () => this.shows(), close: () => this.close() });

  private constructor(
    private readonly context: BrowserContext,
    private readonly profile: string,
    private readonly first: Page,
    private readonly host: string,
  ) {
    this.page = first;
    this.watch(first);
  }

  /** Does what opens a tab, and shows that tab. */
  async inNewTab(open: () => Promise<void>): Promise<void> {
    const tab = this.context.waitForEvent('page');
    await open();
    this.page = await tab;
    this.watch(this.page);
  }

  async toFirstTab(): Promise<void> {
    this.page = this.first;
    await this.page.bringToFront();
  }

  private watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    page.on('pageerror', (error) => {
      if (!isTipOfNodeRed(error)) this.errors.push(error.message);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.errors.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && !['127.0.0.1', this.host].includes(url.hostname))
        this.outside.push(url.hostname);
    });
  }

  /**
   * @param login for a server with user name and password
   * @param host another name of this machine, resolved to 127.0.0.1
   */
  static async open({
    width = 1400,
    height = 900,
    language = 'en-US',
    clock = '',
    login = null as Login | null,
    acceptsAnyCertificate = false,
    host = '',
    hasTouch = false,
  } = {}): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'cemm-browser-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: program(),
      headless: true,
      locale: language,
      timezoneId: 'Europe/Amsterdam',
      hasTouch,
      ignoreHTTPSErrors: acceptsAnyCertificate,
      ...(login === null ? {} : { httpCredentials: { ...login, send: 'always' as const } }),
      viewport: { width, height },
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        ...(host === '' ? [] : [`--host-resolver-rules=MAP ${host} 127.0.0.1`]),
      ],
    });
    context.setDefaultTimeout(120_000);
    const page = context.pages()[0] ?? (await context.newPage());
    if (clock !== '') await page.clock.install({ time: clock });
    return new Browser(context, profile, page, host);
  }

  /**
   * Saves a picture of the page to test-results/. With CEMM_UPDATE_PICTURES=1 it also replaces the picture of that name in
   * docs/images/, if there is one.
   */
  async picture(name: string, part?: string): Promise<void> {
    const file = join(projectDir, 'test-results', `${name}.png`);
    await mkdir(dirname(file), { recursive: true });
    await (part === undefined
      ? this.page.screenshot({ path: file })
      : this.page.locator(part).first().screenshot({ path: file }));
    const target = join(projectDir, 'docs/images', `${name}.png`);
    if (updatesPictures && existsSync(target)) await copyFile(file, target);
  }

  /** For a failed test: a picture, and the text of the dialog or of the page. */
  private async shows(): Promise<string> {
    const name = `failed-${new Date().toISOString().replace(/\D/g, '')}`;
    await this.page.screenshot({ path: join(projectDir, 'test-results', `${name}.png`), timeout: 10_000 });
    const dialog = this.page.locator('.red-ui-tray').last();
    const part = (await dialog.count()) > 0 ? dialog : this.page.locator('body');
    const text = (await part.innerText({ timeout: 5_000 })).replace(/\s+/g, ' ').slice(0, 1_500);
    return [`${this.page.url()} (test-results/${name}.png)`, text, ...this.errors].join('\n');
  }

  async close(): Promise<void> {
    this.closed();
    await this.context.close();
    await rm(this.profile, { recursive: true, force: true });
  }
}
