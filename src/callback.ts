/**
 * Calls a callback of the program that uses the library. What it throws becomes an uncaught exception, as with Node's event
 * listeners: it must neither be lost nor end the poller or the receiver that made the call.
 */
export function runCallback(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
