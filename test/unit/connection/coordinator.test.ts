/** Sharing, queueing, cancelling and caching of requests. */
import should from 'should';
import { mostWaiting } from '../../../src/connection/queue';
import type { Seconds } from '../../../src/time/units';
import { MONITOR, OTHER, failure, healthy, makePowerResponse, monitorId } from '../../support/clients/fake-client';
import { settle } from '../../support/time/fake-clock';
import { day, P1, startCoordinator } from '../../support/clients/coordinator';

describe('connection: shared requests', () => {
  it('RA32, LA14: sends one request for fifty equal ones, and another after the response', async () => {
    const { client, clock, ask } = startCoordinator();
    const all = Array.from({ length: 50 }, () => ask(P1));
    await settle();
    client.calls.length.should.equal(1);
    client.open[0]?.answer(makePowerResponse(clock.now(), 5));
    await settle();
    for (const { value } of all) should(value?.requests).equal(1);
    ask(P1);
    client.calls.length.should.equal(2);
  });

  it('keeps different requests apart, two days of one meter too', async () => {
    const { client, ask } = startCoordinator({ perMonitor: 50, perKey: 50, gapMs: 0 });
    ask(day(1));
    ask(day(2));
    ask({ ...P1, alias: 's01' });
    ask({ ...P1, monitor: OTHER });
    ask({ kind: 'totals', monitor: MONITOR, alias: 'p1', time: 1_700_000_000 as Seconds });
    await settle();
    client.calls.length.should.equal(5);
  });

  it('LA7: never has more requests in flight than the client allows, and sends all of them', async () => {
    const { client, clock, ask } = startCoordinator();
    const all = Array.from({ length: 50 }, (_, index) => ask(day(index, index % 2 === 0 ? MONITOR : OTHER)));
    for (let turn = 0; turn < 60; turn += 1) {
      await settle();
      client.open[0]?.answer(makePowerResponse(clock.now(), 1));
    }
    await settle();
    all.filter(({ value }) => value !== undefined).length.should.equal(50);
    client.peak.should.equal(4);
    should(client.peakOf.get(MONITOR)).equal(2);
    should(client.peakOf.get(OTHER)).equal(2);
  });

  it('LA7: pauses between two requests if the device needs it', async () => {
    const { client, clock, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 250 });
    client.script = healthy(clock);
    ask(P1);
    ask({ kind: 'monitors' });
    ask(day(1));
    await clock.advance(1_000);
    client.calls.map(({ at }) => at).should.deepEqual([0, 250, 500]);
  });

  it('serves users before polls, each in the order of arrival', async () => {
    const { client, clock, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 0 });
    ask(day(0));
    ask(day(1), { patience: 'poll' });
    ask(day(2), { patience: 'poll' });
    ask(day(3));
    ask(day(4));
    // A request by a user moves an equal queued poll forward.
    ask(day(2));
    for (let turn = 0; turn < 6; turn += 1) {
      await settle();
      client.open[0]?.answer(makePowerResponse(clock.now(), 1));
    }
    const order = client.calls.map(({ request }) => (request.kind === 'series' ? request.time : 0));
    order.map((time) => (time - 1_700_000_000) / 86_400).should.deepEqual([0, 2, 3, 4, 1]);
  });

  it("OV3: refuses a request when a hundred are queued, and lets a user's request replace one in the background", async () => {
    const { client, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 0 });
    ask(day(0));
    const background = { patience: 'poll', isBulk: true } as const;
    const first = Array.from({ length: mostWaiting }, (_, index) => ask(day(index + 1), background));
    const late = ask(day(500), background);
    await settle();
    should(late.error?.code).equal('RATE');
    should(late.error?.reason).equal('queue_full');
    const person = ask(day(501));
    await settle();
    should(person.error).be.undefined();
    should(first.at(-1)?.error?.reason).equal('queue_full');
    client.calls.length.should.equal(1);
    // Equal requests take one place in the queue.
    const same = Array.from({ length: 10_000 }, () => ask(day(501)));
    await settle();
    same.filter(({ error }) => error !== undefined).length.should.equal(0);
  });

  it('OV3: polls of hundreds of monitors wait for their turn, behind users, and their time begins with it', async () => {
    const { client, clock, ask } = startCoordinator();
    const polls = Array.from({ length: 300 }, (_, index) =>
      ask({ ...P1, monitor: monitorId(`001a2b3c${(4096 + index).toString(16)}`) }, { patience: 'poll' }),
    );
    await settle();
    const answerOpen = async (): Promise<void> => {
      for (const call of [...client.open]) call.answer(makePowerResponse(clock.now(), 1));
      await settle();
    };
    for (let turn = 0; turn < 40; turn += 1) {
      await clock.advance(2_000);
      await answerOpen();
    }
    const person = ask(day(1));
    await answerOpen();
    client.calls
      .slice(-4)
      .map(({ request }) => request.kind)
      .should.containEql('series');
    for (let turn = 0; turn < 40; turn += 1) {
      await clock.advance(2_000);
      await answerOpen();
    }
    should(person.value).be.ok();
    polls.filter(({ value }) => value !== undefined).length.should.equal(300);
  });

  it('OV3: the deadline of a request begins when it is sent, and ends a queued one when nothing answers meanwhile', async () => {
    const { client, clock, ask } = startCoordinator();
    const all = Array.from({ length: 60 }, (_, index) =>
      ask(day(index, monitorId(`001a2b3c${(4096 + index).toString(16)}`))),
    );
    await settle();
    for (let turn = 0; turn < 15; turn += 1) {
      await clock.advance(4_000);
      for (const call of [...client.open]) call.answer(makePowerResponse(clock.now(), 1));
      await settle();
    }
    all.filter(({ value }) => value !== undefined).length.should.equal(60);
    const silent = Array.from({ length: 60 }, (_, index) => ask(day(100 + index)));
    await clock.advance(26_000);
    for (const call of [...client.open]) call.fail(failure('DEADLINE'));
    await settle();
    silent.filter(({ error }) => error?.code === 'DEADLINE').length.should.be.aboveOrEqual(58);
  });

  it('a poll that waits is not sent to a service that has become unreachable meanwhile', async () => {
    const { client, clock, ask } = startCoordinator();
    const polls = Array.from({ length: 50 }, (_, index) => ask(day(index), { patience: 'poll' }));
    client.script = () => failure('NETWORK');
    for (const call of [...client.open]) call.fail(failure('NETWORK'));
    await settle();
    client.calls.length.should.be.belowOrEqual(8);
    polls.every(({ error }) => error?.code === 'NETWORK').should.be.true();
    clock.timerCount.should.equal(0);
  });
});

