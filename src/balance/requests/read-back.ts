/**
 * Reads the past of a monitor in the own network backwards, behind everything else: the days and the monitor's own sums, which the
 * connection keeps. What is kept needs no request.
 */
import {
  type Period,
  periodContaining,
  type PeriodOf,
  periodsBetween,
  previousPeriod,
  type SeriesPeriod,
} from '../../calendar/periods';
import { CemmError, isInternalFault, toCemmError } from '../../errors';
import { createPause } from '../../time/pause';
import { dayMs, millis, minuteMs } from '../../time/units';
import { waitFor } from '../../time/wait';
import { setRecent } from '../../checks/set-recent';
import { isOver } from '../../store/past-rules';
import { type BalanceParts, type BalanceTarget, findHouse, type ReadOptions } from '../house-reader';
import { isCounting } from '../../model/incremental-series';
import type { PeriodSeriesPayload } from '../../model/payload';
import type { MonitorId } from '../../protocol/mac';
import type { HouseMeter } from '../meters/choice';
import type { Slot } from '../meters/shape';
import { readNetSlots } from '../meters/slots';
import { isElectric, isMonthKnown } from './plan';

export interface ReadBackState {
  /** The oldest month that is read, such as `2025-03`; null: none is. */
  readonly month: string | null;
  readonly hasBegun: boolean;
  /** The past is read as far as the monitor knows it, or as far as it is wanted. */
  readonly isDone: boolean;
}

/** A message may name a monitor that does not exist. */
const mostTargets = 200;
const mostMonths = 36;
/** After so many months of nothing the monitor was not there. */
const monthsOfNothing = 12;
/** From the end of one request to the next one. */
const leastMs = 1_000;
/** After a failure that may pass. */
const pauseMs = 10 * minuteMs;

/** The monitor's own sums of the months of a year: one list for each electric meter that has answered. */
type Sums = readonly (readonly Slot[])[];

interface Wanted {
  readonly monitor: MonitorId;
  readonly meters: readonly HouseMeter[];
  /** By year. */
  readonly sums: Map<string, Sums>;
}

export class ReadBack {
  /** By monitor and chosen meters: two nodes of one house may count different ones. */
  private readonly targets = new Map<string, BalanceTarget>();
  private readonly abort = new AbortController();
  private readonly pause = createPause();
  private isRunning = false;
  private begunAt = -Infinity;
  private lastAt = -Infinity;
  private month: string | null = null;
  private isDone = false;

  constructor(private readonly parts: BalanceParts) {}

  get state(): ReadBackState {
    const { month, isDone } = this;
    return { month, isDone, hasBegun: this.targets.size > 0 };
  }

  /** Begins, or goes on; the days since the last time are read too. */
  want(target: BalanceTarget): void {
    const key = JSON.stringify([target.monitor, target.meters]);
    const isNew = !this.targets.has(key);
    if (isNew) setRecent(this.targets, key, target, mostTargets);
    else this.targets.set(key, target);
    const isOld = this.parts.clock.monotonic() - this.begunAt >= dayMs;
    if (this.isRunning || this.abort.signal.aborted || !(isNew || isOld)) return;
    void this.run();
  }

  close(): void {
    this.abort.abort();
  }

  private get ask(): ReadOptions {
    return { signal: this.abort.signal, patience: 'poll', isBulk: true };
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    this.isRunning = true;
    this.isDone = false;
    let isRead = false;
    for (let read = 0; read < this.targets.size && !this.abort.signal.aborted; read += 1) {
      this.begunAt = this.parts.clock.monotonic();
      const target = [...this.targets.values()][read];
      try {
        if (target !== undefined) await this.readPast(target);
        isRead = true;
      } catch {
        // Closed, or without a meter to read: each question about a balance gets the reason. The past of the others is read.
      }
    }
    this.isDone = isRead && !this.abort.signal.aborted;
    this.isRunning = false;
  }

