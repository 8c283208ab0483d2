/** The demo monitor begins with a year and a half of minutes, while the process goes on with its other work. */
import should from 'should';
import { connect } from '../../../src/library/connect';
import { startDemo } from '../../../src/library/demo';

const timezone = 'Europe/Amsterdam';

/** How the process used its processor until the end of the work, by turns of its event loop, ms. */
async function turnsUntil(work: Promise<unknown>): Promise<number[]> {
  const turns: number[] = [];
  const state = { isOver: false };
  void work.finally(() => (state.isOver = true));
  while (!state.isOver) {
    const before = process.cpuUsage();
    await new Promise(setImmediate);
    turns.push(process.cpuUsage(before).user / 1000);
  }
  return turns;
}

describe('the demo monitor', function () {
  this.timeout(60_000);

  it('answers first when its readings are added up, and leaves turns to others meanwhile', async () => {
    const cemm = await connect({ demo: true, timezone });
    try {
      const turns = await turnsUntil(cemm.realtime('p1'));
      const sum = turns.reduce((all, ms) => all + ms, 0);
      should(Math.max(...turns)).be.below(sum / 2);
    } finally {
      await cemm.close();
    }
  });

  it('stops adding up when it is closed', async () => {
    const whole = await startDemo(timezone);
    const all = (await turnsUntil(whole.ready)).reduce((sum, ms) => sum + ms, 0);
    await whole.close();
    const stopped = await startDemo(timezone);
    const closed = stopped.close();
    const few = (await turnsUntil(stopped.ready)).reduce((sum, ms) => sum + ms, 0);
    await closed;
    should(few).be.below(all / 4);
  });
});
