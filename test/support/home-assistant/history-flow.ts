/**
 * The example home-assistant-history in a whole Node-RED, with the real node-red-contrib-home-assistant-websocket and a simulated
 * service as its source. Its target is Home Assistant: the real one, or the one of the long tests.
 */
import { connect } from '../../../src/library/connect';
import { millis } from '../../../src/time/units';
import { createSimulatedClock, type SimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator, SimulatorOptions } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { exampleOf } from '../node-red/import-menu';
import { collector, NodeRed, type FlowNode, type Settings } from '../node-red/node-red';
import { localConnection, testKey, remoteConnection } from '../node-red/remote-flow';
import { until } from '../until';

/** Of the standard house over the internet. */
export const historyFields = [
  'energy_import_kwh',
  'energy_export_kwh',
  'energy_production_kwh',
  'gas_m3',
  'cost',
] as const;
/** The others are those of a battery and of water, which a local connection reads. */
export type HistoryField =
  (typeof historyFields)[number] | 'energy_battery_discharged_kwh' | 'energy_battery_charged_kwh' | 'water_m3';

export const historyPrices = { currency: 'EUR', import: 0.25, export: 0.05, gas: 1.2, per_day: 1 };

export interface ServerCredentials {
  readonly host: string;
  readonly access_token: string;
}

/** What an importing Node-RED is made of. */
export interface HistoryParts {
  readonly simulator: Simulator;
  readonly nodeRed: NodeRed;
  readonly settings: Settings;
  /** The flow in the palette. */
  readonly shipped: readonly FlowNode[];
  readonly clock: MovableClock;
}

/** Clock of the simulated service. */
class MovableClock implements SimulatedClock {
  readonly speed = 1;
  private clock: SimulatedClock;

  constructor(start: string) {
    this.clock = createSimulatedClock({ start: millis(Date.parse(start)) });
  }

  now = (): ReturnType<SimulatedClock['now']> => this.clock.now();

  move(to: string): void {
    this.clock = createSimulatedClock({ start: millis(Date.parse(to)) });
  }
}

export interface HistoryOptions {
  readonly house?: SimulatorOptions['house'];
  /** Of Node-RED, and so of the names in Home Assistant. */
  readonly language?: 'en-US' | 'nl';
}

/**
 * @param now start of all clocks
 * @param since first day of the simulated house
 */
export async function historyParts(
  now: string,
  since: string,
  { house = 'standard', language = 'en-US' }: HistoryOptions = {},
): Promise<HistoryParts> {
  const clock = new MovableClock(now);
  const simulator = await startSimulator({
    remotePort: 0,
    localPort: 0,
    apiKey: testKey,
    clock,
    since: millis(Date.parse(since)),
    house,
  });
  const settings: Settings = {
    modules: ['node-red-contrib-home-assistant-websocket'],
    settings: `lang: '${language}', contextStorage: { default: { module: 'localfilesystem', config: { flushInterval: 1 } } },`,
    env: { CEMM_TEST_CLOCK: now, TZ: 'Europe/Amsterdam' },
  };
  const nodeRed = await NodeRed.start(settings);
  const shipped = await exampleOf(nodeRed, 'home-assistant-history');
  return { simulator, nodeRed, settings, shipped, clock };
}

export class HistoryFlow {
  readonly simulator: Simulator;
  nodeRed: NodeRed;
  /** Number of imported days at the last press of a button. */
  private alreadyImported = 0;

  constructor(
    private readonly parts: HistoryParts,
    private readonly credentials: () => ServerCredentials,
  ) {
    this.simulator = parts.simulator;
    this.nodeRed = parts.nodeRed;
  }

  async close(): Promise<void> {
    await this.nodeRed.stop();
    await this.simulator.close();
  }

