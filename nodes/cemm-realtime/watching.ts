/** Watches a meter for a polling node; where the choice comes from context or an expression, it follows that choice. */
import type { Installation, RealtimeListener, RealtimeTarget } from '../../src/installation/installation';
import type { ConnectionNode } from '../shared/connection-node';
import { asCemmError } from '../shared/node-error';
import { createOutage } from '../shared/outage';
import { startRounds } from '../shared/rounds';
import type { Runner } from '../shared/runner';

export interface Watching {
  readonly connection: ConnectionNode;
  readonly intervalMs: number;
  readonly runner: Runner;
  /** The choice cannot change before the next deploy. */
  readonly isFixed: boolean;
  readonly choose: () => Promise<RealtimeTarget>;
  readonly listener: (installation: Installation) => RealtimeListener;
}

/** @returns stops it */
export function startWatching({ connection, intervalMs, runner, isFixed, choose, listener }: Watching): () => void {
  const outage = createOutage(runner);
  let watched: string | null = null;
  let unwatch: (() => void) | null = null;
  let stopped = false;

  async function follow(): Promise<void> {
    if (isFixed && unwatch !== null) return;
    try {
      const installation = await connection.installation();
      const target = await choose();
      const key = JSON.stringify(target);
      if (stopped || key === watched) return;
      unwatch?.();
      watched = key;
      unwatch = installation.watchRealtime(target, intervalMs, listener(installation));
      outage.over();
    } catch (thrown) {
      if (!stopped) outage.failed(asCemmError(thrown));
    }
  }

  const stopRounds = startRounds(intervalMs, follow, runner.nodeId);
  return () => {
    stopped = true;
    stopRounds();
    unwatch?.();
  };
}
