/** The options of a request for a payload, of a connection and of the balances of its house. */
import type { PeriodSeriesPayload } from './payload';

/** A series as one of several responses that differ. */
export interface SeriesVersion {
  readonly payload: PeriodSeriesPayload;
  /** Keeps it, because counters agree with it. */
  settle(): Promise<void>;
}

/** When a series was read. Times in epoch ms. */
export interface SeriesRead {
  /** It can have what had arrived then. */
  readonly asOf: number;
  /** True if that was 48 hours or more after its end. */
  readonly isSettled: boolean;
  /** The monitor lacked then what is known of the series; absent if it never did. */
  readonly forgotAt?: number;
}

/** The kept part of a series. */
export interface KeptSeriesPayload {
  readonly payload: PeriodSeriesPayload;
  /** True if no request would be sent for it. */
  readonly isFinal: boolean;
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
  /** Called for a series that is kept. */
  readonly onRead?: (read: SeriesRead) => void;
}
