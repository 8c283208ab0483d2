import 'should';
import { createPause } from '../../src/time/pause';

describe('pause', () => {
  it('lets a timer run between the parts of a long computation', async () => {
    let now = 0;
    let timers = 0;
    const timer = setInterval(() => {
      timers += 1;
    }, 1);
    const pause = createPause(() => now);
    const begun = performance.now();
    const until = timers + 3;
    while (timers < until && performance.now() - begun < 5000) {
      now += 100;
      await pause();
    }
    clearInterval(timer);
    timers.should.be.aboveOrEqual(until);
  });

  it('goes on at once while little time has passed', async () => {
    let now = 0;
    let immediates = 0;
    const pause = createPause(() => now);
    setImmediate(() => {
      immediates += 1;
    });
    for (let part = 0; part < 4; part += 1) {
      now = part;
      await pause();
    }
    immediates.should.equal(0);
    now = 4;
    await pause();
    immediates.should.equal(1);
  });

  it('shares the time among the computations that continue together', async () => {
    let now = 0;
    const clock = (): number => now;
    const [first, second] = [createPause(clock), createPause(clock)];
    now = 4;
    await Promise.all([first(), second()]);
    let immediates = 0;
    setImmediate(() => {
      immediates += 1;
    });
    now = 5;
    await first();
    immediates.should.equal(0);
    now = 6;
    await first();
    immediates.should.equal(1);
    // Alone again, it has the whole time.
    now = 9;
    await first();
    immediates.should.equal(1);
    setImmediate(() => {
      immediates += 1;
    });
    now = 10;
    await first();
    immediates.should.equal(2);
  });
});
