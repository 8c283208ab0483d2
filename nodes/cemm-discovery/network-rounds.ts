/** Searching the network every so often: there is no connection that could say how often. */
import { asCemmError } from '../shared/node-error';
import { createOutage } from '../shared/outage';
import { wantsPolling } from '../shared/poll-interval';
import { startRounds } from '../shared/rounds';
import type { Runner } from '../shared/runner';
import { networkIntervalMs } from './network-settings';

export function searchInRounds(runner: Runner, interval: unknown): void {
  if (!wantsPolling(interval)) return;
  const outage = createOutage(runner);
  let stop: (() => void) | null = null;
  // Not in the constructor: nodes that would catch a wrong interval may be created after this one.
  const timer = setTimeout(() => {
    try {
      stop = startRounds(
        networkIntervalMs(interval),
        async () => {
          try {
            await runner.poll();
            outage.over();
          } catch (thrown) {
            outage.failed(asCemmError(thrown));
          }
        },
        runner.nodeId,
      );
    } catch (thrown) {
      runner.report(asCemmError(thrown));
    }
  }, 0);
  runner.onClose(() => {
    clearTimeout(timer);
    stop?.();
  });
}
