/**
 * An attacker in the network of a fleet, without a login or with that of one role, who tries to reach everything of value.
 * Lists every success; there must be none.
 */
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { connectAsync, type MqttClient } from 'mqtt';
import { basic, type Login } from '../../support/servers/influxdb';
import { until } from '../../support/until';
import type { Fleet } from './fleet';
import { database } from './servers';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
/** The admin API, possible paths of flows beside deliveries, and variations of the allowed path. */
const paths = [
  '/',
  '/flows',
  '/flow',
  '/nodes',
  '/settings',
  '/context/global',
  '/context/global/cemmKey',
  '/auth/token',
  '/inject/cemm-fleet-out-look',
  '/cemm-webhook-in/test',
  '/cemm',
  '/cemm/../flows',
  '/cemm/%2e%2e/flows',
  '//flows',
];
/** Statuses of a refusal. */
const refusals = new Set([400, 401, 403, 404, 405, 415]);

export async function tryDoors(fleet: Fleet): Promise<string[]> {
  const open = await Promise.all([
    throughTheBalancer(fleet),
    besideTheBalancer(fleet),
    atTheBroker(fleet),
    atTheStore(fleet),
  ]);
  return open.flat();
}

async function throughTheBalancer({ balancer, monitors }: Fleet): Promise<string[]> {
  const port = Number(new URL(balancer.url).port);
  const known = `/cemm/${monitors[0]?.id ?? ''}`;
  const forbidden = [...paths, '/health'].map((path) => asked('127.0.0.1', port, path));
  // Without a signature, and with methods that no monitor uses.
  return (await Promise.all([...forbidden, asked('127.0.0.1', port, known)])).flat();
}

/** Attacks the receivers and the other Node-REDs directly, including addresses on which they should not listen. */
async function besideTheBalancer({ receivers, workers }: Fleet): Promise<string[]> {
  const deliveryPorts = receivers.map(({ receiverPort }) => receiverPort);
  const replicas = [...receivers, ...workers];
  const editorPorts = replicas.map(({ editorPort }) => editorPort);
  const fromOthers = ['127.0.0.2', ...addresses()].flatMap((address) =>
    [...deliveryPorts, ...editorPorts].map(async (port) =>
      (await answers(address, port)) ? [`${address}:${port} listens`] : [],
    ),
  );
  const here = deliveryPorts.flatMap((port) => paths.map((path) => asked('127.0.0.1', port, path)));
  const withoutEditor = replicas
    .filter(({ hasEditor }) => !hasEditor)
    .map(async ({ name, editorPort }) => ((await answers('127.0.0.1', editorPort)) ? [`${name} has an editor`] : []));
  // The page of the editor itself is public; its API is not.
  const api = paths.filter((path) => path !== '/' && path !== '//flows');
  const withEditor = replicas
    .filter(({ hasEditor }) => hasEditor)
    .flatMap(({ editorPort }) => api.map((path) => asked('127.0.0.1', editorPort, path)));
  return (await Promise.all([...fromOthers, ...here, ...withoutEditor, ...withEditor])).flat();
}

async function atTheBroker({ broker, logins, monitors }: Fleet): Promise<string[]> {
  const open: string[] = [];
  for (const login of [null, { user: 'receiver', password: 'guessed' }]) {
    const client = await connectTo(broker.port, login).catch(() => null);
    if (client !== null) open.push(`the broker takes ${login === null ? 'anybody' : 'any password'}`);
    await client?.endAsync(true);
  }
  const heard = new Map<string, string[]>();
  const listener = async (role: 'reader' | 'receiver' | 'worker'): Promise<MqttClient> => {
    const client = await connectTo(broker.port, logins.broker[role]);
    client.on('message', (topic, payload) => {
      // A reader may receive messages of the fleet itself.
      const isOfTheFleet = role === 'reader' && !['forged', '{}'].includes(payload.toString());
      if (!isOfTheFleet) heard.set(role, [...(heard.get(role) ?? []), topic]);
    });
    // A subscription may be granted; only received messages count.
    await client.subscribeAsync('#').catch(() => undefined);
    return client;
  };
  const [receiver, worker, reader] = [await listener('receiver'), await listener('worker'), await listener('reader')];
  const id = monitors[0]?.id ?? '';
  await receiver.publishAsync(`cemm/jobs/${id}`, 'forged', { qos: 1 }).catch(() => undefined);
  await worker.publishAsync(`cemm/${id}/webhook`, 'forged', { qos: 1 }).catch(() => undefined);
  await reader.publishAsync(`cemm/${id}/webhook`, 'forged', { qos: 1 }).catch(() => undefined);
  // An allowed message after the others on the same connection: once it arrives, they are not just late.
  await worker.publishAsync(`cemm/failed/${id}`, '{}', { qos: 1 });
  await until('the last message', () => heard.get('reader')?.includes(`cemm/failed/${id}`) === true);
  for (const topic of heard.get('reader') ?? []) {
    if (topic !== `cemm/failed/${id}`) open.push(`anybody may publish to ${topic}`);
  }
  if (heard.has('receiver')) open.push('a receiver hears what others publish');
  await Promise.all([receiver, worker, reader].map((client) => client.endAsync(true)));
  return open;
}

async function atTheStore({ store, logins }: Fleet): Promise<string[]> {
  const url = `http://127.0.0.1:${store.port}`;
  const write = (login: Login | null) =>
    fetch(`${url}/write?db=${database}`, { method: 'POST', body: 'forged value=1', headers: authorization(login) });
  const query = (statement: string, login: Login | null) =>
    fetch(`${url}/query?db=${database}&q=${encodeURIComponent(statement)}`, {
      method: 'POST',
      headers: authorization(login),
    });
  const attempts = {
    'anybody may read': await query('SHOW MEASUREMENTS', null),
    'anybody may write': await write(null),
    'any password is taken': await query('SHOW MEASUREMENTS', { user: 'admin', password: 'guessed' }),
    'a reader may write': await write(logins.store.reader),
    'a writer may make users': await query(`CREATE USER "forged" WITH PASSWORD 'x'`, logins.store.writer),
  };
  return Object.entries(attempts).flatMap(([what, { status }]) => (status < 400 ? [`store: ${what}`] : []));
}

/** Sends each method to an unchanged path; a browser's client would normalize it. */
async function asked(host: string, port: number, path: string): Promise<string[]> {
  const statuses = await Promise.all(methods.map((method) => statusOf(host, port, method, path)));
  return statuses.flatMap((status, place) =>
    status !== null && refusals.has(status)
      ? []
      : [`${methods[place] ?? ''} ${host}:${port}${path}: ${String(status)}`],
  );
}

function statusOf(host: string, port: number, method: string, path: string): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request({ host, port, method, path, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => {
      resolve(null);
    });
    call.end(method === 'POST' || method === 'PUT' ? '{}' : undefined);
  });
}

async function answers(host: string, port: number): Promise<boolean> {
  return (await statusOf(host, port, 'GET', '/')) !== null;
}

/** This machine's addresses in its network. */
function addresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

function connectTo(port: number, login: Login | null): Promise<MqttClient> {
  const options = login === null ? {} : { username: login.user, password: login.password };
  return connectAsync(`mqtt://127.0.0.1:${port}`, { ...options, protocolVersion: 5, reconnectPeriod: 0 });
}

function authorization(login: Login | null): Record<string, string> {
  return login === null ? {} : { authorization: basic(login) };
}
