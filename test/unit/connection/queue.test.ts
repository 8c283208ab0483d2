/** The limits of requests in flight. */
import 'should';
import { Throttle } from '../../../src/connection/queue';
import { RequestCoordinator } from '../../../src/connection/request-coordinator';
import type { MonitorRequest } from '../../../src/clients/client';
import { FakeClient, failure, healthy, monitorId } from '../../support/clients/fake-client';
import { FakeClock, settle } from '../../support/time/fake-clock';

describe('connection: rate limit of a key', () => {
  for (const code of ['PROMISE_EXPIRED', 'UPSTREAM_TIMEOUT', 'MONITOR_OFFLINE', 'UPSTREAM', 'RATE'] as const) {
    it(`halves what may be in flight at ${code}, then waits longer and longer`, () => {
      const throttle = new Throttle(4);
      const seen = Array.from({ length: 8 }, () => {
        throttle.failed(code);
        return [throttle.limit, throttle.pauseMs];
      });
      seen.should.deepEqual([
        [2, 0],
        [1, 0],
        [1, 500],
        [1, 1_000],
        [1, 2_000],
        [1, 4_000],
        [1, 8_000],
        [1, 8_000],
      ]);
    });
  }

  for (const code of ['NETWORK', 'AUTH', 'ALIAS', 'DEADLINE', 'CANCELLED', 'BAD_PAYLOAD'] as const) {
    it(`does not take ${code} for a sign of too many requests`, () => {
      const throttle = new Throttle(4);
      throttle.failed(code);
      [throttle.limit, throttle.pauseMs].should.deepEqual([4, 0]);
    });
  }

  it('recovers step by step, the pause first', () => {
    const throttle = new Throttle(4);
    for (let index = 0; index < 5; index += 1) throttle.failed('RATE');
    const seen: number[][] = [];
    for (let index = 0; index < 12; index += 1) {
      throttle.answered();
      seen.push([throttle.limit, throttle.pauseMs]);
    }
    seen.slice(0, 4).should.deepEqual([
      [1, 1_000],
      [1, 500],
      [1, 0],
      [2, 0],
    ]);
    seen.slice(5, 6).should.deepEqual([[3, 0]]);
    seen.at(-1)?.should.deepEqual([4, 0]);
  });

  function start() {
    const clock = new FakeClock();
    const client = new FakeClient(clock, 'remote');
    const coordinator = new RequestCoordinator({ client, clock, random: () => 0.5, deadlineMs: 25_000 });
    const ask = (index: number, patience: 'user' | 'poll', request: Partial<MonitorRequest> = {}): Promise<unknown> => {
      const monitor = monitorId(`001a2b3c${(4096 + index).toString(16)}`);
      const asked = { kind: 'realtime', monitor, alias: 'p1', ...request } as MonitorRequest;
      return coordinator
        .request(asked, { signal: new AbortController().signal, deadlineMs: 25_000, patience })
        .catch((error: unknown) => error);
    };
    return { clock, client, ask };
  }

  it('never has more than four requests of a key in flight, and fewer when the service is slow', async () => {
    const { clock, client, ask } = start();
    for (let index = 0; index < 20; index += 1) void ask(index, 'poll');
    await settle();
    client.open.length.should.equal(4);
    client.open[0]?.fail(failure('UPSTREAM_TIMEOUT'));
    await settle();
    // Three of the four are still in flight, which is above the new limit.
    client.open.length.should.equal(3);
    client.open[0]?.fail(failure('PROMISE_EXPIRED'));
    client.open[1]?.fail(failure('MONITOR_OFFLINE'));
    await settle();
    client.open.length.should.equal(1);
    client.script = healthy(clock);
    client.open[0]?.fail(failure('UPSTREAM_TIMEOUT'));
    await settle();
    const before = client.calls.length;
    await clock.advance(60_000);
    client.calls.length.should.be.above(before + 10);
  });

  it('applies the pause to polls only', async () => {
    const { clock, client, ask } = start();
    client.script = () => failure('MONITOR_OFFLINE');
    for (let index = 0; index < 6; index += 1) await ask(index, 'user');
    client.script = healthy(clock);
    const before = client.calls.length;
    void ask(10, 'poll');
    await clock.advance(1_000);
    client.calls.length.should.equal(before);
    await ask(11, 'user');
    client.calls.length.should.equal(before + 1);
    await clock.advance(8_000);
    client.calls.length.should.equal(before + 2);
  });
});
