/**
 * Long-term statistics as Home Assistant stores them, and what the Energy dashboard draws of them: one row per statistic and start, and
 * a bar is the difference to the row before. It takes the three commands of the example home-assistant-history. Which ids, units and
 * rows Home Assistant accepts is tested with the real one (test/home-assistant/past.test.ts and energy-pages.test.ts).
 */
import { isRecord, type UnknownRecord } from '../../../src/checks/record';

export interface StatisticsRow {
  /** Epoch ms. */
  readonly start: number;
  readonly state: number | null;
  readonly sum: number | null;
}

export interface Bar {
  readonly start: number;
  readonly change: number;
}

export class LongTermStatistics {
  readonly metadata = new Map<string, UnknownRecord>();
  private readonly tables = new Map<string, Map<number, StatisticsRow>>();

  /** Handles a command of the recorder, and returns its result. */
  runCommand(command: UnknownRecord): unknown {
    switch (command['type']) {
      case 'recorder/import_statistics':
        this.import(command);
        return null;
      case 'recorder/clear_statistics':
        for (const id of listIds(command)) {
          this.tables.delete(id);
          this.metadata.delete(id);
        }
        return null;
      case 'recorder/statistics_during_period':
        return this.during(command);
      default:
        throw new Error(`no command for statistics: ${JSON.stringify(command)}`);
    }
  }

  get ids(): string[] {
    return [...this.tables.keys()].sort();
  }

  /** Ascending. */
  rows(id: string): StatisticsRow[] {
    return [...(this.tables.get(id)?.values() ?? [])].sort((a, b) => a.start - b.start);
  }

  /** The bars of the Energy dashboard, one per row. The first one is the difference to 0. */
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

  /** The sums of the hours that begin in the period. */
  private during(command: UnknownRecord): Readonly<Record<string, readonly object[]>> {
    const [from, to] = [Date.parse(String(command['start_time'])), Date.parse(String(command['end_time']))];
    const found = listIds(command).map((id): [string, readonly object[]] => {
      const rows = this.rows(id).filter(({ start }) => start >= from && start < to);
      return [id, rows.map(({ start, sum }) => ({ start, end: start + 3_600_000, sum }))];
    });
    return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
  }

  private import({ metadata, stats }: UnknownRecord): void {
    if (!isRecord(metadata) || !Array.isArray(stats)) throw new TypeError('no metadata or no rows');
    const id = String(metadata['statistic_id']);
    this.metadata.set(id, metadata);
    const table = this.tables.get(id) ?? new Map<number, StatisticsRow>();
    this.tables.set(id, table);
    for (const { start: text, state = null, sum = null } of stats.filter(isRecord)) {
      const start = Date.parse(String(text));
      const read = (value: unknown): number | null => (value === null ? null : Number(value));
      table.set(start, { start, state: read(state), sum: read(sum) });
    }
  }
}

function listIds({ statistic_ids: ids }: UnknownRecord): string[] {
  if (!Array.isArray(ids)) throw new TypeError('no statistic_ids');
  return ids.map(String);
}
