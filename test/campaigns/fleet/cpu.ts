/** Processor time of processes, including those that end and restart during the measurement. */
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/** User and system time of a process so far; null if it has ended, or the system is not Linux. */
export function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so fields are counted from behind it; utime and stime are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return null;
  }
}

export class CpuAccount {
  private readonly used = new Map<string, number>();
  private readonly running = new Map<string, { pid: number; from: number }>();

  /** Counts from now on; after a restart, call it again with the same name. */
  watch(name: string, pid: number, fromStart = false): void {
    this.running.set(name, { pid, from: fromStart ? 0 : (cpuMsOf(pid) ?? 0) });
  }

  /** Call before a process ends. */
  leave(name: string): void {
    const entry = this.running.get(name);
    if (entry === undefined) return;
    this.running.delete(name);
    this.used.set(name, (this.used.get(name) ?? 0) + Math.max((cpuMsOf(entry.pid) ?? entry.from) - entry.from, 0));
  }

  /** Name → milliseconds. */
  close(): Map<string, number> {
    for (const name of [...this.running.keys()]) this.leave(name);
    return new Map(this.used);
  }
}
