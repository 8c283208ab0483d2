/** Failures that the coordinator remembers: what is not asked again, for whom, and for how long. */
import should from 'should';
import type { MonitorRequest } from '../../../src/clients/client';
import type { PollFailure } from '../../../src/connection/poller';
import { CemmError } from '../../../src/errors';
import type { Seconds } from '../../../src/time/units';
import { MONITOR, OTHER, failure, healthy, io, monitorRecord } from '../../support/clients/fake-client';
import { settle } from '../../support/time/fake-clock';
import { day, P1, startCoordinator } from '../../support/clients/coordinator';

describe('connection: cached failures', () => {
  it('caches the lists for ten minutes and nothing else', async () => {
    const { client, clock, ask } = startCoordinator();
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
    const { client, ask } = startCoordinator();
    ask({ kind: 'monitors' });
    await settle();
    client.open[0]?.fail(failure());
    await settle();
    ask({ kind: 'monitors' });
    await settle();
    client.calls.length.should.equal(2);
  });

  it('RA7: requests an unsupported alias once per endpoint, until the list of meters changes', async () => {
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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

  it('RA9: sends no poll of any monitor before the service wants it, whatever users ask for meanwhile', async () => {
    const { client, clock, coordinator, ask } = startCoordinator();
    const busy = new CemmError('RATE', { requests: 1, status: 429, params: { retryAfterMs: 120_000 } });
    client.script = (request) => ('monitor' in request && request.monitor === MONITOR ? busy : null);
    const waits: (number | null)[] = [];
    const listener = {
      onResponse: () => undefined,
      onFailure: ({ nextRetryMs }: PollFailure) => waits.push(nextRetryMs),
    };
    const stop = coordinator.poll(P1, 10_000, listener);
    await settle();
    waits.should.deepEqual([120_500]);
    client.script = healthy(clock);
    const others = ask({ ...P1, monitor: OTHER }, { patience: 'poll' });
    ask(day(1));
    await clock.advance(119_000);
    should(others.error?.code).equal('RATE');
    client.calls.map(({ request }) => request.kind).should.deepEqual(['realtime', 'series']);
    await clock.advance(2_000);
    client.count('realtime', 'p1').should.equal(2);
    stop();
  });

  for (const code of ['MONITOR_OFFLINE', 'ALIAS', 'AUTH', 'PROMISE_EXPIRED', 'BAD_PAYLOAD'] as const) {
    it(`does not take ${code} for a service that cannot be reached`, async () => {
      const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator();
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
    const { client, clock, ask } = startCoordinator({ perMonitor: 1, perKey: 1, gapMs: 0 });
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
