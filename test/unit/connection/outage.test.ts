/** Reports of an outage and of its end. */
import fc from 'fast-check';
import should from 'should';
import type { ErrorCode } from '../../../src/errors';
import { MeterOutages, Outage } from '../../../src/connection/outage';
import { minuteMs } from '../../../src/time/units';
import { failure } from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';

function fails(code: ErrorCode = 'NETWORK', nextRetryMs: number | null = 5_000) {
  return { error: failure(code), failures: 1, nextRetryMs };
}

describe('connection: outages', () => {
  it('reports an outage after three failures', () => {
    const outage = new Outage(new FakeClock(), 10 * minuteMs);
    should(outage.failed(fails())).be.null();
    should(outage.failed(fails())).be.null();
    should(outage.failed(fails())?.state).equal('offline');
    should(outage.failed(fails())).be.null();
    should(outage.recordResponse()?.state).equal('online');
    should(outage.recordResponse()).be.null();
  });

  it('counts failures in a row only', () => {
    const outage = new Outage(new FakeClock(), 10 * minuteMs);
    for (let round = 0; round < 10; round += 1) {
      should(outage.failed(fails())).be.null();
      should(outage.failed(fails())).be.null();
      should(outage.recordResponse()).be.null();
    }
  });

  it('reports the first failure after two intervals without a response', async () => {
    const clock = new FakeClock();
    const outage = new Outage(clock, 10_000);
    await clock.advance(15_000);
    outage.recordResponse();
    await clock.advance(19_999);
    should(outage.failed(fails())).be.null();
    await clock.advance(1);
    should(outage.failed(fails())?.failures).equal(2);
  });

  it('reports start, number of failures, cause and time of the next retry', async () => {
    const clock = new FakeClock();
    const outage = new Outage(clock, minuteMs);
    const since = clock.now();
    outage.failed(fails());
    await clock.advance(1_000);
    outage.failed(fails());
    const news = outage.failed(fails('MONITOR_OFFLINE', 12_000));
    should(news).containEql({ state: 'offline', since, failures: 3, nextRetryMs: 12_000 });
    should(news?.state === 'offline' && news.error.code).equal('MONITOR_OFFLINE');
    await clock.advance(60_000);
    should(outage.recordResponse()).containEql({ state: 'online', since: clock.now(), failures: 3 });
  });

  for (const code of ['AUTH', 'ALIAS', 'TLS', 'WRONG_MONITOR'] as const) {
    it(`reports ${code} at once, and once`, () => {
      const outage = new Outage(new FakeClock(), minuteMs);
      should(outage.failed(fails(code, null))?.state).equal('offline');
      should(outage.failed(fails(code, null))).be.null();
    });
  }

  it('reports a permanent failure during an outage', () => {
    const outage = new Outage(new FakeClock(), minuteMs);
    for (let index = 0; index < 3; index += 1) outage.failed(fails());
    should(outage.failed(fails('AUTH', null))?.state).equal('offline');
    should(outage.failed(fails('AUTH', null))).be.null();
  });

  it('reports a failure that stops the polling at once', () => {
    const outage = new Outage(new FakeClock(), minuteMs);
    for (let index = 0; index < 3; index += 1) outage.failed(fails());
    outage.recordResponse();
    should(outage.failed(fails('TLS', 300_000))).be.null();
    should(outage.failed(fails('AUTH', null))?.state).equal('offline');
  });

  it('CL10: reports one outage and recovery in 15 minutes, and a lasting outage after that', async () => {
    const clock = new FakeClock();
    const outage = new Outage(clock, 10_000);
    const told: string[] = [];
    const note = (news: { state: string } | null) => {
      if (news !== null) told.push(`${Math.round(clock.monotonic() / minuteMs)} ${news.state}`);
    };
    for (let minute = 0; minute < 10; minute += 1) {
      for (let index = 0; index < 3; index += 1) note(outage.failed(fails()));
      note(outage.recordResponse());
      await clock.advance(minuteMs);
    }
    for (let minute = 0; minute < 10; minute += 1) {
      note(outage.failed(fails()));
      await clock.advance(minuteMs);
    }
    note(outage.recordResponse());
    told.should.deepEqual(['0 offline', '0 online', '15 offline', '20 online']);
  });

  it('reports at most one pair per 15 minutes, for any sequence of failures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ok: fc.boolean(), waitMs: fc.integer({ min: 0, max: 5 * minuteMs }) }), {
          maxLength: 200,
        }),
        async (steps) => {
          const clock = new FakeClock();
          const outage = new Outage(clock, 10_000);
          const news: { state: string; at: number }[] = [];
          for (const { ok, waitMs } of steps) {
            const told = ok ? outage.recordResponse() : outage.failed(fails());
            if (told !== null) news.push({ state: told.state, at: clock.monotonic() });
            await clock.advance(waitMs);
          }
          news.forEach(({ state }, index) => state.should.equal(index % 2 === 0 ? 'offline' : 'online'));
          const offline = news.filter(({ state }) => state === 'offline');
          offline.slice(1).forEach(({ at }, index) => {
            (at - (offline[index]?.at ?? 0)).should.be.aboveOrEqual(15 * minuteMs);
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('connection: outages of several meters', () => {
  function start(...aliases: string[]) {
    const clock = new FakeClock();
    const outages = new MeterOutages(clock, 10 * minuteMs);
    for (const alias of aliases) outages.add(alias);
    const failAll = (code?: ErrorCode) => aliases.map((alias) => outages.failed(alias, fails(code)));
    return { clock, outages, failAll };
  }

  it('reports one outage when all meters fail, and one recovery when the first is back', () => {
    const { outages, failAll } = start('p1', 'gas', 's01');
    const told = [...failAll(), ...failAll(), ...failAll(), ...failAll()].filter(
      (availability) => availability !== null,
    );
    told.map(({ alias, availability }) => [alias, availability.state]).should.deepEqual([[null, 'offline']]);
    const back = ['s01', 'p1', 'gas']
      .map((alias) => outages.recordResponse(alias))
      .filter((availability) => availability !== null);
    back.map(({ alias, availability }) => [alias, availability.state]).should.deepEqual([[null, 'online']]);
  });

  it('names the meter when the others answer', () => {
    const { outages } = start('p1', 'gas');
    outages.recordResponse('p1');
    outages.failed('gas', fails());
    outages.failed('gas', fails());
    should(outages.failed('gas', fails())?.alias).equal('gas');
    should(outages.recordResponse('gas')?.alias).equal('gas');
  });

  it('reports a refused alias for its meter only, even when no other meter answers', () => {
    const { outages } = start('p1', 's03');
    outages.failed('p1', fails());
    should(outages.failed('s03', fails('ALIAS', null))?.alias).equal('s03');
  });

  it('includes a meter that is found during an outage', () => {
    const { outages, failAll } = start('p1');
    for (let round = 0; round < 3; round += 1) failAll();
    outages.add('gas');
    for (let round = 0; round < 5; round += 1) should(outages.failed('gas', fails())).be.null();
    should(outages.recordResponse('gas')).containEql({ alias: null });
    should(outages.recordResponse('p1')).be.null();
  });

  it('reports the meter that is still offline when the others are back', async () => {
    const { clock, outages, failAll } = start('p1', 'gas');
    for (let round = 0; round < 3; round += 1) failAll();
    outages.recordResponse('p1');
    should(outages.failed('gas', fails())).be.null();
    await clock.advance(15 * minuteMs);
    should(outages.failed('gas', fails())?.alias).equal('gas');
  });
});
