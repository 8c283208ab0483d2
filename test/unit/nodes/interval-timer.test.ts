import 'should';
import { startIntervalTimer } from '../../../nodes/lib/polling';
import { until } from '../../support/until';

describe('rounds of polling', () => {
  it('begins at once, keeps its rate, and skips what falls into a round that still runs', async () => {
    let started = 0;
    let running = 0;
    let most = 0;
    let release: () => void = () => undefined;
    const stop = startIntervalTimer(
      20,
      async () => {
        started += 1;
        running += 1;
        most = Math.max(most, running);
        if (started === 2) await new Promise<void>((resolve) => (release = resolve));
        running -= 1;
      },
      'one',
    );
    await until('the second round', () => started === 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    started.should.equal(2);
    release();
    // One round catches up, not the ten that were missed.
    await until('the third round', () => started >= 3);
    stop();
    started.should.be.below(6);
    most.should.equal(1);
  });

  it('leaves no timer when it is stopped', () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const stop = startIntervalTimer(5000, () => Promise.resolve(), 'one');
    stop();
    timers().should.equal(before);
  });
});
