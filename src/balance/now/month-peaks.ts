/** The highest quarter of the running month of each house, read in the background at most once a quarter of an hour. */
import { periodContaining, type PeriodOf } from '../../calendar/periods';
import type { Clock } from '../../time/clock';
import type { BalancePayload } from '../../model/payload';
import { millis, quarterMs } from '../../time/units';
import type { BalanceTarget } from '../house-reader';
import { setRecent } from '../../checks/set-recent';

/** Reads the balance of a month with its quarters. */
type ReadMonth = (target: BalanceTarget, month: PeriodOf<'month'>, signal: AbortSignal) => Promise<BalancePayload>;

interface Known {
  /** First moment of its month. */
  readonly month: number;
  /** Quarter in which it was read last. */
  readonly quarter: number;
  /** W; null: not known yet. */
  readonly power: number | null;
}

/** Number of houses. */
const mostHouses = 1000;

export class MonthPeaks {
  private readonly known = new Map<string, Known>();
  private readonly controller = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly timezone: string,
    private readonly read: ReadMonth,
  ) {}

  /** The highest power known so far, W; null until the month was read, also where that fails. */
  powerOf(target: BalanceTarget): number | null {
    const now = this.clock.now();
    const month = periodContaining('month', this.timezone, millis(now));
    const quarter = Math.floor(now / quarterMs);
    const house = JSON.stringify([target.monitor, target.meters]);
    const before = this.known.get(house);
    const power = before?.month === month.start ? before.power : null;
    if (before?.month !== month.start || before.quarter !== quarter) {
      setRecent(this.known, house, { month: month.start, quarter, power }, mostHouses);
      void this.readAgain(house, target, month);
    }
    return power;
  }

  close(): void {
    this.controller.abort();
  }

  private async readAgain(house: string, target: BalanceTarget, month: PeriodOf<'month'>): Promise<void> {
    try {
      const { peak } = await this.read(target, month, this.controller.signal);
      const now = this.known.get(house);
      if (now?.month !== month.start) return;
      setRecent(this.known, house, { ...now, power: peak?.power_w ?? now.power }, mostHouses);
    } catch {
      // The balance of the month reports it; here the power stays unknown, and the next quarter tries again.
    }
  }
}
