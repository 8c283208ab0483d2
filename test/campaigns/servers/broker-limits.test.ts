/**
 * docs/fleet/mosquitto.conf in a real Mosquitto: memory of abandoned sessions. All sizes are a 64th of those in the file, so
 * the test needs 64 MB instead of 4 GB.
 */
import should from 'should';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as openClient, connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { createLogins, type BrokerRole } from '../fleet/roles';
import { FleetBroker } from '../fleet/servers';
import { failMissing } from '../../support/servers/server-program';
import { until } from '../../support/until';

const part = 64;
const megabyte = 1024 * 1024;
const message = Buffer.alloc(megabyte / 8, 0x20);
const timeLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Divides the sizes in the settings. */
function smaller(settings: string): string {
  return settings.replace(
    /^(max_queued_bytes|memory_limit) (\d+)$/gm,
    (_, name: string, bytes: string) => `${name} ${Math.floor(Number(bytes) / part)}`,
  );
}

describe('the broker of a fleet', function () {
  this.timeout(120_000);
  const logins = createLogins();
  let broker: FleetBroker;
  const clients: MqttClient[] = [];

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
    await broker.stop();
  });

  function optionsOf(role: BrokerRole, more: IClientOptions = {}): IClientOptions {
    const { user: username, password } = logins.broker[role];
    return { username, password, protocolVersion: 5, reconnectPeriod: 0, ...more };
  }

  async function connect(role: BrokerRole, more: IClientOptions = {}): Promise<MqttClient> {
    const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, optionsOf(role, more));
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }

  const kept = (clientId: string, seconds: number): IClientOptions => ({
    clientId,
    clean: false,
    properties: { sessionExpiryInterval: seconds },
  });

  /** Creates a session with a subscription and disconnects its client. */
  async function leaveSession(clientId: string, topic: string, seconds = 300): Promise<void> {
    const client = await connect('reader', kept(clientId, seconds));
    await client.subscribeAsync(topic, { qos: 1 });
    await client.endAsync();
  }

  /** Reconnects the client of a session. `hear` gets all retained messages of the session. */
  async function comeBack(
    clientId: string,
    seconds: number,
    hear: (topic: string, payload: Buffer) => void = () => undefined,
  ): Promise<{ client: MqttClient; isKnown: boolean }> {
    const client = openClient(`mqtt://127.0.0.1:${broker.port}`, optionsOf('reader', kept(clientId, seconds)));
    clients.push(client);
    client.on('message', hear);
    const isKnown = await new Promise<boolean>((resolve, reject) => {
      client.once('connect', ({ sessionPresent }) => {
        resolve(sessionPresent);
      });
      client.once('error', reject);
    });
    return { client, isKnown };
  }

  /** Publishes fewer if the broker closes the connection, as it does at its limit. */
  async function publish(topic: string, count: number): Promise<number> {
    const client = await connect('receiver');
    const closed = new Promise<null>((resolve) => {
      client.once('close', () => {
        resolve(null);
      });
    });
    let sent = 0;
    for (; sent < count; sent++) {
      const answer = await Promise.race([client.publishAsync(topic, message, { qos: 1 }).catch(() => null), closed]);
      if (answer === null) break;
    }
    return sent;
  }

  async function residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${broker.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  it('keeps for a session that left no more than the size that is set', async () => {
    broker = await FleetBroker.start(logins, { change: smaller });
    await leaveSession('left', 'cemm/house/webhook');
    // 32 MB; the limit of one session is a quarter of that.
    should(await publish('cemm/house/webhook', 256)).equal(256);
    let bytes = 0;
    const topics = new Set<string>();
    const { client, isKnown } = await comeBack('left', 300, (topic, payload) => {
      topics.add(topic);
      bytes += payload.length;
    });
    isKnown.should.be.true();
    await client.subscribeAsync('cemm/house/problem', { qos: 1 });
    const sender = await connect('receiver');
    // Arrives after all stored messages.
    await sender.publishAsync('cemm/house/problem', 'last', { qos: 1 });
    await until('the last message', () => topics.has('cemm/house/problem'));
    bytes.should.be.within(4 * megabyte, 9 * megabyte);
  });

  it('takes no more memory than is set, and serves others, when many sessions have left', async () => {
    broker = await FleetBroker.start(logins, { change: smaller });
    for (let session = 0; session < 16; session++) {
      await leaveSession(`left-${session}`, `cemm/house-${session}/webhook`);
    }
    // 8 MB for each of them: 128 MB, of which the broker may use 32.
    for (let session = 0; session < 16; session++) await publish(`cemm/house-${session}/webhook`, 64);
    (await residentBytes()).should.be.below(48 * megabyte);
    const listener = await connect('reader');
    await listener.subscribeAsync('cemm/small/webhook');
    const heard = new Promise<string>((resolve) => {
      listener.once('message', resolve);
    });
    const sender = await connect('receiver');
    await sender.publishAsync('cemm/small/webhook', 'small', { qos: 1 });
    (await heard).should.equal('cemm/small/webhook');
  });

  it('forgets a session an hour after it left, however long it asked for', async () => {
    if (!existsSync(timeLibrary)) failMissing('faketime', 'faketime');
    const folder = await mkdtemp(join(tmpdir(), 'cemm-time-'));
    const time = join(folder, 'time');
    try {
      await writeFile(time, '+0');
      // Started by root, the broker changes to its own user.
      await chmod(folder, 0o755);
      broker = await FleetBroker.start(logins, {
        env: {
          LD_PRELOAD: timeLibrary,
          FAKETIME_TIMESTAMP_FILE: time,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      });
      await leaveSession('left', 'cemm/house/webhook', 0xffffffff);
      const isKnown = async (): Promise<boolean> => {
        const back = await comeBack('left', 0xffffffff);
        await back.client.endAsync();
        return back.isKnown;
      };
      (await isKnown()).should.be.true();
      // A reconnected session starts its time again, so each check is two hours after the one before.
      let hours = 0;
      await until('the end of the session', async () => {
        hours += 2;
        await writeFile(time, `+${hours * 3600}`);
        await sleep(500);
        return !(await isKnown());
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
