/**
 * Format `homeassistant-history`: the hours of past days as long-term statistics of Home Assistant, one message per statistic for
 * the node `ha-api` of node-red-contrib-home-assistant-websocket. `state` is the reading at the end of the hour, `sum` that
 * reading minus a base. Home Assistant stores one row per statistic and hour and draws the differences of `sum`, so days may be
 * sent again and in any order.
 */
import { CemmError } from '../../errors';
import { type FieldName, unitOfField } from '../../model/fields';
import { findOrigin } from '../../model/identity';
import type { BalancePayload, Payload } from '../../model/payload';
import type { FieldNames } from '../chart-names';
import type { ChosenFields } from '../chosen-fields';
import type { Formatted } from '../formatted';
import { afterDay, baseOfDay, type DayOfField, type HistoryState } from './history-state';
import { slug } from './names';
import { hourEndsOf, hourlyCosts, isHourly } from './hourly-readings';

export interface HistoryInput {
  /** `msg.base`: field → value to subtract from readings; null: no rows for this field. Default 0. */
  readonly base: Readonly<Record<string, number | null>>;
  /** `msg.history`: state after the previous days; it replaces `base`. */
  readonly history: HistoryState | null;
}

/** Command of Home Assistant's websocket (homeassistant/components/recorder/websocket_api.py). */
export interface ImportStatistics {
  readonly type: 'recorder/import_statistics';
  readonly metadata: {
    /** 0: no mean. Home Assistant 2025.11 and newer. */
    readonly mean_type: 0;
    readonly has_sum: true;
    readonly name: string;
    readonly source: 'cemm';
    /** An external statistic: `cemm:…`, never the id of a sensor. */
    readonly statistic_id: string;
    readonly unit_class: 'energy' | 'volume' | null;
    readonly unit_of_measurement: string;
  };
  /** At most 25, the hours of one day. */
  readonly stats: readonly StatisticsRow[];
}

export interface StatisticsRow {
  /** ISO 8601 in UTC, on the hour. */
  readonly start: string;
  /** Absent if only the sum is known. */
  readonly state?: number;
  readonly sum: number;
}

const statistics: readonly FieldName[] = [
  'energy_import_kwh',
  'energy_export_kwh',
  'energy_production_kwh',
  'energy_battery_charged_kwh',
  'energy_battery_discharged_kwh',
  'gas_m3',
  'water_m3',
  'cost',
];

/** A unit class names the converter of the unit (homeassistant/util/unit_conversion.py); a currency has none. */
const unitClasses: ReadonlyMap<string | null, 'energy' | 'volume'> = new Map([
  ['kWh', 'energy'],
  ['m³', 'volume'],
]);

/** One command per statistic: `msg.payload` of the node `ha-api`. */
export interface HistoryMessage {
  readonly protocol: 'websocket';
  readonly data: ImportStatistics;
}

export interface HistoryDay {
  readonly messages: readonly Formatted<HistoryMessage>[];
  /** State for the next day; null if the message had no history. */
  readonly history: HistoryState | null;
}

/**
 * @param names of the statistics in Home Assistant
 * @throws {CemmError} UNSUPPORTED: `not_hourly` for all but a day by hours or quarters; INPUT: `no_monitor`
 */
export function historyOf(payload: Payload, chosen: ChosenFields, input: HistoryInput, names: FieldNames): HistoryDay {
  if (payload.kind !== 'balance' || !isHourly(payload)) throw new CemmError('UNSUPPORTED', { reason: 'not_hourly' });
  const origin = findOrigin(payload);
  if (origin === null) throw new CemmError('INPUT', { reason: 'no_monitor' });
  const name = payload.monitor.name ?? 'CEMM';
  const days = statistics.flatMap((field): DayOfStatistic[] => {
    const unit = unitOfField(field);
    const unit_of_measurement = unit ?? payload.cost?.currency;
    const base = input.history === null ? input.base[field] : baseOfDay(payload, field, input.history);
    const isWanted = chosen === null || chosen.has(field);
    if (!isWanted || base === null || unit_of_measurement === undefined) return [];
    const metadata: ImportStatistics['metadata'] = {
      mean_type: 0,
      has_sum: true,
      name: `${name} ${names(field) ?? field}`,
      source: 'cemm',
      statistic_id: `cemm:${slug(`${origin}_${field}`)}`,
      unit_class: unitClasses.get(unit) ?? null,
      unit_of_measurement,
    };
    const stats = buildStatisticsRows(payload, field, base, input.history?.sum[field] ?? null);
    return [{ field, base: base ?? 0, last: stats.at(-1)?.sum ?? null, metadata, stats }];
  });
  const history = input.history === null ? null : afterDay(payload, origin, input.history, days);
  const sent = days.filter(({ stats }) => stats.length > 0);
  const messages = sent.map(({ metadata, stats }, index): Formatted<HistoryMessage> => {
    const message: HistoryMessage = {
      protocol: 'websocket',
      data: { type: 'recorder/import_statistics', metadata, stats },
    };
    return {
      topic: metadata.statistic_id,
      payload: message,
      parts: { id: payload.id, index, count: sent.length },
      ...(history !== null && { history }),
    };
  });
  return { messages, history };
}

interface DayOfStatistic extends DayOfField {
  readonly metadata: ImportStatistics['metadata'];
  readonly stats: readonly StatisticsRow[];
}

/**
 * Rows in ascending order. A counter that falls for a moment, such as that of an inverter at night, has no row until it exceeds
 * its highest value.
 * @param base undefined: 0, and no rows if the counter was not read
 * @param before the last sum of earlier days
 */
function buildStatisticsRows(
  payload: BalancePayload,
  field: string,
  base: number | undefined,
  before: number | null,
): StatisticsRow[] {
  const isCost = field === 'cost';
  const { hours, sumAtStart } = isCost
    ? hourlyCosts(payload, base ?? 0)
    : hourEndsOf(payload, field, base ?? 0, base !== undefined);
  let highest = Math.max(before ?? -Infinity, sumAtStart === null ? -Infinity : roundStatistic(sumAtStart));
  return hours.flatMap((hour): StatisticsRow[] => {
    const sum = roundStatistic(hour.sum);
    if (!isCost && sum < highest) return [];
    highest = sum;
    const state = hour.reading === null ? {} : { state: roundStatistic(hour.reading) };
    return [{ start: new Date(hour.start).toISOString(), ...state, sum }];
  });
}

/** Rounds to a millionth of the unit, the finest resolution of any meter: 0.1 + 0.2 is 0.30000000000000004. */
function roundStatistic(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}
