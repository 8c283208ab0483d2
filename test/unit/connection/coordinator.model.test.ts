/** The request coordinator against a small model, for random callers, responses and failures. */
import fc from 'fast-check';
import should from 'should';
import { CemmError } from '../../../src/errors';
import { RequestCoordinator } from '../../../src/connection/request-coordinator';
import { requestKey } from '../../../src/connection/requests';
import type { MonitorRequest } from '../../../src/clients/client';
import { FakeClient, MONITOR, OTHER, failure, makePowerResponse } from '../../support/clients/fake-client';
import { FakeClock, settle } from '../../support/time/fake-clock';

/** The model: per request, a list of the callers that wait. Callers join, leave and time out at random. */
interface Waiter {
  readonly key: string;
  readonly deadlineMs: number;
  /** Null until the request of a poll is in flight. */
  until: number | null;
  readonly controller: AbortController;
  readonly outcome: { value: number | null; error: CemmError | null };
  left: boolean;
}

interface World {
  readonly clock: FakeClock;
  readonly client: FakeClient;
  readonly coordinator: RequestCoordinator;
  readonly waiters: Waiter[];
  /** Every error object that a caller got. */
  readonly errors: Set<CemmError>;
}

const requests: MonitorRequest[] = [MONITOR, OTHER].flatMap((monitor) =>
  ['p1', 's01', 's02', 's03'].map((alias) => ({ kind: 'realtime' as const, monitor, alias })),
);

const steps = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      request: fc.nat(7),
      seconds: fc.integer({ min: 1, max: 30 }),
      user: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), who: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 8_000 }) }) },
);

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

function pending({ waiters }: World): Waiter[] {
  return waiters.filter(({ left, outcome }) => !left && outcome.value === null && outcome.error === null);
}

function waitingFor(world: World, key: string): Waiter[] {
  return pending(world).filter((waiter) => waiter.key === key);
}

function join(world: World, step: Extract<Step, { do: 'join' }>): void {
  const request = requests[step.request] ?? requests[0];
  if (request === undefined) return;
  const controller = new AbortController();
  const deadlineMs = step.seconds * 1_000;
  const waiter: Waiter = {
    key: requestKey(request),
    deadlineMs,
    until: step.user ? world.clock.monotonic() + deadlineMs : null,
    controller,
    outcome: { value: null, error: null },
    left: false,
  };
  world.waiters.push(waiter);
  world.coordinator
    .request(request, { signal: controller.signal, deadlineMs, patience: step.user ? 'user' : 'poll' })
    .then(
      ({ fetchedAt }) => {
        waiter.outcome.value = fetchedAt;
      },
      (error: unknown) => {
        if (!(error instanceof CemmError)) throw new Error('not an error of ours');
        world.errors.has(error).should.be.false();
        world.errors.add(error);
        waiter.outcome.error = error;
      },
    );
}

async function take(world: World, step: Step): Promise<void> {
  const { clock, client } = world;
  switch (step.do) {
    case 'join':
      join(world, step);
      break;
    case 'leave': {
      const candidates = pending(world);
      const waiter = candidates[step.who % Math.max(1, candidates.length)];
      waiter?.controller.abort();
      await settle();
      if (waiter !== undefined) should(waiter.outcome.error?.code).equal('CANCELLED');
      break;
    }
    case 'answer':
    case 'fail': {
      const call = client.open[step.which % Math.max(1, client.open.length)];
      if (call === undefined) break;
      const served = waitingFor(world, requestKey(call.request));
      if (step.do === 'answer') call.answer(makePowerResponse(clock.now(), 1));
      else call.fail(failure('BAD_PAYLOAD'));
      await settle();
      // All callers get the same response, or the same kind of error.
      for (const { outcome } of served) {
        if (step.do === 'answer') should(outcome.value).equal(clock.now());
        else should(outcome.error?.code).equal('BAD_PAYLOAD');
      }
      break;
    }
    case 'wait':
      await clock.advance(step.ms);
      break;
  }
  await settle();
}

function check(world: World): void {
  const { clock, client } = world;
  const waitedFor = new Set(pending(world).map(({ key }) => key));
  const inTheAir = client.open.map(({ request }) => requestKey(request));
  // Never twice in flight, never without a caller, never above the limits.
  new Set(inTheAir).size.should.equal(inTheAir.length);
  for (const key of inTheAir) waitedFor.has(key).should.be.true();
  client.peak.should.be.belowOrEqual(4);
  for (const peak of client.peakOf.values()) peak.should.be.belowOrEqual(2);
  // No caller waits for a request that could start.
  const lanes = [MONITOR, OTHER].map((monitor) =>
    requests.filter((request) => 'monitor' in request && request.monitor === monitor),
  );
  for (const lane of lanes) {
    const keys = lane.map(requestKey);
    const wanted = keys.filter((key) => waitedFor.has(key)).length;
    const asked = keys.filter((key) => inTheAir.includes(key)).length;
    asked.should.equal(Math.min(2, wanted));
  }
  // No caller waits past its deadline, and each settles once.
  for (const waiter of pending(world)) {
    if (inTheAir.includes(waiter.key)) waiter.until ??= clock.monotonic() + waiter.deadlineMs;
    if (waiter.until !== null) (waiter.until + 200).should.be.above(clock.monotonic());
  }
}

describe('connection: the coordinator against a model', () => {
  it('RA32, LC8: shares, cancels and expires requests like the model, for any sequence of callers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 60 }), async (script) => {
        const clock = new FakeClock();
        const client = new FakeClient(clock);
        const coordinator = new RequestCoordinator({
          client,
          clock,
          random: () => 0.5,
          place: () => 0.55,
          deadlineMs: 25_000,
        });
        const world: World = { clock, client, coordinator, waiters: [], errors: new Set() };
        for (const step of script) {
          await take(world, step);
          check(world);
        }
        await coordinator.close();
        await settle();
        pending(world).should.deepEqual([]);
        client.open.length.should.equal(0);
        clock.timerCount.should.equal(0);
      }),
      { numRuns: 150 },
    );
  });
});
