/** Promises of the remote service, on a fake clock. */
import should from 'should';
import type { SendOptions } from '../../../src/clients/client';
import type { Http, HttpOutcome } from '../../../src/clients/http';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { statusFailure } from '../../../src/clients/http-failures';
import { FakeClock } from '../../support/time/fake-clock';
import { apiKey, askOptions, errorOf, monitor, noon } from '../../support/clients/harness';

type Said = HttpOutcome | 'hang';

const body = (value: unknown, status = 200): Said => ({
  kind: 'answer',
  status,
  body: Buffer.from(value === undefined ? '' : JSON.stringify(value)),
  sent: 1,
});
const data = body({ io_id: 1, data: { electric_power: [1_700_000_000_000, 5] } });
const list = body({ io_id: 1, data: { electric_power: [[1_700_000_000_000, 5]] } });
const promise = (code?: string): Said => body(code === undefined ? undefined : { promise: code }, 202);
const failure = (status: number, retryAfterMs: number | null = null): Said => ({
  kind: 'failure',
  failure: statusFailure(status) ?? { code: 'NETWORK', reason: 'reset' },
  retryAfterMs,
  sent: 1,
});
const broken: Said = { kind: 'failure', failure: { code: 'NETWORK', reason: 'reset' }, retryAfterMs: null, sent: 1 };

const latencyMs = 150;

/** A service that answers by script after `latencyMs`; `sent` are the times of the requests. */
function stage(script: (index: number, atMs: number) => Said, clock = new FakeClock('2023-11-14T22:13:20Z')) {
  const sent: number[] = [];
  let inAir = 0;
  const http: Http = {
    get: async ({ signal, timeoutMs }) => {
      const said = script(sent.length, clock.monotonic());
      sent.push(clock.monotonic());
      inAir += 1;
      should(inAir).equal(1);
      const outcome = await new Promise<HttpOutcome>((resolve) => {
        const stopped: HttpOutcome = {
          kind: 'failure',
          failure: { code: 'CANCELLED', reason: 'stopped' },
          retryAfterMs: null,
          sent: 1,
        };
        const late: HttpOutcome = {
          kind: 'failure',
          failure: { code: 'NETWORK', reason: 'timeout' },
          retryAfterMs: null,
          sent: 1,
        };
        const end = (value: HttpOutcome): void => {
          cancel();
          signal.removeEventListener('abort', stop);
          resolve(value);
        };
        const stop = (): void => {
          end(stopped);
        };
        const cancel = clock.after(said === 'hang' ? timeoutMs : latencyMs, () => {
          end(said === 'hang' ? late : said);
        });
        signal.addEventListener('abort', stop);
      });
      inAir -= 1;
      return outcome;
    },
    close: () => undefined,
  };
  const client = createRemoteClient({ baseUrl: 'https://service.example/v1/', apiKey, clock, random: () => 0.5, http });
  const realtime = (options: SendOptions) =>
    clock.runUntil(client.request({ kind: 'realtime', monitor, alias: 's01' }, options));
  return { client, clock, sent, realtime, times: () => sent.map((time) => Math.round(time)) };
}

const poll = askOptions(60_000, 'poll');
const user = askOptions(60_000, 'user');
const ready =
  (at: number, data_: Said, before: Said = promise('a')) =>
  (_: number, now: number): Said =>
    now >= at ? data_ : before;

