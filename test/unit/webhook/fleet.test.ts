/** One receiver for many installations, each with its own key: authentication, responses, and isolation. */
import crypto from 'node:crypto';
import { createServer, request } from 'node:http';
import { mock } from 'node:test';
import should from 'should';
import type { WebhookPayload } from '../../../src/model/payload';
import { problemPayload, type Problem } from '../../../src/model/delivery';
import { backgroundClock, type Clock } from '../../../src/time/clock';
import { readInstallationKeys, type KeyLookup } from '../../../src/webhook/keys';
import { mostDigests } from '../../../src/webhook/replay-cache';
import { createPathPattern } from '../../../src/webhook/path-pattern';
import { createAuthenticator, sign } from '../../../src/webhook/signature';
import { Receiver } from '../../../src/webhook/receiver';
import { createReceiverState, type ReceiverState } from '../../../src/webhook/receiver-state';
import { until } from '../../support/until';
import { FakeClock } from '../../support/time/fake-clock';
import { listenOnLoopback } from '../../support/network/loopback';

const store: Readonly<Record<string, unknown>> = {
  'house-1': 'the key of house 1, which is a long one',
  'house-2': { key: 'the key of house 2', previous: 'the old key of house 2', cemm: 24000002 },
};

const fromStore: KeyLookup = (sender, found) => {
  found(readInstallationKeys(store[sender?.installation ?? '']));
};

interface Replica {
  readonly delivered: WebhookPayload[];
  readonly problems: Problem[];
  readonly state: ReceiverState;
  readonly receiver: Receiver;
  readonly port: number;
  close(): Promise<void>;
}

interface ReplicaOptions {
  path?: string;
  findKeys?: KeyLookup;
  clock?: Clock;
  sharesKey?: boolean;
}

async function replica(options: ReplicaOptions = {}): Promise<Replica> {
  const { sharesKey = false, path = '/cemm/:installation', findKeys = fromStore, clock = backgroundClock } = options;
  const pattern = createPathPattern(path);
  const delivered: WebhookPayload[] = [];
  const problems: Problem[] = [];
  const state = createReceiverState(clock);
  const receiver = new Receiver(
    {
      authenticator: createAuthenticator({ hmac: 'per_request' }),
      maxAgeMs: 300_000,
      monitors: new Set(),
      lookUpKeys: findKeys,
      sharesKey,
      contextOf: (sender) => ({
        timezone: 'Europe/Amsterdam',
        path: sender?.path ?? path,
        installation: sender?.installation,
        catalogue: new Map(),
        monitor: null,
        subject: { meter: '', channel: '' },
        interval: '1m',
      }),
    },
    state,
    {
      deliver: (payload) => delivered.push(payload),
      problem: (problem) => problems.push(problem),
      fault: (error) => {
        throw error;
      },
    },
    clock,
  );
  const server = createServer((req, res) => {
    receiver.handle(req, res, pattern?.match(req.url ?? '') ?? null);
  });
  const port = await listenOnLoopback(server);
  return {
    delivered,
    problems,
    state,
    receiver,
    port,
    async close() {
      receiver.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(port: number, path: string, key: string, body: Buffer): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': body.length, 'x-signature': sign(key, body) },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    call.end(body);
  });
}

let counter = 0;

function delivery(cemm: number, now = Date.now()): Buffer {
  counter += 1;
  const time = Math.floor(now / 1000);
  const data = { zon: { volume: { reading: { time, value: counter } } } };
  return Buffer.from(JSON.stringify({ format: 'basic-v1', cemm, time, data }));
}

