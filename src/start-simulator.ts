/** The simulator, loaded when it is first started: whoever reads a real monitor does not pay for the simulated one. */
import { createRequire } from 'node:module';
import type * as SimulatorEntry from './simulator/index';
import type { Simulator, SimulatorOptions } from './simulator/simulator';

/**
 * Starts a simulated monitor on this machine, with its remote service, discovery and webhook where their options are given.
 * The entry `node-red-contrib-cemm/simulator` has the same function together with all of its types.
 * @throws {RangeError} for an unknown time zone or a webhook that cannot be; and the error of `listen` for a port in use
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = createRequire(__filename)('./simulator/index') as typeof SimulatorEntry;
  return simulator.startSimulator(options);
}
