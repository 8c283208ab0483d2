/** Maps that keep their most recent entries only. */

/** Sets an entry as the most recent one, and deletes the oldest ones above a number. */
export function setRecent<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
