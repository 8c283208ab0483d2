/** Waits for the keys of a call: for a store that answers at once without a timer, for a slow one not longer than a second. */
import type { ReceiverClock } from './clock';
import type { FindKeys, InstallationKeys } from './installation-keys';
import type { Sender } from './path-sender';

/** With the three seconds that a body may take, well within the five that a monitor waits (spec.md E4). */
export const keyDeadlineMs = 1000;

/**
 * Calls `done` exactly once: with the keys, with null for somebody unknown and where the search fails, or with `late`. As long
 * as it waits, `waiting` holds a function that ends the wait with `late`.
 */
export function awaitKeys(
  findKeys: FindKeys,
  sender: Sender | null,
  clock: ReceiverClock,
  waiting: Set<() => void>,
  done: (keys: InstallationKeys | null | 'late') => void,
): void {
  const wait = { isOver: false };
  let stopTimer: (() => void) | null = null;
  const finish = (keys: InstallationKeys | null | 'late'): void => {
    if (wait.isOver) return;
    wait.isOver = true;
    stopTimer?.();
    waiting.delete(giveUp);
    done(keys);
  };
  const giveUp = (): void => {
    finish('late');
  };
  if (sender === 'nobody') finish(null);
  else {
    try {
      findKeys(sender, finish);
    } catch {
      finish(null);
    }
  }
  if (wait.isOver) return;
  waiting.add(giveUp);
  stopTimer = clock.after(keyDeadlineMs, giveUp);
}
