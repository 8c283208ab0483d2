/** A receiver with defects: in its own rules, in the log, with disconnected callers, and a close in between. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import should from 'should';
import type { WebhookPayload } from '../../../src/model/payload';
import type { Problem } from '../../../src/model/delivery';
import { backgroundClock } from '../../../src/time/clock';
import type { InstallationKeys } from '../../../src/webhook/keys';
import { createAuthenticator } from '../../../src/webhook/signature';
import type { ReceiverRules } from '../../../src/webhook/admission';
import { type ArrivedDelivery, Receiver, type ReceiverCallbacks } from '../../../src/webhook/receiver';
import { createReceiverState } from '../../../src/webhook/receiver-state';
import { until } from '../../support/until';
import { plainContext } from '../../support/webhook/context';
import { call, speak, statuses } from '../../support/webhook/raw-calls';
import { key } from '../../support/webhook/receiver-harness';
import { delivery } from '../../support/webhook/sending';

interface Options {
  readonly rules?: Partial<ReceiverRules>;
  readonly callbacks?: Partial<ReceiverCallbacks>;
  readonly host?: string;
}

describe('a receiver with internal errors', () => {
  const open: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((close) => close()));
  });

  async function start({ rules = {}, callbacks = {}, host = '127.0.0.1' }: Options = {}) {
    const delivered: WebhookPayload[] = [];
    const problems: Problem[] = [];
    const faults: unknown[] = [];
    const receiver = new Receiver(
      {
        authenticator: createAuthenticator({ hmac: { current: key } }),
        maxAgeMs: 300_000,
        monitors: new Set(),
        contextOf: () => plainContext,
        ...rules,
      },
      createReceiverState(backgroundClock),
      {
        deliver: (payload) => void delivered.push(payload),
        problem: (problem) => void problems.push(problem),
        fault: (error) => void faults.push(error),
        ...callbacks,
      },
      backgroundClock,
    );
    const server = createServer((req, res) => {
      receiver.handle(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    open.push(async () => {
      receiver.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    return { port, receiver, delivered, problems, faults };
  }

  it('answers 422 after an internal error, reports it, and continues', async () => {
    const defect = new Error('a defect');
    const harness = await start({
      rules: {
        contextOf: () => {
          throw defect;
        },
      },
    });
    for (const body of [delivery(), delivery()]) {
      should(statuses(await speak(harness.port, call(body), { until: 1 }))).eql([422]);
    }
    should(harness.faults).eql([defect, defect]);
    should(harness.delivered).be.empty();
  });

  it('continues after a flow and its error log throw', async () => {
    const harness = await start({
      callbacks: {
        deliver: () => {
          throw new Error('the flow');
        },
        fault: () => {
          throw new Error('the log');
        },
      },
    });
    for (const body of [delivery(), delivery()]) {
      should(statuses(await speak(harness.port, call(body), { until: 1 }))).eql([200]);
    }
  });

  it('hands out head and body of authentic deliveries only, repeats included, and survives a throw of the recorder', async () => {
    const arrived: ArrivedDelivery[] = [];
    const harness = await start({
      callbacks: {
        arrived: (one) => {
          arrived.push(one);
          throw new Error('the recorder');
        },
      },
    });
    const body = delivery();
    for (const status of [200, 200]) {
      should(statuses(await speak(harness.port, call(body), { until: 1 }))).eql([status]);
    }
    const changed = Buffer.from(call(body).toString().replace('"cemm"', '"CEMM"'));
    should(statuses(await speak(harness.port, changed, { until: 1 }))).eql([401]);
    await until('both faults', () => harness.faults.length === 2);
    should(arrived.map((one) => one.body.equals(body))).eql([true, true]);
    should(arrived[0]?.headers['x-signature']).match(/^[0-9a-f]{128}$/);
    should(harness.delivered.length).equal(1);
  });

  it('reports the outcome of every request and the time of every delivery', async () => {
    const outcomes: unknown[] = [];
    const seen: unknown[][] = [];
    const harness = await start({
      callbacks: { outcome: (outcome) => void outcomes.push(outcome), seen: (...given) => void seen.push(given) },
    });
    const body = delivery();
    const { time } = JSON.parse(body.toString()) as { time: number };
    const timeless = delivery({ time: undefined });
    for (const bytes of [call(body), call(body), call(timeless), call(delivery(), ['X-Signature: 00'])]) {
      await speak(harness.port, bytes, { until: 1 });
    }
    should(outcomes).eql([
      { word: 'accepted', keyUsed: 'current' },
      { word: 'duplicate', keyUsed: 'current' },
      { word: 'accepted', keyUsed: 'current' },
      { word: 'bad_signature', keyUsed: null },
    ]);
    should(seen.map(([started]) => started)).eql([time * 1000, time * 1000, null]);
  });

  it('passes on a delivery whose sender disconnected during the key lookup', async () => {
    let found: ((keys: InstallationKeys | null) => void) | null = null;
    const harness = await start({
      rules: {
        authenticator: createAuthenticator({ hmac: 'per_request' }),
        lookUpKeys: (_sender, give) => {
          found = give;
        },
      },
    });
    const socket = connect(harness.port, '127.0.0.1', () => socket.write(call(delivery())));
    socket.on('error', () => undefined);
    await until('the question for the key', () => found !== null);
    await new Promise<void>((resolve) => {
      socket.once('close', () => {
        resolve();
      });
      socket.resetAndDestroy();
    });
    const give = found as unknown as (keys: InstallationKeys | null) => void;
    give({ current: key });
    // A complete body is a delivery, whether its sender waits for the response or not.
    await until('the delivery', () => harness.delivered.length === 1);
    give({ current: key });
    should(statuses(await speak(harness.port, call(delivery()), { until: 1 }))).eql([503]);
    should(harness.delivered).have.length(1);
    should(harness.faults).be.empty();
  });

  it('answers 503 after it is closed, and reports no problem', async () => {
    const harness = await start();
    harness.receiver.close();
    should(statuses(await speak(harness.port, call(delivery()), { until: 1 }))).eql([503]);
    should(harness.delivered).be.empty();
    should(harness.problems).be.empty();
  });

  it('requires a JSON content type', async () => {
    const harness = await start();
    const untold = call(delivery()).toString('latin1').replace('Content-Type: application/json\r\n', '');
    should(statuses(await speak(harness.port, Buffer.from(untold, 'latin1'), { until: 1 }))).eql([415]);
  });

  it('closes the connection of a client that keeps sending after it was refused', async () => {
    const harness = await start();
    const unsigned = Buffer.concat([
      Buffer.from(
        'POST /cemm HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 400000000\r\n\r\n',
      ),
      Buffer.alloc(2 * 1024 * 1024, 0x20),
    ]);
    should(statuses(await speak(harness.port, unsigned))).eql([413]);
  });

  it('reports an IPv4-mapped address as IPv4', async () => {
    const harness = await start({ host: '::ffff:127.0.0.1' });
    await speak(harness.port, call(delivery(), ['X-Signature: 00']), { until: 1 });
    await until('the problem', () => harness.problems.length > 0);
    should(harness.problems.map(({ remote }) => remote)).eql(['127.0.0.1']);
  });
});
