/** A slower processor for one process. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Stops and continues a process in turns until it is called off. */
export function throttle(pid: number, { runMs, stopMs }: { runMs: number; stopMs: number }): () => Promise<number> {
  const state = { isOn: true, turns: 0 };
  const turning = (async () => {
    while (state.isOn) {
      process.kill(pid, 'SIGSTOP');
      await sleep(stopMs);
      process.kill(pid, 'SIGCONT');
      await sleep(runMs);
      state.turns += 1;
    }
  })();
  return async () => {
    state.isOn = false;
    await turning;
    return state.turns;
  };
}

/** Processor time of a process so far, seconds: fields 14 and 15 of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in brackets and may contain spaces.
  const [user = NaN, system = NaN] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / ticksPerSecond;
}

/** Linux shows the time in this unit on every architecture of Node.js. */
const ticksPerSecond = 100;
