/** An entry of a table by a name from outside: `constructor` is in no table that does not list it. */
export function own<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
