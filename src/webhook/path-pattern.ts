/** Paths with parameters (`/cemm/:installation`): matching URLs, and the installation in a URL. */

export interface InstallationPath {
  readonly kind: 'installation';
  /** The values of all parameters, joined with slashes: `house-1`, `street-5/house-1`. */
  readonly installation: string;
  /** The path with the values in place of the parameters. */
  readonly path: string;
  /** By name; without a prototype, because names come from a setting and values from requests. */
  readonly params: Readonly<Record<string, string>>;
  /** Value of a parameter called `cemm`: only this monitor may send to the path. Null without such a parameter. */
  readonly cemm: number | null;
}

/** `invalid`: the URL names no installation. */
export type PathMatch = InstallationPath | { readonly kind: 'invalid' };

export interface PathPattern {
  /** Reads the installation from a URL (path and query). A value has 1 to 64 characters that need no escaping in a URL. */
  match(url: string): PathMatch;
  /** Compares like Express: case-insensitive, with or without a trailing slash. */
  matches: (url: string) => boolean;
}

const invalid: PathMatch = { kind: 'invalid' };

const usableValue = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/;

/** Null for a path without parameters. */
export function createPathPattern(path: string): PathPattern | null {
  const wanted = path.split('/');
  const names = wanted.map((segment) => (segment.startsWith(':') ? segment.slice(1) : null));
  if (names.every((name) => name === null)) return null;
  const fixed = wanted.map((segment) => segment.toLowerCase());

  function segmentsOf(url: string): string[] | null {
    const segments = removeQuery(url).split('/');
    if (segments.length === wanted.length + 1 && segments.at(-1) === '') segments.pop();
    if (segments.length !== wanted.length) return null;
    return segments.every((segment, place) =>
      names[place] === null ? segment.toLowerCase() === fixed[place] : segment !== '',
    )
      ? segments
      : null;
  }

  return {
    matches: (url) => segmentsOf(url) !== null,
    match(url) {
      const segments = segmentsOf(url);
      if (segments === null) return invalid;
      const params = Object.create(null) as Record<string, string>;
      for (const [place, name] of names.entries()) {
        const value = segments[place] ?? '';
        if (name === null) continue;
        if (!usableValue.test(value)) return invalid;
        params[name] = value;
      }
      const given = params['cemm'];
      return {
        kind: 'installation',
        installation: Object.values(params).join('/'),
        path: wanted.map((segment, place) => (names[place] === null ? segment : (segments[place] ?? ''))).join('/'),
        params,
        cemm: given === undefined ? null : /^\d{1,15}$/.test(given) ? Number(given) : -1,
      };
    },
  };
}

/** Returns a function that matches URLs to a path with or without parameters, compared like PathPattern. */
export function createPathMatcher(path: string): (url: string) => boolean {
  const pattern = createPathPattern(path);
  if (pattern !== null) return pattern.matches;
  const wanted = path.toLowerCase();
  return (url) => {
    const given = removeQuery(url).toLowerCase();
    return given === wanted || given === `${wanted}/`;
  };
}

/** A URL without its query. */
export function removeQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
