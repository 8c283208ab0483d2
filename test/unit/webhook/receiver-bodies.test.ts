/** Bodies that arrive slowly, in pieces or not at all, and flows that are slow, throw or close. */
import { connect } from 'node:net';
import should from 'should';
import type { WebhookPayload } from '../../../src/model/payload';
import { type Clock, backgroundClock } from '../../../src/time/clock';
import { createAuthenticator, sign } from '../../../src/webhook/signature';
import { Receiver } from '../../../src/webhook/receiver';
import { until } from '../../support/until';
import {
  type Harness,
  harness,
  type HarnessOptions,
  key,
  sendDelivery,
  contextOf,
} from '../../support/webhook/receiver-harness';
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

  it('WA10: refuses a body that another handler has read, instead of verifying a copy', async () => {
    const { port } = await start({
      before: (req, next) => {
        req.resume();
        req.once('end', next);
      },
    });
    const reply = await sendDelivery(port, delivery());
    reply.status.should.equal(500);
    should(reply.json['error']).equal('raw_body_unavailable');
    // Also without a signature: the missing bytes are the first problem to solve.
    (await sendDelivery(port, delivery(), { signature: null })).status.should.equal(500);
  });

  it('responds to a client whose body is too large before it closes', async () => {
    // The time for discarding the rest must not end before this machine has sent it.
    const clock: Clock = { ...backgroundClock, after: () => () => undefined };
    const { port, state } = await start({ clock });
    const heard = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      // It reads only after it has sent everything, like simple clients: a reset in between would be all that it gets.
      socket.pause();
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => {
        resolve(text);
      });
      const pieces = Array.from({ length: 6 }, () => Buffer.alloc(100 * 1024, 0x20));
      socket.write(
        `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${'ab'.repeat(64)}\r\nContent-Length: ${600 * 1024}\r\n\r\n`,
      );
      const next = (): void => {
        const piece = pieces.pop();
        if (piece === undefined) socket.resume();
        else socket.write(piece, () => setTimeout(next, 20));
      };
      until('the refusal', () => state.history.refused.length > 0).then(next, reject);
    });
    heard.should.startWith('HTTP/1.1 413').and.containEql('"too_large"');
  });

  it('reads the body after slow middleware', async () => {
    const { port } = await start({ before: (_req, next) => setTimeout(next, 50) });
    (await sendDelivery(port, delivery())).status.should.equal(200);
  });

  it('WT16, OV2: answers 503 when the flow is too slow, and loses nothing that it has acknowledged', async () => {
    let held: (() => void)[] = [];
    let blocked = true;
    const clock: Clock = {
      ...backgroundClock,
      soon: (run) => {
        if (blocked) held.push(run);
        else setImmediate(run);
      },
    };
    const { port, delivered, state } = await start({ clock });
    // Large ones, so the bytes fill the queue before the number does.
    const padding = 'x'.repeat(200 * 1024);
    const statuses: number[] = [];
    for (let call = 0; call < 180; call++)
      statuses.push((await sendDelivery(port, delivery({ padding, cemm: call }))).status);
    const accepted = statuses.filter((status) => status === 200).length;
    accepted.should.be.within(155, 164);
    statuses
      .slice(0, accepted)
      .every((status) => status === 200)
      .should.be.true();
    statuses
      .slice(accepted)
      .every((status) => status === 503)
      .should.be.true();
    delivered.should.be.empty();
    blocked = false;
    for (const run of held) run();
    held = [];
    await until('everything', () => delivered.length === accepted);
    state.queue.length.should.equal(0);
    (await sendDelivery(port, delivery())).status.should.equal(200);
  });

  it('LC3: answers arriving requests 503 when it is closed, and passes acknowledged deliveries to its successor', async () => {
    let hold: (() => void) | null = null;
    const clock: Clock = { ...backgroundClock, soon: (run) => (hold = run) };
    const made = await start({ clock });
    (await sendDelivery(made.port, delivery())).status.should.equal(200);
    const socket = connect(made.port, '127.0.0.1');
    socket.write(
      `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${'ab'.repeat(64)}\r\nContent-Length: 10\r\n\r\n12`,
    );
    await until('the call to arrive', async () => {
      const waits: unknown = Reflect.get(made.receiver, 'waits');
      return Promise.resolve(waits instanceof Set && waits.size === 1);
    });
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    made.receiver.close();
    await until('an answer', () => heard.includes('503') && heard.includes('"busy"'));
    socket.destroy();
    should(hold).not.be.null();
    made.delivered.should.be.empty();
    const second: WebhookPayload[] = [];
    new Receiver(
      { authenticator: createAuthenticator({}), maxAgeMs: 0, monitors: new Set(), contextOf },
      made.state,
      { deliver: (payload) => second.push(payload), problem: () => undefined, fault: () => undefined },
      backgroundClock,
    );
    await until('the successor to send', () => second.length === 1);
  });

  it('WT18, OV7: continues after a flow throws', async () => {
    const seen: unknown[] = [];
    const made = await start({
      callbacks: {
        deliver: () => {
          seen.push(1);
          throw new RangeError('poisoned wire');
        },
        fault: (error) => seen.push(error),
      },
    });
    (await sendDelivery(made.port, delivery())).status.should.equal(200);
    (await sendDelivery(made.port, delivery())).status.should.equal(200);
    await until('both', () => seen.length === 4);
    should(seen[1]).be.instanceof(RangeError);
  });

  it('WT5, WT11, WT12: accepts a body in any pieces, with 100-continue, and several requests on one connection', async () => {
    const { port, delivered } = await start();
    const bodies = [delivery({ name: 'prijs € 日本' }), delivery(), delivery()];
    const heard = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let text = '';
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.split('"status":"accepted"').length === 4) {
          socket.destroy();
          resolve(text);
        }
      });
      const head = (body: Buffer, more: string): string =>
        `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${sign(key, body)}\r\n${more}\r\n`;
      const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = bodies;
      socket.write(head(first, 'Transfer-Encoding: chunked\r\n'));
      for (const byte of first)
        socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
      socket.write('0\r\n\r\n');
      socket.write(head(second, `Expect: 100-continue\r\nContent-Length: ${second.length}\r\n`));
      socket.write(second);
      socket.write(head(third, `Content-Length: ${third.length}\r\n`));
      socket.write(third);
    });
    heard.should.containEql('100 Continue');
    await until('three payloads', () => delivered.length === 3);
  });

  it('WT2: aborts a body that does not arrive within 3 seconds', async () => {
    const timers: { ms: number; run: () => void }[] = [];
    const clock: Clock = {
      ...backgroundClock,
      after: (ms, run) => {
        const entry = { ms, run };
        timers.push(entry);
        return () => timers.splice(timers.indexOf(entry), 1);
      },
    };
    const { port } = await start({ clock });
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    let ended = false;
    socket.on('close', () => (ended = true));
    socket.on('error', () => undefined);
    socket.write(
      `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${'ab'.repeat(64)}\r\nContent-Length: 10\r\n\r\n12`,
    );
    await until('the deadline to be set', () => timers.some(({ ms }) => ms === 3000));
    timers.find(({ ms }) => ms === 3000)?.run();
    await until('408', () => heard.includes('408') && heard.includes('"too_slow"'));
    timers.find(({ ms }) => ms === 1000)?.run();
    await until('the connection to be closed', () => ended);
  });

  it('WT3: sends nothing and keeps working when the sender disconnects at any byte', async () => {
    const { port, delivered, problems, faults } = await start();
    const body = delivery();
    const whole = Buffer.concat([
      Buffer.from(
        `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${sign(key, body)}\r\nContent-Length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]);
    for (let end = 0; end < whole.length; end++) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(whole.subarray(0, end), () => {
            if (end % 2) socket.resetAndDestroy();
            else socket.destroy();
          });
        });
        socket.on('error', reject);
        socket.on('close', () => {
          resolve();
        });
      });
    }
    (await sendDelivery(port, delivery())).status.should.equal(200);
    await until('the good one', () => delivered.length > 0);
    delivered.length.should.equal(1);
    problems.should.be.empty();
    faults.should.be.empty();
  });

  it('WT4: passes on a complete delivery whose sender does not wait for the response', async () => {
    const { port, delivered } = await start();
    const body = delivery();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.end(
      Buffer.concat([
        Buffer.from(
          `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${sign(key, body)}\r\nContent-Length: ${body.length}\r\n\r\n`,
        ),
        body,
      ]),
      () => socket.destroy(),
    );
    await until('the payload', () => delivered.length === 1);
  });

  it('WB2, ME3: limits the memory of arriving bodies', async () => {
    const { port, state } = await start();
    const sockets = Array.from({ length: 150 }, () => connect(port, '127.0.0.1'));
    const answers: string[] = [];
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => answers.push(chunk.toString().slice(9, 12)));
      socket.write(
        `POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Signature: ${'ab'.repeat(64)}\r\nContent-Length: 262144\r\n\r\n`,
      );
      socket.write(Buffer.alloc(262_000, 0x20));
    }
    // 150 × 256 kB is more than the budget of 32 MB: some are refused for now.
    await until('503', () => answers.includes('503'));
    should(state.bodyMemory.used).be.belowOrEqual(32 * 1024 * 1024);
    for (const socket of sockets) socket.destroy();
    await until('the budget to be free again', () => state.bodyMemory.used === 0);
    (await sendDelivery(port, delivery())).status.should.equal(200);
  });
});