describe('a receiver with a key per installation', () => {
  const open: Replica[] = [];
  async function start(options: Parameters<typeof replica>[0] = {}): Promise<Replica> {
    const made = await replica(options);
    open.push(made);
    return made;
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });

  it('TD8: refuses a repeat after the clock was set back to its time', async () => {
    const clock = new FakeClock('2026-01-15T12:00:00Z');
    const { port } = await start({ clock });
    const body = delivery(24000001, clock.now());
    (await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', body)).status.should.equal(200);
    clock.tick(3_600_000);
    clock.stepWallClock(-3_600_000);
    const repeat = await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', body);
    repeat.status.should.equal(409);
    repeat.text.should.match(/"error":"stale"/);
    clock.tick(1000);
    (
      await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', delivery(24000001, clock.now()))
    ).status.should.equal(200);
  });

  it('accepts each installation with its own key only, and names it', async () => {
    const { port, delivered } = await start();
    (
      await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', delivery(24000001))
    ).status.should.equal(200);
    (await send(port, '/cemm/house-2', 'the key of house 2', delivery(24000002))).status.should.equal(200);
    (await send(port, '/cemm/house-2', 'the old key of house 2', delivery(24000002))).status.should.equal(200);
    (
      await send(port, '/cemm/house-2', 'the key of house 1, which is a long one', delivery(24000002))
    ).status.should.equal(401);
    await until('deliveries', () => delivered.length === 3);
    delivered
      .map(({ installation, delivery: { keyUsed } }) => [installation, keyUsed])
      .should.deepEqual([
        ['house-1', 'current'],
        ['house-2', 'current'],
        ['house-2', 'previous'],
      ]);
  });

  it('gives an unknown installation the response to a wrong signature, also beyond the limit', async () => {
    const { port } = await start();
    for (let call = 0; call < 65; call++) {
      const answers = await Promise.all(
        ['house-1', 'house-2', 'house-9', 'constructor', '__proto__'].map((name) =>
          send(port, `/cemm/${name}`, 'a wrong key', delivery(24000001)),
        ),
      );
      const [known] = answers;
      for (const answer of answers) answer.should.deepEqual(known);
      should(known?.status).equal(call < 60 ? 401 : 429);
    }
    // Also values that cannot be names, although the sender has the right key.
    (await send(port, '/cemm/a%20b', 'a wrong key', delivery(24000001))).status.should.equal(401);
    (
      await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', delivery(24000001))
    ).status.should.equal(200);
  });

  it('computes the same for known and unknown installations', () => {
    const proof = createAuthenticator({ hmac: 'per_request' });
    const body = delivery(24000001);
    const caller = { headers: { 'x-signature': sign('a wrong key', body) } };
    const work = ['house-1', 'house-2', 'house-9'].map((name) => {
      const hmacs = mock.method(crypto, 'createHmac');
      const comparisons = mock.method(crypto, 'timingSafeEqual');
      try {
        should(proof.matchSignature(caller, body, readInstallationKeys(store[name]))).be.null();
        return [hmacs.mock.callCount(), comparisons.mock.callCount()];
      } finally {
        hmacs.mock.restore();
        comparisons.mock.restore();
      }
    });
    work.should.deepEqual([
      [2, 2],
      [2, 2],
      [2, 2],
    ]);
    should(
      proof.matchSignature({ headers: { 'x-signature': sign('the key of house 1, which is a long one', body) } }, body),
    ).be.null();
  });

  it('reads the whole body of an unknown installation before it responds', async () => {
    const asked: string[] = [];
    const { port } = await start({
      findKeys: (sender, found) => {
        asked.push(sender?.installation ?? '');
        fromStore(sender, found);
      },
    });
    for (const name of ['house-1', 'house-9']) await send(port, `/cemm/${name}`, 'a wrong key', delivery(24000001));
    asked.should.deepEqual(['house-1', 'house-9']);
  });

  it('refuses a delivery of the monitor of another installation', async () => {
    const { port, delivered } = await start();
    const forged = await send(port, '/cemm/house-2', 'the key of house 2', delivery(24000001));
    forged.status.should.equal(403);
    forged.text.should.containEql('monitor_not_allowed').and.containEql('is of another monitor');
    const bound = await start({
      path: '/cemm/:cemm',
      findKeys: (_sender, found) => {
        found({ current: 'a key' });
      },
    });
    (await send(bound.port, '/cemm/24000001', 'a key', delivery(24000001))).status.should.equal(200);
    (await send(bound.port, '/cemm/24000001', 'a key', delivery(24000002))).status.should.equal(403);
    (await send(bound.port, '/cemm/house', 'a key', delivery(24000002))).status.should.equal(403);
    delivered.should.be.empty();
  });

  it('refuses a body without a number where one key is for all and the path names the monitor', async () => {
    const findKeys: KeyLookup = (_path, found) => {
      found({ current: 'a key' });
    };
    const samples = (): Buffer => Buffer.from(JSON.stringify([[Math.floor(Date.now() / 1000), (counter += 1)]]));
    const shared = await start({ path: '/cemm/:house/:cemm', findKeys, sharesKey: true });
    for (const [path, body, status] of [
      ['/cemm/a/24000001', delivery(24000001), 200],
      ['/cemm/a/24000001', delivery(24000002), 403],
      ['/cemm/a/24000001', samples(), 403],
      ['/cemm/a/b', samples(), 403],
    ] as const) {
      const reply = await send(shared.port, path, 'a key', body);
      reply.status.should.equal(status, path);
      if (status === 403) reply.text.should.containEql('monitor_not_allowed');
    }
    const unnamed = await start({ findKeys, sharesKey: true });
    (await send(unnamed.port, '/cemm/house-1', 'a key', samples())).status.should.equal(200);
    const separate = await start({ path: '/cemm/:cemm', findKeys });
    (await send(separate.port, '/cemm/24000001', 'a key', samples())).status.should.equal(200);
  });

  it('WA28: recognizes a repeat after more deliveries of another installation than it remembers of one', async () => {
    const { port, delivered } = await start();
    const captured = delivery(24000001);
    await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', captured);
    for (let sent = 0; sent <= mostDigests; sent += 1) {
      (
        await send(port, '/cemm/house-2', 'the key of house 2', delivery(24000002, Date.now() + sent * 1000))
      ).status.should.equal(200);
    }
    const before = delivered.length;
    (await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', captured)).text.should.containEql(
      'duplicate',
    );
    delivered.length.should.equal(before);
  });

  it('makes the same ids on every replica, and different ones for equal bytes of two installations', async () => {
    const [one, other] = [await start(), await start()];
    const body = delivery(24000002);
    // A result of the public API without a time and a number.
    const samples = Buffer.from(JSON.stringify({ data: [[1_768_000_000, 1.5]] }));
    for (const { port } of [one, other]) {
      await send(port, '/cemm/house-2', 'the key of house 2', body);
      await send(port, '/cemm/house-1', 'the key of house 1, which is a long one', samples);
      await send(port, '/CEMM/house-2/', 'the key of house 2', samples);
      const again = await send(port, '/cemm/house-2', 'the key of house 2', samples);
      again.text.should.containEql('duplicate');
    }
    await until('deliveries', () => one.delivered.length === 3 && other.delivered.length === 3);
    const ids = one.delivered.map(({ id }) => id);
    new Set(ids).size.should.equal(3);
    // The slot of the last two is that of their arrival: the replicas may have been called before and after the end of a
    // minute.
    const slotless = (list: string[]) => list.map((id) => id.replace(/:\d{10}:/, ':'));
    slotless(ids).should.deepEqual(slotless(other.delivered.map(({ id }) => id)));
    should(ids[1]).startWith('wh:/cemm/house-1:');
    should(ids[2]).startWith('wh:/cemm/house-2:');
  });

  it('names only known installations in problems, and counts them separately', async () => {
    const { port, problems, state } = await start();
    for (const name of ['house-1', 'house-2', 'made-up-1', 'made-up-2']) {
      await send(port, `/cemm/${name}`, 'a wrong key', delivery(24000001));
    }
    await until('problems', () => problems.length === 3);
    problems.map(({ installation }) => installation).should.deepEqual(['house-1', 'house-2', undefined]);
    const [first] = problems;
    if (first === undefined) throw new Error('no problem');
    const payload = problemPayload(first, '/cemm/:installation', null);
    payload.should.containDeep({ installation: 'house-1', reason: 'bad_signature' });
    payload.id.should.startWith('wp:/cemm/:installation:house-1:bad_signature');
    // The list in the dialog shows the called address, which reveals a misspelt one.
    state.history.refused
      .map(({ installation }) => installation)
      .should.deepEqual(['made-up-2', 'made-up-1', 'house-2', 'house-1']);
  });

  it('waits at most a second for a slow key store, and treats a failed lookup as an unknown installation', async () => {
    const clock = new FakeClock(new Date().toISOString());
    const { port } = await start({
      clock,
      findKeys: (sender, found) => {
        if (sender?.installation === 'throws') throw new Error('the store is broken');
        if (sender?.installation === 'slow')
          clock.after(900, () => {
            fromStore({ ...sender, installation: 'house-1' }, found);
          });
      },
    });
    const slow = send(port, '/cemm/slow', 'the key of house 1, which is a long one', delivery(24000001, clock.now()));
    await until('both timers', () => clock.timerCount === 2);
    clock.tick(999);
    (await slow).status.should.equal(200);
    const never = send(port, '/cemm/never', 'the key of house 1, which is a long one', delivery(24000001, clock.now()));
    await until('the timer', () => clock.timerCount === 1);
    clock.tick(1000);
    (await never).status.should.equal(503);
    (await send(port, '/cemm/throws', 'any key', delivery(24000001, clock.now()))).status.should.equal(401);
  });

  it('answers 503 to a request that waits for a key when the node is redeployed', async () => {
    const asked: string[] = [];
    const { port, receiver } = await start({
      findKeys: (sender) => {
        asked.push(sender?.installation ?? '');
      },
    });
    const waiting = send(port, '/cemm/house-1', 'the key of house 1, which is a long one', delivery(24000001));
    await until('the question', () => asked.length === 1);
    receiver.close();
    (await waiting).status.should.equal(503);
  });
});

