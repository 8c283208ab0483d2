/** Guessing of keys from one address, including that of a proxy: its effect on the attacker, and on other senders. */
import { createServer } from 'node:http';
import should from 'should';
import * as dialog from '../../../nodes/cemm-webhook-in/config';
import { createPathPattern } from '../../../src/webhook/path-pattern';
import { Receiver } from '../../../src/webhook/receiver';
import { createReceiverState } from '../../../src/webhook/receiver-state';
import type { KeyLookup } from '../../../src/webhook/keys';
import { createAuthenticator, shortestKey, type AuthenticationRules } from '../../../src/webhook/signature';
import { FakeClock } from '../../support/time/fake-clock';
import { plainContext } from '../../support/webhook/context';
import { deliveryOfMany as delivery, post } from '../../support/webhook/sending';
import { listenOnLoopback } from '../../support/network/loopback';

const short = '482913';
const long = 'a key of more than thirty-two characters';

describe('keys that are guessed', function () {
  this.timeout(60_000);
  const ends: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
  });

  async function start(
    proof: AuthenticationRules,
    { path = '/cemm', lookUpKeys }: { path?: string; lookUpKeys?: KeyLookup } = {},
  ) {
    const clock = new FakeClock(new Date().toISOString());
    const pattern = createPathPattern(path);
    const receiver = new Receiver(
      {
        authenticator: createAuthenticator(proof),
        maxAgeMs: 300_000,
        monitors: new Set(),
        contextOf: () => plainContext,
        lookUpKeys,
      },
      createReceiverState(clock),
      { deliver: () => undefined, problem: () => undefined, fault: (error) => should(error).be.undefined() },
      clock,
    );
    const server = createServer((req, res) => {
      receiver.handle(req, res, pattern?.match(req.url ?? '') ?? null);
    });
    const port = await listenOnLoopback(server);
    ends.push(async () => {
      receiver.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { url: `http://127.0.0.1:${port}`, clock };
  }

  /** Sends a delivery with this key, by the tested method. */
  type Try = (url: string, key: string, from?: string) => Promise<{ status: number; text: string }>;

  const byHeader: Try = (url, key, localAddress = '127.0.0.1') =>
    post({ url: `${url}/cemm`, key: '', localAddress, headers: { 'x-api-key': key } }, delivery());
  const byQuery: Try = (url, key, localAddress = '127.0.0.1') =>
    post({ url: `${url}/cemm?api_key=${key}`, key: '', localAddress }, delivery());
  const bySignature: Try = (url, key, localAddress = '127.0.0.1') =>
    post({ url: `${url}/cemm`, key, localAddress }, delivery());

  const ways: readonly (readonly [string, (key: string) => AuthenticationRules, Try])[] = [
    ['in a header', (key) => ({ header: { name: 'X-API-Key', key } }), byHeader],
    ['in the URL', (key) => ({ query: { name: 'api_key', key } }), byQuery],
    ['of a signature', (key) => ({ hmac: { current: key } }), bySignature],
  ];

  for (const [where, rules, send] of ways) {
    it(`of less than 32 characters ${where} is refused like a wrong one after 60 failures in a minute`, async () => {
      const { url, clock } = await start(rules(short));
      for (let guess = 0; guess < 60; guess++) (await send(url, `${100_000 + guess}`)).status.should.equal(401);
      const right = await send(url, short);
      should([right.status, right.text]).eql([429, (await send(url, 'wrong')).text]);
      (await send(url, short, '127.0.0.2')).status.should.equal(200);
      clock.tick(60_000);
      (await send(url, short)).status.should.equal(200);
    });

    it(`of 32 characters and more ${where} is accepted beside any number of wrong ones from its address`, async () => {
      const { url } = await start(rules(long));
      let good = 0;
      for (let round = 0; round < 100; round++) {
        for (let guess = 0; guess < 5; guess++) await send(url, `wrong${guess}`);
        if ((await send(url, long)).status === 200) good += 1;
      }
      should(good).equal(100);
    });
  }

  it('are as short for the dialog as for the receiver', () => {
    should(dialog.shortestKey).equal(shortestKey);
  });

  it('cannot be tried more often under the names of many installations', async () => {
    const { url } = await start({ header: { name: 'X-API-Key', key: short } }, { path: '/cemm/:installation' });
    const send = (house: number, key: string) =>
      post({ url: `${url}/cemm/house-${house}`, key: '', headers: { 'x-api-key': key } }, delivery());
    for (let guess = 0; guess < 60; guess++) await send(guess, 'wrong');
    (await send(1, short)).status.should.equal(429);
  });

  it('of an installation are refused for that installation only, whatever their length where it is unknown', async () => {
    const store: Readonly<Record<string, string>> = { short, long, other: short };
    const lookUpKeys: KeyLookup = (match, found) => {
      const current = store[match?.installation ?? ''];
      found(current === undefined ? null : { current });
    };
    const { url } = await start({ hmac: 'per_request' }, { path: '/cemm/:installation', lookUpKeys });
    const send = (house: string, key: string) => post({ url: `${url}/cemm/${house}`, key }, delivery());
    const texts = new Map<string, string[]>();
    for (const house of ['short', 'long', 'unknown']) {
      const answers: string[] = [];
      for (let guess = 0; guess < 62; guess++) answers.push((await send(house, 'wrong')).text);
      texts.set(house, answers);
    }
    // The response reveals neither a short key nor a missing one.
    should(texts.get('short')).eql(texts.get('unknown'));
    should(texts.get('long')).eql(texts.get('unknown'));
    (await send('short', short)).status.should.equal(429);
    (await send('long', long)).status.should.equal(200);
    (await send('other', short)).status.should.equal(200);
  });
});