describe('connection: cancelling requests', () => {
  it('continues for the others when the first caller leaves', async () => {
    const { client, clock, ask } = startCoordinator();
    const leader = new AbortController();
    const first = ask(P1, { signal: leader.signal });
    const second = ask(P1);
    await settle();
    leader.abort();
    await settle();
    should(first.error?.code).equal('CANCELLED');
    should(client.open[0]?.options.signal.aborted).be.false();
    client.open[0]?.answer(makePowerResponse(clock.now(), 7));
    await settle();
    should(second.value).be.ok();
    clock.timerCount.should.equal(0);
  });

  it('cancels the request when the last caller leaves, and sends a new one for the next', async () => {
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 0 });
    const leaving = new AbortController();
    ask(day(0));
    ask(day(1), { signal: leaving.signal });
    leaving.abort();
    client.open[0]?.answer(makePowerResponse(clock.now(), 1));
    await settle();
    client.calls.length.should.equal(1);
  });

  it('applies the deadline of each caller: one fails after 2 s, the other gets the response after 4 s', async () => {
    const { client, clock, ask } = startCoordinator();
    const hasty = ask(P1, { deadlineMs: 2_000 });
    const patient = ask(P1, { deadlineMs: 10_000 });
    await clock.advance(1_999);
    should(hasty.error).be.undefined();
    await clock.advance(200);
    should(hasty.error?.code).equal('DEADLINE');
    should(hasty.error?.endpoint).equal('realtime');
    should(hasty.error?.alias).equal('p1');
    await clock.advance(1_801);
    client.open[0]?.answer(makePowerResponse(clock.now(), 9));
    await settle();
    should(patient.value).be.ok();
    client.calls.length.should.equal(1);
  });

  it('says the time of the whole operation when its last request ends late, and of a poll that since it was sent', async () => {
    const { client, clock, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 0 });
    const last = ask(P1, { deadlineMs: 100, elapsedMs: 24_900 });
    const poll = ask(day(1), { deadlineMs: 25_000, patience: 'poll' });
    await clock.advance(30_000);
    should(last.error?.code).equal('DEADLINE');
    should(last.error?.elapsedMs).equal(25_050);
    await clock.advance(30_000);
    should(poll.error?.code).equal('DEADLINE');
    should(poll.error?.elapsedMs).equal(25_050);
    client.calls.length.should.equal(2);
  });

  it('repeats a request that ended before the deadline of a later caller', async () => {
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
    const first = ask(P1);
    await clock.advance(20_000);
    const second = ask(P1);
    await clock.advance(5_000);
    client.open[0]?.fail(failure('DEADLINE'));
    await settle();
    should(first.error?.code).equal('DEADLINE');
    should(second.error).be.undefined();
    await clock.advance(10_000);
    client.open[0]?.answer(makePowerResponse(clock.now(), 1));
    await settle();
    should(second.value).be.ok();
    client.calls.length.should.equal(2);
  });

  it('gives each caller its own error object, and caches none', async () => {
    const { client, clock, ask } = startCoordinator();
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
    client.open[0]?.answer(makePowerResponse(clock.now(), 1));
    await settle();
    should(next.value).be.ok();
  });

  it('converts other errors without their text', async () => {
    const { client, ask } = startCoordinator();
    client.request = () => Promise.reject(new Error('https://host/?api_key=canary'));
    const asked = ask(P1);
    await settle();
    should(asked.error?.code).equal('UNSUPPORTED');
    JSON.stringify([asked.error, asked.error?.message, asked.error?.stack]).should.not.containEql('canary');
  });

  it('cancels everything with CANCELLED when it closes, and rejects later requests', async () => {
    const { client, clock, coordinator, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 250 });
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
    const { client, clock, coordinator, ask } = startCoordinator();
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
