/** The title of a row of a table, with the ids of its faults (test/faults.json), if any, in front. */
export function faultTitle(ids: string | undefined, title: string): string {
  return ids === undefined ? title : `${ids}: ${title}`;
}
