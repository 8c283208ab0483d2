/** The built-in demo monitor: the simulator on a free loopback port of this machine. */
import { CemmError } from '../../src/clients/errors';
import type * as Simulation from '../../src/simulator/start-simulator';
import { lazy } from '../shared/lazy';

// Nobody who has a real monitor pays for the simulated one.
const simulation = lazy<typeof Simulation>(__filename, '../../src/simulator/start-simulator');

export interface Demo {
  /** `http://host:port` */
  readonly address: string;
  close(): Promise<void>;
}

/** @throws CemmError NETWORK `demo_start` */
export async function startDemo(timezone: string): Promise<Demo> {
  const simulator = await simulation()
    .startSimulator({ localPort: 0, timezone })
    .catch(() => null);
  if (simulator !== null && simulator.local !== null)
    return { address: simulator.local, close: () => simulator.close() };
  await simulator?.close();
  throw new CemmError('NETWORK', 'The demo monitor cannot be started: no port of this machine can be opened.', {
    reason: 'demo_start',
  });
}
