/** Loads the simulator on its first start, so programs without it start faster. */
import { lazy } from '../loading/lazy';
import type * as SimulatorEntry from '../simulator/index';
import type { Simulator, SimulatorOptions } from '../simulator/simulator';

const simulator = lazy(() => require('../simulator/index') as typeof SimulatorEntry);

/**
 * Starts a simulated monitor on this machine, with the interfaces whose ports are given. The entry
 * `node-red-contrib-cemm/simulator` exports the same function with all its types.
 * @throws {CemmError} CONFIG: an option cannot be used
 * @throws {Error} of `listen`, if a port is in use
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  return simulator().startSimulator(options);
}