  private async readPast(target: BalanceTarget): Promise<void> {
    const { clock, reader } = this.parts;
    const house = await this.request(() => findHouse(reader, target, this.ask));
    if (house === null) throw new CemmError('INPUT', { reason: 'no_meters' });
    const wanted: Wanted = { monitor: house.monitor.id, meters: house.meters, sums: new Map() };
    let month = periodContaining('month', reader.timezone, clock.now());
    let nothing = 0;
    for (let count = 0; count < mostMonths && nothing < monthsOfNothing; count += 1) {
      const hasValues = (await this.isKnown(month, wanted)) && (await this.readMonth(month, wanted));
      nothing = hasValues ? 0 : nothing + 1;
      if (hasValues && (this.month === null || month.label < this.month)) this.month = month.label;
      month = previousPeriod(month);
    }
  }

  /** False if the monitor's own sum of the month is 0 or nothing. */
  private async isKnown({ timezone, start }: Period, wanted: Wanted): Promise<boolean> {
    const year = periodContaining('year', timezone, millis(start));
    const sums = wanted.sums.get(year.label) ?? (await this.readSums(year, wanted));
    wanted.sums.set(year.label, sums);
    return isMonthKnown(start, sums);
  }

  private async readSums(year: PeriodOf<'year'>, wanted: Wanted): Promise<Sums> {
    const lists: (readonly Slot[])[] = [];
    for (const meter of wanted.meters.filter(isElectric)) {
      const payload = await this.request(() => this.series(wanted, meter, year));
      if (payload !== null) lists.push(readNetSlots(payload));
    }
    return lists;
  }

  /** @returns true if anything was there */
  private async readMonth(month: PeriodOf<'month'>, wanted: Wanted): Promise<boolean> {
    const { clock } = this.parts;
    const { timezone, start, end } = month;
    let hasValues = false;
    const read = async (meter: HouseMeter, period: SeriesPeriod): Promise<void> => {
      if (isOver(period, clock.now())) hasValues = (await this.readSeries(wanted, meter, period)) || hasValues;
    };
    const days = periodsBetween('day', timezone, start, millis(Math.min(end - 1, clock.now())));
    for (const day of days.reverse()) {
      for (const meter of wanted.meters.filter(hasDays)) await read(meter, day);
    }
    // A bill counts gas and water by these.
    for (const meter of wanted.meters) await read(meter, month);
    return hasValues;
  }

  private async readSeries(wanted: Wanted, meter: HouseMeter, period: SeriesPeriod): Promise<boolean> {
    const target = { monitor: wanted.monitor, alias: meter.name, role: meter.role };
    const kept = await this.parts.reader.hasKeptValues?.(target, period, this.ask);
    if (kept !== undefined && kept !== null) {
      await this.pause();
      if (this.abort.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
      return kept;
    }
    const payload = await this.request(() => this.series(wanted, meter, period));
    return payload !== null && hasSomething(payload);
  }

  private series({ monitor }: Wanted, { name, role }: HouseMeter, period: SeriesPeriod): Promise<PeriodSeriesPayload> {
    return this.parts.reader.readSeries({ monitor, alias: name, role }, period, this.ask);
  }

  /** Null after a failure that stays. */
  private async request<Answer>(send: () => Promise<Answer>): Promise<Answer | null> {
    for (;;) {
      await this.turn();
      try {
        return await send();
      } catch (thrown) {
        const error = toCemmError(thrown);
        if (error.code === 'CANCELLED' || isInternalFault(error)) throw error;
        if (!error.retryable) return null;
        await this.wait(pauseMs);
      } finally {
        this.lastAt = this.parts.clock.monotonic();
      }
    }
  }

  /** Waits until nothing else is requested, and at least a second after the last request. */
  private async turn(): Promise<void> {
    const { clock, reader } = this.parts;
    for (;;) {
      const leftMs = this.lastAt + leastMs - clock.monotonic();
      if (leftMs > 0) await this.wait(leftMs);
      if (reader.isIdle !== false) return;
      await this.wait(leastMs);
    }
  }

  /** @throws {CemmError} CANCELLED when it is closed */
  private async wait(ms: number): Promise<void> {
    const { signal } = this.abort;
    await waitFor(this.parts.clock, ms, signal);
    if (signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
  }
}

/** Gas and water have sums of days; their minutes are read for the day that is looked at. */
function hasDays({ role }: HouseMeter): boolean {
  return role !== 'gas' && role !== 'water';
}

/** A monitor has 0 or nothing for a time before it was there. */
function hasSomething({ points }: PeriodSeriesPayload): boolean {
  return points.some(isCounting);
}
