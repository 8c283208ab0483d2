/** The options of a request for a payload, of a connection and of the balances of its house. */
import type { PeriodSeriesPayload } from './payload';

/** A series as one of several responses that differ. */
export interface SeriesVersion {
  readonly payload: PeriodSeriesPayload;
  /** Keeps it, because counters agree with it. */
  settle(): Promise<void>;
}

/** Default deadline: that of the connection. Default patience: `user`. */
export interface ReadOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  readonly patience?: 'poll' | 'user';
  /** One of the many requests of a long operation, such as a year. */
  readonly isBulk?: boolean;
  /** Called for a series of which the monitor sent different values for a slot, which is left out. */
  readonly onChanged?: (versions: readonly SeriesVersion[]) => void;
  /**
   * Called for a series that was read less than 48 hours after its end, so that its slots can still change.
   *
   * @param asOf epoch ms; it can have what had arrived then
   */
  readonly onUnsettled?: (asOf: number) => void;
}
