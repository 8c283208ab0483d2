/** Callbacks of the program that uses the library. */

/**
 * The exceptions of the callback become uncaught exceptions, as with Node's event listeners: they are not lost, and do not end the
 * calling poller or receiver.
 */
export function guarded<Arguments extends unknown[]>(
  callback: ((...values: Arguments) => void) | undefined,
): (...values: Arguments) => void {
  return (...values) => {
    try {
      callback?.(...values);
    } catch (error) {
      throwUncaught(error);
    }
  };
}

export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
