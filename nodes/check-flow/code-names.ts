/** Finds the variables of a function node that hold parts of `msg.payload`, and the properties read through them. */

/** Turns `.values.power_w` or `['values']` into names. */
export function splitPath(path: string): string[] {
  return [...path.matchAll(/\.([A-Za-z_$][\w$]*)|\[['"]([^'"\]]+)['"]\]/g)].map(
    ([, plain, quoted]) => plain ?? quoted ?? '',
  );
}

const declared =
  /\b(?:const|let|var)\s*(?:\{([^{}]*)\}|([A-Za-z_$][\w$]*))\s*=\s*([A-Za-z_$][\w$]*)((?:\??\.[A-Za-z_$][\w$]*)*)\s*(?:;|\n|$)/g;

/** Finds `const { values } = msg.payload;` followed by `values.power_w`, and `const { power_w: power } = values;`. */
export function takenOut(code: string): string[][] {
  const read: string[][] = [];
  const locals = new Map<string, readonly string[]>();
  for (const [, list, alone, root = '', rest = ''] of code.matchAll(declared)) {
    const base = baseOf(root, splitPath(rest), locals);
    if (base === null) continue;
    if (alone !== undefined) locals.set(alone, base);
    for (const [property, local] of entriesIn(list ?? '')) {
      read.push([...base, property]);
      locals.set(local, [...base, property]);
    }
  }
  for (const [local, base] of locals) {
    if (!isParameter(local, code)) for (const one of readBy(local, base, code)) read.push(one);
  }
  return read;
}

/** Path below `payload`; null for an expression without it. */
function baseOf(
  root: string,
  names: readonly string[],
  locals: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  if (root === 'msg') return names[0] === 'payload' ? names.slice(1) : null;
  const base = locals.get(root);
  return base === undefined ? null : [...base, ...names];
}

/** Parses `a, b: c, d = 1` into [property, name] pairs. */
function entriesIn(list: string): [string, string][] {
  return list.split(',').flatMap((entry): [string, string][] => {
    const [, property, local] = /^\s*([A-Za-z_$][\w$]*)\s*(?::\s*([A-Za-z_$][\w$]*)\s*)?(?:=|$)/.exec(entry) ?? [];
    return property === undefined ? [] : [[property, local ?? property]];
  });
}

/** A parameter of the same name is a different variable. */
function isParameter(local: string, code: string): boolean {
  return new RegExp(
    `\\([^()]*\\b${escapeDollars(local)}\\b[^()]*\\)\\s*(?:=>|\\{)|\\b${escapeDollars(local)}\\s*=>`,
  ).test(code);
}

function readBy(local: string, base: readonly string[], code: string): string[][] {
  const used = new RegExp(`(?<![\\w$.'"])${escapeDollars(local)}((?:\\??\\.[A-Za-z_$][\\w$]*)+)(?!\\s*=(?![=>]))`, 'g');
  return [...code.matchAll(used)].map(([, path = '']) => [...base, ...splitPath(path)]);
}

function escapeDollars(name: string): string {
  return name.replaceAll('$', '\\$');
}
