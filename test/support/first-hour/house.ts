/** The equipment of the first hour: a Node-RED with both packages and an empty flow, a monitor, its service, a broker. */
import { createSimulatedClock, type SimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import { loopbackOnly, startDiscoverable, type Discoverable } from '../network/discoverable';
import { type Mosquitto, startMosquitto } from '../servers/mosquitto';
import { NodeRed, tab } from '../node-red/node-red';
import { weeksAgo } from '../time/recent';

/** A moment with import, export and sun earlier in the day. */
export const sunnyAfternoon = '2026-06-18T16:40:00+02:00';

export const dashboardPackage = '@flowfuse/node-red-dashboard';

/** Key of the remote Open API. */
export const apiKey = 'first-hour-key';

const brokerAddress = '127.0.0.56';

export class House {
  private constructor(
    readonly nodeRed: NodeRed,
    readonly monitor: Discoverable,
    readonly service: Simulator,
    readonly broker: Mosquitto,
    /** Runs from the afternoon on, like Node-RED's clock: a delivery that is minutes old would be refused. */
    readonly clock: SimulatedClock,
  ) {}

  static async open(): Promise<House> {
    // On the default port, which users do not type.
    const broker = await startMosquitto({ address: brokerAddress, port: 1883 });
    const clock = createSimulatedClock({ start: millis(Date.parse(sunnyAfternoon)) });
    const since = weeksAgo(5, clock.now());
    const monitor = await startDiscoverable('127.0.0.55', { clock, since });
    const service = await startSimulator({ remotePort: 0, apiKey, clock, since });
    const nodeRed = await NodeRed.start({
      flows: [emptyFlow],
      modules: [dashboardPackage],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
      nodeOptions: loopbackOnly,
    });
    return new House(nodeRed, monitor, service, broker, clock);
  }

  /** Empties the canvas for the next way. */
  async clear(): Promise<void> {
    await this.nodeRed.deploy([emptyFlow]);
  }

  async close(): Promise<void> {
    await Promise.all([this.nodeRed.stop(), this.monitor.close(), this.service.close(), this.broker.stop()]);
  }
}

const emptyFlow = tab('Flow 1');
