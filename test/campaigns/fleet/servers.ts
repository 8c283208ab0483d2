/** Broker, store and balancer with the settings of docs/fleet, on free loopback ports; the broker can be killed and restarted. */
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startInfluxDb, type InfluxDb } from '../../support/servers/influxdb';
import { freePort } from '../../support/node-red/node-red';
import { folderFor, launch, programPath, type Server } from '../../support/servers/server-program';
import type { Logins } from './roles';
import { isPortOpen } from '../../support/network/loopback';

const run = promisify(execFile);
const settingsFolder = resolve(__dirname, '../../../docs/fleet');
export const database = 'fleet';

export interface BrokerOptions {
  /** Changes the shipped settings. */
  readonly change?: (settings: string) => string;
  /** Environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

export class FleetBroker {
  private server: Server | null = null;

  private constructor(
    readonly port: number,
    private readonly program: string,
    private readonly logins: Logins,
    private readonly options: BrokerOptions,
  ) {}

  static async start(logins: Logins, options: BrokerOptions = {}): Promise<FleetBroker> {
    const program = programPath('mosquitto', 'mosquitto');
    const broker = new FleetBroker(await freePort(), program, logins, options);
    await broker.launch();
    return broker;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  /** Stops, waits as long as a service restart takes, and starts again. */
  async restart(pauseMs: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.server !== null) process.kill(this.server.pid, signal);
    await this.server?.stop();
    this.server = null;
    await new Promise((done) => setTimeout(done, pauseMs));
    await this.launch();
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  private async launch(): Promise<void> {
    const folder = await folderFor('mosquitto');
    const [config, passwords, acl] = ['mosquitto.conf', 'passwords', 'acl'].map((name) => join(folder, name));
    if (config === undefined || passwords === undefined || acl === undefined) return;
    const lines = Object.values(this.logins.broker).map(({ user, password }) => `${user}:${password}`);
    await writeFile(passwords, `${lines.join('\n')}\n`);
    await run('mosquitto_passwd', ['-U', passwords]);
    await writeFile(acl, await readFile(join(settingsFolder, 'mosquitto.acl')));
    const { change, env = {} } = this.options;
    const shipped = await readFile(join(settingsFolder, 'mosquitto.conf'), 'utf8');
    const moved = (change?.(shipped) ?? shipped)
      .replace(/^listener 1883$/m, `listener ${this.port} 127.0.0.1`)
      .replace(/^password_file .*$/m, `password_file ${passwords}`)
      .replace(/^acl_file .*$/m, `acl_file ${acl}`);
    await writeFile(config, `${moved}\nlog_dest stdout\nlog_type error\nlog_type warning\n`);
    // Started by root it changes to its own user, who has to read there.
    await chmod(folder, 0o755);
    await Promise.all([passwords, acl, config].map((file) => chmod(file, 0o644)));
    this.server = await launch({
      program: 'env',
      folder,
      args: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), this.program, '-c', config],
      isReady: () => isPortOpen(this.port),
    });
  }
}

/** With the users of docs/fleet/influxdb.iql; queried by its administrator. */
export async function startStore({ store }: Logins): Promise<InfluxDb> {
  const text = await readFile(join(settingsFolder, 'influxdb.iql'), 'utf8');
  const passwords: Readonly<Record<string, string>> = {
    ADMIN_PASSWORD: store.admin.password,
    WRITER_PASSWORD: store.writer.password,
    READER_PASSWORD: store.reader.password,
  };
  const setUp = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('--'))
    .map((line) => line.replace(/\$\{(\w+)\}/g, (_, name: string) => passwords[name] ?? ''));
  return startInfluxDb(database, { admin: store.admin, setUp });
}

export interface Balancer extends Server {
  readonly url: string;
}

export interface BalancerOptions {
  /** Default: the value of the file. More if more monitors share one address. */
  readonly connectionsPerSource?: number;
}

/** @param receivers their ports for deliveries */
export async function startBalancer(
  receivers: readonly number[],
  { connectionsPerSource }: BalancerOptions = {},
): Promise<Balancer> {
  const program = programPath('haproxy', 'haproxy');
  const port = await freePort();
  // HAProxy reads its addresses from the environment, as the file shows.
  process.env['HAPROXY_BIND'] = `127.0.0.1:${port}`;
  if (connectionsPerSource === undefined) delete process.env['CONNECTIONS_PER_SOURCE'];
  else process.env['CONNECTIONS_PER_SOURCE'] = String(connectionsPerSource);
  receivers.forEach((receiver, place) => (process.env[`RECEIVER_${place + 1}`] = `127.0.0.1:${receiver}`));
  const folder = await folderFor('haproxy');
  const args = ['-db', '-q', '-f', join(settingsFolder, 'haproxy.cfg')];
  const server = await launch({ program, folder, args, isReady: () => isPortOpen(port) });
  return { ...server, url: `http://127.0.0.1:${port}` };
}
