/**
 * For mocha (`--require`): what a failed test did not close is closed at the end, as an open browser or process would keep mocha
 * from ending. A failed test of the browser also says what its page shows.
 */
import { appendFileSync } from 'node:fs';
import type { Context, RootHookObject } from 'mocha';

interface Open {
  /** What it shows; null for what shows nothing. */
  readonly shows: (() => Promise<string>) | null;
  close(): Promise<void>;
}

const hookMs = 120_000;
const open = new Set<Open>();

/** To be called by whatever opens something; the returned function says that it is closed. */
export function opened(thing: Open): () => void {
  open.add(thing);
  return () => {
    open.delete(thing);
  };
}

export const mochaHooks: RootHookObject = {
  async afterEach(this: Context) {
    if (this.currentTest?.state !== 'failed') return;
    this.timeout(hookMs);
    for (const { shows } of open) {
      if (shows !== null) say(await shows().catch((error: unknown) => `The page cannot be read: ${String(error)}`));
    }
  },
  async afterAll(this: Context) {
    this.timeout(hookMs);
    for (const thing of open) {
      await thing.close().catch((error: unknown) => {
        console.error(String(error));
      });
    }
  },
};

function say(text: string): void {
  console.error(text);
  const { CEMM_TESTS_FAILED: failed } = process.env;
  if (failed !== undefined) appendFileSync(failed, `${text}\n`);
}
