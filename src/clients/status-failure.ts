/** HTTP status codes as failures (contract.md section 3; spec.md, Errors; reliability rows RA5 to RA10). */
import type { Millis } from '../wire/time';
import type { Failure } from './failure';

const named: Readonly<Record<number, Failure>> = {
  401: { code: 'AUTH', reason: 'denied' },
  403: { code: 'AUTH', reason: 'denied' },
  404: { code: 'CONFIG', reason: 'not_found' },
  407: { code: 'CONFIG', reason: 'proxy' },
  408: { code: 'UPSTREAM_TIMEOUT', reason: 'status' },
  412: { code: 'ALIAS', reason: 'not_supported' },
  429: { code: 'RATE', reason: 'status' },
  502: { code: 'MONITOR_OFFLINE', reason: 'status' },
};

/** The failure behind a status; null where the body decides (2xx). */
export function statusFailure(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  return { ...(named[status] ?? byClass(status)), status };
}

function byClass(status: number): Failure {
  if (status >= 400 && status < 500) return { code: 'UNSUPPORTED', reason: 'request_refused' };
  if (status >= 500 && status < 600) return { code: 'UPSTREAM', reason: 'status' };
  return { code: 'BAD_PAYLOAD', reason: 'unknown_status' };
}

const shortest = 1000;
const longest = 5 * 60_000;

/**
 * Retry-After (RFC 9110, 10.2.3) in milliseconds, held between 1 s and 5 min; null where there is none or it is neither
 * seconds nor a date.
 */
export function retryAfter(header: string | null, now: Millis): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return hold(Number(text) * 1000);
  // Date.parse takes far more than the header may hold; an HTTP date ends in GMT.
  const date = text.endsWith(' GMT') ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : hold(date - now);
}

function hold(delayMs: number): number {
  return Math.min(longest, Math.max(shortest, delayMs));
}
