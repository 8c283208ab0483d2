/** Counters by month that rise when a user wants what is kept to be read again: a time alone would depend on the clock. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { largest } from '../checks/extremes';
import { isRecord } from '../checks/record';
import { writeWhole } from './month-file';

export const roundsFile = 'rounds.json';

export class Rounds {
  private known: Promise<Map<string, number>> | null = null;

  constructor(private readonly folder: string | null) {}

  /** @param month such as `2026-05` */
  async of(month: string): Promise<number> {
    const rounds = await this.read();
    return Math.max(rounds.get('') ?? 0, rounds.get(month) ?? 0);
  }

  /**
   * @param month null: all months
   * @returns false if it is not written
   */
  async raise(month: string | null, now: number): Promise<boolean> {
    if (month !== null && !/^\d{4}-\d{2}$/.test(month)) return true;
    const rounds = await this.read();
    // Rounds begin at the time, so that they rise even if their file is lost.
    rounds.set(month ?? '', Math.max(largest(rounds.values()) + 1, Math.floor(now / 1000)));
    if (this.folder === null) return true;
    try {
      await writeWhole(join(this.folder, roundsFile), JSON.stringify(Object.fromEntries(rounds)));
      return true;
    } catch {
      return false;
    }
  }

  private read(): Promise<Map<string, number>> {
    this.known ??= this.fromFile();
    return this.known;
  }

  private async fromFile(): Promise<Map<string, number>> {
    try {
      const text = this.folder === null ? '{}' : await readFile(join(this.folder, roundsFile), 'utf8');
      const rounds: unknown = JSON.parse(text);
      const pairs = isRecord(rounds) ? Object.entries(rounds) : [];
      return new Map(pairs.flatMap(([month, round]) => (typeof round === 'number' ? [[month, round] as const] : [])));
    } catch {
      return new Map();
    }
  }
}
