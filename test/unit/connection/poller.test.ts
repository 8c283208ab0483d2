/** Pollers on a fake clock: their rate, their listeners and their retries. */
import should from 'should';
import type { ClientResponse } from '../../../src/clients/client';
import { CemmError } from '../../../src/errors';
import { RequestCoordinator } from '../../../src/connection/request-coordinator';
import type { PollFailure, PollListener } from '../../../src/connection/poller';
import type { MonitorRequest } from '../../../src/clients/client';
import type { RealtimeResponse } from '../../../src/protocol/responses';
import { hourMs } from '../../../src/time/units';
import { FakeClient, MONITOR, failure, healthy, monitorId, makePowerResponse } from '../../support/clients/fake-client';
import { FakeClock, settle } from '../../support/time/fake-clock';

const p1 = { kind: 'realtime', monitor: MONITOR, alias: 'p1' } as const satisfies MonitorRequest;

interface Start {
  random?: () => number;
  limits?: FakeClient['limits'];
  place?: (request: string) => number;
}

/** With this phase the grid is a twentieth of the interval behind the first poll. */
function start({ random = () => 0.5, place = () => 0.55, limits }: Start = {}) {
  const clock = new FakeClock();
  const client = new FakeClient(clock, 'remote', limits);
  client.script = healthy(clock);
  const coordinator = new RequestCoordinator({ client, clock, random, place, deadlineMs: 25_000 });
  const times = () => client.calls.map(({ at }) => at);
  return { clock, client, coordinator, times };
}

class Listener implements PollListener<RealtimeResponse> {
  readonly answers: ClientResponse<RealtimeResponse>[] = [];
  readonly failures: PollFailure[] = [];

  onResponse(answer: ClientResponse<RealtimeResponse>): void {
    this.answers.push(answer);
  }

  onFailure(told: PollFailure): void {
    this.failures.push(told);
  }
}

