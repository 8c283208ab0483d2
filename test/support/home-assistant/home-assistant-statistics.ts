/**
 * Long-term statistics as Home Assistant keeps them, written from its source: what the websocket commands of the recorder accept,
 * how rows are stored, and what the Energy dashboard draws of them.
 *
 * Source, https://github.com/home-assistant/core, in homeassistant/components/recorder:
 * - websocket_api.py, `ws_import_statistics`, `ws_clear_statistics` and `ws_get_statistics_during_period`: schema of the commands. `mean_type` and `unit_class` may be
 *   left out until 2026.11 (https://developers.home-assistant.io/blog/2025/10/16/recorder-statistics-api-changes); here they may not.
 * - statistics.py at commit 0055cc7eb7bda933df599c92f7d51b2e1a293ba7: `valid_statistic_id`, `async_add_external_statistics`,
 *   `_async_import_statistics` (unit class, unit and start), `_import_statistics_with_session` (one row per statistic and start),
 *   `_augment_result_with_change` (a bar is the difference to the row before, and to 0 before the first row).
 * - homeassistant/util/unit_conversion.py: `UNIT_CLASS` and `VALID_UNITS` of `EnergyConverter` and `VolumeConverter`.
 */

export interface StatisticsRow {
  /** Epoch ms. */
  readonly start: number;
  readonly state: number | null;
  readonly sum: number | null;
}

export interface StatisticsMetadata {
  readonly name: string | null;
  readonly unit: string | null;
  readonly unitClass: string | null;
}

export interface Bar {
  readonly start: number;
  readonly change: number;
}

/** Error response of Home Assistant to a command. */
export class CommandError extends Error {
  constructor(
    readonly code: 'invalid_format' | 'unknown_command' | 'home_assistant_error',
    message: string,
  ) {
    super(message);
  }
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
/** `vol.Any(float, int)`; booleans count as numbers in Python. */
const isNumber: Check = (value) => typeof value === 'number' || isFlag(value);
const isTextOrNone: Check = (value) => value === null || isText(value);
/** `cv.datetime` accepts ISO 8601. */
const isMoment: Check = (value) => isText(value) && !Number.isNaN(Date.parse(String(value)));

interface Schema {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional: Readonly<Record<string, Check>>;
}

const metadataSchema: Schema = {
  required: {
    has_sum: isFlag,
    mean_type: (value) => value === 0 || value === 1 || value === 2,
    name: isTextOrNone,
    source: isText,
    statistic_id: isText,
    unit_class: isTextOrNone,
    unit_of_measurement: isTextOrNone,
  },
  optional: { has_mean: isFlag },
};
const rowSchema: Schema = {
  required: { start: isMoment },
  optional: {
    mean: isNumber,
    min: isNumber,
    max: isNumber,
    last_reset: (value) => value === null || isMoment(value),
    state: isNumber,
    sum: isNumber,
  },
};

const unitsOfClasses: Readonly<Record<string, readonly string[]>> = {
  energy: ['J', 'kJ', 'MJ', 'GJ', 'mWh', 'Wh', 'kWh', 'MWh', 'GWh', 'TWh', 'cal', 'kcal', 'Mcal', 'Gcal'],
  volume: ['L', 'mL', 'gal', 'fl. oz.', 'm³', 'ft³', 'CCF', 'MCF'],
};

const statisticIdPattern = /^(?!.+__)(?!_)[\da-z_]+(?<!_):(?!_)[\da-z_]+(?<!_)$/;

export class LongTermStatistics {
  readonly metadata = new Map<string, StatisticsMetadata>();
  private readonly tables = new Map<string, Map<number, StatisticsRow>>();

  /**
   * Handles a command of the recorder like Home Assistant, and returns the result.
   * @throws {CommandError}
   */
  take(command: Fields): unknown {
    const { id, ...message } = command;
    expect(Number.isInteger(id) && Number(id) > 0, 'id');
    switch (message['type']) {
      case 'recorder/import_statistics':
        this.import(message);
        return null;
      case 'recorder/clear_statistics':
        this.clear(message);
        return null;
      case 'recorder/statistics_during_period':
        return this.during(message);
      default:
        throw new CommandError('unknown_command', 'Unknown command.');
    }
  }

  get ids(): string[] {
    return [...this.tables.keys()].sort();
  }

