/** A simulated monitor for one test, and the connection node that reaches it. */
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator, SimulatorOptions } from '../../../src/simulator/simulator';
import { millis } from '../../../src/time/units';
import type { FlowNode } from './flow';

export const key = 'flow-test-key-7f3a';
const started: Simulator[] = [];

export async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  process.env['CEMM_ALLOW_LOOPBACK'] = 'true';
  const since = millis(Date.now() - 70 * 86_400_000);
  const simulator = await startSimulator({ localPort: 0, remotePort: 0, since, apiKey: key, ...options });
  started.push(simulator);
  return simulator;
}

export async function endSimulators(): Promise<void> {
  delete process.env['CEMM_ALLOW_LOOPBACK'];
  await Promise.all(started.splice(0).map((simulator) => simulator.close()));
}

export function localConnection({ local }: Simulator, properties: object = {}): FlowNode {
  return { id: 'connection', type: 'cemm-connection', mode: 'local', host: local ?? '', ...properties };
}

/** Load the flow with `remoteCredentials`. */
export function remoteConnection({ remote }: Simulator, properties: object = {}): FlowNode {
  return { id: 'connection', type: 'cemm-connection', mode: 'remote', baseUrl: remote ?? '', ...properties };
}

export const remoteCredentials = { connection: { apiKey: key } };
