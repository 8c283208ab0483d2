/**
 * The example home-assistant-mqtt with its way to the real Home Assistant: a simulated monitor, the packed package in a whole Node-RED, a
 * real broker.
 */
import { startMosquitto, type Mosquitto, MqttListener } from '../servers/mosquitto';
import type { Chroot } from '../../../scripts/home-assistant/chroots';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { millis } from '../../../src/time/units';
import type { House } from '../../../src/simulator/house';
import { listHouseMeters } from '../../../src/simulator/houses';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { nodesOf } from '../docs/example-functions';
import { freePort, NodeRed, type FlowNode } from '../node-red/node-red';
import { fiveTimesAsFast } from '../time/fast-clock';
import { RealHomeAssistant } from './real-home-assistant';
import { addIntegration } from './registries';

/** MAC address of the first simulated monitor. The demo of a connection has another one. */
export const monitorId = '02e21e370000';
const metersOfMonitor = ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2'];

/** Seconds, of which those of Node-RED take a fifth. */
export interface ExampleSettings {
  readonly interval: number;
  /** In the time of Home Assistant. */
  readonly expireAfter: number;
}

type FastTime = ReturnType<typeof fiveTimesAsFast>;

export class MqttHouse {
  nodeRed: NodeRed | null = null;

  private constructor(
    readonly homeAssistant: RealHomeAssistant,
    readonly broker: Mosquitto,
    readonly listener: MqttListener,
    public monitor: Simulator,
    private readonly monitorPort: number,
    /** Of the monitor and of Node-RED. */
    private readonly time: FastTime,
    private readonly house: House | null,
  ) {}

  /**
   * @param house with its rows in the connection; a node of its own reads the meter mb6 of a battery; default: the standard house
   * @param start time of the monitor and of Node-RED, epoch ms; default: the real time
   */
  static async launch(chroot: Chroot, house: House | null = null, start?: number): Promise<MqttHouse> {
    const broker = await startMosquitto();
    const listener = await MqttListener.connect(broker);
    const homeAssistant = await RealHomeAssistant.start(chroot);
    await addIntegration(homeAssistant, 'mqtt', [brokerAnswers(chroot, broker)]);
    const monitorPort = await freePort();
    const time = fiveTimesAsFast(start);
    const monitor = await monitorAt(monitorPort, time.clock, house);
    return new MqttHouse(homeAssistant, broker, listener, monitor, monitorPort, time, house);
  }

  async stop(): Promise<void> {
    await this.nodeRed?.stop();
    await this.monitor.close();
    await this.homeAssistant.stop();
    await this.listener.close();
    await this.broker.stop();
  }

  /** Node-RED with the example, or the example anew. */
  async deploy(settings: ExampleSettings, language: 'en-US' | 'nl' = 'en-US'): Promise<void> {
    const flows = this.example(settings);
    const { env } = this.time;
    if (this.nodeRed === null) this.nodeRed = await NodeRed.start({ flows, settings: `lang: '${language}',`, env });
    else await this.nodeRed.deploy(flows);
  }

  async stopNodeRed(): Promise<void> {
    await this.nodeRed?.stop();
    this.nodeRed = null;
  }

  async outage(): Promise<void> {
    await this.monitor.close();
  }

  async recover(): Promise<void> {
    this.monitor = await monitorAt(this.monitorPort, this.time.clock, this.house);
  }

  /** The last payload of a topic that ends with this; null if there is none. */
  payloadOf(topic: string): UnknownRecord | null {
    const text = this.listener.heard.findLast((heard) => heard.topic.endsWith(topic) && heard.text !== '')?.text;
    const payload: unknown = text === undefined ? null : JSON.parse(text);
    return isRecord(payload) ? payload : null;
  }

  async inject(node: string): Promise<void> {
    await this.nodeRed?.inject(node);
  }

  private example({ interval, expireAfter }: ExampleSettings): FlowNode[] {
    const host = `127.0.0.1:${this.monitorPort}`;
    const changes: Readonly<Record<string, UnknownRecord>> = {
      'cemm-demo-monitor': { mode: 'local', host, deadline: 5, allowLoopback: true, meters: this.house?.rows ?? [] },
      'cemm-ha-broker': { broker: '127.0.0.1', port: String(this.broker.port) },
      'cemm-ha-meters': { interval },
      'cemm-ha-format': { expireAfter },
      'cemm-ha-remove': { payload: JSON.stringify({ remove: monitorId, meters: metersOfMonitor }) },
    };
    const battery = {
      id: 'battery',
      type: 'cemm-realtime',
      z: 'cemm-ha',
      connection: 'cemm-demo-monitor',
      alias: 'mb6',
    };
    const wires = [['cemm-ha-format'], ['cemm-ha-format']];
    const hasBattery = this.house !== null && listHouseMeters(this.house).some(({ of }) => of === 'battery');
    return [
      ...nodesOf('home-assistant-mqtt').map((node) => ({ ...node, ...changes[node.id] })),
      ...(hasBattery ? [{ ...battery, role: 'battery', interval, wires }] : []),
    ];
  }
}

function monitorAt(localPort: number, clock: FastTime['clock'], house: House | null): Promise<Simulator> {
  const since = millis(clock.now() - 7 * 86_400_000);
  return startSimulator({ localPort, clock, since, ...(house !== null && { house }) });
}

/** The form *Broker*: it became longer after 2026.2. */
function brokerAnswers({ homeAssistant }: Chroot, { address, port }: Mosquitto): UnknownRecord {
  const other = { set_client_cert: false, set_ca_cert: 'off', transport: 'tcp' };
  const isOlder = homeAssistant.startsWith('2026.2.');
  return { broker: address, port, ...(!isOlder && { protocol: '3.1.1', other_settings: other }) };
}