describe('connection: one poller per request and interval', () => {
  it('TD11: polls at once, then at a fixed rate with its own offset in the interval', async () => {
    const { clock, coordinator, times } = start();
    coordinator.poll(p1, 10_000, new Listener());
    await clock.advance(45_000);
    times().should.deepEqual([0, 10_500, 20_500, 30_500, 40_500]);
  });

  const places = [
    [0, 10_000, 5_000],
    [0.999_999, 10_000, 15_000],
    // A grid moves by at most two and a half minutes, for any interval.
    [0, hourMs, hourMs - 150_000],
    [0.999_999, hourMs, hourMs + 150_000],
  ] as const;
  for (const [place, intervalMs, second] of places) {
    it(`polls again after ${second} ms at the place ${place} of ${intervalMs} ms`, async () => {
      const { clock, coordinator, times } = start({ place: () => place });
      coordinator.poll(p1, intervalMs, new Listener());
      await clock.advance(second + intervalMs);
      times().should.deepEqual([0, second, second + intervalMs]);
    });
  }

  it('spreads the polls of a hundred monitors over the interval, at the same places in every process', async () => {
    const polled = async (): Promise<number[]> => {
      const parts = start({ limits: { perMonitor: 1, perKey: 100, gapMs: 0 } });
      const coordinator = new RequestCoordinator({ ...parts, random: Math.random, deadlineMs: 25_000 });
      for (let index = 0; index < 100; index += 1) {
        const monitor = monitorId(`001a2b3c${(4096 + index).toString(16)}`);
        coordinator.poll({ kind: 'realtime', monitor, alias: 'p1' }, 60_000, new Listener());
      }
      await parts.clock.advance(95_000);
      return parts.times();
    };
    const times = await polled();
    const perSixSeconds = Array.from({ length: 10 }, (_, index) => {
      const from = 30_000 + index * 6_000;
      return times.filter((time) => time >= from && time < from + 6_000).length;
    });
    Math.max(...perSixSeconds).should.be.below(25);
    Math.min(...perSixSeconds).should.be.above(2);
    (await polled()).should.deepEqual(times);
  });

  it('sends one request per interval for fifty listeners, and serves each of them', async () => {
    const { clock, client, coordinator } = start();
    const listeners = Array.from({ length: 50 }, () => new Listener());
    for (const listener of listeners) coordinator.poll(p1, 10_000, listener);
    await clock.advance(600_000);
    client.calls.length.should.equal(60);
    for (const { answers } of listeners) answers.length.should.equal(60);
  });

  it('serves a new listener at once and the others at their slot', async () => {
    const { clock, coordinator, times } = start();
    const [first, second] = [new Listener(), new Listener()];
    coordinator.poll(p1, 60_000, first);
    await clock.advance(20_000);
    coordinator.poll(p1, 60_000, second);
    await settle();
    [first.answers.length, second.answers.length].should.deepEqual([1, 1]);
    await clock.advance(60_000);
    [first.answers.length, second.answers.length].should.deepEqual([2, 2]);
    times().should.deepEqual([0, 20_000, 63_000]);
  });

  it('TD11: does not drift in 24 hours when every response takes time', async () => {
    const { clock, client, coordinator, times } = start();
    client.script = () => {
      clock.after(700, () => client.open[0]?.answer(makePowerResponse(clock.now(), 1)));
      return null;
    };
    const listener = new Listener();
    coordinator.poll(p1, 60_000, listener);
    await clock.advance(24 * hourMs);
    times().length.should.equal(24 * 60);
    listener.answers.length.should.equal(24 * 60);
    times()
      .slice(1)
      .every((at) => at % 60_000 === 3_000)
      .should.be.true();
  });

  it('polls once per slot when a timer fires early', async () => {
    const { clock, coordinator, times } = start();
    const exact = clock.after.bind(clock);
    clock.after = (delayMs, run) => exact(delayMs > 1_000 ? delayMs - 0.4 : delayMs, run);
    coordinator.poll(p1, 10_000, new Listener());
    await clock.advance(100_000);
    times().length.should.equal(10);
  });

  it('skips the slots that pass during a request', async () => {
    const { clock, client, coordinator, times } = start();
    client.script = null;
    coordinator.poll(p1, 5_000, new Listener());
    await clock.advance(17_000);
    times().should.deepEqual([0]);
    client.open[0]?.answer(makePowerResponse(clock.now(), 1));
    await clock.advance(9_000);
    times().should.deepEqual([0, 20_250]);
  });

  it('TD9: polls once after hours of suspension', async () => {
    const { clock, coordinator, times } = start();
    const listener = new Listener();
    coordinator.poll(p1, 10_000, listener);
    await clock.advance(1_000);
    await clock.sleep(8 * hourMs);
    await clock.advance(20_000);
    times().length.should.equal(4);
    const [, caughtUp, next, last] = times();
    should(caughtUp).equal(8 * hourMs + 1_000);
    should(next).be.within(8 * hourMs + 1_000, 8 * hourMs + 11_000);
    should((last ?? 0) - (next ?? 0)).equal(10_000);
  });

  for (const step of [-3 * hourMs, 3 * hourMs, -365 * 24 * hourMs]) {
    it(`TD8: keeps its rate when the clock of the host is set by ${step / hourMs} hours`, async () => {
      const { clock, coordinator, times } = start();
      coordinator.poll(p1, 10_000, new Listener());
      await clock.advance(15_000);
      clock.stepWallClock(step);
      await clock.advance(20_000);
      times().should.deepEqual([0, 10_500, 20_500, 30_500]);
    });
  }

  it('TD10: refuses an interval longer than a day or invalid', async () => {
    const { clock, coordinator, times } = start();
    coordinator.poll(p1, 2 ** 31 + 5, new Listener());
    await clock.advance(49 * hourMs);
    times().length.should.equal(3);
    clock.longest.should.be.below(2 ** 31 - 1);
    for (const interval of [0, -1, Number.NaN]) {
      (() => coordinator.poll(p1, interval, new Listener())).should.throw({ code: 'CONFIG', reason: 'interval' });
    }
  });

  it('stops with the last listener, and cancels its request in flight', async () => {
    const { clock, client, coordinator } = start();
    client.script = null;
    const stops = [new Listener(), new Listener()].map((listener) => coordinator.poll(p1, 10_000, listener));
    await settle();
    stops[0]?.();
    should(client.calls[0]?.options.signal.aborted).be.false();
    stops[1]?.();
    should(client.calls[0]?.options.signal.aborted).be.true();
    clock.timerCount.should.equal(0);
    await clock.advance(60_000);
    client.calls.length.should.equal(1);
  });

  it('OV7: isolates a listener that throws', async () => {
    const { clock, coordinator } = start();
    const good = new Listener();
    const bad: PollListener<RealtimeResponse> = {
      onResponse() {
        throw new Error('a flow of somebody');
      },
      onFailure: () => undefined,
    };
    coordinator.poll(p1, 10_000, bad);
    coordinator.poll(p1, 10_000, good);
    await clock.advance(30_000);
    good.answers.length.should.equal(3);
  });

  it('allows a listener to leave during its callback', async () => {
    const { clock, client, coordinator } = start();
    let answers = 0;
    const stop = coordinator.poll(p1, 10_000, {
      onResponse() {
        answers += 1;
        stop();
      },
      onFailure: () => undefined,
    });
    await clock.advance(60_000);
    answers.should.equal(1);
    client.calls.length.should.equal(1);
    clock.timerCount.should.equal(0);
  });
});

