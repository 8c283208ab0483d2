/**
 * A signed delivery of 5 kB through cemm-webhook-in, beside what Node.js can do at most and the flow that users wire. Every
 * peer is a process of its own and so is the load, which takes less than half of what the fastest peer takes per call.
 */
import { createHmac } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { NodeRed, tab, type FlowNode } from '../test/support/node-red';
import { credentials, key, webhookNode } from '../test/support/webhook/flows';
import { fullDelivery } from './support/full-delivery';
import { send, type Load } from './support/load';
import { inTurns, median } from './support/rounds';
import { rounded, type Table } from './support/table';

const sockets = 16;
const rounds = 5;
/** Long enough for the compiler of V8 to be through with every peer in the first turn, which does not count. */
const perRound = 4000;
let counter = 0;

export async function webhook(): Promise<Table> {
  const bare = fork(join(__dirname, 'support/bare-receiver.cjs'), [key]);
  const [ours, wired] = await Promise.all([
    NodeRed.start({ flows: [tab(), { ...webhookNode({ wires: [['sink'], []] }) }, sink], credentials }),
    NodeRed.start({ flows: handWired() }),
  ]);
  try {
    const barePort = await portOf(bare);
    const load = (port: number, path: string) => () => send(port, deliveries(path, perRound), sockets);
    const peers = {
      ours: load(ours.port, '/cemm'),
      bare: load(barePort, '/cemm'),
      wired: load(wired.port, '/wired'),
    };
    await inTurns(1, peers);
    return tableOf(await inTurns(rounds, peers));
  } finally {
    bare.kill();
    await Promise.all([ours.stop(), wired.stop()]);
  }
}

function tableOf(results: ReadonlyMap<string, readonly Load[]>): Table {
  const figure = (peer: string, name: keyof Load): number =>
    median((results.get(peer) ?? []).map((result) => result[name]));
  const ratio = (peer: string, name: keyof Load): number =>
    median((results.get('ours') ?? []).map((mine, round) => mine[name] / (results.get(peer)?.[round]?.[name] ?? NaN)));
  return {
    name: 'webhook',
    rows: [...results.keys()].map((peer) => ({
      peer,
      'requests/s': rounded(figure(peer, 'perSecond'), 0),
      'p50 ms': rounded(figure(peer, 'p50Ms')),
      'p99 ms': rounded(figure(peer, 'p99Ms')),
      refused: (results.get(peer) ?? []).reduce((sum, { refused }) => sum + refused, 0),
    })),
    goals: [
      { what: 'requests against the hand-wired flow', value: ratio('wired', 'perSecond'), limit: 3.5, atLeast: true },
      { what: 'requests against bare node:http', value: ratio('bare', 'perSecond'), limit: 0.75, atLeast: true },
      { what: 'p99 against bare node:http', value: ratio('bare', 'p99Ms'), limit: 1.5 },
    ],
  };
}

/** A debug node that is switched off does as little as a node can. */
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

/** Calls as bytes, signed beforehand; every body differs, for a repeat would be recognized. */
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

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (port) => {
      resolve(Number(port));
    });
  });
}
