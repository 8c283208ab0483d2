/** The balances of the house behind a connection: of a period, and at present. */
import type { DayRange } from '../calendar/periods';
import { checkedInterval } from '../interval-timer';
import type { BalancePayload } from '../model/payload';
import { billedRoles, billOf, type BillQuestion } from './bill/bill';
import { type BalanceParts, type BalanceTarget, hasReadingsOfThePast, type ReadBalanceOptions } from './house-reader';
import { RunningQuarters } from './now/running-quarters';
import { type BalanceListener, BalanceWatch, type NowTarget, readBalanceNow } from './requests/now-reader';
import { BalanceReader, type CounterStore, type PeriodBalanceTarget } from './requests/period-reader';

export type BillTarget = BalanceTarget &
  BillQuestion & {
    readonly period: DayRange;
    /** Without it, earlier midnights of a local monitor are unknown. */
    readonly counters: CounterStore | null;
  };

/** Created once per connection, so all callers share the final responses. */
export class Balances {
  private readonly reader: BalanceReader;
  private readonly quarters = new RunningQuarters();
  private readonly watches = new Set<BalanceWatch>();

  constructor(private readonly parts: BalanceParts) {
    this.reader = new BalanceReader(parts);
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
    const house = await this.reader.readHouse(
      { ...target, prices: null, wantsPeak: true, roles: billedRoles },
      { ...ask, isBulk: true },
    );
    return billOf(house, target);
  }

  /**
   * The current balance: reads every meter once.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers
   */
  readNow(target: NowTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return readBalanceNow(this.parts, this.quarters, target, ask);
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
  watch(target: NowTarget, listener: BalanceListener): () => void {
    const intervalMs = checkedInterval(target.intervalMs);
    const watch = new BalanceWatch(this.parts, this.quarters, { ...target, intervalMs }, listener);
    this.watches.add(watch);
    return () => {
      this.watches.delete(watch);
      watch.stop();
    };
  }

  close(): void {
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
  }
}
