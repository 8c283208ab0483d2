/** The file of a report. */
import type { CheckedConnection } from '../diagnostics/check-target';
import type { LeftOut, ReportedDelivery } from './deliveries';
import type { Made } from './read-all';
import type { Exchange } from './recording';

export const reportFormat = 'cemm-report/1';

export interface Report {
  readonly format: typeof reportFormat;
  readonly package: string;
  readonly node: string;
  readonly mode: CheckedConnection['mode'] | 'webhook';
  readonly timezone: string;
  /** Moved time of the report, Unix ms. */
  readonly at: number;
  /** The curves of two days are in it. */
  readonly withDays: boolean;
  /** Kind → number of different originals that were replaced. */
  readonly replaced: Readonly<Record<string, number>>;
  readonly exchanges: readonly Exchange[];
  readonly made: readonly Made[];
  readonly deliveries: readonly ReportedDelivery[];
  /** Absent if all deliveries that came are in the report. */
  readonly leftOut?: readonly LeftOut[];
}

/** The text of the file. */
export function fileOf(report: Report): string {
  return `${JSON.stringify(report, null, 1)}\n`;
}
