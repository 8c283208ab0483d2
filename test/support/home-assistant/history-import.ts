/**
 * The example home-assistant-history in a whole Node-RED, with the real node-red-contrib-home-assistant-websocket, a simulated
 * service as its source, and a Home Assistant websocket as its target.
 */
import { connect } from '../../../src/connect';
import { millis } from '../../../src/protocol/time';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { HomeAssistant } from './home-assistant';
import type { StatisticsRow } from './home-assistant-statistics';
import { collector, NodeRed, type FlowNode, type Settings } from '../node-red/node-red';
import { testKey, remoteConnection } from '../node-red/remote-flow';
import { until } from '../until';

export const historyFields = [
  'energy_import_kwh',
  'energy_export_kwh',
  'energy_production_kwh',
  'gas_m3',
  'cost',
] as const;
export type HistoryField = (typeof historyFields)[number];

const prices = { currency: 'EUR', import: 0.25, export: 0.05, gas: 1.2, per_day: 1 };

export class HistoryImport {
  /** Number of imported days at the last press of a button. */
  private alreadyImported = 0;

  private constructor(
    readonly homeAssistant: HomeAssistant,
    readonly simulator: Simulator,
    public nodeRed: NodeRed,
    private readonly settings: Settings,
    private readonly shipped: readonly FlowNode[],
  ) {}

  /**
   * @param now start of all clocks
   * @param since first day of the simulated house
   */
  static async start(now: string, since: string): Promise<HistoryImport> {
    const homeAssistant = await HomeAssistant.start();
    const simulator = await startSimulator({
      remotePort: 0,
      apiKey: testKey,
      clock: createSimulatedClock({ start: millis(Date.parse(now)) }),
      since: millis(Date.parse(since)),
    });
    const settings: Settings = {
      modules: ['node-red-contrib-home-assistant-websocket'],
      settings: "contextStorage: { default: { module: 'localfilesystem', config: { flushInterval: 1 } } },",
      env: { CEMM_TEST_CLOCK: now, TZ: 'Europe/Amsterdam' },
    };
    const nodeRed = await NodeRed.start(settings);
    const example = '/library/examples/flows/node-red-contrib-cemm/home-assistant-history';
    const shipped = (await (await nodeRed.admin(example)).json()) as FlowNode[];
    return new HistoryImport(homeAssistant, simulator, nodeRed, settings, shipped);
  }

  async close(): Promise<void> {
    await this.nodeRed.stop();
    await this.simulator.close();
    await this.homeAssistant.close();
  }

  /** Deploys the example with the changes that its comment requires; `demo` keeps its connection. */
  async deploy(from: string, to: string, connection: 'remote' | 'demo' = 'remote'): Promise<void> {
    const remote = { ...remoteConnection(this.simulator), id: 'cemm-demo-monitor' };
    const changes: Readonly<Record<string, object>> = {
      'cemm-history': {
        env: [
          { name: 'FROM', type: 'str', value: from },
          { name: 'TO', type: 'str', value: to },
        ],
      },
      'cemm-demo-monitor': connection === 'remote' ? remote : {},
      'cemm-history-days': { prices: JSON.stringify(prices), pricesType: 'json' },
      'cemm-history-done': { wires: [['cemm-history-shown', 'imported']] },
      'cemm-history-errors': { wires: [['cemm-history-fail', 'cemm-history-debug', 'caught']] },
    };
    const flow = this.shipped.map((node): FlowNode => ({ ...node, ...changes[node.id] }));
    const collectors = ['caught', 'imported'].flatMap((name) => collector(name, 'cemm-history'));
    const { connections } = this.homeAssistant;
    await this.nodeRed.deploy([...flow, ...collectors], 'full', {
      'cemm-demo-monitor': { apiKey: testKey },
      'cemm-history-server': { ...this.homeAssistant.credentials },
    });
    await this.connectedAfter(connections);
  }

