/** A separate mosquitto broker on a free loopback port, and a client that is independent of Node-RED. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { freePort } from '../node-red/node-red';
import { folderFor, launch, programPath, type Server } from './server-program';
import { isPortOpen } from '../network/loopback';

export interface Mosquitto extends Server {
  readonly address: string;
  readonly port: number;
}

/** @param at of 127.0.0.0/8; default: a free port of 127.0.0.1 */
export async function startMosquitto(
  at: { readonly address: string; readonly port: number } | null = null,
): Promise<Mosquitto> {
  const program = programPath('mosquitto', 'mosquitto');
  const folder = await folderFor('mosquitto');
  const { address, port } = at ?? { address: '127.0.0.1', port: await freePort() };
  const config = join(folder, 'mosquitto.conf');
  await writeFile(config, `listener ${port} ${address}\nallow_anonymous true\npersistence false\nlog_dest stdout\n`);
  const server = await launch({ program, folder, args: ['-c', config], isReady: () => isPortOpen(port, address) });
  return { ...server, address, port };
}

export interface Heard {
  readonly topic: string;
  readonly text: string;
  /** True if the broker had retained it. */
  readonly retained: boolean;
  readonly qos: number;
}

/** Receives every message from the moment on at which it resolves, including retained ones. */
export class MqttListener {
  readonly heard: Heard[] = [];

  private constructor(private readonly client: MqttClient) {}

  static async connect({ address, port }: Pick<Mosquitto, 'address' | 'port'>): Promise<MqttListener> {
    const client = await connectAsync(`mqtt://${address}:${port}`, { reconnectPeriod: 0 });
    const listener = new MqttListener(client);
    client.on('message', (topic, message, { retain, qos }) => {
      listener.heard.push({ topic, text: message.toString(), retained: retain, qos });
    });
    await client.subscribeAsync('#', { qos: 1 });
    return listener;
  }

  last(topic: string): Heard | undefined {
    return this.heard.findLast((message) => message.topic === topic);
  }

  async publish(topic: string, text: string, retain = false): Promise<void> {
    await this.client.publishAsync(topic, text, { qos: 1, retain });
  }

  async close(): Promise<void> {
    await this.client.endAsync();
  }
}
