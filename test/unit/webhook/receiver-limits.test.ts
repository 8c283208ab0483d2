/** Any request and any JSON; large deliveries and many of them. */
import fc from 'fast-check';
import should from 'should';
import { type Clock, backgroundClock } from '../../../src/time/clock';
import { sign } from '../../../src/webhook/signature';
import { until } from '../../support/until';
import { type Harness, harness, type HarnessOptions, sendDelivery } from '../../support/webhook/receiver-harness';
import { delivery } from '../../support/webhook/sending';

describe('the receiver over HTTP', () => {
  let up: Harness | null = null;
  afterEach(async () => {
    const faults = up?.faults ?? [];
    await up?.close();
    up = null;
    faults.should.be.empty();
  });
  const start = async (options?: HarnessOptions): Promise<Harness> => (up = await harness(options));

  it('answers any hostile request and passes none on', async function () {
    this.timeout(60_000);
    const { port, delivered, faults } = await start();
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
      fc.jsonValue({ maxDepth: 8 }).map((value) => Buffer.from(JSON.stringify(value))),
      fc
        .constantFrom('{"__proto__":{}}', '['.repeat(5000), '{"data":[[1e999,1]]}', '\ufeff')
        .map((text) => Buffer.from(text)),
    );
    const headers = fc.dictionary(
      fc.constantFrom('x-signature', 'content-type', 'content-encoding', 'x-api-key', 'cookie'),
      fc.stringMatching(/^[\x20-\x7e]{0,60}$/).map((text) => text.trim()),
    );
    await fc.assert(
      fc.asyncProperty(bodies, headers, fc.boolean(), async (body, more, signedWrongly) => {
        const signature = signedWrongly ? sign('another key', body) : null;
        const reply = await sendDelivery(port, body, { signature, headers: more });
        reply.status.should.be.within(400, 429);
      }),
      { numRuns: 1500 },
    );
    delivered.should.be.empty();
    faults.should.be.empty();
    (await sendDelivery(port, delivery())).status.should.equal(200);
  });

  it('answers any signed JSON, and makes payloads that can be cloned', async function () {
    this.timeout(60_000);
    const { port, delivered, faults } = await start({ maxAgeMs: 0 });
    let accepted = 0;
    let cemm = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 9 }),
        fc.constantFrom('basic-v1', 'other', undefined),
        async (data, format) => {
          cemm += 1;
          const reply = await sendDelivery(port, JSON.stringify({ format, cemm, time: 1768478400, data }));
          [200, 400, 422].should.containEql(reply.status);
          if (reply.json['status'] === 'accepted') accepted += 1;
        },
      ),
      { numRuns: 800 },
    );
    await until('all payloads', () => delivered.length === accepted);
    for (const payload of delivered) structuredClone(payload).should.deepEqual(payload);
    accepted.should.be.above(100);
    faults.should.be.empty();
  });

  /** This number of readings, every second one null, in few bytes each. */
  function large(readings: number, more: Record<string, unknown> = {}): Buffer {
    const time = Math.floor(Date.now() / 1000);
    const channels = Object.fromEntries(
      Array.from({ length: readings }, (_, at) => [`c${at}`, { reading: at % 2 === 0 ? { time, value: at } : null }]),
    );
    return delivery({ data: { zon: channels }, ...more });
  }

  it('OV10: answers others while a large delivery is normalized, and then the large one', async () => {
    const turns: (() => void)[] = [];
    const clock: Clock = { ...backgroundClock, soon: (run) => void turns.push(run) };
    const { port, delivered } = await start({ clock });
    const body = large(4000);
    let status = 0;
    const answered = sendDelivery(port, body).then((reply) => (status = reply.status));
    await until('the first part to be due', () => turns.length === 1);
    (await sendDelivery(port, delivery())).status.should.equal(200);
    // A repeat of a delivery in progress is a repeat.
    should((await sendDelivery(port, body)).json['status']).equal('duplicate');
    let steps = 0;
    while (status === 0) {
      turns.shift()?.();
      steps += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await answered;
    should(status).equal(200);
    // 500 readings in a step, and the small delivery sent in between.
    steps.should.be.aboveOrEqual(9);
    await until('both payloads', () => {
      turns.shift()?.();
      return delivered.length === 2;
    });
    const payload = delivered.find(({ readings }) => readings.length === 4000);
    should(payload?.readings[3998]).containEql({ meter: 'zon', channel: 'c3998', value: 3998 });
    should(Object.keys(payload?.values['zon'] ?? {}).length).equal(2000);
  });

  it('finishes an accepted delivery when it is closed meanwhile', async () => {
    const turns: (() => void)[] = [];
    const clock: Clock = { ...backgroundClock, soon: (run) => void turns.push(run) };
    const { port, receiver, state } = await start({ clock });
    const answered = sendDelivery(port, large(3000));
    await until('the first part to be due', () => turns.length === 1);
    turns.shift()?.();
    receiver.close();
    (await answered).status.should.equal(200);
    should(state.queue.take()?.readings.length).equal(3000);
  });

  it('OV10: refuses more than 5000 readings in a delivery', async () => {
    const { port, delivered } = await start();
    const samples = Array.from({ length: 5001 }, (_, at) => [1_600_000_000 + at, 1]);
    for (const body of [large(5001), delivery({ data: samples })]) {
      const reply = await sendDelivery(port, body);
      should([reply.status, reply.json['error']]).eql([413, 'too_large']);
      String(reply.json['message']).should.containEql('5000 readings');
    }
    (await sendDelivery(port, large(5000))).status.should.equal(200);
    await until('the payload', () => delivered.length === 1);
  });

  it('OV10: answers 429 to a monitor that sends more than 240 deliveries per minute, and serves the others', async () => {
    const { port, problems } = await start({ maxAgeMs: 0 });
    const repeated = delivery();
    (await sendDelivery(port, repeated)).status.should.equal(200);
    for (let call = 1; call < 240; call++) (await sendDelivery(port, delivery())).status.should.equal(200);
    const reply = await sendDelivery(port, delivery());
    should([reply.status, reply.json['error'], reply.headers['retry-after']]).eql([429, 'too_many_deliveries', '60']);
    problems.should.containDeep([{ reason: 'too_many_deliveries' }]);
    (await sendDelivery(port, delivery({ cemm: 24000002 }))).status.should.equal(200);
  });

  it('OV10: does not count replays of a captured delivery against its monitor', async () => {
    const { port } = await start();
    const captured = delivery();
    (await sendDelivery(port, captured)).status.should.equal(200);
    for (let call = 0; call < 300; call++)
      should((await sendDelivery(port, captured)).json['status']).equal('duplicate');
    (await sendDelivery(port, delivery())).status.should.equal(200);
  });

  it('OV10: answers 429 to a monitor that sends more than 4 MB per minute', async () => {
    const { port } = await start();
    const padding = 'x'.repeat(250 * 1024);
    const statuses: number[] = [];
    for (let call = 0; call < 20; call++) statuses.push((await sendDelivery(port, delivery({ padding }))).status);
    should(statuses).eql([...Array<number>(16).fill(200), ...Array<number>(4).fill(429)]);
    (await sendDelivery(port, delivery({ padding, cemm: 24000002 }))).status.should.equal(200);
  });

  it('WA28: refuses a repeat that may be evicted, and still accepts newer deliveries', async () => {
    const { port } = await start();
    const now = Math.floor(Date.now() / 1000);
    const captured = delivery({ time: now - 100 });
    (await sendDelivery(port, captured)).status.should.equal(200);
    for (let call = 1; call <= 80; call++)
      (await sendDelivery(port, delivery({ time: now - 100 + call }))).status.should.equal(200);
    const reply = await sendDelivery(port, captured);
    should([reply.status, reply.json['error']]).eql([409, 'stale']);
    (await sendDelivery(port, delivery())).status.should.equal(200);
  });
});