  /**
   * Deploys the example with the changes that its comment requires; `demo` keeps its connection.
   * @param battery meters of the node *days by hour*
   */
  async deploy(
    from: string,
    to: string,
    connection: 'remote' | 'local' | 'demo' = 'remote',
    battery = '',
  ): Promise<void> {
    const connections = {
      remote: remoteConnection(this.simulator),
      local: localConnection(this.simulator, { allowLoopback: true }),
      demo: {},
    };
    const changes: Readonly<Record<string, object>> = {
      'cemm-history': {
        env: [
          { name: 'FROM', type: 'str', value: from },
          { name: 'TO', type: 'str', value: to },
        ],
      },
      'cemm-demo-monitor': { ...connections[connection], id: 'cemm-demo-monitor' },
      'cemm-history-days': { battery, prices: JSON.stringify(historyPrices), pricesType: 'json' },
      'cemm-history-done': { wires: [['cemm-history-shown', 'imported']] },
      'cemm-history-errors': { wires: [['cemm-history-fail', 'cemm-history-debug', 'caught']] },
    };
    const flow = this.parts.shipped.map((node): FlowNode => ({ ...node, ...changes[node.id] }));
    const collectors = ['caught', 'imported'].flatMap((name) => collector(name, 'cemm-history'));
    const connected = this.connections();
    await this.nodeRed.deploy([...flow, ...collectors], 'full', {
      'cemm-demo-monitor': { apiKey: testKey },
      'cemm-history-server': { ...this.credentials() },
    });
    await this.connectedAfter(connected);
  }

  /**
   * Stops Node-RED and starts it again with the same user directory.
   * @param now time of its clock and of the service; default: that of its start
   */
  async restartNodeRed(signal: NodeJS.Signals, now: string | null = null): Promise<void> {
    await this.nodeRed.stop({ keep: true, signal });
    const { settings, clock } = this.parts;
    const env = { ...settings.env, ...(now !== null && { CEMM_TEST_CLOCK: now }) };
    if (now !== null) clock.move(now);
    this.nodeRed = await NodeRed.start({ ...settings, env, userDir: this.nodeRed.userDir });
    // It has a new log.
    await this.connectedAfter(0);
  }

  async pressButton(button: 'import' | 'again' | 'night' | 'stop'): Promise<void> {
    this.alreadyImported = (await this.nodeRed.messages('imported')).length;
    await this.nodeRed.inject(`cemm-history-${button}`);
  }

  /** Waits until the example reports that Home Assistant has confirmed this day. */
  async importedTo(label: string, limitMs = 120_000): Promise<void> {
    await until(`${label} to be imported`, () => this.isImported(label), limitMs).catch(async (error: unknown) => {
      const caught = (await this.nodeRed.messages('caught')).map((message) => JSON.stringify(message['error']));
      throw new Error(`caught ${caught.join(', ')}; ${String(error)}`, { cause: error });
    });
  }

  /** True once Home Assistant has confirmed this day, since the last press of a button. */
  protected async isImported(label: string): Promise<boolean> {
    if (!this.nodeRed.running) throw new Error(`Node-RED ended:\n${this.nodeRed.log.slice(-3000)}`);
    const days = await this.nodeRed.messages('imported');
    return days.slice(this.alreadyImported).some(({ payload }) => payload === label);
  }

  idOf(field: HistoryField): string {
    const mac = (this.simulator.monitors[0]?.mac ?? '').replaceAll(':', '').toLowerCase();
    return `cemm:${mac}_${field}`;
  }

  /** What the counters of import and export rose on each day: read again from the service, kWh. */
  async counted(first: string, last: string): Promise<CountedDay[]> {
    const service = await connect({ apiKey: testKey, baseUrl: String(this.simulator.remote) });
    const found: CountedDay[] = [];
    try {
      let before = await service.totals('p1', { day: dayAfter(first, -1) });
      for (let day = first; day <= last; day = dayAfter(day, 1)) {
        const after = await service.totals('p1', { day });
        for (const field of ['energy_import_kwh', 'energy_export_kwh'] as const) {
          const amount = (after.values[field] ?? NaN) - (before.values[field] ?? NaN);
          found.push({ field, start: after.period.start, end: after.period.end, amount });
        }
        before = after;
      }
    } finally {
      await service.close();
    }
    return found;
  }

  /** How often the Home Assistant nodes of this Node-RED have connected. */
  protected connections(): number {
    return this.nodeRed.log.split(/Connected to http/).length - 1;
  }

  /** Waits for another connection. */
  protected async connectedAfter(connections: number): Promise<void> {
    await until('Node-RED to be connected', () => this.connections() > connections);
  }
}

export interface CountedDay {
  readonly field: 'energy_import_kwh' | 'energy_export_kwh';
  readonly start: number;
  readonly end: number;
  readonly amount: number;
}

export function dayAfter(label: string, days: number): string {
  return new Date(Date.parse(label) + days * 86_400_000).toISOString().slice(0, 10);
}
