/** The example home-assistant-history with the Home Assistant websocket of the long tests as its target. */
import { HomeAssistant } from './home-assistant';
import type { StatisticsRow } from './home-assistant-statistics';
import { type HistoryField, historyFields, HistoryFlow, type HistoryParts, historyParts } from './history-flow';
import { until } from '../until';

export class HistoryImport extends HistoryFlow {
  private constructor(
    parts: HistoryParts,
    readonly homeAssistant: HomeAssistant,
  ) {
    super(parts, () => homeAssistant.credentials);
  }

  /**
   * @param now start of all clocks
   * @param since first day of the simulated house
   */
  static async start(now: string, since: string): Promise<HistoryImport> {
    return new HistoryImport(await historyParts(now, since), await HomeAssistant.start());
  }

  override async close(): Promise<void> {
    await super.close();
    await this.homeAssistant.close();
  }

  /** Presses import, kills Node-RED after this number of commands, and starts it again. */
  async importUntilKilled(commands: number): Promise<void> {
    await this.press('import');
    const count = this.homeAssistant.taken.length + commands;
    await until(`${count} commands`, () => this.homeAssistant.taken.length >= count, 120_000);
    await this.restart('SIGKILL');
  }

  rows(field: HistoryField): readonly StatisticsRow[] {
    return this.homeAssistant.statistics.rows(this.idOf(field));
  }

  allRows(): Readonly<Record<string, readonly StatisticsRow[]>> {
    return Object.fromEntries(historyFields.map((field) => [field, this.rows(field)]));
  }

  /** Difference between the bars of each day and its counters, which are requested again: kWh. */
  async differences(first: string, last: string): Promise<number[]> {
    const days = await this.counted(first, last);
    const { statistics } = this.homeAssistant;
    return days.map(({ field, start, end, amount }) =>
      Math.abs(statistics.between(this.idOf(field), start, end) - amount),
    );
  }

  /** Impossible bars: negative ones, and more than 20 kWh or m³ in an hour. */
  impossibleBars(): string[] {
    return historyFields.flatMap((field) => {
      const bars = field === 'cost' ? [] : this.homeAssistant.statistics.bars(this.idOf(field));
      const wrong = bars.filter(({ change }) => !(change >= 0 && change <= 20));
      return wrong.map(({ start, change }) => `${field} ${new Date(start).toISOString()}: ${change}`);
    });
  }

  protected override connections(): number {
    return this.homeAssistant.connections;
  }

  protected override connectionsBeforeStart(): number {
    return this.homeAssistant.connections;
  }

  protected override async connectedAfter(connections: number): Promise<void> {
    const { homeAssistant } = this;
    const isConnected = (): boolean => homeAssistant.isReady && homeAssistant.connections > connections;
    await until('Home Assistant to be connected', isConnected);
  }
}
