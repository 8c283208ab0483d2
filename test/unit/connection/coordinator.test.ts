/** Sharing, queueing, cancelling and caching of requests. */
import should from 'should';
import { CemmError } from '../../../src/errors';
import { RequestCoordinator } from '../../../src/connection/request-coordinator';
import type { MonitorRequest } from '../../../src/clients/client';
import { mostWaiting } from '../../../src/connection/queue';
import type { Seconds } from '../../../src/protocol/time';
import {
  FakeClient,
  MONITOR,
  OTHER,
  failure,
  healthy,
  io,
  monitorRecord,
  realtime,
} from '../../support/clients/fake-client';
import { FakeClock, settle } from '../../support/time/fake-clock';

const P1: MonitorRequest = { kind: 'realtime', monitor: MONITOR, alias: 'p1' };

function day(index: number, monitor = MONITOR): MonitorRequest {
  return { kind: 'series', monitor, alias: 'p1', unit: 'day', time: (1_700_000_000 + index * 86_400) as Seconds };
}

/** The state of a promise, without waiting for it. */
function outcome<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: CemmError } = {};
  promise.then(
    (value) => (seen.value = value),
    (error: unknown) => {
      if (error instanceof CemmError) seen.error = error;
      else throw error;
    },
  );
  return seen;
}

function start(limits?: FakeClient['limits']) {
  const clock = new FakeClock();
  const client = new FakeClient(clock, 'remote', limits);
  const coordinator = new RequestCoordinator({
    client,
    clock,
    random: () => 0.5,
    place: () => 0.55,
    deadlineMs: 25_000,
  });
  const ask = (
    request: MonitorRequest,
    {
      deadlineMs = 25_000,
      patience = 'user',
      signal = new AbortController().signal,
    }: { deadlineMs?: number; patience?: 'user' | 'poll'; signal?: AbortSignal } = {},
  ) => outcome(coordinator.request(request, { signal, deadlineMs, patience }));
  return { clock, client, coordinator, ask };
}

describe('connection: shared requests', () => {
  it('RA32, LA14: sends one request for fifty equal ones, and another after the response', async () => {
    const { client, clock, ask } = start();
    const all = Array.from({ length: 50 }, () => ask(P1));
    await settle();
    client.calls.length.should.equal(1);
    client.open[0]?.answer(realtime(clock.now(), 5));
    await settle();
    for (const { value } of all) should(value?.requests).equal(1);
    ask(P1);
    client.calls.length.should.equal(2);
  });

  it('keeps different requests apart, two days of one meter too', async () => {
    const { client, ask } = start({ perMonitor: 50, perKey: 50, gapMs: 0 });
    ask(day(1));
    ask(day(2));
    ask({ ...P1, alias: 's01' });
    ask({ ...P1, monitor: OTHER });
    ask({ kind: 'totals', monitor: MONITOR, alias: 'p1', time: 1_700_000_000 as Seconds });
    await settle();
    client.calls.length.should.equal(5);
  });

  it('LA7: never has more requests in flight than the client allows, and sends all of them', async () => {
    const { client, clock, ask } = start();
    const all = Array.from({ length: 50 }, (_, index) => ask(day(index, index % 2 === 0 ? MONITOR : OTHER)));
    for (let turn = 0; turn < 60; turn += 1) {
      await settle();
      client.open[0]?.answer(realtime(clock.now(), 1));
    }
    await settle();
    all.filter(({ value }) => value !== undefined).length.should.equal(50);
    client.peak.should.equal(4);
    should(client.peakOf.get(MONITOR)).equal(2);
    should(client.peakOf.get(OTHER)).equal(2);
  });

  it('LA7: pauses between two requests if the device needs it', async () => {
    const { client, clock, ask } = start({ perMonitor: 1, perKey: 1, gapMs: 250 });
    client.script = healthy(clock);
    ask(P1);
    ask({ kind: 'monitors' });
    ask(day(1));
    await clock.advance(1_000);
    client.calls.map(({ at }) => at).should.deepEqual([0, 250, 500]);
  });

  it('serves users before polls, each in the order of arrival', async () => {
    const { client, clock, ask } = start({ perMonitor: 1, perKey: 1, gapMs: 0 });
    ask(day(0));
    ask(day(1), { patience: 'poll' });
    ask(day(2), { patience: 'poll' });
    ask(day(3));
    ask(day(4));
    // A request by a user moves an equal queued poll forward.
    ask(day(2));
    for (let turn = 0; turn < 6; turn += 1) {
      await settle();
      client.open[0]?.answer(realtime(clock.now(), 1));
    }
    const order = client.calls.map(({ request }) => (request.kind === 'series' ? request.time : 0));
    order.map((time) => (time - 1_700_000_000) / 86_400).should.deepEqual([0, 2, 3, 4, 1]);
  });

  it("OV3: refuses a request when a hundred are queued, and lets a user's request replace a poll", async () => {
    const { client, ask } = start({ perMonitor: 1, perKey: 1, gapMs: 0 });
    ask(day(0));
    const polls = Array.from({ length: mostWaiting }, (_, index) => ask(day(index + 1), { patience: 'poll' }));
    const late = ask(day(500), { patience: 'poll' });
    await settle();
    should(late.error?.code).equal('RATE');
    should(late.error?.reason).equal('queue_full');
    const person = ask(day(501));
    await settle();
    should(person.error).be.undefined();
    should(polls.at(-1)?.error?.reason).equal('queue_full');
    client.calls.length.should.equal(1);
    // Equal requests take one place in the queue.
    const same = Array.from({ length: 10_000 }, () => ask(day(501)));
    await settle();
    same.filter(({ error }) => error !== undefined).length.should.equal(0);
  });
});

