/** The demo monitor: the simulator on a free loopback port of this machine. */
import { CemmError } from '../errors';
import { systemClock } from '../time/clock';
import { createPause, runWithPauses } from '../time/pause';
import { startSimulator } from './start-simulator';

export interface Demo {
  /** `http://host:port` */
  readonly address: string;
  /**
   * Resolves when its registers are added up, and when it closes: a year and a half of minutes, for which a small computer needs
   * seconds, with pauses for its other work. A request before that adds them up at once.
   */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** @throws {CemmError} NETWORK `demo_start` */
export async function startDemo(timezone: string): Promise<Demo> {
  const simulator = await startSimulator({ localPort: 0, timezone, house: 'demo' }).catch(() => null);
  if (simulator === null || simulator.local === null) {
    await simulator?.close();
    throw new CemmError('NETWORK', { reason: 'demo_start' });
  }
  const { local, monitors } = simulator;
  const closing = new AbortController();
  const pause = createPause();
  const addUp = async (): Promise<void> => {
    for (const { household } of monitors) {
      await runWithPauses(household.addUp(systemClock.now()), async () => {
        await pause();
        closing.signal.throwIfAborted();
      });
    }
  };
  return {
    address: local,
    ready: addUp().catch(() => undefined),
    close: () => {
      closing.abort();
      return simulator.close();
    },
  };
}