  /** Ascending. */
  rows(id: string): StatisticsRow[] {
    return [...(this.tables.get(id)?.values() ?? [])].sort((a, b) => a.start - b.start);
  }

  /** The bars of the Energy dashboard, one per row. */
  bars(id: string): Bar[] {
    let before = 0;
    return this.rows(id).flatMap(({ start, sum }) => {
      if (sum === null) return [];
      const change = sum - before;
      before = sum;
      return [{ start, change }];
    });
  }

  /** The bars of a day, from its first moment to its last. */
  between(id: string, start: number, end: number): number {
    const bars = this.bars(id).filter((bar) => bar.start >= start && bar.start < end);
    return bars.reduce((total, { change }) => total + change, 0);
  }

  /** Rows that begin in the period; supports the part of the schema that these tests use. */
  private during(message: Fields): Readonly<Record<string, StatisticsRow[]>> {
    const { start_time, end_time, statistic_ids: ids, period, types } = message;
    expectKeys(message, ['type', 'start_time', 'end_time', 'statistic_ids', 'period', 'types']);
    expect(isMoment(start_time) && isMoment(end_time), 'time');
    expect(Array.isArray(ids) && ids.length > 0 && ids.every(isText), 'statistic_ids');
    expect(period === 'hour' && Array.isArray(types) && types.every((type) => type === 'sum'), 'period');
    const [from, to] = [Date.parse(String(start_time)), Date.parse(String(end_time))];
    const found = (ids as string[]).map((id): [string, StatisticsRow[]] => {
      return [id, this.rows(id).filter(({ start }) => start >= from && start < to)];
    });
    return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
  }

  private import(message: Fields): void {
    const { metadata, stats } = message;
    expectKeys(message, ['type', 'metadata', 'stats']);
    expect(keeps(metadata, metadataSchema), 'metadata');
    expect(Array.isArray(stats) && stats.every((row) => keeps(row, rowSchema)), 'stats');
    const { statistic_id, source, unit_class, unit_of_measurement, name } = metadata as Record<string, string | null>;
    const id = statistic_id ?? '';
    if (!statisticIdPattern.test(id)) throw new CommandError('home_assistant_error', 'Invalid statistic_id');
    if (source !== id.split(':')[0]) throw new CommandError('home_assistant_error', 'Invalid source');
    if (unit_class !== null && unit_class !== undefined) {
      const units = unitsOfClasses[unit_class];
      if (units === undefined) throw new CommandError('home_assistant_error', 'Unsupported unit_class');
      if (!units.includes(unit_of_measurement ?? '')) {
        throw new CommandError('home_assistant_error', 'Unsupported unit_of_measurement');
      }
    }
    const rows = (stats as Fields[]).map(rowOf);
    this.metadata.set(id, { name: name ?? null, unit: unit_of_measurement ?? null, unitClass: unit_class ?? null });
    const table = this.tables.get(id) ?? new Map<number, StatisticsRow>();
    this.tables.set(id, table);
    for (const row of rows) table.set(row.start, row);
  }

  private clear(message: Fields): void {
    const { statistic_ids: ids } = message;
    expectKeys(message, ['type', 'statistic_ids']);
    expect(Array.isArray(ids) && ids.every(isText), 'statistic_ids');
    for (const id of ids as string[]) {
      this.tables.delete(id);
      this.metadata.delete(id);
    }
  }
}

function rowOf({ start, state, sum }: Fields): StatisticsRow {
  const text = String(start);
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(text)) throw new CommandError('home_assistant_error', 'Naive timestamp');
  const at = Date.parse(text);
  if (at % 3_600_000 !== 0) throw new CommandError('home_assistant_error', 'Invalid timestamp');
  return { start: at, state: state === undefined ? null : Number(state), sum: sum === undefined ? null : Number(sum) };
}

/** Requires all required keys and no others than the optional ones: voluptuous refuses extra keys. */
function keeps(value: unknown, { required, optional }: Schema): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = value as Fields;
  const all: Readonly<Record<string, Check>> = { ...required, ...optional };
  return (
    Object.keys(required).every((key) => key in fields) &&
    Object.entries(fields).every(([key, one]) => all[key]?.(one) === true)
  );
}

function expectKeys(message: Fields, keys: readonly string[]): void {
  const extra = Object.keys(message).find((key) => !keys.includes(key));
  expect(extra === undefined, `extra keys not allowed: ${extra}`);
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new CommandError('invalid_format', what);
}
