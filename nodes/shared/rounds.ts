/**
 * Runs something now and then at a fixed rate until it is stopped. A round that is due while the last one still runs is
 * skipped, and after a sleep of the machine there is one round, not all the missed ones.
 */
const LARGEST_OFFSET_MS = 30_000;

/** @returns stops it: no round begins after that (one that runs is not ended) */
export function startRounds(intervalMs: number, round: () => Promise<void>, random = Math.random): () => void {
  // Nodes that start together do not ask together for ever.
  const start = performance.now() + Math.min(LARGEST_OFFSET_MS, intervalMs / 10) * random();
  let running = false;
  let timer = setTimeout(tick, 0);

  function tick(): void {
    const now = performance.now();
    const slots = Math.max(0, Math.floor((now - start) / intervalMs));
    timer = setTimeout(tick, start + (slots + 1) * intervalMs - now);
    if (running) return;
    running = true;
    void round().finally(() => {
      running = false;
    });
  }

  return () => {
    clearTimeout(timer);
  };
}
