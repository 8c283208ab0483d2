import { FormatError } from '../../../src/formats/formatter';

export function thrownBy(work: () => unknown): FormatError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof FormatError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

/** The error that a format throws, as `CODE reason`. */
export function refusal(work: () => unknown): string {
  const { code, reason } = thrownBy(work);
  return `${code} ${reason}`;
}
