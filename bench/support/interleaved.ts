/** Measures peers in turns, so that other load on the machine affects all of them equally. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

export type Peers<T> = Readonly<Record<string, () => T | Promise<T>>>;

/** Peer → results of all rounds. Each round starts with another peer. */
export async function inTurns<T>(rounds: number, peers: Peers<T>): Promise<Map<string, T[]>> {
  const names = Object.keys(peers);
  const results = new Map<string, T[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] ?? '';
      const result = await peers[name]?.();
      if (result !== undefined) results.get(name)?.push(result);
    }
  }
  return results;
}
