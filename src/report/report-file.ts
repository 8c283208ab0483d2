/** The file of a report. */
import { isTimezone } from '../calendar/zone';
import type { CheckedConnection } from '../diagnostics/check-target';
import { toMillis } from '../protocol/time';
import { isRecord } from '../record';
import type { ReportedDelivery } from './deliveries';
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
}

/** The text of the file. */
export function fileOf(report: Report): string {
  return `${JSON.stringify(report, null, 1)}\n`;
}

/** A file is no report, or one of another version. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** @throws {ReportError} */
export function readReport(text: string): Report {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new ReportError('The file is not JSON.');
  }
  if (!isReport(read)) throw new ReportError(`The file is not a report of the format ${reportFormat}.`);
  return read;
}

const modes: ReadonlySet<unknown> = new Set(['remote', 'local', 'public', 'webhook']);

function isReport(value: unknown): value is Report {
  if (!isRecord(value) || value['format'] !== reportFormat || !modes.has(value['mode'])) return false;
  if (!isTimezone(value['timezone']) || toMillis(value['at']) === null) return false;
  const { exchanges, made, deliveries } = value;
  return Array.isArray(exchanges) && exchanges.every(isExchange) && Array.isArray(made) && Array.isArray(deliveries);
}

function isExchange(value: unknown): boolean {
  if (!isRecord(value) || typeof value['path'] !== 'string' || !isRecord(value['query'])) return false;
  const { answer } = value;
  return isRecord(answer) && (typeof answer['status'] === 'number' || isRecord(answer['failure']));
}
