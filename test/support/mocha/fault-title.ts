/** The title of a row of a table: after the ids of the faults (test/faults.json) that it shows, where it shows any. */
export function faultTitle(ids: string | undefined, title: string): string {
  return ids === undefined ? title : `${ids}: ${title}`;
}
