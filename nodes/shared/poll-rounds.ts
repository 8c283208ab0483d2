/** Polling for nodes whose rounds are the same work as a message: in line with the messages, one report per outage. */
import type { NodeAPI } from 'node-red';
import { isInternalFault } from '../../src/clients/internal-fault';
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
          // What this package cannot cope with it cannot cope with the next time, either.
          if (isInternalFault(error)) stop();
        }
      },
      runner.nodeId,
    );
    return stop;
  });
}
