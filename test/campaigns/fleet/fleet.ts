/** All parts of a fleet, started with the settings of docs/fleet: every access requires a login. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import type { InfluxDb } from '../../support/servers/influxdb';
import { together, type FlowNode } from '../../support/node-red/node-red';
import { fastClock } from '../../support/time/fast-clock';
import { until } from '../../support/until';
import { CpuAccount } from './cpu';
import { fleetOf, keyStoreOf, type FleetMonitor } from './monitors';
import { exampleFlow, Replica } from './replicas';
import { createLogins, type Logins } from './roles';
import { database, FleetBroker, startBalancer, startStore, type Balancer } from './servers';

const day = 86_400_000;
const apiKey = 'the key of the fleet';
/** A summer noon: some of the houses export, others do not. */
const start = '2026-06-18T10:00:00.000Z';

const harmless = /Projects disabled|Encrypted credentials not found/;

/** Part of the node ids in a role's example. */
const idParts = { receiver: 'in', writer: 'out', worker: 'work', scheduler: 'jobs' } as const;
type FlowRole = keyof typeof idParts;

export interface FleetOptions {
  readonly monitors: number;
  /** Simulated seconds per second. */
  readonly speed: number;
  /** Real seconds between two requests for the current values of a meter. */
  readonly jobSeconds: number;
  /** The roles of each Node-RED besides the two receivers. */
  readonly workers: Readonly<Record<string, readonly FlowRole[]>>;
  /** True: with a lower priority than the receivers, as recommended on one machine. */
  readonly workersYield?: boolean;
  /** Folder for a profile of each Node-RED, in the format of `node --cpu-prof`. */
  readonly profiles?: string | undefined;
}

export interface Fleet {
  readonly clock: SimulatedClock;
  readonly monitors: readonly FleetMonitor[];
  readonly logins: Logins;
  readonly broker: FleetBroker;
  readonly store: InfluxDb;
  readonly balancer: Balancer;
  readonly receivers: readonly Replica[];
  readonly workers: readonly Replica[];
  /** Number of requests to the service of the fleet's key. */
  requests(): number;
  /** Starts a measurement. */
  measured(): CpuAccount;
  /** Errors and warnings in all logs, except those about a new user directory. */
  complaints(): string[];
  close(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0)) await step().catch(() => undefined);
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cemm-fleet-'));
    closing.unshift(() => rm(folder, { recursive: true, force: true }));
    const logins = createLogins();
    const broker = await FleetBroker.start(logins);
    closing.unshift(() => broker.stop());
    const store = await startStore(logins);
    closing.unshift(() => store.stop());

    const { clock, env: clockEnv } = fastClock({ start: Date.parse(start), speed: options.speed });
    // The service of the fleet's key. Its houses also send the deliveries.
    const service = await startSimulator({
      remotePort: 0,
      monitors: options.monitors,
      seed: 7,
      since: millis(clock.now() - 2 * day),
      clock,
      apiKey,
    });
    closing.unshift(() => service.close());
    const monitors = fleetOf(service.monitors);
    const keysFile = join(folder, 'keys.json');
    await writeFile(keysFile, JSON.stringify(keyStoreOf(monitors)));
    const env = {
      ...clockEnv,
      MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      INFLUX_URL: `http://127.0.0.1:${store.port}`,
      INFLUX_DB: database,
      INFLUX_USER: logins.store.writer.user,
      INFLUX_PASSWORD: logins.store.writer.password,
    };
    const replica = async (name: string, roles: readonly FlowRole[]): Promise<Replica> => {
      const flows = await Promise.all(roles.map((role) => exampleFlow(`fleet-${role}`)));
      const [first = 'receiver', ...others] = roles;
      const { user, password } = logins.broker[first];
      const started = await Replica.start({
        name,
        flows: connected(together(flows), service.remote ?? '', options),
        credentials: credentialsOf(others, logins),
        hasEditor: roles.includes('writer'),
        yields: options.workersYield === true && first !== 'receiver',
        profiles: options.profiles,
        env: {
          ...env,
          MQTT_USER: user,
          MQTT_PASSWORD: password,
          CEMM_WRITER: name,
          ...(first === 'receiver' ? { CEMM_KEYS_FILE: keysFile } : {}),
        },
      });
      closing.unshift(() => started.stop());
      return started;
    };
    const workers: Replica[] = [];
    for (const [name, roles] of Object.entries(options.workers)) workers.push(await replica(name, roles));
    const receivers = [await replica('receiver 1', ['receiver']), await replica('receiver 2', ['receiver'])];
    const balancer = await startBalancer(
      receivers.map(({ receiverPort }) => receiverPort),
      // All monitors of a campaign send from this machine.
      { connectionsPerSource: 9000 },
    );
    closing.unshift(() => balancer.stop());
    const replicas = [...receivers, ...workers];
    await until('everybody at the broker', () => replicas.every(({ log }) => /Connected to broker/.test(log)));
    await until('both receivers behind the balancer', () => allReady(receivers));
    return {
      clock,
      monitors,
      logins,
      broker,
      store,
      balancer,
      receivers,
      workers,
      requests: () => [...service.requests.values()].reduce((sum, count) => sum + count, 0),
      measured: () => {
        const cpu = new CpuAccount();
        for (const { name, pid } of replicas) cpu.watch(name, pid);
        cpu.watch('mosquitto', broker.pid);
        cpu.watch('haproxy', balancer.pid);
        cpu.watch('influxd', store.pid);
        cpu.watch('simulator and test', process.pid);
        return cpu;
      },
      complaints: () =>
        replicas
          .flatMap(({ name, log }) => log.split('\n').map((line) => `${name}: ${line}`))
          .filter((line) => /\[(?:error|warn)\]/.test(line) && !harmless.test(line)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function allReady(receivers: readonly Replica[]): Promise<boolean> {
  const answers = await Promise.all(
    receivers.map(({ receiverPort }) => fetch(`http://127.0.0.1:${receiverPort}/health`).catch(() => null)),
  );
  return answers.every((answer) => answer?.status === 204);
}

/** The flows configured for a fleet: the service in place of the demo monitor, and all ports on loopback. */
function connected(flows: readonly FlowNode[], remote: string, { speed, jobSeconds }: FleetOptions): FlowNode[] {
  // A receiver uses only the time zone of its connection, and sends no requests.
  const asks = flows.some(({ id }) => id === 'cemm-fleet-work' || id === 'cemm-fleet-jobs');
  return flows.map((node) => {
    const { type, id } = node;
    if (type === 'cemm-webhook-in') return { ...node, bind: '127.0.0.1' };
    if (type === 'cemm-connection' && asks) return { ...node, mode: 'remote', baseUrl: remote };
    if (type !== 'tab' || id !== 'cemm-fleet-jobs') return node;
    const env = (node['env'] as { name: string }[]).map((entry) =>
      entry.name === 'JOB_SECONDS' ? { ...entry, value: String(jobSeconds * speed) } : entry,
    );
    return { ...node, env };
  });
}

/** The key of the service; for a Node-RED with several roles, also the logins that are not in its environment. */
function credentialsOf(others: readonly FlowRole[], { broker }: Logins) {
  const logIns = others.map((role) => [`cemm-fleet-${idParts[role]}-broker`, { ...broker[role] }] as const);
  return {
    'cemm-demo-monitor': { apiKey },
    ...Object.fromEntries(logIns),
  };
}
