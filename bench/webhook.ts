/**
 * A signed delivery of 5 kB to cemm-webhook-in, on its own port and on the port of Node-RED, compared with a minimal server and
 * with a flow of core nodes. Each peer and the load generator have their own processes. The result is the server's processor
 * time per delivery, because requests per second also depend on the load generator.
 */
import { createHmac } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, NodeRed, tab, type FlowNode } from '../test/support/node-red/node-red';
import { key, webhookNode } from '../test/support/webhook/flows';
import { fullDelivery } from './support/full-delivery';
import { send, type Load } from './support/load';
import { inTurns, median } from './support/interleaved';
import { rounded, type Table } from './support/table';

const sockets = 16;
const rounds = 25;
const perRound = 1500;
/** Enough for V8 to optimize every peer. */
const warmUps = 6;
/** Includes work after the last response. */
const settleMs = 100;
let counter = 0;

interface Round extends Load {
  /** µs of the server's processor time per delivery, for all threads of the process. */
  readonly cpuUs: number;
}

interface Peer {
  readonly port: number;
  readonly path: string;
  /** Processor time so far, in ms. */
  readonly cpu: () => Promise<number>;
}

export async function webhook(): Promise<Table> {
  const bare = fork(join(__dirname, 'support/bare-receiver.cjs'), [key]);
  const ownPort = await freePort();
  const listen = { listen: 'own', port: String(ownPort), bind: '127.0.0.1' };
  const [own, shared, wired] = await Promise.all([
    startOurs(listen),
    startOurs({}),
    NodeRed.start({ flows: handWired() }),
  ]);
  const nodeReds = { own, shared, wired };
  try {
    const barePort = Number(await answerOf(bare));
    const peers = {
      bare: { port: barePort, path: '/cemm', cpu: () => cpuOf(bare) },
      own: { port: ownPort, path: '/cemm', cpu: () => own.cpu() },
      shared: { port: shared.port, path: '/cemm', cpu: () => shared.cpu() },
      wired: { port: wired.port, path: '/wired', cpu: () => wired.cpu() },
    };
    const turns = Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, () => measure(peer)]));
    await inTurns(warmUps, turns);
    return tableOf(await inTurns(rounds, turns));
  } finally {
    bare.kill();
    await Promise.all(Object.values(nodeReds).map((nodeRed) => nodeRed.stop()));
  }
}

function startOurs(more: Readonly<Record<string, unknown>>): Promise<NodeRed> {
  const flows = [tab(), webhookNode({ ...more, wires: [['sink'], []] }), sink];
  return NodeRed.start({ flows, credentials: { hook: { hmacKey: key } } });
}

async function measure({ port, path, cpu }: Peer): Promise<Round> {
  // Signed before the measurement starts.
  const calls = deliveries(path, perRound);
  const before = await cpu();
  const load = await send(port, calls, sockets);
  await pause(settleMs);
  const after = await cpu();
  return { ...load, cpuUs: ((after - before) * 1000) / perRound };
}

function tableOf(results: ReadonlyMap<string, readonly Round[]>): Table {
  const of = (peer: string, name: keyof Round): number[] => (results.get(peer) ?? []).map((round) => round[name]);
  /** Compares consecutive rounds, because other load on the machine changes slowly. */
  const ratio = (peer: string, other: string, name: keyof Round): number =>
    median(of(peer, name).map((mine, round) => mine / (of(other, name)[round] ?? NaN)));
  return {
    name: 'webhook',
    rows: [...results.keys()].map((peer) => ({
      peer,
      'cpu µs': rounded(median(of(peer, 'cpuUs')), 1),
      'against bare': rounded(ratio(peer, 'bare', 'cpuUs')),
      'requests/s': rounded(median(of(peer, 'perSecond')), 0),
      'p50 ms': rounded(median(of(peer, 'p50Ms'))),
      'p99 ms': rounded(median(of(peer, 'p99Ms'))),
      refused: of(peer, 'refused').reduce((sum, refused) => sum + refused, 0),
    })),
    goals: [
      { what: 'own: processor time against bare node:http', value: ratio('own', 'bare', 'cpuUs'), limit: 1.35 },
      { what: 'shared: processor time against bare node:http', value: ratio('shared', 'bare', 'cpuUs'), limit: 2.6 },
      {
        what: 'own: requests against bare node:http',
        value: ratio('own', 'bare', 'perSecond'),
        limit: 0.7,
        atLeast: true,
      },
      {
        what: 'own: requests against the hand-wired flow',
        value: ratio('own', 'wired', 'perSecond'),
        limit: 3,
        atLeast: true,
      },
    ],
  };
}

/** A disabled debug node does the least work of all nodes. */
const sink: FlowNode = {
  id: 'sink',
  type: 'debug',
  z: 'flow',
  active: false,
  tosidebar: true,
  console: false,
  tostatus: false,
  complete: 'payload',
  targetType: 'msg',
  wires: [],
};

/** `http in` with the raw body, a function that verifies and flattens, `http response`. */
function handWired(): FlowNode[] {
  const func = `
    const given = Buffer.from(msg.req.headers['x-signature'] || '', 'hex');
    const made = crypto.createHmac('sha512', ${JSON.stringify(key)}).update(msg.req.rawBody || msg.payload).digest();
    if (given.length !== made.length || !crypto.timingSafeEqual(given, made)) { msg.statusCode = 401; return msg; }
    const body = Buffer.isBuffer(msg.payload) ? JSON.parse(msg.payload.toString()) : msg.payload;
    const values = {};
    for (const [meter, channels] of Object.entries(body.data))
      for (const [channel, topics] of Object.entries(channels))
        for (const [topic, { value }] of Object.entries(topics)) values[meter + '/' + channel + '/' + topic] = value;
    msg.payload = { status: 'accepted', count: Object.keys(values).length };
    msg.statusCode = 200;
    return msg;`;
  return [
    tab(),
    { id: 'in', type: 'http in', z: 'flow', url: '/wired', method: 'post', skipBodyParsing: true, wires: [['verify']] },
    {
      id: 'verify',
      type: 'function',
      z: 'flow',
      func,
      outputs: 1,
      libs: [{ var: 'crypto', module: 'crypto' }],
      wires: [['answer']],
    },
    { id: 'answer', type: 'http response', z: 'flow', statusCode: '', headers: {}, wires: [] },
  ];
}

/** Calls as bytes, signed beforehand; every body differs, because a repeat would be recognized. */
function deliveries(path: string, count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const body = Buffer.from(JSON.stringify(fullDelivery(++counter)));
    const signature = createHmac('sha512', key).update(body).digest('hex');
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      `X-Signature: ${signature}`,
      `Content-Length: ${body.length}`,
      '',
      '',
    ].join('\r\n');
    return Buffer.concat([Buffer.from(head), body]);
  });
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const { user, system } = (await answerOf(child)) as NodeJS.CpuUsage;
  return (user + system) / 1000;
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('message', resolve);
  });
}
