/** A day, month or year of the installation: half-open, in the installation's own time zone (23, 24 or 25 hour days). */
import type { Millis } from '../wire/time';

export type PeriodUnit = 'day' | 'month' | 'year';

export interface Period {
  readonly unit: PeriodUnit;
  /** `2026-10-25`, `2026-10` or `2026`. */
  readonly label: string;
  /** IANA name. */
  readonly timezone: string;
  /** First moment of the period. */
  readonly start: Millis;
  /** First moment after it. */
  readonly end: Millis;
}
