/** The shipped docs/fleet/haproxy.cfg in front of two receivers: clients without a key cannot keep deliveries from arriving. */
import 'should';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sign } from '../../../src/webhook/signature';
import { startBalancer, type Balancer } from '../fleet/servers';
import { freePort, NodeRed } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { key, listReadingValues, webhookFlow, webhookNode } from '../../support/webhook/flows';
import { delivery, post, raw, shapes, valueIn, type Reply, type Sender, head } from '../../support/webhook/sending';
import { listenOnLoopback } from '../../support/network/loopback';

/** A client without a key that sends some of a body, then a byte now and then, and starts again after a refusal. */
class SlowClients {
  readonly heard = new Map<string, number>();
  private running = true;
  private readonly sockets = new Set<Socket>();
  private readonly work: Promise<void>[];

  constructor(sender: Sender, count: number, lines: readonly string[], first: Buffer) {
    this.work = Array.from({ length: count }, () => this.attack(sender, lines, first));
  }

  get connected(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    this.running = false;
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.work);
  }

  private async attack(sender: Sender, lines: readonly string[], first: Buffer): Promise<void> {
    while (this.running) {
      const answer = await this.once(sender, lines, first);
      this.heard.set(answer, (this.heard.get(answer) ?? 0) + 1);
      await sleep(500);
    }
  }

  private once(sender: Sender, lines: readonly string[], first: Buffer): Promise<string> {
    const { hostname, port } = new URL(sender.url);
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(head(sender, 'ab'.repeat(64), lines));
        socket.write(first);
      });
      this.sockets.add(socket);
      const drip = setInterval(() => socket.writable && socket.write(' '), 300);
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        this.sockets.delete(socket);
        resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed');
      });
    });
  }
}

const attackers = 300;
const deliveries = 100;
/** Timeout of a monitor. */
const patienceMs = 5000;
const kilobyte = 1024;

