/** The page of the demo in WebKit, on a phone: every view has numbers, nothing is wider than the screen, the bar is at the bottom. */
import { join, dirname } from 'node:path';
import should from 'should';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { views } from '../../../nodes/cemm-page/page/views';
import { projectDir } from '../../support/node-red/installed-package';
import { NodeRed, freePort } from '../../support/node-red/node-red';
import { pageFlow } from '../../support/page/page-flow';
import { until } from '../../support/until';
import { isRecord } from '../../../src/checks/record';

const driver = '/usr/bin/WebKitWebDriver';
const screen = '/usr/bin/Xvfb';
const browsers = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);

/**
 * WebKit, the engine of Safari and of every browser on an iPhone, as WebKitGTK has it. It is driven over WebDriver
 * (https://www.w3.org/TR/webdriver2/), in a screen without a monitor.
 */
class WebKit {
  private constructor(
    private readonly programs: readonly ChildProcess[],
    private readonly address: string,
    /** Of WebKitGTK. */
    readonly version: string,
  ) {}

  /** @throws {Error} without the Debian packages */
  static async open(width: number, height: number): Promise<WebKit> {
    const binary = browsers.find((place) => existsSync(place));
    if (binary === undefined || !existsSync(driver) || !existsSync(screen)) {
      throw new Error('No WebKit found. Install it (Debian: apt-get install webkit2gtk-driver xvfb).');
    }
    const port = await freePort();
    const display = `:${port}`;
    // The sandbox of WebKit needs rights that a container does not give; the page is our own.
    const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
    const programs = [
      spawn(screen, [display, '-screen', '0', `${width + 100}x${height + 200}x24`], { stdio: 'ignore' }),
      spawn(driver, [`--port=${port}`], { stdio: 'ignore', env }),
    ];
    const address = `http://127.0.0.1:${port}`;
    await until('the driver of WebKit', () => send('GET', `${address}/status`).then(Boolean, () => false));
    const options = { binary, args: ['--automation'] };
    const alwaysMatch = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options };
    const session = await send('POST', `${address}/session`, { capabilities: { alwaysMatch } });
    const { sessionId, capabilities } = isRecord(session) ? session : {};
    const version = isRecord(capabilities) ? String(capabilities['browserVersion']) : '';
    const webkit = new WebKit(programs, `${address}/session/${String(sessionId)}`, version);
    await send('POST', `${webkit.address}/window/rect`, { width, height });
    return webkit;
  }

  async visit(url: string): Promise<void> {
    await send('POST', `${this.address}/url`, { url });
  }

  /** Runs the text of a function in the page, and gives what it returns. */
  run(script: string): Promise<unknown> {
    return send('POST', `${this.address}/execute/sync`, { script, args: [] });
  }

  async picture(file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(String(await send('GET', `${this.address}/screenshot`)), 'base64'));
  }

  async close(): Promise<void> {
    try {
      await send('DELETE', this.address);
    } finally {
      for (const program of this.programs) program.kill();
    }
  }
}

/** The value that the driver answers with. */
async function send(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const answer: unknown = await response.json();
  const value = isRecord(answer) ? answer['value'] : undefined;
  if (!response.ok) throw new Error(`WebKit: ${JSON.stringify(value).slice(0, 300)}`);
  return value;
}

describe('the page in WebKit', function () {
  this.timeout(600_000);
  let nodeRed: NodeRed;
  let webkit: WebKit;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: pageFlow(), modules: ['@flowfuse/node-red-dashboard'] });
    webkit = await WebKit.open(430, 860);
    console.log(`      WebKitGTK ${webkit.version}`);
    await webkit.visit(`${nodeRed.url}/dashboard/energy`);
    await until('the house', async () => /\d\s?k?W/.test(await text('.cemm-page')), 120_000);
  });

  after(async () => {
    await webkit.close();
    await nodeRed.stop();
  });

  async function text(selector: string): Promise<string> {
    const script = `return [...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText).join('\\n');`;
    return String(await webkit.run(script));
  }

  for (const view of views) {
    it(`shows the view ${view}`, async () => {
      await webkit.run(`document.querySelector('.cemm-page [data-view="${view}"]').click();`);
      await until(
        'its numbers',
        async () => /\d/.test(await text('.cemm-page .cards .big, .cemm-page .flow')) && (await text('.state')) === '',
        300_000,
      );
      const [wide, screen, top, bottom, height, isOnTop] = (await webkit.run(
        `const bar = document.querySelector('.cemm-page nav');
        const { top, bottom } = bar.getBoundingClientRect();
        return [document.documentElement.scrollWidth, innerWidth, top, bottom, innerHeight, bar.matches(':popover-open')];`,
      )) as [number, number, number, number, number, boolean];
      await webkit.picture(join(projectDir, `test-results/webkit/${view}.png`));
      should(wide).be.belowOrEqual(screen);
      should(isOnTop).be.true();
      should(bottom).equal(height);
      should(height - top).be.within(40, 80);
    });
  }
});
