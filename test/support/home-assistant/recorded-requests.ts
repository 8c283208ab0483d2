/**
 * What is asked of the real Home Assistant and of the one of the long tests, in this order: their answers are in
 * test/recorded/home-assistant-websocket.json.
 */
import type { UnknownRecord } from '../../../src/checks/record';

export interface StartRequest {
  readonly request: UnknownRecord;
  /** Of the result, the fields that are compared; none of a list or of null. */
  readonly fields: readonly string[];
}

/** Commands that node-red-contrib-home-assistant-websocket sends when it connects. Of their answers only the form is compared. */
export const startRequests: readonly StartRequest[] = [
  {
    request: { type: 'auth/current_user' },
    fields: ['id', 'name', 'is_owner', 'is_admin', 'credentials', 'mfa_modules'],
  },
  { request: { type: 'get_config' }, fields: ['components', 'state', 'version', 'time_zone'] },
  { request: { type: 'get_services' }, fields: ['homeassistant'] },
  ...['area', 'device', 'entity', 'floor', 'label'].map((name) => {
    return { request: { type: `config/${name}_registry/list` }, fields: [] };
  }),
  { request: { type: 'subscribe_events', event_type: 'nothing_of_this_name' }, fields: [] },
  { request: { type: 'supported_features', features: { coalesce_messages: 1 } }, fields: [] },
  { request: { type: 'subscribe_entities' }, fields: [] },
];

const source = 'cemm';
const id = 'cemm:02e21e370000_energy_import_kwh';
const other = 'cemm:02e21e370000_gas_m3';

const energy = {
  mean_type: 0,
  has_sum: true,
  name: 'CEMM Import',
  source,
  statistic_id: id,
  unit_class: 'energy',
  unit_of_measurement: 'kWh',
};
const gas = { ...energy, name: 'CEMM Gas', statistic_id: other, unit_class: 'volume', unit_of_measurement: 'm³' };
const cost = { ...energy, statistic_id: 'cemm:cost', unit_class: null, unit_of_measurement: 'EUR' };

const makeStatisticsRow = (hour: number, sum: number): UnknownRecord => {
  return { start: new Date(Date.UTC(2025, 0, 1, hour)).toISOString(), state: 1000 + sum, sum };
};
const first = [makeStatisticsRow(0, 0.25)];

const imports = (metadata: UnknownRecord, stats: readonly unknown[] = first): UnknownRecord => {
  return { type: 'recorder/import_statistics', metadata, stats };
};
const asks = (fields: UnknownRecord = {}): UnknownRecord => ({
  type: 'recorder/statistics_during_period',
  statistic_ids: [id],
  period: 'hour',
  types: ['sum'],
  start_time: '2025-01-01T00:00:00Z',
  end_time: '2025-01-02T00:00:00Z',
  ...fields,
});
const clears = (...statistic_ids: unknown[]): UnknownRecord => ({ type: 'recorder/clear_statistics', statistic_ids });

export function without(fields: UnknownRecord, ...names: string[]): UnknownRecord {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

export const statisticsRequests: readonly UnknownRecord[] = [
  asks(),
  imports(energy, [...first, makeStatisticsRow(1, 0.5), makeStatisticsRow(3, 1.75)]),
  asks(),
  // From the first moment, and up to the last one.
  asks({ start_time: '2025-01-01T01:00:00Z', end_time: '2025-01-01T03:00:00Z' }),
  asks({ start_time: '2025-01-01T02:30:00+01:00', end_time: '2025-01-01T05:30:00+01:00' }),
  // The same hour again, and one before it.
  imports(energy, [makeStatisticsRow(3, 2.5), makeStatisticsRow(2, 1)]),
  asks(),
  imports(energy, []),
  imports(gas),
  imports(cost),
  asks({ statistic_ids: [id, other, 'cemm:unknown'] }),
  asks({ statistic_ids: ['cemm:unknown'] }),
  // What later versions require.
  imports({ ...without(energy, 'mean_type'), statistic_id: 'cemm:no_mean_type' }),
  imports({ ...without(energy, 'unit_class'), statistic_id: 'cemm:no_unit_class' }),
  imports({ ...without(energy, 'mean_type', 'unit_class'), has_mean: false, statistic_id: 'cemm:older' }),
  asks({ statistic_ids: ['cemm:no_mean_type', 'cemm:no_unit_class', 'cemm:older'] }),
  // What is missing, too much, or of another kind.
  ...Object.keys(without(energy, 'mean_type', 'unit_class')).map((name) => imports(without(energy, name))),
  ...Object.keys(energy).map((name) => imports({ ...energy, [name]: ['x'] })),
  imports({ ...energy, mean_type: 3 }),
  imports({ ...energy, mean_type: '0' }),
  imports({ ...energy, name: null }),
  imports({ ...energy, more: 1 }),
  imports(energy, [without(makeStatisticsRow(5, 3), 'start')]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), start: 'today' }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), start: '2025-01-01T05:00:00' }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), start: '2025-01-01T05:30:00Z' }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), start: '2025-01-01T05:30:00+05:30' }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), start: '2025-01-01T05:00:00+05:30' }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), sum: '3' }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), sum: null }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), sum: true }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), more: 1 }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), last_reset: null }]),
  imports(energy, [{ ...makeStatisticsRow(5, 3), last_reset: '2025-01-01T00:00:00' }]),
  { ...imports(energy), more: 1 },
  without(imports(energy), 'stats'),
  without(imports(energy), 'metadata'),
  // Names and units.
  ...['cemm:Upper', 'cemm:_a', 'cemm:a_', 'cemm:a__b', 'cemm', 'cemm:a:b'].map((statistic_id) =>
    imports({ ...energy, statistic_id }),
  ),
  imports({ ...energy, source: 'other' }),
  imports({ ...energy, source: '' }),
  imports({ ...energy, unit_class: 'money' }),
  imports({ ...energy, unit_class: 'volume' }),
  imports({ ...energy, unit_of_measurement: null }),
  asks({ statistic_ids: [id, other, 'cemm:cost'] }),
  // Questions that are refused.
  asks({ statistic_ids: [] }),
  asks({ statistic_ids: id }),
  asks({ period: 'minute' }),
  asks({ types: ['middle'] }),
  asks({ more: 1 }),
  asks({ start_time: 'today' }),
  asks({ end_time: 'today' }),
  asks({ start_time: 0 }),
  without(asks(), 'start_time'),
  without(asks(), 'statistic_ids'),
  without(asks(), 'period'),
  clears(other, 'cemm:unknown'),
  asks({ statistic_ids: [id, other] }),
  { ...clears(id), more: 1 },
  clears(1),
  { type: 'recorder/clear_statistics' },
  asks(),
  { type: 'recorder/nothing_of_this_name' },
  { type: 'ping' },
];