describe('the balancer of a fleet', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let balancer: Balancer | undefined;
  let ports: readonly [number, number];
  let sender: Sender;

  before(async () => {
    ports = [await freePort(), await freePort()];
    const own = (port: number) => ({
      path: '/cemm/house',
      listen: 'own',
      port: String(port),
      bind: '127.0.0.1',
      tls: '',
    });
    const [first, second] = ports;
    const other = webhookNode({ ...own(second), id: 'other', wires: [['deliveries'], []] });
    nodeRed = await NodeRed.start({
      settings: 'httpNodeRoot: false,',
      flows: webhookFlow(own(first), [other]),
      credentials: { hook: { hmacKey: key }, other: { hmacKey: key } },
    });
    balancer = await startBalancer(ports);
    sender = { url: `${balancer.url}/cemm/house`, key };
    await until('both receivers', () =>
      Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/health`))).then(
        (answers) => answers.every(({ status }) => status === 204),
        () => false,
      ),
    );
  });

  after(async () => {
    await balancer?.stop();
    await nodeRed.stop();
  });

  async function sendGood(): Promise<Reply[]> {
    return Promise.all(
      Array.from({ length: deliveries }, async (_, place) => {
        await sleep(place * 50);
        return post(sender, delivery()).catch(() => ({ status: 0, text: '', ms: 0 }));
      }),
    );
  }

  it('passes a delivery of every shape on unchanged, up to the size that it can send again', async () => {
    const before = (await nodeRed.messages('deliveries')).length;
    const sent: number[] = [];
    for (const [shape, pieces] of Object.entries(shapes)) {
      for (const size of [0, 50 * kilobyte]) {
        const body = delivery({ note: `€${' '.repeat(size)}` });
        const reply = await raw(sender.url, pieces(sender, body, sign(key, body)));
        reply.status.should.equal(200, `${shape}, ${size}: ${reply.text}`);
        sent.push(valueIn(body));
      }
    }
    const messages = await nodeRed.waitForMessages('deliveries', before + sent.length);
    listReadingValues(messages.slice(before)).should.deepEqual(sent);
  });

  const hostile: Readonly<Record<string, { readonly lines: readonly string[]; readonly first: Buffer }>> = {
    '70 kB of a body of 250 kB': { lines: ['Content-Length: 250000'], first: Buffer.alloc(70 * kilobyte, 0x20) },
    '70 kB of a body of unknown length': {
      lines: ['Transfer-Encoding: chunked'],
      first: Buffer.from(`${(200_000).toString(16)}\r\n${' '.repeat(70 * kilobyte)}`),
    },
    '40 kB of a body of 50 kB': { lines: ['Content-Length: 50000'], first: Buffer.alloc(40 * kilobyte, 0x20) },
    'no byte of a body': { lines: ['Content-Length: 1000', 'Expect: 100-continue'], first: Buffer.alloc(0) },
  };

  describe('while 300 clients without a key send slowly', () => {
    for (const [what, { lines, first }] of Object.entries(hostile)) {
      it(`passes deliveries on within 5 s: ${what}`, async () => {
        const slow = new SlowClients(sender, attackers, lines, first);
        let replies: Reply[];
        try {
          await until(
            'all of them to have tried',
            () => slow.connected + [...slow.heard.values()].reduce((a, b) => a + b, 0) >= attackers,
          );
          replies = await sendGood();
        } finally {
          await slow.stop();
        }
        const good = replies.filter(({ status, ms }) => status === 200 && ms < patienceMs);
        console.log(`      ${good.length} of ${deliveries}; the clients heard ${JSON.stringify([...slow.heard])}`);
        good.length.should.be.aboveOrEqual(0.99 * deliveries);
      });
    }
  });

  it('sends a delivery to the other receiver when one takes it and does not answer', async () => {
    const silent = createServer((req, res) => {
      if (req.method === 'GET') res.writeHead(204).end();
      else req.socket.destroy();
    });
    const second = await startBalancer([await listenOnLoopback(silent), ports[0]]);
    try {
      for (const size of [0, 50 * kilobyte, 0, 50 * kilobyte]) {
        const reply = await post({ url: `${second.url}/cemm/house`, key }, delivery({ note: ' '.repeat(size) }));
        reply.status.should.equal(200, `${size}: ${reply.text}`);
      }
    } finally {
      await second.stop();
      silent.close();
    }
  });

  it('leaves room for others when one address opens as many connections as it can', async () => {
    const { hostname, port } = new URL(sender.url);
    let refused = 0;
    const sockets: Socket[] = [];
    try {
      for (let count = 0; count < 600; count++) {
        await new Promise<void>((resolve) => {
          let isAnswered = false;
          const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.2' }, resolve);
          // A connection that waited for its request gets 408.
          socket.on('data', () => (isAnswered = true));
          socket.on('error', () => undefined);
          socket.on('close', () => {
            if (!isAnswered) refused += 1;
            resolve();
          });
          sockets.push(socket);
        });
      }
      await until('the refusals', () => refused >= 100);
      (await post(sender, delivery())).status.should.equal(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('the balancer of a fleet, before any receiver', function () {
  this.timeout(60_000);

  it('passes on no path that leaves /cemm/, in any spelling', async () => {
    const arrived: string[] = [];
    const receiver = createServer((req, res) => {
      if (req.method === 'POST') arrived.push(req.url ?? '');
      res.writeHead(req.method === 'GET' ? 204 : 200).end();
    });
    const own = await listenOnLoopback(receiver);
    const second = await startBalancer([own, own]);
    try {
      const parents = ['..', '%2e%2e', '.%2E', '%2E.', '%252e%252e', '%25%32e.', '..;', '..%00', '..%20', '%2e'];
      const slashes = ['/', '//', '%2f', '%2F', '%5c', '%255c', '\\\\', '/./'];
      for (const parent of parents)
        for (const slash of slashes) await rawStatus(second.url, `/cemm/h1${slash}${parent}${slash}x`);
      // In its turn behind all others.
      for (const good of ['/cemm/house', '/cemm/house-1/a.b', '/cemm/h%20ouse', '/cemm/last'])
        (await rawStatus(second.url, good)).should.equal(200);
      arrived.should.deepEqual(['/cemm/house', '/cemm/house-1/a.b', '/cemm/h%20ouse', '/cemm/last']);
    } finally {
      await second.stop();
      receiver.close();
    }
  });
});

/** The status of a POST whose target is sent as it is; a URL would be normalized. */
function rawStatus(url: string, target: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.once('error', reject);
    socket.once('close', () => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0));
    });
    socket.write(`POST ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`);
  });
}
