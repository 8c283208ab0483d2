/** Long-term statistics in the real Home Assistant. */
import { isRecord } from '../../../src/record';
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

/** All rows of a statistic, oldest first. */
export async function rowsOf(
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
  const attributes = (await statesOf(homeAssistant)).get(entityId)?.['attributes'];
  const unit = isRecord(attributes) ? String(attributes['unit_of_measurement']) : '';
  const isPower = unit === 'W';
  const metadata = {
    ...{ statistic_id: entityId, source: 'recorder', name: null, mean_type: isPower ? 1 : 0, has_sum: !isPower },
    ...{ unit_of_measurement: unit, unit_class: isPower ? 'power' : unit === 'kWh' ? 'energy' : 'volume' },
  };
  const hour = 3_600_000;
  const start = new Date(Math.floor(Date.now() / hour) * hour - hour).toISOString();
  const row = isPower ? { start, mean: 1, min: 1, max: 1 } : { start, state: 1, sum: 1 };
  await homeAssistant.command('recorder/import_statistics', { metadata, stats: [row] });
}
