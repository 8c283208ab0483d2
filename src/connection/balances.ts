/** Balances of a connection to an Open API: of a period, and of this moment. */
import type { BalancePayload } from '../model/payload';
import {
  BalanceReader,
  type BalanceParts,
  type BalanceTarget,
  type CounterStore,
  type PeriodBalanceTarget,
  type ReadBalanceOptions,
} from './balance-reader';
import { BalanceWatch, readBalanceNow, RunningQuarters, type BalanceListener, type NowTarget } from './balance-watch';
import { checkedInterval } from './poller';

/** The balances of one connection. */
export interface Balances {
  /** False for a monitor that is requested directly: it has the readings of now only, and they have to be stored. */
  readonly hasReadingsOfThePast: boolean;
  /**
   * A day, month or year.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers or the responses end halfway
   */
  read(target: PeriodBalanceTarget, ask: ReadBalanceOptions): Promise<BalancePayload>;
  /**
   * This moment: reads every meter once.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers
   */
  readNow(target: NowTarget, ask: ReadBalanceOptions): Promise<BalancePayload>;
  /**
   * Reads what the counters show now, and stores it.
   * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers
   */
  keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void>;
  /**
   * Polls until the returned function is called.
   * @throws {CemmError} CONFIG `interval`
   */
  watch(target: NowTarget, listener: BalanceListener): () => void;
}

export class OpenApiBalances implements Balances {
  readonly hasReadingsOfThePast: boolean;
  private readonly reader: BalanceReader;
  private readonly quarters = new RunningQuarters();
  private readonly watches = new Set<BalanceWatch>();

  constructor(private readonly parts: BalanceParts) {
    this.hasReadingsOfThePast = parts.hasTotals;
    this.reader = new BalanceReader(parts);
  }

  read(target: PeriodBalanceTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return this.reader.read(target, ask);
  }

  readNow(target: NowTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return readBalanceNow(this.parts, this.reader, this.quarters, target, ask);
  }

  keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void> {
    return this.reader.keepCounters(target, store, ask);
  }

  watch(target: NowTarget, listener: BalanceListener): () => void {
    const intervalMs = checkedInterval(target.intervalMs);
    const watch = new BalanceWatch(this.parts, this.reader, this.quarters, { ...target, intervalMs }, listener);
    this.watches.add(watch);
    return () => {
      this.watches.delete(watch);
      watch.stop();
    };
  }

  close(): void {
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
    this.reader.close();
  }
}
