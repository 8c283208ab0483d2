/**
 * WebKit, the engine of Safari and of every browser on an iPhone, as WebKitGTK has it. It is driven over WebDriver
 * (https://www.w3.org/TR/webdriver2/), in a screen without a monitor.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRecord } from '../../../src/checks/record';
import { freePort } from '../node-red/node-red';
import { until } from '../until';

const driver = '/usr/bin/WebKitWebDriver';
const screen = '/usr/bin/Xvfb';
const browsers = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);

export class WebKit {
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
