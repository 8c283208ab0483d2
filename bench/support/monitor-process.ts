/** Starts `monitors.ts` and reads its request counts. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Asked, Ready } from './monitors';

export interface Monitors {
  /** `host:port` of each monitor. */
  readonly hosts: readonly string[];
  asked(): Promise<Asked>;
  stop(): Promise<void>;
}

export async function startMonitors(count: number): Promise<Monitors> {
  const child = fork(join(__dirname, 'monitors.ts'), [String(count)], { execArgv: ['--require', 'tsx/cjs'] });
  const ended = once(child, 'exit');
  const [{ hosts }] = (await once(child, 'message')) as [Ready];
  return {
    hosts,
    asked: async () => {
      child.send('asked');
      const [answer] = (await once(child, 'message')) as [Asked];
      return answer;
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
