/**
 * What may stand in a field, as pure functions of its text. They repeat in the dialog what the runtime enforces, so that
 * a mistake is told where it is made. `true`, or the catalogue key of the sentence that says what to write instead.
 */
import { isAlias, isShard, splitShard } from '../../../src/limits';

export interface Complaint {
  readonly key: string;
  readonly values?: Record<string, string | number>;
}

export type Verdict = true | Complaint;

export type Check = (text: string) => Verdict;

/** Whether `${NAME}` (anywhere) or `$(NAME)` stands for an environment variable: what the text will be is not known here. */
export function holdsVariable(value: unknown): boolean {
  return typeof value === 'string' && (/\$\{[^{}\s]+\}/.test(value) || /^\$\([^()\s]+\)$/.test(value.trim()));
}

export function required(key: string): Check {
  return (text) => (text.trim() === '' ? { key } : true);
}

/** Blank is fine, anything else has to pass. */
export function optional(check: Check): Check {
  return (text) => (text.trim() === '' ? true : check(text));
}

/** The first complaint of several checks. */
export function all(...checks: Check[]): Check {
  return (text) => {
    for (const check of checks) {
      const verdict = check(text);
      if (verdict !== true) return verdict;
    }
    return true;
  };
}

/** A plain decimal number inside the range, both ends included. */
export function numberBetween(min: number, max: number): Check {
  return (text) => {
    const number = plainNumber(text);
    return number !== null && number >= min && number <= max
      ? true
      : { key: 'check.numberBetween', values: { min, max } };
  };
}

const secondsOfDay = 86_400;

/** Seconds up to a day: 0 (only on input) or at least the floor, which guards the monitor and the service. */
export function interval(floor: number): Check {
  return (text) => {
    const number = plainNumber(text);
    if (number === null || number < 0 || number > secondsOfDay) return { key: 'check.intervalNumber' };
    return number === 0 || number >= floor ? true : { key: 'check.intervalFloor', values: { floor } };
  };
}

/** 12 hex digits, with or without `:` or `-` between the pairs. */
export function mac(text: string): Verdict {
  return /^(?:[0-9a-f]{12}|[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2})$/i.test(text.trim())
    ? true
    : { key: 'check.mac' };
}

/** The short name of a meter. */
export function alias(text: string): Verdict {
  return isAlias(text.trim()) ? true : { key: 'check.alias' };
}

/** A name of the IANA time zone database. Fixed offsets are refused: they know no summer time. */
export function timezone(text: string): Verdict {
  const name = text.trim();
  if (!/^[a-z]/i.test(name)) return { key: 'check.timezone' };
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return { key: 'check.timezone' };
  }
}

/** Part and number of parts, `1/4` to `4/4`. */
export function shard(text: string): Verdict {
  const numbers = splitShard(text);
  if (numbers === null) return { key: 'check.shard' };
  return isShard(numbers) ? true : { key: 'check.shardRange' };
}

function plainNumber(text: string): number | null {
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
