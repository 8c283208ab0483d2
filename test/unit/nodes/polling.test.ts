/** The polls of a node: after a failure (nodes/lib/run/polling.ts). */
import 'should';
import { startPolls } from '../../../nodes/lib/run/polling';
import type { PollResult } from '../../../nodes/lib/run/runner';
import { CemmError } from '../../../src/errors';
import { FakeClock, settle } from '../../support/time/fake-clock';

const second = 1_000;
const hour = 3_600 * second;

describe('the polls of a node', () => {
  const good: PollResult = { error: null, hasSent: true };
  const offline: PollResult = { error: new CemmError('MONITOR_OFFLINE'), hasSent: false };

  /** @param results of the polls, the last one for all others */
  function start(results: readonly PollResult[], intervalMs = hour) {
    const clock = new FakeClock();
    /** Seconds after the first one. */
    const polls: number[] = [];
    let begun: number | null = null;
    const stop = startPolls(
      {
        nodeId: 'node',
        translate: () => null,
        report: () => undefined,
        status: () => undefined,
        poll: () => {
          begun ??= clock.monotonic();
          polls.push(Math.round((clock.monotonic() - begun) / second));
          return Promise.resolve(results[polls.length - 1] ?? results.at(-1) ?? good);
        },
      },
      intervalMs,
      { clock, random: () => 0.999 },
    );
    const pass = async (ms: number): Promise<void> => {
      clock.tick(0);
      await settle();
      for (let passed = 0; passed < ms; passed += second) {
        clock.tick(second);
        await settle();
      }
    };
    return { clock, polls, stop, pass };
  }

  it('are repeated after seconds while the first one fails, and then follow the interval', async () => {
    const { polls, stop, pass } = start([offline, offline, good]);
    await pass(1_200 * second);
    polls.should.deepEqual([0, 5, 15]);
    await pass(hour);
    polls.should.have.length(4);
    stop();
  });

  it('are repeated after five minutes at most', async () => {
    const { polls, stop, pass } = start([offline], 4 * hour);
    await pass(hour);
    const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? at));
    gaps.slice(0, 7).should.deepEqual([5, 10, 20, 40, 80, 160, 300]);
    gaps.slice(7).forEach((gap) => gap.should.equal(300));
    gaps.length.should.be.above(12);
    stop();
  });

  it('wait for the interval if a message was sent, if a user has to act, or if the interval is about as short', async () => {
    for (const [result, intervalMs] of [
      [{ error: new CemmError('MONITOR_OFFLINE'), hasSent: true }, hour],
      [{ error: new CemmError('AUTH'), hasSent: false }, hour],
      [offline, 8 * second],
    ] as const) {
      const { polls, stop, pass } = start([result], intervalMs);
      await pass(6 * second);
      polls.should.deepEqual([0]);
      stop();
    }
  });

  it('leave no timer when they are stopped, also while one is under way', async () => {
    const { clock, polls, stop } = start([offline]);
    clock.tick(0);
    polls.should.have.length(1);
    stop();
    await settle();
    clock.msToNextTimer.should.equal(Infinity);
    const waiting = start([offline]);
    await waiting.pass(second);
    waiting.clock.msToNextTimer.should.be.below(5 * second);
    waiting.stop();
    waiting.clock.msToNextTimer.should.equal(Infinity);
  });
});