describe('remote client: polling a promise', () => {
  it('RA1: repeats a request until the data arrive, and reports duration and requests', async () => {
    const { realtime, times, clock } = stage(ready(3000, data));
    const answer = await realtime(poll);
    should(times()).eql([0, 1000, 2000, 3500]);
    should(answer.value.data.get('electric_power')?.value).equal(5);
    should([answer.requests, answer.promises, answer.latencyMs]).eql([4, 3, 3650]);
    should(answer.fetchedAt).equal(1_700_000_003_650);
    should(clock.timerCount).equal(0);
  });

  it('starts a series at 2 s', async () => {
    const { client, clock, times } = stage(ready(1, list));
    for (const unit of ['day', 'month', 'year'] as const) {
      await clock.runUntil(client.request({ kind: 'series', monitor, alias: 's01', unit, time: noon }, poll));
    }
    should(times().slice(0, 2)).eql([0, 2000]);
  });

  for (const [name, said] of [
    ['an empty 202', promise()],
    ['202 with HTML', { kind: 'answer', status: 202, body: Buffer.from('<p>later</p>'), sent: 1 }],
    ['202 with data beside', body({ data: {} }, 202)],
    ['202 with an odd promise', body({ promise: { id: [1] } }, 202)],
    ['200 with a promise member', body({ promise: 7 })],
    ['201 with a promise member', body({ promise: 'x', data: {} }, 201)],
  ] as [string, Said][]) {
    it(`RA3: reads ${name} as a promise`, async () => {
      const { realtime, times } = stage(ready(1, data, said));
      should((await realtime(poll)).promises).equal(1);
      should(times()).eql([0, 1000]);
    });
  }

  it('RA2: gives up a poll after one promise, without waiting for its end', async () => {
    const { realtime, times, clock } = stage(() => promise('a'));
    const error = await errorOf(realtime(poll));
    should([error.code, error.retryable, error.requests]).eql(['PROMISE_EXPIRED', true, 7]);
    should(times()).eql([0, 1000, 2000, 3500, 5000, 7000, 8800]);
    should(clock.timerCount).equal(0);
  });

  it('RA2: requests a second promise for a user, 10 s after the first', async () => {
    const { realtime, times } = stage(() => promise('a'));
    const error = await errorOf(realtime(user));
    should([error.code, error.requests]).eql(['PROMISE_EXPIRED', 14]);
    const life = [0, 1000, 2000, 3500, 5000, 7000, 8800];
    should(times()).eql([...life, ...life.map((time) => 10_000 + time)]);
    should(error.elapsedMs).be.below(20_000);
  });

  it('gets data from the second promise when the first expires', async () => {
    const { realtime, times } = stage(ready(12_500, data));
    should((await realtime(user)).requests).equal(11);
    should(times().at(-1)).equal(13_500);
  });

  it('treats another code as a new promise, within 14 requests', async () => {
    const renewing = stage((index) => promise(`code ${index}`));
    const error = await errorOf(renewing.realtime(poll));
    should([error.code, error.requests]).eql(['PROMISE_EXPIRED', 14]);
    should(renewing.times()).eql(Array.from({ length: 14 }, (_, index) => index * 1000));

    const once = stage((index) => promise(index < 3 ? 'a' : 'b'));
    await errorOf(once.realtime(poll));
    should(once.times()).eql([0, 1000, 2000, 3500, 4500, 5500, 7000, 8500, 10_500, 12_300]);
  });

  it('does not treat a missing code as a new promise', async () => {
    const { realtime, times } = stage((index) => promise(index % 2 === 0 ? 'a' : undefined));
    await errorOf(realtime(poll));
    should(times()).eql([0, 1000, 2000, 3500, 5000, 7000, 8800]);
  });

  for (const [status, code] of [
    [403, 'AUTH'],
    [412, 'ALIAS'],
    [404, 'CONFIG'],
  ] as const) {
    // prettier-ignore
    it(`RA4: stops polling a promise at once on ${status}`, async () => {
      const { realtime, times } = stage((index) => (index === 0 ? promise('a') : failure(status)));
      should((await errorOf(realtime(user))).code).equal(code);
      should(times()).eql([0, 1000]);
    });
  }

  for (const [name, said, code] of [
    ['408', failure(408), 'UPSTREAM_TIMEOUT'],
    ['502', failure(502), 'MONITOR_OFFLINE'],
    ['500', failure(500), 'UPSTREAM'],
    ['a broken connection', broken, 'NETWORK'],
  ] as const) {
    it(`RA4: continues polling a promise after ${name}`, async () => {
      const { realtime, times } = stage((index) => (index === 0 ? promise('a') : index === 1 ? said : data));
      should((await realtime(poll)).requests).equal(3);
      should(times()).eql([0, 1000, 2000]);
    });

    it(`RA4: reports ${name} as the cause when it is the last result`, async () => {
      const { realtime, times } = stage((index) => (index === 0 ? promise('a') : said));
      const error = await errorOf(realtime(poll));
      should([error.code, error.requests]).eql([code, 7]);
      should(times().length).equal(7);
    });
  }

  it('stops polling on Retry-After, and continues at the given time', async () => {
    const { realtime, times } = stage((index) =>
      index === 0 ? promise('a') : index === 1 ? failure(429, 4000) : data,
    );
    should((await realtime(poll)).requests).equal(3);
    should(times()).eql([0, 1000, 1000 + latencyMs + 4000]);
  });

  it('skips repeats during a hanging one, except the last', async () => {
    const { realtime, times } = stage((index) => (index === 0 ? promise('a') : index === 1 ? 'hang' : promise('a')));
    await errorOf(realtime(poll));
    should(times()).eql([0, 1000, 7000, 8800]);
  });

  it('does not send a repeat twice when its timer fires early', async () => {
    class Hasty extends FakeClock {
      override after(delayMs: number, run: () => void): () => void {
        return super.after(Math.max(0, delayMs - 0.9), run);
      }
    }
    const { realtime, sent } = stage(() => promise('a'), new Hasty());
    await errorOf(realtime(poll));
    should(sent.length).equal(7);
  });

  it('ends with DEADLINE on time in every state', async () => {
    for (const deadlineMs of [100, 1500, 5000, 8900]) {
      const { realtime, clock } = stage(() => promise('a'));
      const error = await errorOf(realtime(askOptions(deadlineMs, 'user')));
      should([error.code, error.elapsedMs]).eql(['DEADLINE', deadlineMs]);
      should(error.reason).equal(deadlineMs === 100 ? 'no_answer' : 'promise');
      should(clock.timerCount).equal(0);
    }
  });

  it('does not wait for a second promise beyond the deadline', async () => {
    const { realtime, clock } = stage(() => promise('a'));
    const error = await errorOf(realtime(askOptions(9990, 'user')));
    should(error.code).equal('PROMISE_EXPIRED');
    should(clock.monotonic()).be.below(9000);
  });

  it('LC2: stops at once when cancelled, during a request and during a pause', async () => {
    for (const atMs of [50, 500, 1050]) {
      const { client, clock, sent } = stage(() => promise('a'));
      const stop = new AbortController();
      clock.after(atMs, () => {
        stop.abort();
      });
      const error = await errorOf(
        clock.runUntil(client.request({ kind: 'realtime', monitor, alias: 's01' }, { ...user, signal: stop.signal })),
      );
      should([error.code, error.reason, error.retryable]).eql(['CANCELLED', 'stopped', false]);
      should([clock.monotonic(), clock.timerCount]).eql([atMs, 0]);
      should(sent.length).equal(atMs < 1000 ? 1 : 2);
    }
  });

  it('sends nothing for a request that was cancelled before', async () => {
    const { realtime, sent } = stage(() => data);
    const error = await errorOf(realtime({ ...user, signal: AbortSignal.abort() }));
    should([error.code, sent.length]).eql(['CANCELLED', 0]);
  });

  it('cancels everything when closed, and rejects later requests', async () => {
    const { client, clock, sent } = stage(() => promise('a'));
    const questions = [client.request({ kind: 'realtime', monitor, alias: 's01' }, user)];
    clock.after(500, () => {
      client.close();
    });
    for (const question of questions) should((await errorOf(clock.runUntil(question))).reason).equal('closed');
    should((await errorOf(client.request({ kind: 'monitors' }, user))).code).equal('CANCELLED');
    should([sent.length, clock.timerCount]).eql([1, 0]);
  });

  it('learns the latency of a monitor, and times the first repeat by it', async () => {
    let askedAt = 0;
    const { realtime, sent } = stage((_, now) => (now - askedAt >= 2600 ? data : promise('a')));
    const firstRepeats: number[] = [];
    for (let question = 0; question < 12; question++) {
      const before = sent.length;
      askedAt = sent.length === 0 ? 0 : (sent.at(-1) ?? 0) + latencyMs;
      await realtime(poll);
      firstRepeats.push(Math.round((sent[before + 1] ?? 0) - (sent[before] ?? 0)));
    }
    should(firstRepeats[0]).equal(1000);
    should(firstRepeats[1]).equal(3150);
    for (const first of firstRepeats.slice(1)) should(first).be.within(2000, 4000);
  });
});

