/** Open handles of a Node-RED at rest. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Handles, NodeRed } from './node-red';
import { until } from '../until';

/**
 * The handles once they stay the same for a while: the test's own requests leave keep-alive sockets, which Node-RED's server
 * closes after five seconds.
 */
export async function settledHandles(nodeRed: NodeRed): Promise<Handles> {
  let last: Handles | undefined;
  let same = 0;
  return until('handles that stay the same', async () => {
    const now = await nodeRed.handles();
    same = isDeepStrictEqual(now, last) ? same + 1 : 0;
    last = now;
    await sleep(250);
    return same >= 28 && now;
  });
}

/** Handles by kind. File system requests belong to the collector's file and are left out. */
export function handlesByKind(resources: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of resources) {
    if (!kind.startsWith('FSReq')) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
