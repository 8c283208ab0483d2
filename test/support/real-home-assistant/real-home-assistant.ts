/**
 * The real Home Assistant, in a Debian of its own (scripts/home-assistant), on a free loopback port: started with an empty
 * configuration, onboarded as a new user does, and reached over HTTP and websocket only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Chroot, folderOf, inFolder, isPrepared } from '../../../scripts/home-assistant/chroots';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { opened } from '../mocha/left-open';
import { freePort } from '../node-red/node-red';
import { until } from '../until';
import { CommandSocket } from './websocket';

/** An entry begins with its time; the lines of a traceback follow. */
const beginning = /^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m;
const isError = /^\S+ \S+ (?:ERROR|CRITICAL|FATAL) /;
const isWarning = /^\S+ \S+ WARNING /;
/** Our device, entities, topics and statistics, and the integrations that read them. */
const ours = /cemm|components\.(?:mqtt|homewizard|energy|sensor\.recorder)|recorder\.(?:statistics|websocket)/i;
/**
 * What the onboarding adds: the weather, radio stations and a spoken voice, which are not installed here, a list, and the
 * marketplace and analytics, whose set-up an early restart interrupts.
 */
const ofOnboarding = /\b(?:met|radio_browser|google_translate|shopping_list|marketplace|components\.analytics)\b/;

/** A machine that has much to do. */
const isSlow = /\[homeassistant\.helpers\.entity\] Updating state for \S+ .* took [\d.]+ seconds/;

/** Home Assistant ends its threads by SystemExit when it takes long to stop (homeassistant/util/executor.py). */
const isEndOfThread = /\[concurrent\.futures\] Exception in worker\n[^]*\nSystemExit\s*$/;

/** A client that is killed by a test, while Home Assistant writes to its websocket. */
const isGoneClient =
  /\[homeassistant\] Error doing job: ClientConnectionResetError [^]*\n\S*ClientConnectionResetError: Cannot write to closing transport\s*$/;

/** All errors, and the warnings that name us. */
function problemsIn(log: string): string[] {
  return log
    .split(beginning)
    .filter((entry) => isError.test(entry) || (isWarning.test(entry) && ours.test(entry)))
    .filter((entry) => ![ofOnboarding, isSlow, isEndOfThread, isGoneClient].some((known) => known.test(entry)))
    .map((entry) => entry.trim());
}

/** Home Assistant reads `http` once, at its first start. */
function configuration(port: number): string {
  return `homeassistant: {name: Home, time_zone: Europe/Amsterdam, country: NL, currency: EUR, unit_system: metric, latitude: 52, longitude: 5, elevation: 0}
http: {server_host: 127.0.0.1, server_port: ${port}}
recorder: {commit_interval: 1}
logger: {default: warning}
history:
energy:
config:
frontend:
`;
}

export class RealHomeAssistant {
  readonly url: string;
  /** Of an administrator, valid for a day. */
  token = '';
  private child: ChildProcess | null = null;
  private output = '';
  private socket: CommandSocket | null = null;
  private readonly closed = opened({
    shows: () => Promise.resolve(this.problems().join('\n').slice(-1500)),
    close: () => this.stop(),
  });

  private constructor(
    readonly chroot: Chroot,
    readonly folder: string,
    readonly port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(chroot: Chroot): Promise<RealHomeAssistant> {
    if (!isPrepared(chroot))
      throw new Error(`Debian ${chroot.suite} is not prepared: npm run test:home-assistant does it`);
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'cemm-home-assistant-'));
    await writeFile(join(folder, 'configuration.yaml'), configuration(port));
    const started = new RealHomeAssistant(chroot, folder, port);
    await started.run();
    await started.onboard();
    await started.connect();
    return started;
  }

  /** Errors, and warnings that name us, of all runs. */
  problems(): string[] {
    return problemsIn(this.output);
  }

  /** The result of a websocket command. */
  command(type: string, fields: UnknownRecord = {}): Promise<unknown> {
    if (this.socket === null) throw new Error('Home Assistant is not connected');
    return this.socket.command(type, fields);
  }

  /** A request to the HTTP API; the parsed body. */
  async request(path: string, body: unknown = null): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
        'content-type': 'application/json',
      },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** Home Assistant stops, by this signal, and starts with the same folder. */
  async restart(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.end(signal);
    await this.begin();
  }

  /** Starts it again after `end`. */
  async begin(): Promise<void> {
    await this.run();
    await this.connect();
  }

  async stop(): Promise<void> {
    this.closed();
    await this.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.socket?.close();
    this.socket = null;
    const { child } = this;
    if (child === null) return;
    child.kill(signal);
    await until('Home Assistant to end', () => this.child === null, 90_000).catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
  }

  private async run(): Promise<void> {
    const hass = ['env', `SETUP_PORT=${this.port}`, '/opt/home-assistant/bin/hass', '-c', '/mnt', '--skip-pip'];
    const { program, args } = inFolder(folderOf(this.chroot), hass, this.folder);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    child.once('exit', () => (this.child = null));
    const answers = (): Promise<boolean> =>
      this.request('/api/onboarding').then(
        (answer) => Array.isArray(answer),
        (error: unknown) => /answered 404/.test(String(error)),
      );
    await until(
      'Home Assistant to answer',
      async () => {
        if (this.child === null) throw new Error(`Home Assistant ended:\n${this.output.slice(-3000)}`);
        return answers();
      },
      120_000,
    );
  }

  private async onboard(): Promise<void> {
    const client_id = `${this.url}/`;
    const user = { name: 'Admin', username: 'admin', password: 'a password of the tests', client_id, language: 'en' };
    const answer = await this.request('/api/onboarding/users', user);
    const code = isRecord(answer) ? String(answer['auth_code']) : '';
    const form = new URLSearchParams({ grant_type: 'authorization_code', code, client_id });
    const tokens: unknown = await (await fetch(`${this.url}/auth/token`, { method: 'POST', body: form })).json();
    if (!isRecord(tokens) || typeof tokens['access_token'] !== 'string') throw new Error('no access token');
    this.token = tokens['access_token'];
    await this.request('/api/onboarding/core_config', {});
    await this.request('/api/onboarding/integration', { client_id, redirect_uri: client_id });
    await this.request('/api/onboarding/analytics', {});
    this.socket = await CommandSocket.connect(this.url, this.token);
    const long = await this.command('auth/long_lived_access_token', { client_name: 'tests', lifespan: 1 });
    this.token = String(long);
    // Without a confirmation a newer Home Assistant goes back to its own address after five minutes.
    await this.command('http/config/promote').catch((error: unknown) => {
      if (!String(error).includes('unknown_command')) throw error;
    });
    this.socket.close();
  }

  private async connect(): Promise<void> {
    this.socket = await CommandSocket.connect(this.url, this.token);
    await until('Home Assistant to run', async () => {
      const config = await this.command('get_config');
      return isRecord(config) && config['state'] === 'RUNNING';
    });
  }
}
