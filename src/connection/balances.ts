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

export class Balances {
  /** False for a monitor that is asked directly: it tells the readings of now only, and they have to be kept. */
  readonly hasReadingsOfThePast: boolean;
  private readonly reader: BalanceReader;
  private readonly quarters = new RunningQuarters();
  private readonly watches = new Set<BalanceWatch>();

  constructor(private readonly parts: BalanceParts) {
    this.hasReadingsOfThePast = parts.hasTotals;
    this.reader = new BalanceReader(parts);
  }

  /** @throws CemmError as BalanceReader.read */
  read(target: PeriodBalanceTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return this.reader.read(target, ask);
  }

  /** @throws CemmError as readBalanceNow */
  readNow(target: NowTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    return readBalanceNow(this.parts, this.reader, this.quarters, target, ask);
  }

  /** @throws CemmError as BalanceReader.keepCounters */
  keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void> {
    return this.reader.keepCounters(target, store, ask);
  }

  /** Polls until the returned function is called. @throws CemmError CONFIG `interval` */
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
