/** A year takes a second on a small computer, in which other nodes have to work. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
