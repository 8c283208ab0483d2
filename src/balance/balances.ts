/** The balances of the house behind a connection: of a period, and at present. */
import type { DayRange } from '../calendar/periods';
import { CemmError, isInternalFault, toCemmError } from '../errors';
import { checkedInterval } from '../time/interval-timer';
import type { BalancePayload } from '../model/payload';
import { billedRoles, billOf, type BillQuestion, yearOfBill } from './bill/bill';
import { reasonAgainst, type ReadYear } from './bill/expected';
import {
  type BalanceParts,
  type BalanceTarget,
  hasReadingsOfThePast,
  type ReadBalanceOptions,
  withoutListeners,
} from './house-reader';
import { MonthPeaks } from './now/month-peaks';
import { RunningQuarters } from './now/running-quarters';
import { type BalanceListener, BalanceWatch, type NowTarget, readBalanceNow } from './requests/now-reader';
import type { ReadHouse } from './period/period-balance';
import { finishedProgress } from './requests/progress';
import { ReadBack, type ReadBackState } from './requests/read-back';
import { BalanceReader, type CounterStore, type PeriodBalanceTarget } from './requests/period-reader';

export type BillTarget = BalanceTarget &
  BillQuestion & {
    readonly period: DayRange;
    /** A contract year is made of what is kept alone, as the days of the question are others. Default: it is read as well. */
    readonly hasDates?: boolean;
    /** Without it, earlier midnights of a local monitor are unknown. */
    readonly counters: CounterStore | null;
  };

export interface PresentTarget extends BalanceTarget {
  readonly intervalMs: number;
  /** Least power that the capacity tariff charges, W; 0 without it. Null or absent: the peak of the month is not read. */
  readonly leastPeak?: number | null;
}

/** The balances of a house, however its monitor is read. */
export interface HouseBalances extends Pick<
  Balances,
  'read' | 'bill' | 'readNow' | 'keepCounters' | 'watch' | 'readBack'
> {
  readonly readBackState: ReadBackState | null;
  readonly hasReadingsOfThePast: boolean;
  /** The days of a bill that are known, where nothing more can be asked; null where all of them may be. */
  knownDays?(target: BalanceTarget, period: DayRange, ask: ReadBalanceOptions): Promise<DayRange | null>;
}

/** Created once per connection, so all callers share the final responses. */
export class Balances {
  private readonly reader: BalanceReader;
  private readonly quarters = new RunningQuarters();
  private readonly watches = new Set<BalanceWatch>();
  private readonly months: MonthPeaks;
  private readonly past: ReadBack | null;
  /** The last bill of this connection: the next one is computed after it. */
  private billing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: BalanceParts) {
    this.reader = new BalanceReader(parts);
    this.past = parts.readsBack === true ? new ReadBack(parts) : null;
    const { clock, reader } = parts;
    this.months = new MonthPeaks(clock, reader.timezone, (target, period, signal) =>
      this.reader.read(
        { ...target, period, step: 'P1D', prices: null, wantsPeak: true, counters: null },
        { signal, patience: 'poll', isBulk: true },
      ),
    );
  }

  /** False for a monitor that is requested directly: it has current readings only, and they have to be stored. */
  get hasReadingsOfThePast(): boolean {
    return hasReadingsOfThePast(this.parts.reader);
  }

  /**
   * The balance of a day, month or year.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers or the responses end halfway
   */
  read(target: PeriodBalanceTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return this.reader.read(target, ask);
  }

  /**
   * The bill of a range of days. It reads meter readings and minutes of each day, which may take long.
   * @throws {CemmError} as read
   */
  async bill(target: BillTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    const { onPart } = ask;
    const house = await this.reader.readHouse(
      { ...target, prices: null, wantsPeak: true, roles: billedRoles },
      { ...ask, isBulk: true },
      onPart === undefined ? null : { toBalance: (part) => this.inTurn(part, target, null, ask.signal), send: onPart },
    );
    const year = await this.readYear(target, ask);
    const bill = this.inTurn(house, target, year, ask.signal);
    if (onPart === undefined) return bill;
    return { ...(await bill), progress: finishedProgress(target.period, house.now) };
  }

  /** One bill is computed at a time; it ends with its viewer. */
  private inTurn(
    house: ReadHouse,
    target: BillTarget,
    year: ReadYear | null,
    signal: AbortSignal,
  ): Promise<BalancePayload> {
    const bill = this.billing.then(() => {
      // Its viewer may have left while another bill was computed.
      if (signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
      return billOf(house, target, year, signal);
    });
    this.billing = bill.catch(() => undefined);
    return bill;
  }

  /** The days of the contract year, most of which are those of the bill. Null for a bill without contracts. */
  private async readYear(target: BillTarget, ask: ReadBalanceOptions): Promise<ReadYear | null> {
    const { clock, reader } = this.parts;
    const year = yearOfBill(target, clock.now(), reader.timezone);
    if (year === null) return null;
    if (reasonAgainst(year) !== null) return { year, house: null };
    const { hasDates = false, ...rest } = target;
    try {
      const house = await this.reader.readHouse(
        { ...rest, period: year.measured, prices: null, wantsPeak: true, roles: billedRoles, onlyKept: hasDates },
        { ...withoutListeners(ask), isBulk: true },
      );
      return { year, house };
    } catch (thrown) {
      const error = toCemmError(thrown);
      if (error.code === 'CANCELLED' || isInternalFault(error)) throw error;
      return { year, house: null };
    }
  }

  /**
   * The current balance: reads every meter once.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers
   */
  readNow(target: PresentTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return readBalanceNow(this.parts, this.quarters, this.withMonth(target), ask);
  }

  /**
   * Reads the counters and stores their readings.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers
   */
  keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void> {
    return this.reader.keepCounters(target, store, ask);
  }

  /**
   * Polls until the returned function is called.
   * @throws {CemmError} CONFIG `interval`
   */
  watch(target: PresentTarget, listener: BalanceListener): () => void {
    const intervalMs = checkedInterval(target.intervalMs);
    const watch = new BalanceWatch(this.parts, this.quarters, { ...this.withMonth(target), intervalMs }, listener);
    this.watches.add(watch);
    return () => {
      this.watches.delete(watch);
      watch.stop();
    };
  }

  /** Reads the past of the house in the background, where the connection does so. */
  readBack(target: BalanceTarget): void {
    this.past?.want(target);
  }

  /** Null where the past is not read in the background. */
  get readBackState(): ReadBackState | null {
    return this.past?.state ?? null;
  }

  private withMonth(target: PresentTarget): NowTarget {
    const { leastPeak = null } = target;
    if (leastPeak === null) return target;
    return { ...target, monthPeak: () => ({ power_w: this.months.powerOf(target), atLeast_w: leastPeak }) };
  }

  close(): void {
    this.months.close();
    this.past?.close();
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
  }
}
