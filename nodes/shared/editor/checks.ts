/**
 * What may stand in a field, as pure functions of its text. They repeat in the dialog what the runtime enforces, so that
 * a mistake is told where it is made. `true`, or the catalogue key of the sentence that says what to write instead.
 */
export interface Complaint {
  readonly key: string;
  readonly values?: Record<string, string | number>;
}

export type Verdict = true | Complaint;

export type Check = (text: string) => Verdict;

/** `${NAME}` and `$(NAME)`: Node-RED puts the environment variable there before the node sees it. */
export function isEnvironmentReference(value: unknown): boolean {
  return typeof value === 'string' && /^\$(?:\{[^{}\s]+\}|\([^()\s]+\))$/.test(value.trim());
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

/** Seconds: 0 (only on input) or at least the floor, which guards the monitor and the service. */
export function interval(floor: number): Check {
  return (text) => {
    const number = plainNumber(text);
    if (number === null || number < 0) return { key: 'check.intervalNumber' };
    return number === 0 || number >= floor ? true : { key: 'check.intervalFloor', values: { floor } };
  };
}

/** Address of the service: http or https, nothing secret in it, and the version at the end (`…/v1/`). */
export function baseUrl(text: string): Verdict {
  const url = urlOf(text.trim());
  if (url === null) return { key: 'check.baseUrl' };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return { key: 'check.baseUrlSecrets' };
  return /\/v\d+(?:\.\d+)*\/?$/.test(url.pathname) ? true : { key: 'check.baseUrlVersion' };
}

/** `host`, `host:port` or `http://host:port` of a monitor in the own network. */
export function host(text: string): Verdict {
  const bare = text.trim().replace(/^http:\/\//i, '');
  if (bare === '') return { key: 'check.hostMissing' };
  if (/^https:\/\//i.test(bare)) return { key: 'check.hostHttps' };
  if (bare.includes('@')) return { key: 'check.hostPassword' };
  if (/[/?#\\]/.test(bare)) return { key: 'check.hostPath' };
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?)(?::(\d{1,5}))?$/i.exec(bare);
  if (parts === null) return { key: 'check.host' };
  const port = parts[2] === undefined ? 80 : Number(parts[2]);
  return port >= 1 && port <= 65535 ? true : { key: 'check.hostPort' };
}

/** 12 hex digits, with or without `:` or `-` between the pairs. */
export function mac(text: string): Verdict {
  return /^(?:[0-9a-f]{12}|[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2})$/i.test(text.trim())
    ? true
    : { key: 'check.mac' };
}

/** The short name of a meter. It becomes part of an address, so it can hold no slash and the like. */
export function alias(text: string): Verdict {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(text.trim()) ? true : { key: 'check.alias' };
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

/** The years whose epoch seconds and epoch milliseconds cannot be mistaken for each other. */
const years = { first: 2010, last: 2100 } as const;

/** ISO 8601 (a year, a month, a day or a moment), or epoch seconds or milliseconds of 2010 to 2100. */
export function date(text: string): Verdict {
  return momentOf(text.trim()) === null ? { key: 'check.date' } : true;
}

/** Whether the end of a range lies before its start; false where that cannot be told before the flow runs. */
export function endsBeforeStart(from: string, to: string): boolean {
  const start = momentOf(from.trim());
  const end = momentOf(to.trim());
  return start !== null && end !== null && end < start;
}

function momentOf(text: string): number | null {
  const ms = /^\d{9,}$/.test(text) ? epochMs(Number(text)) : isoMs(text);
  if (ms === null) return null;
  const year = new Date(ms).getUTCFullYear();
  return year >= years.first && year <= years.last ? ms : null;
}

function epochMs(number: number): number {
  return number < 1e11 ? number * 1000 : number;
}

function isoMs(text: string): number | null {
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
    text,
  );
  if (parts === null) return null;
  const [, year = '', month = '01', day = '01'] = parts;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // Date rolls 31 February over into March; a day that does not exist is a mistake here.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null;
  const ms = new Date(parts[4] === undefined ? midnight : text).getTime();
  return Number.isNaN(ms) ? null : ms;
}

function plainNumber(text: string): number | null {
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

function urlOf(text: string): URL | null {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null;
  } catch {
    return null;
  }
}
