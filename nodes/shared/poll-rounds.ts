/** Polling for nodes whose rounds are the same work as a message: in line with the messages, one report per outage. */
import type { NodeAPI } from 'node-red';
import { asCemmError } from './node-error';
import { createOutage } from './outage';
import { keepPolling, type PollingSettings } from './polling';
import { startRounds } from './rounds';
import type { Runner } from './runner';

export function pollInRounds(RED: NodeAPI, runner: Runner, settings: PollingSettings): void {
  keepPolling(RED, runner, settings, (_connection, intervalMs) => {
    const outage = createOutage(runner);
    const stop = startRounds(
      intervalMs,
      async () => {
        try {
          await runner.poll();
          outage.over();
        } catch (thrown) {
          const error = asCemmError(thrown);
          outage.failed(error);
          // A refused key is not tried again until somebody changes it and deploys.
          if (error.code === 'AUTH') stop();
        }
      },
      runner.nodeId,
    );
    return stop;
  });
}
