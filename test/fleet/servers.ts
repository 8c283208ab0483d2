/** Broker and balancer with the settings of docs/fleet, on free loopback ports; the broker can be restarted. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { freePort } from '../support/node-red';
import { folderFor, launch, skipWithout, type Server } from '../support/server-program';

const settingsFolder = resolve(__dirname, '../../docs/fleet');

export class FleetBroker {
  private constructor(
    readonly port: number,
    private readonly program: string,
    private server: Server | null,
  ) {}

  static async start(context: Mocha.Context): Promise<FleetBroker> {
    const program = skipWithout(context, 'mosquitto', 'mosquitto');
    const broker = new FleetBroker(await freePort(), program, null);
    await broker.launch();
    return broker;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  /** Off, a pause as long as a restart of a machine's service takes, and on again. */
  async restart(pauseMs: number): Promise<void> {
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
    // Started by root it changes to a user of its own, who has to read there.
    await chmod(folder, 0o755);
    const config = join(folder, 'mosquitto.conf');
    const own = await readFile(join(settingsFolder, 'mosquitto.conf'), 'utf8');
    const moved = own.replace(/^listener .*$/m, `listener ${this.port} 127.0.0.1`);
    await writeFile(config, `${moved}\nlog_dest stdout\nlog_type error\nlog_type warning\n`);
    this.server = await launch({
      program: this.program,
      folder,
      args: ['-c', config],
      isReady: () => isOpen(this.port),
    });
  }
}

export interface Balancer extends Server {
  readonly url: string;
}

/** @param receivers ports */
export async function startBalancer(context: Mocha.Context, receivers: readonly [number, number]): Promise<Balancer> {
  const program = skipWithout(context, 'haproxy', 'haproxy');
  const port = await freePort();
  // HAProxy takes its addresses from the environment, as the file shows.
  process.env['HAPROXY_BIND'] = `127.0.0.1:${port}`;
  receivers.forEach((receiver, place) => (process.env[`RECEIVER_${place + 1}`] = `127.0.0.1:${receiver}`));
  const folder = await folderFor('haproxy');
  const args = ['-db', '-q', '-f', join(settingsFolder, 'haproxy.cfg')];
  const server = await launch({ program, folder, args, isReady: () => isOpen(port) });
  return { ...server, url: `http://127.0.0.1:${port}` };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => {
      done(false);
    });
  });
}