describe('connection: polls that fail', () => {
  function failing(error: CemmError, random = () => 0.999) {
    const parts = start({ random });
    parts.client.script = () => error;
    const listener = new Listener();
    parts.coordinator.poll(p1, 10_000, listener);
    return { ...parts, listener };
  }

  it('retries after 5 s, 10 s, 20 s, … five minutes, without end', async () => {
    const { clock, times, listener } = failing(failure('MONITOR_OFFLINE'));
    await clock.advance(2 * hourMs);
    const gaps = times()
      .slice(1)
      .map((at, index) => Math.round((at - (times()[index] ?? 0)) / 1000));
    gaps.slice(0, 9).should.deepEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    gaps.length.should.be.above(26);
    listener.failures.map(({ failures }) => failures).should.deepEqual(times().map((_, index) => index + 1));
    should(listener.failures[0]?.nextRetryMs).equal(4_995);
  });

  it('draws each pause at random, and at least a second', async () => {
    const drawn = failing(failure('MONITOR_OFFLINE'), () => 0.25);
    await drawn.clock.advance(10_000);
    drawn.times().should.deepEqual([0, 1_250, 3_750, 8_750]);
    const least = failing(failure('MONITOR_OFFLINE'), () => 0);
    await least.clock.advance(3_500);
    least.times().should.deepEqual([0, 1_000, 2_000, 3_000]);
  });

  it('recovers within one pause after an outage of days, and returns to its grid', async () => {
    const { client, clock, times, listener } = failing(failure('NETWORK'));
    await clock.advance(72 * hourMs);
    listener.answers.length.should.equal(0);
    const before = times().length;
    client.script = healthy(clock);
    await clock.advance(5 * 60_000 + 1_000);
    listener.answers.length.should.be.aboveOrEqual(1);
    const recovered = times()[before] ?? 0;
    await clock.advance(60_000);
    const later = times().filter((at) => at > recovered);
    later.every((at) => at % 10_000 === 500).should.be.true();
    later.length.should.be.aboveOrEqual(5);
  });

  it('stops on ALIAS and reports that there is no retry', async () => {
    const { client, clock, listener } = failing(failure('ALIAS'));
    await clock.advance(hourMs);
    client.calls.length.should.equal(1);
    listener.failures.map(({ nextRetryMs }) => nextRetryMs).should.deepEqual([null]);
    clock.timerCount.should.equal(0);
  });

  it('stops on a refused key and reports that there is no retry', async () => {
    const { client, clock, listener } = failing(failure('AUTH'), () => 0);
    await clock.advance(hourMs);
    client.calls.map(({ request }) => request.kind).should.deepEqual(['realtime', 'monitors']);
    listener.failures.map(({ nextRetryMs }) => nextRetryMs).should.deepEqual([null]);
    clock.timerCount.should.equal(0);
  });

  it('RA34: retries a 403 of one monitor every ten minutes', async () => {
    const { client, clock, coordinator } = start({ random: () => 0 });
    const answers = healthy(clock);
    client.script = (request) => (request.kind === 'monitors' ? answers(request) : failure('AUTH'));
    const listener = new Listener();
    coordinator.poll(p1, 10_000, listener);
    await clock.advance(hourMs - 1);
    client.count('realtime').should.equal(6);
    client.script = answers;
    await clock.advance(30_000);
    listener.answers.length.should.be.above(1);
  });

  it('CL15: stops on an internal error', async () => {
    const { client, clock, coordinator } = start();
    const listener = new Listener();
    let asked = 0;
    client.request = () => {
      asked += 1;
      return Promise.reject(new TypeError('no such thing'));
    };
    coordinator.poll(p1, 10_000, listener);
    await clock.advance(24 * hourMs);
    asked.should.equal(1);
    listener.failures
      .map(({ error, nextRetryMs }) => [error.code, nextRetryMs])
      .should.deepEqual([['UNSUPPORTED', null]]);
    clock.timerCount.should.equal(0);
  });

  it('continues after AUTH when a request by a user succeeds', async () => {
    const { client, clock, coordinator, listener } = failing(failure('AUTH'));
    await clock.advance(hourMs);
    client.script = healthy(clock);
    const signal = new AbortController().signal;
    await coordinator.request({ kind: 'monitors' }, { signal, deadlineMs: 5_000, patience: 'user' });
    await clock.advance(30_000);
    listener.answers.length.should.be.within(3, 4);
  });

  for (const code of ['TLS', 'WRONG_MONITOR', 'NOT_A_MONITOR', 'CONFIG', 'INPUT', 'UNSUPPORTED'] as const) {
    it(`checks every five minutes whether ${code} is over`, async () => {
      const { client, clock, listener } = failing(failure(code), () => 0);
      await clock.advance(1_000_000);
      client.calls.length.should.equal(4);
      should(listener.failures[0]?.nextRetryMs).equal(300_000);
    });
  }

  it('retries a meter that is missing without a 412 every five minutes', async () => {
    const { clock, client, listener } = failing(new CemmError('ALIAS', { status: 404 }));
    await clock.advance(301_000);
    client.calls.length.should.equal(2);
    client.script = healthy(clock);
    await clock.advance(301_000);
    listener.answers.length.should.be.above(0);
  });

  it('stops polls of the refused alias only', async () => {
    const { clock, client, coordinator } = start();
    const answers = healthy(clock);
    client.script = (request) => ('alias' in request && request.alias === 's03' ? failure('ALIAS') : answers(request));
    const [good, bad] = [new Listener(), new Listener()];
    coordinator.poll(p1, 10_000, good);
    coordinator.poll({ ...p1, alias: 's03' }, 10_000, bad);
    await clock.advance(100_000);
    bad.failures.length.should.equal(1);
    good.answers.length.should.equal(10);
    client.count('realtime', 's03').should.equal(1);
  });

  it('gives each listener its own error, and a new one the last error', async () => {
    const { clock, coordinator, listener } = failing(failure('NETWORK'));
    await settle();
    const late = new Listener();
    coordinator.poll(p1, 10_000, late);
    late.failures.length.should.equal(1);
    should(late.failures[0]?.error).not.equal(listener.failures[0]?.error);
    await clock.advance(5_000);
    late.failures.length.should.equal(2);
    should(late.failures[1]?.error).not.equal(listener.failures[1]?.error);
  });

  it('OV4: resumes fifty polls two at a time after an outage', async () => {
    const { clock, client, coordinator } = start({ random: Math.random });
    client.script = () => failure('NETWORK');
    const listeners = Array.from({ length: 50 }, () => new Listener());
    listeners.forEach((listener, index) => {
      coordinator.poll({ ...p1, alias: `s${index}` }, 60_000, listener);
    });
    await clock.advance(10 * 60_000);
    client.script = null;
    const before = client.calls.length;
    client.peakOf.clear();
    client.peak = 0;
    for (let second = 0; second < 6 * 60; second += 1) {
      await clock.advance(1_000);
      for (const call of client.open) call.answer(makePowerResponse(clock.now(), 1));
    }
    for (const { answers } of listeners) answers.length.should.be.above(0);
    should(client.peakOf.get(MONITOR)).be.belowOrEqual(2);
    const first = client.calls[before]?.at ?? 0;
    const inFirstMinute = client.calls.slice(before).filter(({ at }) => at < first + 60_000).length;
    inFirstMinute.should.be.belowOrEqual(100);
  });
});
