/**
 * Runs something now and then at a fixed rate until it is stopped. A round that is due while the last one still runs is
 * skipped, and after a sleep of the machine there is one round, not all the missed ones.
 */
import { fractionOf } from '../../src/installation/hash';
import { phaseMs } from '../../src/installation/poll-phase';

/**
 * @param name what asks: nodes that start together do not ask together for ever, each has its place in the interval by name
 * @returns stops it: no round begins after that (one that runs is not ended)
 */
export function startRounds(intervalMs: number, round: () => Promise<void>, name: string): () => void {
  const start = performance.now() + phaseMs(fractionOf(name), intervalMs);
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
