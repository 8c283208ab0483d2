/** docs/fleet/mosquitto.acl in a real Mosquitto: where the password of each role may publish. */
import should from 'should';
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { folderFor } from '../../support/servers/server-program';
import { until } from '../../support/until';
import { type BrokerRole, createLogins } from '../fleet/roles';
import { FleetBroker } from '../fleet/servers';

describe('the logins at the broker of a fleet', () => {
  it('are made by the commands in the comments of mosquitto.conf, in an empty folder', async () => {
    const folder = await folderFor('passwords');
    const file = join(folder, 'fleet.passwords');
    const settings = await readFile(join(__dirname, '../../../docs/fleet/mosquitto.conf'), 'utf8');
    const commands = [...settings.matchAll(/mosquitto_passwd ((?:-c )?)\/etc\/mosquitto\/fleet\.passwords (\w+)/g)];
    try {
      for (const [, option = '', user = ''] of commands)
        await promisify(execFile)('mosquitto_passwd', [...(option === '' ? [] : ['-c']), '-b', file, user, 'secret']);
      const users = (await readFile(file, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split(':')[0]);
      should(users).eql(['receiver', 'writer']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the rights at the broker of a fleet', function () {
  this.timeout(60_000);
  const logins = createLogins();
  const clients: MqttClient[] = [];
  let broker: FleetBroker;

  before(async () => {
    broker = await FleetBroker.start(logins);
  });

  after(async () => {
    await Promise.all(clients.map((client) => client.endAsync(true)));
    await broker.stop();
  });

  async function connect(role: BrokerRole, more: IClientOptions = {}): Promise<MqttClient> {
    const { user: username, password } = logins.broker[role];
    const options = { username, password, reconnectPeriod: 0, ...more };
    const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, options);
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }

  const topics = ['webhook', 'problem', 'house', 'realtime'].flatMap((last) =>
    ['jobs', 'failed', 'house', 'house/p1'].map((middle) => `cemm/${middle}/${last}`),
  );
  const allowed: Readonly<Record<BrokerRole, readonly string[]>> = {
    receiver: ['cemm/house/webhook', 'cemm/house/problem'],
    writer: ['webhook', 'problem', 'house', 'realtime'].map((last) => `cemm/jobs/${last}`),
    worker: [
      ...['webhook', 'problem', 'house', 'realtime'].map((last) => `cemm/failed/${last}`),
      'cemm/house/p1/realtime',
    ],
    scheduler: ['webhook', 'problem', 'house', 'realtime'].map((last) => `cemm/jobs/${last}`),
    reader: [],
  };
  /** The topics of those above at which a message of this role arrives. */
  async function arrivedFrom(role: BrokerRole): Promise<string[]> {
    const heard = new Set<string>();
    const reader = await connect('reader');
    reader.on('message', (topic) => heard.add(topic));
    await reader.subscribeAsync('cemm/#', { qos: 1 });
    const client = await connect(role);
    for (const topic of topics) await client.publishAsync(topic, '{}', { qos: 1 });
    // Arrives after all others: the broker keeps the order of one topic filter.
    const last = await connect('scheduler');
    await last.publishAsync('cemm/jobs/last', '{}', { qos: 1 });
    await until('the last message', () => heard.has('cemm/jobs/last'));
    heard.delete('cemm/jobs/last');
    return [...heard].sort();
  }

  it('let the receiver publish to its own topics only, not to jobs', async () => {
    should(await arrivedFrom('receiver')).eql([...allowed.receiver].sort());
  });

  for (const role of ['writer', 'worker', 'scheduler', 'reader'] as const) {
    it(`let the ${role} publish to its own topics only`, async () => {
      should(await arrivedFrom(role)).eql([...allowed[role]].sort());
    });
  }

  it('let a receiver with the client id of a writer disconnect it, and read nothing', async () => {
    const session: IClientOptions = {
      clientId: 'writer-1',
      clean: false,
      protocolVersion: 5,
      properties: { sessionExpiryInterval: 300 },
    };
    const writer = await connect('writer', session);
    await writer.subscribeAsync('cemm/+/webhook', { qos: 1 });
    const gone = new Promise<void>((resolve) => {
      writer.once('close', resolve);
    });
    const taken = await connect('receiver', session);
    const heard: string[] = [];
    taken.on('message', (topic) => heard.push(topic));
    await gone;
    const sender = await connect('receiver');
    await sender.publishAsync('cemm/house/webhook', '{}', { qos: 1 });
    // Answered after everything that the broker sent to it before.
    await taken.publishAsync('cemm/house/problem', '{}', { qos: 1 });
    should(heard).eql([]);
  });
});
