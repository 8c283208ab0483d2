import { CemmError } from '../../../src/errors';

export function thrownBy(work: () => unknown): CemmError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof CemmError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

/** The error that a format throws, as `CODE reason`. */
export function describeFormatError(work: () => unknown): string {
  const { code, reason } = thrownBy(work);
  return `${code} ${reason}`;
}