describe('remote client: failures without a promise', () => {
  it('RA6: retries twice with growing delays, and reports the cause', async () => {
    for (const [said, code] of [
      [broken, 'NETWORK'],
      [failure(408), 'UPSTREAM_TIMEOUT'],
      [failure(503), 'UPSTREAM'],
    ] as const) {
      // prettier-ignore
      const { realtime, times } = stage(() => said);
      should((await errorOf(realtime(user))).code).equal(code);
      should(times()).eql([0, 650, 1800]);
    }
  });

  it('RA8: retries once after a 502', async () => {
    const { realtime, times } = stage(() => failure(502));
    should((await errorOf(realtime(user))).code).equal('MONITOR_OFFLINE');
    should(times()).eql([0, 650]);
  });

  it('succeeds when the retry succeeds', async () => {
    const { realtime } = stage((index) => (index === 0 ? broken : data));
    should((await realtime(user)).requests).equal(2);
  });

  it('never retries permanent failures', async () => {
    const html: Said = { kind: 'answer', status: 200, body: Buffer.from('<html>'), sent: 1 };
    for (const said of [failure(403), failure(412), failure(400), html, body({ data: 1 })]) {
      const { realtime, sent } = stage(() => said);
      await errorOf(realtime(user));
      should(sent.length).equal(1);
    }
  });

  it('RA9: waits as long as Retry-After says, if the deadline allows it', async () => {
    const waiting = stage((index) => (index === 0 ? failure(503, 12_000) : data));
    await waiting.realtime(user);
    should(waiting.times()).eql([0, 12_150]);

    const refused = stage(() => failure(429, 120_000));
    const error = await errorOf(refused.realtime(user));
    should([error.code, error.params['retryAfterMs'], refused.sent.length]).eql(['RATE', 120_000, 1]);
  });

  it('OV9: stops retrying when every request fails, until one succeeds', async () => {
    let works = false;
    const { realtime, sent } = stage(() => (works ? data : broken));
    const requests: number[] = [];
    for (let question = 0; question < 8; question++) {
      const before = sent.length;
      await errorOf(realtime(user));
      requests.push(sent.length - before);
    }
    should(requests).eql([3, 3, 3, 3, 3, 1, 1, 1]);
    works = true;
    for (let question = 0; question < 5; question++) await realtime(user);
    works = false;
    const before = sent.length;
    await errorOf(realtime(user));
    should(sent.length - before).equal(2);
  });

  it('RA33: may request a second promise after a retry, but never sends more than 14 requests', async () => {
    const { realtime, sent } = stage((index) => (index === 0 ? broken : promise('a')));
    await errorOf(realtime(user));
    should(sent.length).equal(14);
  });
});
