/** Senders without a key that hold memory and connections: half a body, a slow key lookup, and the effect on other senders. */
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import should from 'should';
import { Receiver } from '../../../src/webhook/receiver';
import { createReceiverState } from '../../../src/webhook/receiver-state';
import { BodyMemory } from '../../../src/webhook/body-memory';
import type { KeyLookup } from '../../../src/webhook/keys';
import { createAuthenticator } from '../../../src/webhook/signature';
import { FakeClock } from '../../support/time/fake-clock';
import { until } from '../../support/until';
import { plainContext } from '../../support/webhook/context';
import { delivery, head, post } from '../../support/webhook/sending';

const key = 'a key that both sides know, of more than 32 characters';
const kilobyte = 1024;

describe('slow senders without a key', function () {
  this.timeout(60_000);
  const ends: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
  });

  /** Its clock stands still, so nothing ends by itself. */
  async function start(lookUpKeys?: KeyLookup) {
    const clock = new FakeClock(new Date().toISOString());
    const arrived: Socket[] = [];
    const receiver = new Receiver(
      {
        authenticator: createAuthenticator({ hmac: lookUpKeys === undefined ? { current: key } : 'per_request' }),
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
      receiver.handle(req, res);
    });
    server.on('connection', (socket: Socket) => arrived.push(socket));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    ends.push(async () => {
      receiver.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { port: (server.address() as AddressInfo).port, arrived };
  }

  /** Sends these bytes of a body with a larger declared size, and returns each response so far. */
  async function attack(
    { port, arrived }: { port: number; arrived: readonly Socket[] },
    { count, bytes, length, from }: { count: number; bytes: number; length: number; from: string },
  ): Promise<() => string[]> {
    const before = arrived.length;
    const heard: string[] = Array.from({ length: count }, () => '');
    const url = `http://127.0.0.1:${port}/cemm`;
    for (let index = 0; index < count; index++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => (heard[index] = `${heard[index] ?? ''}${chunk.toString('latin1')}`));
      socket.write(head({ url, key }, 'ab'.repeat(64), [`Content-Length: ${length}`]));
      socket.write(Buffer.alloc(bytes, 0x20));
      ends.push(() => Promise.resolve(void socket.destroy()));
    }
    await until('all bytes to arrive', () => {
      const theirs = arrived.slice(before);
      return theirs.length === count && theirs.every(({ bytesRead }) => bytesRead >= bytes);
    });
    return () => heard;
  }

  async function countGood(port: number, size: number, from: string): Promise<number> {
    let good = 0;
    for (let index = 0; index < 100; index++) {
      const body = delivery({ cemm: 24_000_000 + index, padding: ' '.repeat(size) });
      const { status } = await post({ url: `http://127.0.0.1:${port}/cemm`, key, localAddress: from }, body);
      if (status === 200) good += 1;
    }
    return good;
  }

  for (const [what, from] of [
    ['another address', '127.0.0.9'],
    ['the same address, as behind a proxy', '127.0.0.1'],
  ] as const) {
    it(`leave every good delivery its memory: 300 with half a body, from ${what}`, async () => {
      const target = await start();
      await attack(target, { count: 300, bytes: 128 * kilobyte, length: 256 * kilobyte, from });
      should(await countGood(target.port, 5 * kilobyte, '127.0.0.1')).equal(100);
      should(await countGood(target.port, 120 * kilobyte, '127.0.0.1')).equal(100);
    });
  }

  it('hold no more memory while keys are looked up than while bodies arrive', async () => {
    const waiting: ((keys: { current: string }) => void)[] = [];
    const target = await start((_path, found) => void waiting.push(found));
    const answers = await attack(target, {
      count: 300,
      bytes: 200 * kilobyte,
      length: 200 * kilobyte,
      from: '127.0.0.9',
    });
    await until('all of them to wait or to be refused', () => waiting.length === 300);
    const refused = (): number => answers().filter((text) => /^HTTP\/1\.1 503 .*"busy"/s.test(text)).length;
    // 32 MB are 160 of these bodies.
    await until('the others to be refused', () => refused() >= 140);
    const good = countGood(target.port, 5 * kilobyte, '127.0.0.1');
    let answered = 300;
    const answer = setInterval(() => {
      for (; answered < waiting.length; answered++) waiting[answered]?.({ current: key });
    }, 1);
    should(
      await good.finally(() => {
        clearInterval(answer);
      }),
    ).equal(100);
  });
});

describe('the memory for bodies', () => {
  const limit = 64 * kilobyte;

  function memory() {
    const bodies = new BodyMemory(limit);
    const evicted: string[] = [];
    return {
      bodies,
      evicted,
      claim: (remote: string, name: string) => bodies.claimMemory(remote, () => evicted.push(name)),
    };
  }

  it('takes from the address that holds most, its oldest body first', () => {
    const { bodies, evicted, claim } = memory();
    for (const name of ['a1', 'a2', 'a3']) should(claim('10.0.0.1', name).growTo(36 * kilobyte)).be.true();
    const good = claim('10.0.0.2', 'good');
    should(good.growTo(36 * kilobyte)).be.true();
    should(evicted).eql(['a1']);
    should(claim('10.0.0.1', 'a4').growTo(36 * kilobyte)).be.true();
    should(evicted).eql(['a1', 'a2']);
    good.release();
    should(bodies.used).equal(72 * kilobyte);
  });

  it('counts the addresses of an IPv6 network as one sender', () => {
    const { evicted, claim } = memory();
    claim('192.0.2.1', 'good').growTo(16 * kilobyte);
    for (let host = 1; host <= 20; host++) claim(`2001:db8::${host}`, `${host}`).growTo(16 * kilobyte);
    should(evicted.length).equal(17);
    should(evicted).not.containEql('good');
  });

  it('refuses a body for which nobody has to give way, and a small one takes nothing of the larger pool', () => {
    const { bodies, evicted, claim } = memory();
    should(claim('10.0.0.1', 'large').growTo(80 * kilobyte)).be.true();
    should(claim('10.0.0.1', 'larger').growTo(81 * kilobyte)).be.false();
    const small = claim('10.0.0.2', 'small');
    should(small.growTo(kilobyte)).be.true();
    should(small.growTo(9 * kilobyte)).be.true();
    should(evicted).eql(['large']);
    small.release();
    small.release();
    should(bodies.used).equal(16 * kilobyte);
  });
});