  /** Stops Node-RED and starts it again with the same user directory. */
  async restart(signal: NodeJS.Signals, now = this.settings.env?.['CEMM_TEST_CLOCK'] ?? ''): Promise<void> {
    await this.nodeRed.stop({ keep: true, signal });
    const env = { ...this.settings.env, CEMM_TEST_CLOCK: now };
    const { connections } = this.homeAssistant;
    this.nodeRed = await NodeRed.start({ ...this.settings, env, userDir: this.nodeRed.userDir });
    await this.connectedAfter(connections);
  }

  async press(button: 'import' | 'again' | 'night' | 'stop'): Promise<void> {
    this.alreadyImported = (await this.nodeRed.messages('imported')).length;
    const response = await this.nodeRed.admin(`/inject/cemm-history-${button}`, { method: 'POST' });
    if (!response.ok) throw new Error(`inject answered ${response.status}`);
  }

  /** Waits until the example reports that Home Assistant has confirmed this day. */
  async importedTo(label: string, limitMs = 120_000): Promise<void> {
    const isConfirmed = (days: readonly { payload?: unknown }[]): boolean =>
      days.slice(this.alreadyImported).some(({ payload }) => payload === label);
    await this.nodeRed.waitFor('imported', isConfirmed, limitMs).catch(async (error: unknown) => {
      const caught = (await this.nodeRed.messages('caught')).map((message) => JSON.stringify(message['error']));
      throw new Error(`caught ${caught.join(', ')}; ${String(error)}`, { cause: error });
    });
  }

  /** Presses import, kills Node-RED after this number of commands, and starts it again. */
  async importUntilKilled(commands: number): Promise<void> {
    await this.press('import');
    const count = this.homeAssistant.taken.length + commands;
    await until(`${count} commands`, () => this.homeAssistant.taken.length >= count, 120_000);
    await this.restart('SIGKILL');
  }

  idOf(field: HistoryField): string {
    const mac = (this.simulator.monitors[0]?.mac ?? '').replaceAll(':', '').toLowerCase();
    return `cemm:${mac}_${field}`;
  }

  rows(field: HistoryField): readonly StatisticsRow[] {
    return this.homeAssistant.statistics.rows(this.idOf(field));
  }

  allRows(): Readonly<Record<string, readonly StatisticsRow[]>> {
    return Object.fromEntries(historyFields.map((field) => [field, this.rows(field)]));
  }

  /** Difference between the bars of each day and its counters, which are requested again: kWh. */
  async differences(first: string, last: string): Promise<number[]> {
    const service = await connect({ apiKey: testKey, baseUrl: String(this.simulator.remote) });
    const found: number[] = [];
    try {
      let before = await service.totals('p1', { day: dayAfter(first, -1) });
      for (let day = first; day <= last; day = dayAfter(day, 1)) {
        const after = await service.totals('p1', { day });
        for (const field of ['energy_import_kwh', 'energy_export_kwh'] as const) {
          const counted = (after.values[field] ?? NaN) - (before.values[field] ?? NaN);
          const { start, end } = after.period;
          found.push(Math.abs(this.homeAssistant.statistics.between(this.idOf(field), start, end) - counted));
        }
        before = after;
      }
    } finally {
      await service.close();
    }
    return found;
  }

  /** Impossible bars: negative ones, and more than 20 kWh or m³ in an hour. */
  impossibleBars(): string[] {
    return historyFields.flatMap((field) => {
      const bars = field === 'cost' ? [] : this.homeAssistant.statistics.bars(this.idOf(field));
      const wrong = bars.filter(({ change }) => !(change >= 0 && change <= 20));
      return wrong.map(({ start, change }) => `${field} ${new Date(start).toISOString()}: ${change}`);
    });
  }

  /** Waits until Node-RED is connected again. */
  private async connectedAfter(connections: number): Promise<void> {
    const { homeAssistant } = this;
    await until(
      'Home Assistant to be connected',
      () => homeAssistant.isReady && homeAssistant.connections > connections,
    );
  }
}

function dayAfter(label: string, days: number): string {
  return new Date(Date.parse(label) + days * 86_400_000).toISOString().slice(0, 10);
}
