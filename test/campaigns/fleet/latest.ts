/** Subscribes like a dashboard, which shows the latest value of each meter: the newer `ts` wins. */
import { connectAsync, type MqttClient } from 'mqtt';
import type { WebhookPayload } from '../../../src/model/payload';
import type { Login } from '../../support/servers/influxdb';

export interface Latest {
  readonly ts: number;
  readonly importW: number | null;
}

export class LatestValues {
  /** Topic → newest value. */
  readonly values = new Map<string, Latest>();
  /** Kind of message (last part of its topic) → number of messages through the broker. */
  readonly counts = new Map<string, number>();
  /** Messages older than the previous one on their topic, which a simple display would show wrongly. */
  late = 0;
  private readonly last = new Map<string, number>();

  private constructor(private readonly client: MqttClient) {}

  static async connect(port: number, { user, password }: Login): Promise<LatestValues> {
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
      protocolVersion: 5,
      clientId: 'the dashboard of the test',
      username: user,
      password,
      clean: false,
      reconnectPeriod: 500,
      properties: { sessionExpiryInterval: 3600 },
    });
    const latest = new LatestValues(client);
    client.on('message', (topic, message) => {
      const [, first = '', ...rest] = topic.split('/');
      const kind = first === 'jobs' || first === 'failed' ? first : (rest.at(-1) ?? '');
      latest.counts.set(kind, (latest.counts.get(kind) ?? 0) + 1);
      if (/\/webhook$/.test(topic)) latest.take(topic, JSON.parse(message.toString()) as WebhookPayload);
    });
    client.on('error', () => undefined);
    await client.subscribeAsync('cemm/#', { qos: 1 });
    return latest;
  }

  async close(): Promise<void> {
    await this.client.endAsync(true);
  }

  private take(topic: string, { ts, values }: WebhookPayload): void {
    if (ts < (this.last.get(topic) ?? 0)) this.late += 1;
    this.last.set(topic, ts);
    const known = this.values.get(topic);
    if (known === undefined || ts >= known.ts) {
      this.values.set(topic, { ts, importW: values['smartmeter-dsmr']?.['power_import_w'] ?? null });
    }
  }
}