describe('what a key store may hold', () => {
  it('is a key, or a key with the previous key and its monitors', () => {
    should(readInstallationKeys('k')).deepEqual({ current: 'k' });
    should(readInstallationKeys({ key: 'k', previous: ' ', cemm: '7' })).deepEqual({
      current: 'k',
      monitors: new Set([7]),
    });
    should(readInstallationKeys({ key: 'k', previous: 'p', cemm: [7, 8] })).deepEqual({
      current: 'k',
      previous: 'p',
      monitors: new Set([7, 8]),
    });
    // No monitor rather than all.
    should(readInstallationKeys({ key: 'k', cemm: 'seven' })?.monitors?.has(7)).be.false();
  });

  it('is null for anything else and for a blank key', () => {
    const inherited = Object.create({ key: 'k' }) as unknown;
    for (const value of [
      undefined,
      null,
      '',
      ' \n',
      0,
      7,
      true,
      [],
      {},
      { key: '' },
      { key: 7 },
      inherited,
      () => 'k',
    ]) {
      should(readInstallationKeys(value)).be.null();
    }
  });
});

describe('a path with parameters', () => {
  const pattern = createPathPattern('/cemm/:street/at/:house');

  it('is null for a path without parameters', () => {
    should(createPathPattern('/cemm/house')).be.null();
  });

  it('matches a URL as Express does', () => {
    for (const url of ['/cemm/a/at/b', '/CEMM/a/AT/b/', '/cemm/a/at/b?x=/y', '/cemm/a/at/%zz']) {
      should(pattern?.matches(url)).be.true(url);
    }
    for (const url of ['/cemm/a/at', '/cemm/a/at/b/c', '/cemm//at/b', '/cemm/a/at/b//', '/cemm/a/in/b', '', '*']) {
      should(pattern?.matches(url)).be.false(url);
    }
  });

  it('reads values that need no escaping, unchanged', () => {
    should(pattern?.match('/cemm/North-5/at/12.a?x=1')).containDeep({
      installation: 'North-5/12.a',
      path: '/cemm/North-5/at/12.a',
      params: { street: 'North-5', house: '12.a' },
      cemm: null,
    });
    for (const value of ['a%2Fb', '..', '.', 'a:b', 'é', 'a'.repeat(65), 'a+b']) {
      should(pattern?.match(`/cemm/${value}/at/b`)).deepEqual({ kind: 'invalid' });
    }
    should(createPathPattern('/a/:cemm')?.match('/a/24000001')).containDeep({ cemm: 24000001 });
  });
});
