/** Suggests the known name that is closest to an unknown one. */

/** Null if none is close. */
export function closest(written: string, known: readonly string[]): string | null {
  const wanted = normalizeName(written);
  let best: string | null = null;
  let least = Math.max(2, Math.floor(written.length / 2)) + 1;
  for (const name of known) {
    const candidate = normalizeName(name);
    // Most mistakes are at the end of a name, not at its beginning.
    const isPart = wanted.length >= 4 && (candidate.startsWith(wanted) || wanted.startsWith(candidate));
    const far = isPart ? Math.min(2, edits(wanted, candidate)) : edits(wanted, candidate);
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** Makes `energyImportKwh` and `energy_import_kwh` equal. */
function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Edit distance: letters to add, remove, change or swap with their neighbour. */
export function edits(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swap = isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity;
      const [up = 0, left = 0, corner = 0] = [above[column], current[column - 1], above[column - 1]];
      current.push(Math.min(up + 1, left + 1, corner + cost, swap));
    }
    [before, above] = [above, current];
  }
  return above[other.length] ?? 0;
}
