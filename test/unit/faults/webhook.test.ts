/** Faults of deliveries (test/faults.json) that no other test covers. */
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import should from 'should';
import { readWebhookSettings } from '../../../nodes/cemm-webhook-in/settings';
import type { WebhookPayload } from '../../../src/model/payload';
import { createAuthenticator, sign } from '../../../src/webhook/signature';
import { until } from '../../support/until';
import { selfSigned } from '../../support/network/certificate';
import { FakeClock } from '../../support/time/fake-clock';
import { call, speak, statuses } from '../../support/webhook/raw-calls';
import { harness, type Harness, type HarnessOptions } from '../../support/webhook/receiver-harness';
import { delivery } from '../../support/webhook/sending';

describe('delivery faults', function () {
  this.timeout(60_000);
  let open: Harness[] = [];

  async function start(options?: HarnessOptions): Promise<Harness> {
    const started = await harness(options);
    open.push(started);
    return started;
  }

  afterEach(async () => {
    for (const { faults } of open) should(faults).be.empty();
    await Promise.all(open.map((one) => one.close()));
    open = [];
  });

  /** Sends a valid delivery, waits for its message, and returns all messages. */
  async function all(receiver: Harness): Promise<(number | null)[]> {
    const before = receiver.delivered.length;
    should(statuses(await speak(receiver.port, call(delivery()), { until: 1 }))).eql([200]);
    await until('the good delivery', () => receiver.delivered.length > before);
    return receiver.delivered.map(({ readings }) => readings[0]?.value ?? null);
  }

  it('WA12: uses a key with surrounding spaces unchanged, and warns', () => {
    const stored = {
      config: {},
      credentials: { hmacKey: ' pasted\n' },
      expand: (text: string) => text,
      nodeRoot: '/',
      admin: { root: '', segments: new Set<string>() },
    };
    const { authenticator, hasBlankAroundKey } = readWebhookSettings(stored);
    const body = delivery();
    should(hasBlankAroundKey).be.true();
    should(authenticator.matchSignature({ headers: { 'x-signature': sign(' pasted\n', body) } }, body)).equal(
      'current',
    );
    should(authenticator.matchSignature({ headers: { 'x-signature': sign('pasted', body) } }, body)).be.null();
  });

  it('WA17: accepts the API key only once and under its exact name, among ten thousand parameters', () => {
    const proof = createAuthenticator({ query: { name: 'api_key', key: 'good' } });
    const many = (name: (index: number) => string): string =>
      Array.from({ length: 10_000 }, (_, index) => `${name(index)}=good`).join('&');
    for (const query of [many((index) => `k${index}`), many(() => 'api_key'), many((index) => `api_key[${index}]`)]) {
      should(proof.checkHead({ headers: {}, url: `/cemm?${query}` })).equal('bad_key');
    }
    should(proof.checkHead({ headers: {}, url: `/cemm?${many((index) => `k${index}`)}&api_key=good` })).be.null();
  });

  it('WA22: says in the message that the age of a body without a time is not checked', async () => {
    const receiver = await start();
    await speak(receiver.port, call(Buffer.from('{"data":[[1760000000,5]]}')), { until: 1 });
    await all(receiver);
    should(receiver.delivered.map(({ delivery: { replayCheck } }) => replayCheck)).eql(['none', 'window']);
  });

  it('WA24: rejects an old delivery when the replay cache is empty', async () => {
    const clock = new FakeClock('2026-10-25T12:00:00Z');
    const time = clock.now() / 1000;
    const body = delivery({ time, data: { zon: { volume: { reading: { time, value: 1 } } } } });
    const first = await start({ clock });
    should(statuses(await speak(first.port, call(body), { until: 1 }))).eql([200]);
    clock.tick(299_000);
    const restarted = await start({ clock });
    should(statuses(await speak(restarted.port, call(body), { until: 1 }))).eql([200]);
    clock.tick(2000);
    const again = await start({ clock });
    should(await speak(again.port, call(body), { until: 1 })).match(/^HTTP\/1\.1 409 .*"stale"/s);
  });

  it('WT6: sends no message for a body that is shorter or longer than Content-Length', async () => {
    const receiver = await start();
    const body = delivery();
    const longer = await speak(receiver.port, call(body, [`Content-Length: ${body.length + 5}`]), { end: true });
    should(statuses(longer).filter((status) => status < 400)).be.empty();
    const shorter = await speak(receiver.port, call(body, [`Content-Length: ${body.length - 5}`]), { end: true });
    // The rest is not a second request. The server may reject it before the signature is checked.
    should([400, 401]).containEql(statuses(shorter)[0]);
    should(await all(receiver)).have.length(1);
  });

  it('WT7, WT8: lets the HTTP server reject malformed requests, and sends no message for them', async () => {
    const receiver = await start();
    const body = delivery();
    const refused: [Buffer, number][] = [
      [call(body, ['Transfer-Encoding: chunked', `Content-Length: ${body.length}`]), 400],
      [call(Buffer.from('xyz\r\n{}\r\n'), ['Transfer-Encoding: chunked']), 400],
      [call(Buffer.from(`ffffffffffffffffff\r\n{}\r\n`), ['Transfer-Encoding: chunked']), 400],
      [call(body, [`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`]), 400],
      [call(body, ['Content-Length: -1']), 400],
      [call(body, [`X-Filler: ${'x'.repeat(20_000)}`]), 431],
      [call(body, [], { target: `/cemm?${'x'.repeat(20_000)}` }), 431],
      [call(body, ['No colon here']), 400],
      [Buffer.from('\0\x01\x02 /cemm HTTP/1.1\r\n\r\n'), 400],
    ];
    for (const [bytes, status] of refused) {
      should({
        call: bytes.subarray(0, 60).toString('latin1'),
        statuses: statuses(await speak(receiver.port, bytes)),
      }).match({
        statuses: (heard: number[]) => heard.includes(status),
      });
    }
    should(await all(receiver)).have.length(1);
  });

  it('WT11: answers HTTP/1.0 and pipelined requests in order', async () => {
    const receiver = await start();
    should(statuses(await speak(receiver.port, call(delivery(), [], { version: '1.0' })))).eql([200]);
    const bodies = Array.from({ length: 50 }, () => delivery());
    const wrong = call(delivery(), ['X-Signature: 00']);
    const pipeline = Buffer.concat([...bodies.map((body) => call(body)), wrong]);
    const heard = statuses(await speak(receiver.port, pipeline, { until: 51 }));
    should(heard).eql([...bodies.map(() => 200), 401]);
    await until('all of them', () => receiver.delivered.length === 51);
    const values = receiver.delivered.slice(1).map(({ readings }) => readings[0]?.value ?? 0);
    should(values).eql([...values].sort((a, b) => a - b));
  });

  it('WT13: rejects a WebSocket handshake as a wrong method', async () => {
    const receiver = await start();
    const lines = ['GET /cemm HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade'];
    const heard = await speak(receiver.port, Buffer.from([...lines, 'Sec-WebSocket-Key: eA==', '', ''].join('\r\n')), {
      until: 1,
    });
    should(statuses(heard)).eql([405]);
  });

  it('WT14: accepts deliveries over TLS with a self-signed certificate while other handshakes stall', async () => {
    const receiver = await start({ server: (handle) => createTlsServer(selfSigned('localhost'), handle) });
    const stalled: Socket[] = Array.from({ length: 50 }, () => connect(receiver.port, '127.0.0.1'));
    for (const socket of stalled) {
      socket.on('error', () => undefined);
      socket.write(Buffer.from([0x16, 0x03, 0x01]));
    }
    try {
      const heard = await new Promise<string>((resolve, reject) => {
        // The monitor does not verify certificates (https://wiki.cemm.nl/tools/webhooks).
        const socket = connectTls({ port: receiver.port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          socket.write(call(delivery()));
        });
        socket.on('error', reject);
        socket.on('data', (chunk: Buffer) => {
          resolve(chunk.toString());
          socket.destroy();
        });
      });
      should(statuses(heard)).eql([200]);
    } finally {
      for (const socket of stalled) socket.destroy();
    }
  });

  it('WT15: counts failures by the address of the connection and ignores X-Forwarded-For', async () => {
    const receiver = await start();
    const answers: number[] = [];
    for (let index = 0; index < 70; index++) {
      const forged = call(delivery(), [
        'X-Signature: 00',
        `X-Forwarded-For: 10.0.0.${index}`,
        `Forwarded: for=${index}`,
      ]);
      answers.push(...statuses(await speak(receiver.port, forged, { until: 1 })));
    }
    should(answers.filter((status) => status === 429).length).be.aboveOrEqual(5);
    should(receiver.problems.map(({ remote }) => remote).filter((remote) => remote !== '127.0.0.1')).be.empty();
    should(await all(receiver)).have.length(1);
  });

  it('WB10: uses the last of two values with the same key', async () => {
    const receiver = await start();
    const time = Math.floor(Date.now() / 1000);
    const twice = `{"format":"basic-v1","cemm":1,"cemm":2,"time":${time},"data":{"zon":{"volume":{"reading":{"time":${time},"value":7,"value":8}}}}}`;
    should(statuses(await speak(receiver.port, call(Buffer.from(twice)), { until: 1 }))).eql([200]);
    should((await all(receiver))[0]).equal(8);
    should(receiver.delivered[0]?.monitor.cemm).equal(2);
  });

  it('WB19: accepts a body of keys only, one very long key, and keys with control characters', async () => {
    const receiver = await start();
    const time = Math.floor(Date.now() / 1000);
    const topic = { reading: { time, value: 1 } };
    const keys = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, null]));
    const tooMany = delivery({ data: { zon: { volume: keys(15_000) } } });
    should(statuses(await speak(receiver.port, call(tooMany), { until: 1 }))).eql([413]);
    for (const data of [
      { zon: { volume: keys(5000) } },
      { zon: { ['x'.repeat(200_000)]: topic } },
      { ['\n\r\u001b[31m\u0000']: { ['/+#']: topic } },
    ]) {
      const heard = await speak(receiver.port, call(delivery({ data })), { until: 1 });
      should(statuses(heard)).eql([200]);
    }
    should(await all(receiver)).have.length(4);
    for (const payload of receiver.delivered) should(structuredClone(payload)).eql(payload);
  });

  it('WB21: keeps no reference to a message that a flow can change', async () => {
    const seen: string[] = [];
    const deliver = (payload: WebhookPayload): void => {
      seen.push(JSON.stringify(payload));
      for (const name of Object.keys(payload)) Reflect.set(payload, name, 'changed by the flow');
    };
    const receiver = await start({ callbacks: { deliver } });
    const body = delivery();
    const first = await speak(receiver.port, call(body), { until: 1 });
    await until('the message', () => seen.length === 1);
    // The repeat gets the same response, and the next delivery is not affected.
    const idIn = (heard: string): string => /"id":"([^"]*)"/.exec(heard)?.[1] ?? 'none';
    should(idIn(await speak(receiver.port, call(body), { until: 1 })))
      .equal(idIn(first))
      .and.not.equal('none');
    await speak(receiver.port, call(delivery()), { until: 1 });
    await until('the next message', () => seen.length === 2);
    should(seen.filter((text) => text.includes('changed by the flow'))).be.empty();
  });

  it('TD12: passes deliveries on in order of arrival, whatever their times', async () => {
    const receiver = await start();
    const now = Math.floor(Date.now() / 1000);
    const offsets = [0, -120, 30, -60];
    for (const offset of offsets) {
      should(statuses(await speak(receiver.port, call(delivery({ time: now + offset })), { until: 1 }))).eql([200]);
    }
    await until('all of them', () => receiver.delivered.length === offsets.length);
    should(receiver.delivered.map(({ ts }) => ts / 1000 - now)).eql(offsets);
  });

  it('ME3: keeps no bytes of bodies after passing them on', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const bytesHeld = (): number => {
      collect();
      collect();
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      return arrayBuffers + heapUsed;
    };
    let count = 0;
    const receiver = await start({ callbacks: { deliver: () => void (count += 1) } });
    let cemm = 0;
    const send = async (): Promise<void> => {
      cemm += 1;
      const body = delivery({ cemm, note: 'x'.repeat(200_000) });
      should(statuses(await speak(receiver.port, call(body), { until: 1 }))).eql([200]);
    };
    for (let round = 0; round < 20; round++) await send();
    const before = bytesHeld();
    for (let round = 0; round < 200; round++) await send();
    await until('all messages', () => count === 220);
    // 40 MB were sent.
    await until('the memory to come back', () => bytesHeld() - before < 5 * 1024 * 1024);
  });
});
