/** The interval timer of pollers and nodes. */
import 'should';
import { startIntervalTimer } from '../../../src/time/interval-timer';
import { FakeClock, settle } from '../../support/time/fake-clock';

describe('the interval timer', () => {
  it('runs at once, keeps its rate, and skips the slots of a run that is busy', async () => {
    const clock = new FakeClock();
    const runs: number[] = [];
    let release: () => void = () => undefined;
    const stop = startIntervalTimer(clock, 1000, 0, async () => {
      runs.push(clock.monotonic());
      if (runs.length === 2) await new Promise<void>((resolve) => (release = resolve));
    });
    const start = clock.monotonic();
    for (let ms = 0; ms < 4500; ms += 100) {
      clock.tick(100);
      await settle();
    }
    runs.map((at) => at - start).should.eql([0, 1000]);
    release();
    await settle();
    for (let ms = 0; ms < 1500; ms += 100) {
      clock.tick(100);
      await settle();
    }
    runs.map((at) => at - start).should.eql([0, 1000, 5000, 6000]);
    stop();
  });

  it('runs once per slot when a timer fires early', async () => {
    const clock = new FakeClock();
    const early = {
      ...methodsOf(clock),
      after: (ms: number, run: () => void) => clock.after(Math.max(0, ms - 1), run),
    };
    let runs = 0;
    const stop = startIntervalTimer(early, 1000, 0, () => {
      runs += 1;
      return Promise.resolve();
    });
    for (let ms = 0; ms < 3500; ms += 1) {
      clock.tick(1);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
    runs.should.equal(4);
    stop();
  });

  it('leaves no timer when it is stopped', () => {
    const clock = new FakeClock();
    const stop = startIntervalTimer(clock, 5000, 0, () => Promise.resolve());
    clock.msToNextTimer.should.equal(0);
    stop();
    clock.msToNextTimer.should.equal(Infinity);
  });
});

function methodsOf(clock: FakeClock) {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    soon: (run: () => void) => {
      clock.soon(run);
    },
  };
}
