/**
 * Load on a webhook path: bursts, floods, slow senders, and callers that disconnect. CEMM_CAMPAIGN=1 uses the sizes of a
 * release instead of those of every run.
 */
import { connect, type Socket } from 'node:net';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import should from 'should';
import type { ProblemPayload } from '../../src/model/payload';
import { sign } from '../../src/webhook/signature';
import { NodeRed } from '../support/node-red/node-red';
import { percentile } from '../campaigns/soak/report';
import { searchForSecrets } from '../support/node-red/secrets';
import { until } from '../support/until';
import { credentials, key, listReadingValues, webhookFlow } from '../support/webhook/flows';
import { delivery, deliveryOfMany, head, post, Traffic, valueIn, type Sender } from '../support/webhook/sending';

const campaign = process.env['CEMM_CAMPAIGN'] !== undefined;
const sizes = campaign
  ? { hostile: 100_000, trickling: 1000, gone: 20, endless: 20 }
  : { hostile: 3000, trickling: 150, gone: 1, endless: 3 };

const megabyte = 1024 * 1024;

describe('a webhook path under load', function () {
  this.timeout(campaign ? 1_800_000 : 120_000);
  let nodeRed: NodeRed;
  let sender: Sender;

  before(async () => {
    nodeRed = await NodeRed.start({
      flows: webhookFlow(),
      credentials,
      nodeOptions: ['--max-old-space-size=128'],
    });
    sender = { url: `${nodeRed.url}/cemm`, key };
    for (let call = 0; call < 20; call++) await post(sender, delivery());
  });

  /** Number of messages after everything sent so far has arrived: the flow keeps the order. */
  async function messagesSoFar(): Promise<number> {
    const marker = delivery();
    await post(sender, marker);
    const messages = await nodeRed.waitFor('deliveries', (all) => listReadingValues(all).includes(valueIn(marker)));
    return messages.length;
  }

  after(async () => {
    await nodeRed.stop();
  });

  it('OV1: accepts 1 000 deliveries in a second: each is answered 200 and sent once', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const before = await messagesSoFar();
    const bodies = Array.from({ length: 1000 }, () => deliveryOfMany());
    const replies = await Promise.all(
      bodies.map(async (body, index) => {
        await sleep(index);
        return post({ ...sender, agent }, body);
      }),
    );
    agent.destroy();
    replies.filter(({ status }) => status !== 200).should.be.empty();
    const messages = await nodeRed.waitForMessages('deliveries', before + 1000, 60_000);
    const values = listReadingValues(messages.slice(before)).sort((a, b) => a - b);
    values.should.deepEqual(bodies.map(valueIn));
    if (!campaign) return;
    // A second on an idle machine; the monitor itself stops waiting after five.
    const p99 = percentile(
      replies.map(({ ms }) => ms),
      0.99,
    );
    process.stdout.write(`      p99 ${p99.toFixed(0)} ms\n`);
    p99.should.be.below(1000);
  });

  it(`answers or closes ${sizes.hostile} hostile calls, and serves a good one in between`, async () => {
    const before = await messagesSoFar();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const good = new Traffic(() => sender, 1, campaign ? 1000 : 200);
    const statuses = new Map<number, number>();
    try {
      const bodies = fc.sample(
        fc.record({
          body: fc.oneof(
            fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
            fc.jsonValue({ maxDepth: 6 }).map((value) => Buffer.from(JSON.stringify(value))),
            fc.constantFrom(
              Buffer.from('['.repeat(12_000) + ']'.repeat(12_000)),
              Buffer.from('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}'),
              Buffer.from('{"a":'.repeat(30_000)),
              Buffer.from('{"format":"basic-v1","data":{"m":{"c":{"t":{"time":1e999,"value":-1e999}}}}}'),
              Buffer.alloc(0),
            ),
          ),
          signature: fc.oneof(fc.constant('ab'.repeat(64)), fc.stringMatching(/^[!-~]{0,140}$/)),
          headers: fc.constantFrom(
            {},
            { 'content-type': 'text/html' },
            { 'content-encoding': 'br' },
            { 'x-api-key': 'x' },
          ),
        }),
        { numRuns: Math.min(sizes.hostile, 5000), seed: 1 },
      );
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < sizes.hostile) {
          const call = bodies[next % bodies.length];
          next += 1;
          if (call === undefined) continue;
          // An early refusal closes the connection while the test may still be writing: that is a response, too.
          const reply = await post({ ...sender, agent }, call.body, {
            'x-signature': call.signature,
            ...call.headers,
          }).catch(() => null);
          const status = reply?.status ?? 0;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
    } finally {
      await good.stop();
      agent.destroy();
    }
    [...statuses.keys()].filter((status) => ![0, 400, 401, 415, 429].includes(status)).should.be.empty();
    should(statuses.get(429)).be.above(0);
    good.broken.should.be.empty();
    good.replies.filter(({ status }) => status !== 200).should.be.empty();
    const messages = await nodeRed.waitForMessages('deliveries', before + good.sent.length);
    listReadingValues(messages.slice(before)).should.deepEqual(good.sent);
    // The second output reports them without becoming a flood itself.
    const problems = (await nodeRed.messages('problems')).map(({ payload }) => payload as ProblemPayload);
    problems.length.should.be.within(1, campaign ? 500 : 60);
  });

  it(`WT2: is not delayed by ${sizes.trickling} senders of one byte at a time, and closes each connection`, async () => {
    const start = await nodeRed.ask('memory');
    const heard: string[] = [];
    /** Ms from the head of the call to the end of its connection. */
    const lives: number[] = [];
    const sockets: Socket[] = Array.from({ length: sizes.trickling }, (_, index) => {
      const { hostname, port } = new URL(sender.url);
      let begun = performance.now();
      const socket = connect(Number(port), hostname, () => {
        begun = performance.now();
        socket.write(head(sender, 'ab'.repeat(64), ['Content-Length: 1000']));
      });
      heard[index] = '';
      socket.on('data', (chunk: Buffer) => (heard[index] = `${heard[index] ?? ''}${chunk.toString()}`));
      socket.on('error', () => undefined);
      socket.on('close', () => lives.push(performance.now() - begun));
      return socket;
    });
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
    }, 500);
    const good = new Traffic(() => sender, 1, 50);
    try {
      await until('all of them to be closed', () => lives.length === sizes.trickling, 60_000);
    } finally {
      clearInterval(drip);
      await good.stop();
      for (const socket of sockets) socket.destroy();
    }
    heard.filter((text) => !/^HTTP\/1\.1 408 .*"too_slow"/s.test(text)).should.be.empty();
    good.replies.filter(({ status }) => status !== 200).should.be.empty();
    good.broken.should.be.empty();
    if (campaign) {
      const p99 = percentile(
        good.replies.map(({ ms }) => ms),
        0.99,
      );
      const longest = Math.max(...lives);
      process.stdout.write(
        `      good calls p99 ${p99.toFixed(0)} ms, the last closed after ${longest.toFixed(0)} ms\n`,
      );
      p99.should.be.below(250);
      longest.should.be.below(5000);
    }
    const end = await nodeRed.ask('memory');
    (end.heapUsed - start.heapUsed).should.be.below(20 * megabyte);
  });

  it('WB2: discards what a sender sends beyond the limit, and closes', async () => {
    const before = await nodeRed.ask('memory');
    const written = await Promise.all(
      Array.from({ length: sizes.endless }, async () => {
        const { hostname, port } = new URL(sender.url);
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        const chunk = Buffer.alloc(64 * 1024, 0x20);
        let bytes = 0;
        socket.resume();
        socket.write(head(sender, 'ab'.repeat(64), ['Transfer-Encoding: chunked']));
        const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
        while (!socket.closed && bytes < 1024 * megabyte) {
          bytes += framed.length;
          if (!socket.write(framed)) {
            await new Promise<void>((resolve) => {
              socket.once('drain', resolve);
              socket.once('close', resolve);
            });
          }
        }
        socket.destroy();
        return bytes;
      }),
    );
    // A gigabyte was offered; the accepted part is the limit, the linger, and the socket buffers.
    Math.max(...written).should.be.below(64 * megabyte);
    const after = await nodeRed.ask('memory');
    (after.rss - before.rss).should.be.below(100 * megabyte);
    (await post(sender, delivery())).status.should.equal(200);
  });

  it('WT3, ME5: sends and keeps nothing of a delivery whose sender disconnects at any byte', async () => {
    const before = await messagesSoFar();
    const problems = (await nodeRed.messages('problems')).length;
    const body = delivery();
    const whole = Buffer.concat([head(sender, sign(key, body), [`Content-Length: ${body.length}`]), body]);
    const { hostname, port } = new URL(sender.url);
    for (let round = 0; round < sizes.gone; round++) {
      for (let end = 0; end < whole.length; end++) {
        await new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(whole.subarray(0, end), () => {
              if ((end + round) % 2 === 0) socket.resetAndDestroy();
              else socket.destroy();
            });
          });
          socket.on('error', reject);
          socket.on('close', () => {
            resolve();
          });
        });
      }
    }
    (await post(sender, body)).status.should.equal(200);
    const messages = await nodeRed.waitForMessages('deliveries', before + 1);
    listReadingValues(messages.slice(before)).should.deepEqual([valueIn(body)]);
    (await nodeRed.messages('problems')).length.should.be.belowOrEqual(problems + 2);
    nodeRed.log.should.not.match(/ECONNRESET|Unhandled|MaxListeners|aborted/);
  });

  it('leaves the key nowhere', async () => {
    const { places, found } = await searchForSecrets(nodeRed, [key]);
    [...places.keys()].should.containDeep(['log', 'deliveries.jsonl', 'problems.jsonl', '/flows']);
    found.should.be.empty();
  });

  if (campaign) {
    it('reports a minute without a delivery', async () => {
      await nodeRed.deploy(webhookFlow({ expected: '1m' }), 'full', credentials);
      const messages = await nodeRed.waitFor(
        'problems',
        (all) => all.some(({ payload }) => (payload as ProblemPayload).reason === 'missed'),
        180_000,
      );
      const missed = messages.map(({ payload }) => payload as ProblemPayload).find(({ reason }) => reason === 'missed');
      ((missed?.slot?.end ?? 0) - (missed?.slot?.start ?? 0)).should.equal(60_000);
      ((missed?.slot?.end ?? 1) % 60_000).should.equal(0);
    });
  }
});
