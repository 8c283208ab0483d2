/**
 * Format `homeassistant-history`: the hours of past days as long-term statistics of Home Assistant, one message per statistic
 * for the node `ha-api` of node-red-contrib-home-assistant-websocket.
 *
 * `state` is what the counter showed at the end of the hour, and `sum` is that reading minus a base. Home Assistant stores one
 * row per statistic and hour and draws the differences of `sum`, so days may be sent again and in any order.
 */
import { originOf } from '../model/identity';
import type { BalancePayload, Payload } from '../model/payload';
import type { FieldNames } from './chart-names';
import type { ChosenFields } from './chosen-fields';
import { FormatError, type Formatted } from './formatter';
import { hourEndsOf, hourlyCosts, isHourly, type HourEnds } from './hourly-readings';

/** `msg.base` and `msg.sum`, field → number. */
export interface HistoryInput {
  /** What is subtracted from a reading; null: send no rows of the field. Default 0. */
  readonly base: Readonly<Record<string, number | null>>;
  /** The last `sum` of earlier days; rows of a counter do not fall below it. */
  readonly sum: Readonly<Record<string, number | null>>;
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
  /** Absent where the sum is known and the reading is not. */
  readonly state?: number;
  readonly sum: number;
}

type Statistic = Pick<ImportStatistics['metadata'], 'unit_class'> & {
  readonly field: string;
  readonly unit: string | null;
};

/** A unit class names the converter of the unit (homeassistant/util/unit_conversion.py); a currency has none. */
const statistics: readonly Statistic[] = [
  { field: 'energy_import_kwh', unit: 'kWh', unit_class: 'energy' },
  { field: 'energy_export_kwh', unit: 'kWh', unit_class: 'energy' },
  { field: 'energy_production_kwh', unit: 'kWh', unit_class: 'energy' },
  { field: 'gas_m3', unit: 'm³', unit_class: 'volume' },
  { field: 'water_m3', unit: 'm³', unit_class: 'volume' },
  { field: 'cost', unit: null, unit_class: null },
];

/** One command per statistic, as the node `ha-api` takes it in `msg.payload`. */
export interface HistoryMessage {
  readonly protocol: 'websocket';
  readonly data: ImportStatistics;
}

/**
 * @param names what a statistic is called in Home Assistant
 * @throws {FormatError} UNSUPPORTED: `not_hourly` for all but a day by hours or quarters; INPUT: `no_monitor`
 */
export function historyOf(payload: Payload, chosen: ChosenFields, input: HistoryInput, names: FieldNames): Formatted[] {
  if (payload.kind !== 'balance' || !isHourly(payload)) throw FormatError.unsupported('not_hourly');
  const origin = originOf(payload);
  if (origin === null) throw FormatError.input('no_monitor');
  const commands = statistics.flatMap((statistic): ImportStatistics[] => {
    const { field, unit, unit_class } = statistic;
    const unit_of_measurement = unit ?? payload.cost?.currency;
    const stats = chosen === null || chosen.has(field) ? rowsOf(payload, field, input) : [];
    if (stats.length === 0 || unit_of_measurement === undefined) return [];
    const name = `${payload.monitor.name ?? 'CEMM'} ${names(field) ?? field}`;
    const statistic_id = `cemm:${slug(`${origin}_${field}`)}`;
    const metadata = { mean_type: 0, has_sum: true, name, source: 'cemm', statistic_id, unit_class } as const;
    return [{ type: 'recorder/import_statistics', metadata: { ...metadata, unit_of_measurement }, stats }];
  });
  return commands.map((data, index): Formatted => {
    const message: HistoryMessage = { protocol: 'websocket', data };
    return {
      topic: data.metadata.statistic_id,
      payload: message,
      parts: { id: payload.id, index, count: commands.length },
    };
  });
}

/** Ascending. A counter that falls for a moment, as that of an inverter does at night, has no row until it is past its highest. */
function rowsOf(payload: BalancePayload, field: string, { base, sum }: HistoryInput): StatisticsRow[] {
  const given = base[field];
  if (given === null) return [];
  const { hours, sumAtStart } = endsOf(payload, field, given);
  let highest = Math.max(sum[field] ?? -Infinity, sumAtStart === null ? -Infinity : rounded(sumAtStart));
  return hours.flatMap((hour): StatisticsRow[] => {
    const upTo = rounded(hour.sum);
    if (field !== 'cost' && upTo < highest) return [];
    highest = upTo;
    const state = hour.reading === null ? {} : { state: rounded(hour.reading) };
    return [{ start: new Date(hour.start).toISOString(), ...state, sum: upTo }];
  });
}

function endsOf(payload: BalancePayload, field: string, base: number | undefined): HourEnds {
  if (field === 'cost') return hourlyCosts(payload, base ?? 0);
  return hourEndsOf(payload, field, base ?? 0, base !== undefined);
}

/** To a millionth of the unit, the finest that any meter shows: a sum of 0.1 and 0.2 is 0.30000000000000004. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

/** Home Assistant takes small letters, digits and single underscores, none of them at an end. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
