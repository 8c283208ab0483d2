import { runInNewContext } from 'node:vm';
import { throws } from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import should from 'should';
import {
  createWebhookReceiver,
  type Installation,
  type InstallationKey,
  type ProblemPayload,
  type WebhookPayload,
  type WebhookReceiver,
  type WebhookReceiverOptions,
  sign,
} from '../../../src/index';
import { until } from '../../support/until';
import { delivery, post } from '../../support/webhook/sending';
import { listenOnLoopback } from '../../support/network/loopback';

const key = 'a key of more than thirty-two characters';

describe('createWebhookReceiver', () => {
  let server: Server | null = null;
  let receiver: WebhookReceiver | null = null;
  let url = '';
  let deliveries: WebhookPayload[] = [];

  beforeEach(() => {
    deliveries = [];
  });
  afterEach(() => {
    receiver?.close();
    server?.closeAllConnections();
    server?.close();
    server = null;
  });

  async function listen(options: Partial<WebhookReceiverOptions>): Promise<void> {
    receiver = createWebhookReceiver({ onDelivery: (payload) => deliveries.push(payload), ...options });
    const listening = createServer(receiver);
    server = listening;
    url = `http://127.0.0.1:${await listenOnLoopback(listening)}/cemm`;
  }

  it('passes on a signed delivery once, with its readings, and answers a repeat like the first', async () => {
    await listen({ hmacKey: key });
    const body = delivery();
    const first = await post({ url, key }, body);
    const second = await post({ url, key }, body);
    should([first.status, second.status]).eql([200, 200]);
    should(JSON.parse(second.text)).have.property('status', 'duplicate');
    await until('the delivery', () => deliveries.length > 0);
    deliveries.length.should.equal(1);
    should(deliveries[0]).containDeep({
      kind: 'webhook',
      monitor: { id: null, cemm: 24000001 },
      delivery: { verified: ['hmac'], keyUsed: 'current', replayCheck: 'window' },
    });
    should(deliveries[0]?.readings[0]).containDeep({ meter: 'zon', field: 'energy_export_kwh', unit: 'kWh' });
  });

  it('rejects a wrong signature, and reports it as a problem', async () => {
    const problems: ProblemPayload[] = [];
    await listen({ hmacKey: key, onProblem: (problem) => problems.push(problem) });
    const { status } = await post({ url, key: 'another key' }, delivery());
    status.should.equal(401);
    should(problems.map(({ reason, remote }) => ({ reason, remote }))).eql([
      { reason: 'bad_signature', remote: '127.0.0.1' },
    ]);
    deliveries.should.be.empty();
  });

  it('accepts the previous key, and the monitors that are named', async () => {
    await listen({ hmacKey: key, previousHmacKey: 'the key before', monitors: [24000001] });
    should((await post({ url, key: 'the key before' }, delivery())).status).equal(200);
    should((await post({ url, key }, delivery({ cemm: 24000002 }))).status).equal(403);
    await until('the delivery', () => deliveries.length > 0);
    should(deliveries[0]?.delivery.keyUsed).equal('previous');
  });

  it('checks a key in a header, and the age of a delivery', async () => {
    await listen({ header: { name: 'X-API-Key', key: 'secret' }, maxAgeMs: 60_000 });
    const headers = { 'x-api-key': 'secret' };
    should((await post({ url, key }, delivery())).status).equal(401);
    should((await post({ url, key, headers }, delivery({ time: 1_700_000_000 }))).status).equal(409);
    should((await post({ url, key, headers }, delivery())).status).equal(200);
  });

  it('answers 503 after it was closed', async () => {
    await listen({ hmacKey: key });
    receiver?.close();
    should((await post({ url, key }, delivery())).status).equal(503);
  });

  it('continues after a callback that throws, which is an uncaught exception', async () => {
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const uncaught: unknown[] = [];
    process.on('uncaughtException', (error) => uncaught.push(error));
    try {
      await listen({
        hmacKey: key,
        onDelivery: () => {
          throw new Error('in a callback');
        },
      });
      await post({ url, key }, delivery());
      should((await post({ url, key }, delivery())).status).equal(200);
      await until('two exceptions', () => uncaught.length === 2);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });

  describe('with a key for each installation', () => {
    const first = 'the key of the first house, long enough';
    const keys: Readonly<Record<string, InstallationKey>> = {
      'house-1': first,
      'house-2': { key: 'the key of the second house, long enough', previous: 'the key before', cemm: [24000002] },
    };
    const path = '/cemm/:installation';
    const to = (installation: string): string => url.replace('/cemm', `/cemm/${installation}`);

    it('takes the key that belongs to the URL, and names the installation in the payload', async () => {
      const asked: Installation[] = [];
      await listen({
        path,
        keys: (installation) => {
          asked.push(installation);
          return keys[installation.installation];
        },
      });
      should((await post({ url: to('house-1'), key: first }, delivery())).status).equal(200);
      should((await post({ url: to('house-2'), key: first }, delivery({ cemm: 24000002 }))).status).equal(401);
      should((await post({ url: to('house-2'), key: 'the key before' }, delivery({ cemm: 24000002 }))).status).equal(
        200,
      );
      should((await post({ url: to('house-2'), key: 'the key before' }, delivery())).status).equal(403);
      should((await post({ url: to('house-3'), key: first }, delivery())).status).equal(401);
      should((await post({ url, key: first }, delivery())).status).equal(401);
      await until('two deliveries', () => deliveries.length === 2);
      should(deliveries.map(({ installation }) => installation)).eql(['house-1', 'house-2']);
      should(JSON.parse(JSON.stringify(asked[0]))).eql({
        installation: 'house-1',
        params: { installation: 'house-1' },
      });
    });

    it('waits for a key of a function node, whose promises are of another realm', async () => {
      const keys = runInNewContext("async () => 'a key'") as () => Promise<string>;
      should(keys()).not.be.instanceof(Promise);
      await listen({ path, keys });
      should((await post({ url: to('house-1'), key: 'a key' }, delivery())).status).equal(200);
    });

    it('waits for a key that comes later, and does not take one that is blank', async () => {
      await listen({ path, keys: ({ installation }) => Promise.resolve(installation === 'house-1' ? 'a key' : ' ') });
      should((await post({ url: to('house-1'), key: 'a key' }, delivery())).status).equal(200);
      should((await post({ url: to('house-2'), key: ' ' }, delivery())).status).equal(401);
    });

    it('refuses while the lookup throws or rejects, which is an uncaught exception, and continues', async () => {
      const listeners = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      const uncaught: unknown[] = [];
      process.on('uncaughtException', (error) => uncaught.push(error));
      const failure = new Error('the database is away');
      const answers = [
        (): never => {
          throw failure;
        },
        () => Promise.reject(failure),
        () => 'a key',
      ];
      try {
        await listen({ path, keys: () => answers.shift()?.() });
        should((await post({ url: to('house-1'), key: 'a key' }, delivery())).status).equal(401);
        should((await post({ url: to('house-1'), key: 'a key' }, delivery())).status).equal(401);
        await until('two exceptions', () => uncaught.length === 2);
        should((await post({ url: to('house-1'), key: 'a key' }, delivery())).status).equal(200);
        should(uncaught).eql([failure, failure]);
      } finally {
        process.removeAllListeners('uncaughtException');
        for (const listener of listeners) process.on('uncaughtException', listener);
      }
    });

    it('names the installation also where all have one key, which is then known by the number of the monitor', async () => {
      await listen({ path: '/cemm/:cemm', hmacKey: key });
      should((await post({ url: to('24000001'), key }, delivery())).status).equal(200);
      should((await post({ url: to('24000002'), key }, delivery())).status).equal(403);
      await until('the delivery', () => deliveries.length === 1);
      should(deliveries[0]?.installation).equal('24000001');
    });
  });

  it('sign() makes the signature that the receiver expects, of a text and of its bytes', async () => {
    await listen({ hmacKey: key });
    const body = delivery();
    const signature = sign(key, body.toString('utf8'));
    should(signature).equal(sign(Buffer.from(key, 'utf8'), body));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': signature },
      body: body.toString('utf8'),
    });
    should(response.status).equal(200);
  });

  const refusals: [string, Partial<WebhookReceiverOptions>, string][] = [
    ['no key', {}, 'webhook_no_proof'],
    ['a key that is not set', { hmacKey: undefined }, 'webhook_no_proof'],
    ['a previous key alone', { previousHmacKey: key }, 'option_missing'],
    ['one key and many', { hmacKey: key, keys: () => key, path: '/cemm/:house' }, 'webhook_two_keys'],
    ['keys for a path without installations', { keys: () => key }, 'webhook_no_installation'],
    ['numbers of monitors that are none', { hmacKey: key, monitors: [Number('x')] }, 'option_type'],
    ['a blank key', { hmacKey: ' ' }, 'webhook_blank_key'],
    ['a time zone that there is not', { hmacKey: key, timezone: 'Europe/Utrecht' }, 'timezone'],
  ];
  for (const [what, options, reason] of refusals) {
    it(`rejects ${what}: CONFIG ${reason}`, () => {
      throws(() => createWebhookReceiver({ onDelivery: () => undefined, ...options }), { code: 'CONFIG', reason });
    });
  }
});
