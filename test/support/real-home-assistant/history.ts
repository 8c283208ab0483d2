/** The example home-assistant-history with the real Home Assistant as its target. */
import { isRecord } from '../../../src/checks/record';
import { hourMs } from '../../../src/time/units';
import {
  type HistoryField,
  historyFields,
  HistoryFlow,
  type HistoryOptions,
  type HistoryParts,
  historyParts,
} from '../home-assistant/history-flow';
import { until } from '../until';
import type { RealHomeAssistant } from './real-home-assistant';
import { recordsOf, statesOf } from './registries';

/** As the Energy dashboard draws it: `change` is the bar. */
export interface Row {
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
  readonly state: number | null;
  readonly sum: number;
  readonly change: number;
}

const energy = { mean_type: 0, has_sum: true, unit_class: 'energy', unit_of_measurement: 'kWh' };

export class RealHistory extends HistoryFlow {
  private markers = 0;

  private constructor(
    parts: HistoryParts,
    readonly homeAssistant: RealHomeAssistant,
  ) {
    super(parts, () => ({ host: homeAssistant.url, access_token: homeAssistant.token }));
  }

  /** As historyParts. */
  static async createFor(
    homeAssistant: RealHomeAssistant,
    now: string,
    since: string,
    options: HistoryOptions = {},
  ): Promise<RealHistory> {
    return new RealHistory(await historyParts(now, since, options), homeAssistant);
  }

  rows(field: HistoryField, period: 'hour' | 'day' = 'hour'): Promise<Row[]> {
    return fetchStatisticsRows(this.homeAssistant, this.idOf(field), period);
  }

  async allRows(): Promise<Readonly<Record<string, readonly Row[]>>> {
    const all = await Promise.all(historyFields.map(async (field) => [field, await this.rows(field)] as const));
    return Object.fromEntries(all);
  }

  /** Waits until Home Assistant has stored what it has confirmed. */
  stored(): Promise<void> {
    return storedIn(this.homeAssistant, ++this.markers);
  }

  /** Presses import, and waits until this day is confirmed and stored. */
  async importTo(label: string): Promise<void> {
    await this.importUntil(`${label} to be imported`, () => this.isImported(label));
    await this.stored();
  }

  /** Presses import, and kills Node-RED or Home Assistant once there are more rows. */
  async importUntilKilled(what: 'Node-RED' | 'Home Assistant', more: number): Promise<void> {
    const count = (await this.rows('cost')).length + more;
    await this.importUntil(`${count} rows`, async () => (await this.rows('cost')).length >= count);
    if (what === 'Node-RED') {
      await this.restartNodeRed('SIGKILL');
      return;
    }
    const connections = this.connections();
    await this.homeAssistant.restart('SIGKILL');
    await this.connectedAfter(connections);
  }

  /** Presses import, and *everything again* where the example asks for it: a kill empties the queue of Home Assistant. */
  private async importUntil(what: string, isReached: () => Promise<boolean>): Promise<void> {
    const asked = await this.timesAsked();
    let isAgain = false;
    await this.pressButton('import');
    await until(
      what,
      async () => {
        if (!isAgain && (await this.timesAsked()) > asked) {
          isAgain = true;
          await this.pressButton('again');
        }
        return isReached();
      },
      900_000,
    );
  }

  private async timesAsked(): Promise<number> {
    const caught = await this.nodeRed.messages('caught');
    return caught.filter(({ error }) => JSON.stringify(error).includes('Press \\"everything again\\"')).length;
  }
}

/**
 * Waits until the queue of Home Assistant is empty: it confirms a command once that is in it.
 * @param marker another number each time
 */
export async function storedIn(homeAssistant: RealHomeAssistant, marker: number): Promise<void> {
  const statistic_id = 'test:marker';
  const metadata = { ...energy, name: 'marker', source: 'test', statistic_id };
  const stats = [{ start: '2020-01-01T00:00:00+00:00', state: marker, sum: marker }];
  await homeAssistant.command('recorder/import_statistics', { metadata, stats });
  const isStored = async (): Promise<boolean> =>
    (await fetchStatisticsRows(homeAssistant, statistic_id, 'hour')).at(-1)?.sum === marker;
  await until('an empty queue', isStored, 300_000);
}

/** All rows of a statistic, oldest first. */
export async function fetchStatisticsRows(
  homeAssistant: RealHomeAssistant,
  statistic: string,
  period: 'hour' | 'day',
): Promise<Row[]> {
  const answer = await homeAssistant.command('recorder/statistics_during_period', {
    start_time: '2000-01-01T00:00:00Z',
    end_time: '2100-01-01T00:00:00Z',
    statistic_ids: [statistic],
    period,
    types: ['state', 'sum', 'change'],
  });
  return recordsOf(isRecord(answer) ? answer[statistic] : null).map(({ start, end, state, sum, change }) => ({
    start: Number(start),
    end: Number(end),
    state: typeof state === 'number' ? state : null,
    sum: Number(sum),
    change: Number(change),
  }));
}

/** A row of the past hour for a sensor: Home Assistant itself makes one only after five minutes. */
export async function importRow(homeAssistant: RealHomeAssistant, entityId: string): Promise<void> {
  const start = Math.floor(Date.now() / hourMs) * hourMs - hourMs;
  await importRows(homeAssistant, entityId, [{ start, value: 1 }]);
}

/** Hours of a sensor, which begin at these moments: the reading of a counter at the end of each, or the mean of a power. */
export async function importRows(
  homeAssistant: RealHomeAssistant,
  entityId: string,
  hours: readonly { readonly start: number; readonly value: number }[],
): Promise<void> {
  const attributes = (await statesOf(homeAssistant)).get(entityId)?.['attributes'];
  const unit = isRecord(attributes) ? String(attributes['unit_of_measurement']) : '';
  const isPower = unit === 'W';
  const metadata = {
    statistic_id: entityId,
    source: 'recorder',
    name: null,
    mean_type: isPower ? 1 : 0,
    has_sum: !isPower,
    unit_of_measurement: unit,
    unit_class: isPower ? 'power' : unit === 'kWh' ? 'energy' : 'volume',
  };
  const stats = hours.map(({ start, value }) => {
    const hour = { start: new Date(start).toISOString() };
    return isPower ? { ...hour, mean: value, min: value, max: value } : { ...hour, state: value, sum: value };
  });
  await homeAssistant.command('recorder/import_statistics', { metadata, stats });
}