describe('connection: cancelling requests', () => {
  it('continues for the others when the first caller leaves', async () => {
    const { client, clock, ask } = start();
    const leader = new AbortController();
    const first = ask(P1, { signal: leader.signal });
    const second = ask(P1);
    await settle();
    leader.abort();
    await settle();
    should(first.error?.code).equal('CANCELLED');
    should(client.open[0]?.options.signal.aborted).be.false();
    client.open[0]?.answer(realtime(clock.now(), 7));
    await settle();
    should(second.value).be.ok();
    clock.timerCount.should.equal(0);
  });

  it('cancels the request when the last caller leaves, and sends a new one for the next', async () => {
    const { client, clock, ask } = start();
    const leaving = new AbortController();
    ask(P1, { signal: leaving.signal });
    ask(P1, { signal: leaving.signal });
    await settle();
    leaving.abort();
    should(client.calls[0]?.options.signal.aborted).be.true();
    clock.timerCount.should.equal(0);
    ask(P1);
    await settle();
    client.calls.length.should.equal(2);
    client.open.length.should.equal(1);
  });

  it('removes an abandoned request from the queue', async () => {
    const { client, clock, ask } = start({ perMonitor: 1, perKey: 1, gapMs: 0 });
    const leaving = new AbortController();
    ask(day(0));
    ask(day(1), { signal: leaving.signal });
    leaving.abort();
    client.open[0]?.answer(realtime(clock.now(), 1));
    await settle();
    client.calls.length.should.equal(1);
  });

  it('applies the deadline of each caller: one fails after 2 s, the other gets the response after 4 s', async () => {
    const { client, clock, ask } = start();
    const hasty = ask(P1, { deadlineMs: 2_000 });
    const patient = ask(P1, { deadlineMs: 10_000 });
    await clock.advance(1_999);
    should(hasty.error).be.undefined();
    await clock.advance(200);
    should(hasty.error?.code).equal('DEADLINE');
    should(hasty.error?.endpoint).equal('realtime');
    should(hasty.error?.alias).equal('p1');
    await clock.advance(1_801);
    client.open[0]?.answer(realtime(clock.now(), 9));
    await settle();
    should(patient.value).be.ok();
    client.calls.length.should.equal(1);
  });

  it('repeats a request that ended before the deadline of a later caller', async () => {
    const { client, clock, ask } = start();
    const poll = ask(P1, { patience: 'poll' });
    await clock.advance(20_000);
    const person = ask(P1);
    await clock.advance(4_000);
    client.open[0]?.fail(failure('PROMISE_EXPIRED'));
    await settle();
    should(poll.error?.code).equal('PROMISE_EXPIRED');
    should(person.error).be.undefined();
    should(client.calls.at(-1)?.options.patience).equal('user');
    should(client.calls.at(-1)?.options.deadlineMs).be.approximately(25_000, 1_001);
    client.open[0]?.fail(failure('PROMISE_EXPIRED'));
    await settle();
    should(person.error?.code).equal('PROMISE_EXPIRED');
    client.calls.length.should.equal(2);
  });

  it('repeats a request for a later caller when the deadline of the first has passed', async () => {
    const { client, clock, ask } = start();
    const first = ask(P1);
    await clock.advance(20_000);
    const second = ask(P1);
    await clock.advance(5_000);
    client.open[0]?.fail(failure('DEADLINE'));
    await settle();
    should(first.error?.code).equal('DEADLINE');
    should(second.error).be.undefined();
    await clock.advance(10_000);
    client.open[0]?.answer(realtime(clock.now(), 1));
    await settle();
    should(second.value).be.ok();
    client.calls.length.should.equal(2);
  });

  it('gives each caller its own error object, and caches none', async () => {
    const { client, clock, ask } = start();
    const [first, second] = [ask(P1), ask(P1)];
    const thrown = failure('UPSTREAM');
    await settle();
    client.open[0]?.fail(thrown);
    await settle();
    should(first.error?.code).equal('UPSTREAM');
    should(second.error?.code).equal('UPSTREAM');
    should(first.error).not.equal(second.error);
    should(first.error).not.equal(thrown);
    const next = ask(P1);
    await settle();
    client.open[0]?.answer(realtime(clock.now(), 1));
    await settle();
    should(next.value).be.ok();
  });

  it('converts other errors without their text', async () => {
    const { client, ask } = start();
    client.request = () => Promise.reject(new Error('https://host/?api_key=canary'));
    const asked = ask(P1);
    await settle();
    should(asked.error?.code).equal('UNSUPPORTED');
    JSON.stringify([asked.error, asked.error?.message, asked.error?.stack]).should.not.containEql('canary');
  });

  it('cancels everything with CANCELLED when it closes, and rejects later requests', async () => {
    const { client, clock, coordinator, ask } = start({ perMonitor: 1, perKey: 1, gapMs: 250 });
    const all = [ask(P1), ask(day(1)), ask({ kind: 'monitors' })];
    coordinator.poll(P1, 10_000, {
      onResponse: () => undefined,
      onFailure: () => {
        should.fail(1, 0, 'told');
      },
    });
    await settle();
    await coordinator.close();
    all.map(({ error }) => error?.code).should.deepEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    client.closed.should.be.true();
    client.open.length.should.equal(0);
    clock.timerCount.should.equal(0);
    const after = ask(P1);
    await settle();
    should(after.error?.code).equal('CANCELLED');
    await clock.advance(60_000);
    client.calls.length.should.equal(1);
  });

  it('LC4: does not wait forever for a client that ignores cancellation', async () => {
    const { client, clock, coordinator, ask } = start();
    client.request = () => new Promise(() => undefined);
    const asked = ask(P1);
    await settle();
    let closed = false;
    void coordinator.close().then(() => (closed = true));
    await clock.advance(500);
    closed.should.be.true();
    should(asked.error?.code).equal('CANCELLED');
    clock.timerCount.should.equal(0);
  });
});

