/** The limits of requests in flight. */
import 'should';
import { CemmError } from '../../../src/errors';
import { Throttle } from '../../../src/connection/queue';
import { RequestCoordinator } from '../../../src/connection/request-coordinator';
import type { MonitorRequest } from '../../../src/clients/client';
import { getRequestAlias } from '../../../src/connection/requests';
import { millis, millisToSeconds } from '../../../src/time/units';
import { FakeClient, failure, healthy, MONITOR, monitorId, makePowerResponse } from '../../support/clients/fake-client';
import { FakeClock, settle } from '../../support/time/fake-clock';

describe('connection: rate limit of a key', () => {
  for (const code of ['PROMISE_EXPIRED', 'UPSTREAM_TIMEOUT', 'MONITOR_OFFLINE', 'UPSTREAM', 'RATE'] as const) {
    it(`halves what may be in flight at ${code}, then waits longer and longer`, () => {
      const throttle = new Throttle(4);
      const seen = Array.from({ length: 8 }, () => {
        throttle.failed(code, null);
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
      throttle.failed(code, null);
      [throttle.limit, throttle.pauseMs].should.deepEqual([4, 0]);
    });
  }

  for (const code of ['MONITOR_OFFLINE', 'PROMISE_EXPIRED'] as const) {
    it(`takes ${code} for a sign of too many requests when the monitor answered before`, () => {
      const throttle = new Throttle(4);
      const limitAfter = (monitor: string): number => {
        throttle.failed(code, monitor);
        return throttle.limit;
      };
      limitAfter('a').should.equal(4);
      throttle.recordSuccess('a');
      throttle.recordSuccess('b');
      [limitAfter('a'), limitAfter('a'), limitAfter('b')].should.deepEqual([2, 2, 1]);
    });
  }

  it('recovers step by step, the pause first', () => {
    const throttle = new Throttle(4);
    for (let index = 0; index < 5; index += 1) throttle.failed('RATE', null);
    const seen: number[][] = [];
    for (let index = 0; index < 12; index += 1) {
      throttle.recordSuccess(null);
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
    const failAfterResponses = async (): Promise<void> => {
      client.script = healthy(clock);
      for (let index = 0; index < 6; index += 1) await ask(index, 'user');
      client.script = () => failure('MONITOR_OFFLINE');
      for (let index = 0; index < 6; index += 1) await ask(index, 'user');
      client.script = healthy(clock);
    };
    return { clock, client, ask, failAfterResponses };
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
    client.open[0]?.fail(failure('UPSTREAM'));
    client.open[1]?.fail(failure('RATE'));
    await settle();
    client.open.length.should.equal(1);
    client.script = healthy(clock);
    client.open[0]?.fail(failure('UPSTREAM_TIMEOUT'));
    await settle();
    const before = client.calls.length;
    await clock.advance(60_000);
    client.calls.length.should.be.above(before + 10);
  });

  it('is not lowered by monitors that are away: those that answer are read as fast as before', async () => {
    const { clock, client, ask } = start();
    const answers = healthy(clock);
    const away = new Set(Array.from({ length: 30 }, (_, index) => `001a2b3c${(4096 + index).toString(16)}`));
    client.script = (request) =>
      'monitor' in request && away.has(request.monitor) ? failure('MONITOR_OFFLINE') : answers(request);
    const polls = Array.from({ length: 60 }, (_, index) => ask(index, 'poll'));
    await clock.advance(1_000);
    const found = await Promise.all(polls);
    found.filter((one) => one instanceof CemmError).length.should.equal(30);
  });

  it('applies the pause to polls only', async () => {
    const { clock, client, ask, failAfterResponses } = start();
    await failAfterResponses();
    const before = client.calls.length;
    void ask(10, 'poll');
    await clock.advance(1_000);
    client.calls.length.should.equal(before);
    await ask(11, 'user');
    client.calls.length.should.equal(before + 1);
    await clock.advance(8_000);
    client.calls.length.should.equal(before + 2);
  });

  it('ends the pause of a poll that a user asks for as well', async () => {
    const { clock, client, ask, failAfterResponses } = start();
    await failAfterResponses();
    const before = client.calls.length;
    void ask(10, 'poll');
    await clock.advance(1_000);
    client.calls.length.should.equal(before);
    void ask(10, 'user');
    await settle();
    client.calls.length.should.equal(before + 1);
  });
});

describe('connection: order of the queue', () => {
  interface Wanted {
    readonly kind: 'realtime' | 'series';
    readonly patience?: 'user' | 'poll';
    readonly isBulk?: boolean;
    readonly isPast?: boolean;
  }
  const today: Wanted = { kind: 'series', isPast: false };
  const past: Wanted = { kind: 'series', isPast: true };
  const ofYear: Wanted = { ...past, patience: 'user', isBulk: true };
  const now: Wanted = { kind: 'realtime' };
  const message: Wanted = { ...past, patience: 'user' };

  /** A monitor at home, which answers one request at a time. */
  function start() {
    const clock = new FakeClock();
    const client = new FakeClient(clock, 'local', { perMonitor: 1, perKey: 1, gapMs: 0 });
    const coordinator = new RequestCoordinator({ client, clock, random: () => 0.5, deadlineMs: 600_000 });
    let count = 0;
    const ask = ({ kind, ...options }: Wanted): string => {
      const alias = `m${count}`;
      count += 1;
      const request: MonitorRequest =
        kind === 'realtime'
          ? { kind, monitor: MONITOR, alias }
          : { kind, monitor: MONITOR, alias, unit: 'day', time: millisToSeconds(millis(1_700_000_000_000)) };
      const sent = { signal: new AbortController().signal, deadlineMs: 600_000, patience: 'poll', ...options } as const;
      coordinator.request(request, sent).catch(() => undefined);
      return alias;
    };
    const asked = () => client.calls.map(({ request }) => getRequestAlias(request));
    const answer = async () => {
      client.open[0]?.answer(makePowerResponse(millis(clock.now()), 1));
      await settle();
    };
    return { clock, ask, asked, answer };
  }

  it('is a message, current readings, the running day, the past', async () => {
    const { ask, asked, answer } = start();
    const running = ask(past);
    const [older, year, day, reading, wanted] = [ask(past), ask(ofYear), ask(today), ask(now), ask(message)];
    for (let index = 0; index < 6; index += 1) await answer();
    asked().should.deepEqual([running, wanted, reading, day, older, year]);
  });

  it('lets the running day go before a hundred requests of a year', async () => {
    const { ask, asked, answer } = start();
    for (let index = 0; index < 96; index += 1) ask(ofYear);
    const [day, reading] = [ask(today), ask(now)];
    for (let index = 0; index < 3; index += 1) await answer();
    asked().slice(1, 3).should.deepEqual([reading, day]);
  });

  it('lets the past start at some time, however many readings are due', async () => {
    const { clock, ask, asked, answer } = start();
    ask(now);
    const year = ask(past);
    for (let index = 0; index < 12 && !asked().includes(year); index += 1) {
      ask(now);
      await clock.advance(1_000);
      await answer();
    }
    asked().should.containEql(year);
  });
});
