/**
 * Calls a callback of the program that uses the library. Its exceptions become uncaught exceptions, as with Node's event
 * listeners: they are not lost, and do not end the calling poller or receiver.
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