describe('connection: cached failures', () => {
  it('caches the lists for ten minutes and nothing else', async () => {
    const { client, clock, ask } = start();
    client.script = healthy(clock);
    const lists: MonitorRequest[] = [{ kind: 'monitors' }, { kind: 'meters', monitor: MONITOR }];
    const others: MonitorRequest[] = [P1, day(1), { kind: 'meter', monitor: MONITOR, alias: 'p1' }];
    const askAll = async () => {
      for (const request of [...lists, ...others]) {
        ask(request);
        await settle();
      }
    };
    await askAll();
    client.calls.length.should.equal(5);
    await clock.advance(9 * 60_000);
    await askAll();
    client.calls.length.should.equal(8);
    await clock.advance(61_000);
    await askAll();
    client.calls.length.should.equal(13);
  });

  it('does not cache a failed list', async () => {
    const { client, ask } = start();
    ask({ kind: 'monitors' });
    await settle();
    client.open[0]?.fail(failure());
    await settle();
    ask({ kind: 'monitors' });
    await settle();
    client.calls.length.should.equal(2);
  });

  it('RA7: requests an unsupported alias once per endpoint, until the list of meters changes', async () => {
    const { client, clock, ask } = start();
    const answers = healthy(clock);
    let list = [io(1, 'p1', 'p1')];
    client.script = (request) => {
      if ('alias' in request && request.alias === 's03') return failure('ALIAS');
      return request.kind === 'meters' ? list : answers(request);
    };
    ask({ kind: 'meters', monitor: MONITOR });
    await settle();
    const day3: MonitorRequest = { ...(day(1) as Extract<MonitorRequest, { kind: 'series' }>), alias: 's03' };
    for (let round = 0; round < 3; round += 1) {
      const asked = ask({ ...P1, alias: 's03' }, { patience: 'poll' });
      ask(day3, { patience: 'poll' });
      ask({ ...day3, time: 1_600_000_000 as Seconds }, { patience: 'poll' });
      const good = ask(P1, { patience: 'poll' });
      await settle();
      should(asked.error?.code).equal('ALIAS');
      should(good.value).be.ok();
    }
    client.count('realtime', 's03').should.equal(1);
    client.calls.filter(({ request }) => request.kind === 'series').length.should.be.belowOrEqual(2);
    list = [...list, io(2, 's0', 's03')];
    await clock.advance(11 * 60_000);
    ask({ kind: 'meters', monitor: MONITOR });
    await settle();
    ask({ ...P1, alias: 's03' }, { patience: 'poll' });
    await settle();
    client.count('realtime', 's03').should.equal(2);
  });

  it("RA35: sends a user's request once despite a cached 412, and shares its response", async () => {
    const { client, clock, ask } = start();
    const s03 = { ...P1, alias: 's03' };
    client.script = () => failure('ALIAS');
    ask(s03, { patience: 'poll' });
    await settle();
    const refused = ask(s03);
    await settle();
    should(refused.error?.code).equal('ALIAS');
    client.count('realtime', 's03').should.equal(2);
    client.script = healthy(clock);
    const person = ask(s03);
    await settle();
    should(person.value).be.ok();
    const poll = ask(s03, { patience: 'poll' });
    await settle();
    should(poll.value).be.ok();
    client.count('realtime', 's03').should.equal(4);
  });

  it("RA5: sends no poll with a refused key until a user's request succeeds", async () => {
    const { client, clock, ask } = start();
    client.script = () => failure('AUTH');
    const refused = ask(P1, { patience: 'poll' });
    await settle();
    should(refused.error?.code).equal('AUTH');
    // Plus one for the list of monitors, which shows that the key is refused.
    client.calls.map(({ request }) => request.kind).should.deepEqual(['realtime', 'monitors']);
    const others = [ask(P1, { patience: 'poll' }), ask(day(1), { patience: 'poll' })];
    await settle();
    others.map(({ error }) => error?.code).should.deepEqual(['AUTH', 'AUTH']);
    should(others[0]?.error).not.equal(others[1]?.error);
    await clock.advance(24 * 60 * 60_000);
    ask(P1, { patience: 'poll' });
    await settle();
    client.calls.length.should.equal(2);
    client.script = healthy(clock);
    ask({ kind: 'monitors' });
    await settle();
    const polls = [ask(day(1), { patience: 'poll' }), ask(P1, { patience: 'poll' })];
    await settle();
    for (const { value } of polls) should(value).be.ok();
  });

  it('RA34: applies a 403 to polls of one monitor only, and retries after ten minutes', async () => {
    const { client, clock, ask } = start();
    const answers = healthy(clock);
    let allowed = false;
    const isForbidden = (request: MonitorRequest) => !allowed && 'monitor' in request && request.monitor === OTHER;
    client.script = (request) => (isForbidden(request) ? failure('AUTH') : answers(request));
    const askBoth = async () => {
      const both = [ask({ ...P1, monitor: OTHER }, { patience: 'poll' }), ask(P1, { patience: 'poll' })] as const;
      await settle();
      return both;
    };
    for (let minute = 0; minute < 10; minute += 1) {
      const [other, own] = await askBoth();
      should(other.error?.code).equal('AUTH');
      should(own.value).be.ok();
      await clock.advance(60_000);
    }
    const ofOther = () => client.calls.filter(({ request }) => 'monitor' in request && request.monitor === OTHER);
    ofOther().length.should.equal(1);
    client.count('monitors').should.equal(1);
    allowed = true;
    const [other] = await askBoth();
    should(other.value).be.ok();
    ofOther().length.should.equal(2);
  });

  it('RA34: applies a 403 to one action of a meter only', async () => {
    const { client, clock, ask } = start();
    const answers = healthy(clock);
    client.script = (request) => (request.kind === 'series' ? failure('AUTH') : answers(request));
    const series = ask(day(1), { patience: 'poll' });
    await settle();
    should(series.error?.code).equal('AUTH');
    const poll = ask(P1, { patience: 'poll' });
    await settle();
    should(poll.value).be.ok();
    // A request by a user is sent, because the rights of a key may have changed.
    client.script = answers;
    ask(day(2));
    await settle();
    const again = ask(day(1), { patience: 'poll' });
    await settle();
    should(again.value).be.ok();
  });

  it('OV4: stops sending requests to an unreachable service: a probe after 30 s, then after growing pauses', async () => {
    const { client, clock, ask } = start();
    client.script = () => failure('NETWORK');
    for (let index = 0; index < 5; index += 1) {
      ask(day(index), { patience: 'poll' });
      await settle();
    }
    client.calls.length.should.equal(5);
    const calls: number[] = [];
    for (let second = 1; second <= 1_200; second += 1) {
      await clock.advance(1_000);
      const before = client.calls.length;
      const held = ask(day(100 + second), { patience: 'poll' });
      await settle();
      should(held.error?.code).equal('NETWORK');
      if (client.calls.length > before) calls.push(second);
    }
    calls.should.deepEqual([30, 90, 210, 450, 750, 1_050]);
  });

  it('lets a user bypass an open circuit breaker, and all callers after a response', async () => {
    const { client, clock, ask } = start();
    client.script = () => failure('UPSTREAM_TIMEOUT');
    for (let index = 0; index < 5; index += 1) {
      ask(day(index));
      await settle();
    }
    client.script = healthy(clock);
    const held = ask(P1, { patience: 'poll' });
    const person = ask(day(7));
    await settle();
    should(held.error?.code).equal('UPSTREAM_TIMEOUT');
    should(person.value).be.ok();
    const free = ask(P1, { patience: 'poll' });
    await clock.advance(8_000);
    should(free.value).be.ok();
  });

  for (const code of ['MONITOR_OFFLINE', 'ALIAS', 'AUTH', 'PROMISE_EXPIRED', 'BAD_PAYLOAD'] as const) {
    it(`does not take ${code} for a service that cannot be reached`, async () => {
      const { client, clock, ask } = start();
      client.script = (request) => (request.kind === 'monitors' ? [monitorRecord(MONITOR)] : failure(code));
      for (let index = 0; index < 8; index += 1) {
        ask({ ...P1, alias: `s${index}` });
        await settle();
      }
      client.script = healthy(clock);
      ask(day(1));
      await settle();
      const poll = ask(P1, { patience: 'poll' });
      await clock.advance(8_000);
      should(poll.value).be.ok();
    });
  }

  it('does not stay open when its probe is cancelled', async () => {
    const { client, clock, ask } = start();
    client.script = () => failure('NETWORK');
    for (let index = 0; index < 5; index += 1) {
      ask(day(index));
      await settle();
    }
    await clock.advance(30_000);
    client.script = null;
    const leaving = new AbortController();
    ask(P1, { patience: 'poll', signal: leaving.signal });
    await settle();
    client.open.length.should.equal(1);
    leaving.abort();
    await settle();
    client.script = healthy(clock);
    const poll = ask(P1, { patience: 'poll' });
    await settle();
    should(poll.value).be.ok();
  });

  it('does not stay open when its probe leaves the queue', async () => {
    const { client, clock, ask } = start({ perMonitor: 1, perKey: 1, gapMs: 0 });
    client.script = () => failure('NETWORK');
    for (let index = 0; index < 5; index += 1) {
      ask(day(index));
      await settle();
    }
    await clock.advance(30_000);
    client.script = null;
    ask(day(7));
    const leaving = new AbortController();
    ask(P1, { patience: 'poll', signal: leaving.signal });
    await settle();
    leaving.abort();
    const poll = ask(P1, { patience: 'poll' });
    await settle();
    should(poll.error).be.undefined();
  });
});
