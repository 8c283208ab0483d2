import 'should';
import { startWatching, type Watching } from '../../../nodes/cemm-realtime/node';
import { until } from '../../support/until';

/** Active timers, after that of the caller has ended. */
async function timers(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

function watching(isFixed: boolean): { readonly stop: () => void; readonly watched: () => number } {
  let watched = 0;
  const connection = {
    watchRealtime: () => {
      watched += 1;
      return () => undefined;
    },
  };
  const stop = startWatching({
    connectionNode: { connect: () => Promise.resolve(connection) } as unknown as Watching['connectionNode'],
    intervalMs: 10_000,
    runner: { nodeId: 'n1', report: () => undefined, status: () => undefined, translate: () => null },
    isFixed,
    choose: () => Promise.resolve({ monitor: null, alias: 'p1', role: 'auto' as const }),
    listener: () => ({ onReading: () => undefined, onAvailability: () => undefined, onError: () => undefined }),
  });
  return { stop, watched: () => watched };
}

describe('a realtime node that polls', () => {
  it('keeps no timer of its own where its meter cannot change', async () => {
    const before = await timers();
    const { stop, watched } = watching(true);
    await until('the watch', () => watched() === 1);
    const during = await timers();
    stop();
    during.should.equal(before);
  });

  it('looks for another meter at its interval where its meter can change', async () => {
    const before = await timers();
    const { stop, watched } = watching(false);
    await until('the watch', () => watched() === 1);
    const during = await timers();
    stop();
    during.should.equal(before + 1);
    (await timers()).should.equal(before);
  });
});
