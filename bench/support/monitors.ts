/**
 * Simulated monitors in their own process, so their work is not counted as work of Node-RED. Sends its addresses when it is
 * ready, and answers every message with the requests so far.
 */
import type * as Start from '../../src/simulator/start-simulator';
import { millis } from '../../src/time/units';
import { shipped } from './shipped';

const day = 86_400_000;

/** Host and port of each monitor. */
export interface Ready {
  readonly hosts: readonly string[];
}

/** Times of the requests for readings of each monitor, in ms of one monotonic clock, and the number of other requests. */
export interface Asked {
  readonly now: number;
  readonly readings: readonly (readonly number[])[];
  readonly others: number;
}

async function serve(count: number): Promise<void> {
  const { startSimulator } = shipped<typeof Start>('simulator/start-simulator');
  const readings: number[][] = [];
  let others = 0;
  const simulators = await Promise.all(
    Array.from({ length: count }, (_, seed) => {
      const times: number[] = [];
      readings.push(times);
      return startSimulator({
        localPort: 0,
        seed,
        since: millis(Date.now() - day),
        log: (line) => {
          if (String(line['path']).includes('/realtime/')) times.push(performance.now());
          else others += 1;
        },
      });
    }),
  );
  process.on('message', () => {
    process.send?.({ now: performance.now(), readings, others } satisfies Asked);
  });
  process.send?.({ hosts: simulators.map(({ local }) => new URL(String(local)).host) } satisfies Ready);
}

void serve(Number(process.argv[2]));
