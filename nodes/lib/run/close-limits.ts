/** Limits of the wait for what a node ends. Node-RED waits 15 s for a node to close; these limits hold even if something hangs. */

export const mostCloseMs = 900;
/** For data that would be lost otherwise: a memory card that is busy writes a file in seconds. */
export const mostSaveMs = 12_000;

/** Resolves when all have ended, and at the latest after this time. */
export function within(ms: number, all: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, ms);
    void Promise.all(all).then(() => {
      clearTimeout(limit);
      resolve();
    });
  });
}
