/**
 * Long-term statistics as Home Assistant keeps them: what the websocket commands of the recorder accept, how rows are stored, and what
 * the Energy dashboard draws of them. The real Home Assistant gives the same answers (recorded-requests.ts); it is not used where a test
 * needs many imports, or errors and pauses of Home Assistant.
 *
 * Source, https://github.com/home-assistant/core, in homeassistant/components/recorder:
 * - websocket_api.py, `ws_import_statistics`, `ws_clear_statistics` and `ws_get_statistics_during_period`: schema of the commands.
 * - statistics.py: `valid_statistic_id`, `async_add_external_statistics`, `_async_import_statistics` (unit class, unit and start),
 *   `_import_statistics_with_session` (one row per statistic and start), `_augment_result_with_change` (a bar is the difference to the row
 *   before, and to 0 before the first row).
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
    readonly code:
      'invalid_format' | 'unknown_command' | 'home_assistant_error' | 'invalid_start_time' | 'invalid_end_time',
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
    name: isTextOrNone,
    source: isText,
    statistic_id: isText,
    unit_of_measurement: isTextOrNone,
  },
  optional: {
    has_mean: isFlag,
    mean_type: (value) => value === 0 || value === 1 || value === 2,
    unit_class: isTextOrNone,
  },
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

/** The units of this package; Home Assistant has more. */
const unitsOfClasses: Readonly<Record<string, readonly string[]>> = { energy: ['kWh'], volume: ['m³'] };
const periods: readonly unknown[] = ['5minute', 'hour', 'day', 'week', 'month', 'year'];
const rowTypes: readonly unknown[] = ['change', 'last_reset', 'max', 'mean', 'min', 'state', 'sum'];

const statisticIdPattern = /^(?!.+__)(?!_)[\da-z_]+(?<!_):(?!_)[\da-z_]+(?<!_)$/;

export class LongTermStatistics {
  readonly metadata = new Map<string, StatisticsMetadata>();
  /** Fields that a later version requires: Home Assistant writes a warning to its log. */
  readonly warnings: string[] = [];
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

  /** Rows that begin in the period. */
  private during(message: Fields): Readonly<Record<string, readonly object[]>> {
    const { start_time, end_time, statistic_ids: ids, period, types } = message;
    expectKeys(message, ['type', 'start_time', 'end_time', 'statistic_ids', 'period', 'types']);
    expect(isText(start_time) && isText(end_time), 'time');
    expect(Array.isArray(ids) && ids.length > 0 && ids.every(isText), 'statistic_ids');
    expect(periods.includes(period), 'period');
    expect(Array.isArray(types) && types.every((type) => rowTypes.includes(type)), 'types');
    const [from, to] = [Date.parse(String(start_time)), Date.parse(String(end_time))];
    if (Number.isNaN(from)) throw new CommandError('invalid_start_time', 'Invalid start_time');
    if (Number.isNaN(to)) throw new CommandError('invalid_end_time', 'Invalid end_time');
    if (period !== 'hour' || String(types) !== 'sum') throw new Error('only the sums of hours are kept here');
    const found = (ids as string[]).map((id): [string, readonly object[]] => {
      const rows = this.rows(id).filter(({ start }) => start >= from && start < to);
      return [id, rows.map(({ start, sum }) => ({ start, end: start + 3_600_000, sum }))];
    });
    return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
  }

  private import(message: Fields): void {
    const { metadata, stats } = message;
    expectKeys(message, ['type', 'metadata', 'stats']);
    expect(keeps(metadata, metadataSchema), 'metadata');
    expect(Array.isArray(stats) && stats.every((row) => keeps(row, rowSchema)), 'stats');
    const { statistic_id, source, unit_of_measurement, name, ...more } = metadata as Record<string, string | null>;
    for (const field of ['mean_type', 'unit_class']) if (!(field in more)) this.warnings.push(field);
    const id = statistic_id ?? '';
    if (!statisticIdPattern.test(id)) throw new CommandError('home_assistant_error', 'Invalid statistic_id');
    if (source !== id.split(':')[0]) throw new CommandError('home_assistant_error', 'Invalid source');
    const unit = unit_of_measurement ?? null;
    const { unit_class: unitClass = classOf(unit) } = more;
    if (unitClass !== null) {
      const units = unitsOfClasses[unitClass];
      if (units === undefined) throw new CommandError('home_assistant_error', `Unsupported unit_class: '${unitClass}'`);
      if (unit === null || !units.includes(unit)) {
        const sentence = `Unsupported unit_of_measurement '${unit ?? 'None'}' for unit_class '${unitClass}'`;
        throw new CommandError('home_assistant_error', sentence);
      }
    }
    const rows = (stats as Fields[]).map(readStatisticsRow);
    this.metadata.set(id, { name: name ?? null, unit, unitClass });
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

/** Where it is left out, Home Assistant takes the class of the unit. */
function classOf(unit: string | null): string | null {
  return Object.keys(unitsOfClasses).find((name) => unit !== null && unitsOfClasses[name]?.includes(unit)) ?? null;
}

const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/;
const isFullHour = /T\d\d(?::00(?::00(?:\.0+)?)?)?(?:Z|[+-]\d\d:?\d\d)$/;

function readStatisticsRow({ start, state, sum, last_reset: reset }: Fields): StatisticsRow {
  const text = String(start);
  const refuse = (sentence: string): never => {
    throw new CommandError('home_assistant_error', sentence);
  };
  if (!hasZone.test(text)) refuse('Naive timestamp: no or invalid timezone info provided');
  if (!isFullHour.test(text)) {
    refuse('Invalid timestamp: timestamps must be from the top of the hour (minutes and seconds = 0)');
  }
  if (isText(reset) && !hasZone.test(String(reset))) refuse('Naive timestamp');
  const numberOf = (value: unknown): number | null => (value === undefined ? null : Number(value));
  return { start: Date.parse(text), state: numberOf(state), sum: numberOf(sum) };
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
