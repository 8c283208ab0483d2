/**
 * For mocha (`--require`): closes everything that a failed test left open, because an open browser or process would keep mocha
 * from ending. After a failed browser test it also reports the content of the page.
 */
import { appendFileSync } from 'node:fs';
import type { Context, RootHookObject } from 'mocha';

interface Open {
  /** Describes its content; null if it has none. */
  readonly shows: (() => Promise<string>) | null;
  close(): Promise<void>;
}

const hookMs = 120_000;
const open = new Set<Open>();

/** Call after opening something; the returned function marks it as closed. */
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
