/**
 * A simulated monitor in the network: its Local API on its own loopback address, and an answer to the discovery broadcast of the
 * loopback network. Neither dialog nor nodes have a setting for another port than 80, so loopback-only.cjs changes it in the
 * process under test.
 */
import { join } from 'node:path';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { SimulatorOptions } from '../../../src/simulator/simulator';
import { discoveryPort, discoveryQuery } from '../../../src/protocol/datagram';
import { bindSocket } from './loopback';
import { takeNetwork } from './only-network';

/** Options for a Node-RED whose search must not leave this machine, and finds the monitors of `startDiscoverable`. */
export const loopbackOnly: readonly string[] = ['--require', join(__dirname, 'loopback-only.cjs')];

/** As in loopback-only.cjs. */
export const portInPlaceOf80 = 18080;

export interface Discoverable {
  readonly address: string;
  readonly mac: string;
  /** Number of received queries. */
  readonly asked: () => number;
  close(): Promise<void>;
}

/** @param address of 127.0.0.0/8 */
export async function startDiscoverable(
  address: string,
  options: Pick<SimulatorOptions, 'seed' | 'clock' | 'since'> = {},
): Promise<Discoverable> {
  const giveBack = await takeNetwork();
  const simulator = await startSimulator({ ...options, address, localPort: portInPlaceOf80 }).catch(
    (error: unknown) => {
      giveBack();
      throw error;
    },
  );
  const mac = simulator.monitors[0]?.mac ?? '';
  // A socket that is bound to one address receives no broadcast, so one listens and another one answers.
  const ear = await bindSocket(discoveryPort, '127.255.255.255');
  const mouth = await bindSocket(0, address);
  let asked = 0;
  let isClosed = false;
  ear.on('message', (message, sender) => {
    if (!message.equals(discoveryQuery)) return;
    asked += 1;
    const answer = { ip: address, mac, version: '1.25', type: 'CEMM_basic', init_state: 1 };
    mouth.send(JSON.stringify(answer), sender.port, sender.address);
  });
  return {
    address,
    mac,
    asked: () => asked,
    async close() {
      if (isClosed) return;
      isClosed = true;
      ear.close();
      mouth.close();
      await simulator.close();
      giveBack();
    },
  };
}
