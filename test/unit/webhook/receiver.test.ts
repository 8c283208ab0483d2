import { gzipSync } from 'node:zlib';
import should from 'should';
import { sign } from '../../../src/webhook/signature';
import { until } from '../../support/until';
import {
  type Harness,
  harness,
  type HarnessOptions,
  key,
  type Reply,
  sendDelivery,
} from '../../support/webhook/receiver-harness';
import { delivery, valueIn } from '../../support/webhook/sending';

describe('the receiver over HTTP', () => {
  let up: Harness | null = null;
  afterEach(async () => {
    const faults = up?.faults ?? [];
    await up?.close();
    up = null;
    faults.should.be.empty();
  });
  const start = async (options?: HarnessOptions): Promise<Harness> => (up = await harness(options));

  it('WT16: accepts a signed delivery, responds, then passes it on', async () => {
    const { port, delivered } = await start();
    const body = delivery();
    const reply = await sendDelivery(port, body);
    reply.status.should.equal(200);
    await until('the payload', () => delivered.length === 1);
    const [payload] = delivered;
    should(payload?.id).equal(reply.json['id']);
    should(payload?.delivery).containDeep({
      format: 'basic-v1',
      verified: ['hmac'],
      keyUsed: 'current',
      bytes: body.length,
      replayCheck: 'window',
    });
    should(payload?.values).deepEqual({ zon: { energy_export_kwh: valueIn(body) } });
    reply.text.length.should.be.below(300);
  });

  it('WB23: accepts every signed object and list, and passes on unknown bodies unchanged', async () => {
    const { port, delivered } = await start();
    const bodies = [
      { meters: [{ key: 'zon', channels: [{ key: 'electric_power_import', unit: 'W' }] }] },
      { id: 24000001, mac: '80:1F:12:47:06:B0', time: 7 },
      [1, { a: null }],
      [],
      {},
      { data: { 'zon:electric_power_import': [[1768478400, 5]] }, time: 1768478400 },
    ];
    for (const body of bodies) {
      const reply = await sendDelivery(port, JSON.stringify(body));
      reply.status.should.equal(200, JSON.stringify(body));
    }
    await until('all of them', () => delivered.length === bodies.length);
    delivered.map(({ raw }) => raw).should.deepEqual(bodies);
    for (const { readings, points, delivery } of delivered) {
      readings.should.be.empty();
      should(points).be.undefined();
      delivery.should.containDeep({ format: 'unknown', replayCheck: 'none' });
    }
  });

  it('WB9: keeps the meters beside one named __proto__, and reports the omitted one', async () => {
    const { port, delivered } = await start();
    const body = delivery();
    const text = body.toString().replace('"data":{', '"data":{"__proto__":{"volume":{"reading":null}},');
    (await sendDelivery(port, text)).status.should.equal(200);
    await until('the payload', () => delivered.length === 1);
    const [payload] = delivered;
    should(payload?.values).deepEqual({ zon: { energy_export_kwh: valueIn(body) } });
    should(payload?.delivery.flaws?.map(({ path }) => path)).deepEqual(['$.data["__proto__"]']);
    should(JSON.stringify(payload?.raw)).not.containEql('__proto__');
  });

  describe('refuses with a code and a message of at most 300 bytes', () => {
    const cases: [string, number, string, (port: number) => Promise<Reply>][] = [
      ['WA1: no signature', 401, 'missing_signature', (port) => sendDelivery(port, delivery(), { signature: null })],
      [
        'WA2: a wrong signature',
        401,
        'bad_signature',
        (port) => sendDelivery(port, delivery(), { signature: 'ab'.repeat(64) }),
      ],
      [
        'a shape that is no signature',
        401,
        'bad_signature',
        (port) => sendDelivery(port, delivery(), { signature: 'x' }),
      ],
      ['WB1: an empty body', 400, 'bad_json', (port) => sendDelivery(port, '')],
      ['WT17, WB7: half a JSON', 400, 'bad_json', (port) => sendDelivery(port, '{"format":')],
      ['WB8: 17 levels', 400, 'too_deep', (port) => sendDelivery(port, '['.repeat(17) + ']'.repeat(17))],
      ['WB8: 12 000 levels', 400, 'too_deep', (port) => sendDelivery(port, '['.repeat(12_000) + ']'.repeat(12_000))],
      [
        'WB8: 20 000 levels of objects',
        400,
        'too_deep',
        (port) => sendDelivery(port, '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)),
      ],
      [
        'WB6: bytes that are no UTF-8',
        400,
        'bad_encoding',
        (port) => sendDelivery(port, Buffer.from([0x22, 0xe2, 0x22])),
      ],
      ['WB17: JSON that is no object and no list', 422, 'not_a_delivery', (port) => sendDelivery(port, '"text"')],
      [
        'WB3: a compressed body',
        415,
        'content_encoding',
        (port) => sendDelivery(port, gzipSync('{}'), { headers: { 'content-encoding': 'gzip' } }),
      ],
      [
        'WB4: a form',
        415,
        'content_type',
        (port) => sendDelivery(port, 'a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      ],
      [
        'WB4: another charset',
        415,
        'content_type',
        (port) => sendDelivery(port, '{}', { headers: { 'content-type': 'application/json; charset=utf-16' } }),
      ],
      [
        'WB2: a body over the limit',
        413,
        'too_large',
        (port) => sendDelivery(port, Buffer.alloc(256 * 1024 + 1, 0x20)),
      ],
      [
        'WB2: a chunked body over the limit',
        413,
        'too_large',
        (port) => sendDelivery(port, Buffer.alloc(300 * 1024, 0x20), { headers: { 'transfer-encoding': 'chunked' } }),
      ],
    ];
    for (const [what, status, word, call] of cases) {
      it(`${what}: ${word}`, async () => {
        const { port, delivered, problems } = await start();
        const reply = await call(port);
        reply.status.should.equal(status);
        should(reply.json['error']).equal(word);
        should(reply.json['message']).be.a.String();
        Buffer.byteLength(reply.text).should.be.below(300);
        should(reply.headers['content-type']).equal('application/json');
        problems.should.containDeep([{ reason: word, count: 1, remote: '127.0.0.1' }]);
        // A valid one after it is accepted, and is the only one.
        (await sendDelivery(port, delivery())).status.should.equal(200);
        await until('the good delivery', () => delivered.length > 0);
        delivered.length.should.equal(1);
        should(Reflect.get({}, 'x')).be.undefined();
      });
    }

    for (const method of ['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH']) {
      it(`WT9: ${method}: method`, async () => {
        const { port } = await start();
        const reply = await sendDelivery(port, method === 'PUT' ? '{}' : '', { method });
        reply.status.should.equal(405);
        should(reply.headers['allow']).equal('POST');
      });
    }
  });

  it('WB5: accepts JSON types with and without a charset, and a BOM', async () => {
    const { port } = await start();
    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; v=1',
    ]) {
      (await sendDelivery(port, delivery(), { headers: { 'content-type': type } })).status.should.equal(200, type);
    }
    (await sendDelivery(port, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), delivery()]))).status.should.equal(200);
    (await sendDelivery(port, delivery(), { headers: { 'content-encoding': 'identity' } })).status.should.equal(200);
  });

  it('WA19, TD12: recognizes a repeat: the same response, no second message', async () => {
    const { port, delivered } = await start();
    const body = delivery();
    const replies = await Promise.all(Array.from({ length: 50 }, () => sendDelivery(port, body)));
    replies.every(({ status }) => status === 200).should.be.true();
    new Set(replies.map(({ json }) => json['id'])).size.should.equal(1);
    replies.filter(({ json }) => json['status'] === 'accepted').length.should.equal(1);
    await until('the payload', () => delivered.length === 1);
    await sendDelivery(port, delivery());
    await until('the next payload', () => delivered.length === 2);
  });

  it('WA20, WA21, WA23: refuses a delivery that is too old or too new, and reports both times', async () => {
    const { port, delivered } = await start({ maxAgeMs: 300_000 });
    const now = Math.floor(Date.now() / 1000);
    for (const [offset, status] of [
      [-290, 200],
      [290, 200],
      [-310, 409],
      [310, 409],
      [-86_400, 409],
    ] as const) {
      const reply = await sendDelivery(port, delivery({ time: now + offset }));
      reply.status.should.equal(status, String(offset));
      if (status === 409) {
        should(reply.json['error']).equal('stale');
        String(reply.json['message'])
          .should.containEql(new Date((now + offset) * 1000).toISOString())
          .and.containEql('receiver clock');
      }
    }
    for (const time of [0, -1, 1e300, Date.now()])
      (await sendDelivery(port, delivery({ time }))).status.should.equal(409);
    await until('two payloads', () => delivered.length === 2);
  });

  it('WA23: does not check the age when that is disabled', async () => {
    const { port, delivered } = await start({ maxAgeMs: 0 });
    (await sendDelivery(port, delivery({ time: 1_500_000_000 }))).status.should.equal(200);
    await until('the payload', () => delivered.length === 1);
    should(delivered[0]?.delivery.replayCheck).equal('none');
  });

  it('WA26, WB20: accepts only the monitors on the list', async () => {
    const { port } = await start({ monitors: [24000001, 7] });
    (await sendDelivery(port, delivery())).status.should.equal(200);
    (await sendDelivery(port, delivery({ cemm: 8 }))).status.should.equal(403);
    (await sendDelivery(port, delivery({ cemm: undefined }))).status.should.equal(403);
    (await sendDelivery(port, '{"data":[]}')).status.should.equal(403);
  });

  it('accepts the previous key while both are set', async () => {
    const { port, delivered } = await start({ proof: { hmac: { current: 'new', previous: key } } });
    const body = delivery();
    (await sendDelivery(port, body)).status.should.equal(200);
    const next = delivery();
    (await sendDelivery(port, next, { signature: sign('new', next) })).status.should.equal(200);
    await until('both', () => delivered.length === 2);
    delivered.map(({ delivery: { keyUsed } }) => keyUsed).should.deepEqual(['previous', 'current']);
  });

  it('WA14: requires every enabled method', async () => {
    const { port } = await start({
      proof: { hmac: { current: key }, header: { name: 'X-Key', key: 'h' }, query: { name: 'q', key: 'k' } },
    });
    const body = delivery();
    (await sendDelivery(port, body, { path: '/cemm?q=k', headers: { 'x-key': 'h' } })).status.should.equal(200);
    should((await sendDelivery(port, body, { path: '/cemm?q=k' })).json['error']).equal('bad_key');
    should((await sendDelivery(port, body, { headers: { 'x-key': 'h' } })).json['error']).equal('bad_key');
    const unsigned = await sendDelivery(port, body, { path: '/cemm?q=k', headers: { 'x-key': 'h' }, signature: null });
    should(unsigned.json['error']).equal('missing_signature');
  });

  it('WA15: accepts any delivery when no method is required', async () => {
    const { port, delivered } = await start({ proof: {} });
    (await sendDelivery(port, delivery(), { signature: null })).status.should.equal(200);
    await until('the payload', () => delivered.length === 1);
    should(delivered[0]?.delivery).containDeep({ verified: [] });
  });

  it('WA27: answers 429 to an address that keeps failing, and still accepts its valid requests', async () => {
    const { port, problems, state } = await start();
    const words: unknown[] = [];
    for (let call = 0; call < 65; call++)
      words.push((await sendDelivery(port, delivery(), { signature: 'ab'.repeat(64) })).json['error']);
    words
      .slice(0, 60)
      .every((word) => word === 'bad_signature')
      .should.be.true();
    words.slice(60).should.deepEqual(Array(5).fill('too_many_failures'));
    (await sendDelivery(port, delivery())).status.should.equal(200);
    (await sendDelivery(port, delivery(), { signature: null })).status.should.equal(429);
    // One message for the first of each kind; the rest is counted.
    problems
      .map(({ reason, count }) => [reason, count])
      .should.deepEqual([
        ['bad_signature', 1],
        ['too_many_failures', 1],
      ]);
    const { accepted, refused } = state.history;
    accepted.length.should.equal(1);
    refused.length.should.equal(5);
    should(refused[0]).containDeep({ status: 429, word: 'too_many_failures', remote: '127.0.0.1' });
  });
});
