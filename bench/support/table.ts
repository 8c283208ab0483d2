/** Result of a benchmark: rows for the console and for JSON, and the comparison with its goals. */
export interface Goal {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly atLeast?: boolean;
}

export interface Table {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly goals: readonly Goal[];
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export function isReached({ value, limit, atLeast = false }: Goal): boolean {
  return atLeast ? value >= limit : value <= limit;
}

export function print({ name, rows, goals }: Table): void {
  console.log(`\n${name}`);
  console.table(rows);
  for (const goal of goals) {
    const result = isReached(goal) ? 'reached' : 'falls short';
    const bound = goal.atLeast === true ? 'at least' : 'at most';
    console.log(`  ${goal.what}: ${rounded(goal.value, 3)} (${bound} ${goal.limit}) ${result}`);
  }
}
