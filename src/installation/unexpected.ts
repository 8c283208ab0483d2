import { CemmError } from '../clients/errors';
import { WireError } from '../wire/wire-error';

/**
 * Whatever was thrown, as the one error that may leave. Nothing of a foreign error is kept but, of a WireError, the place
 * in the answer: it quotes no value.
 */
export function toCemmError(error: unknown): CemmError {
  if (error instanceof CemmError) return error;
  if (error instanceof WireError) {
    return new CemmError('BAD_PAYLOAD', `The answer is not what it should be (${error.message}).`, {
      reason: 'shape',
      params: { path: error.path, expected: error.expected },
    });
  }
  return new CemmError('BAD_PAYLOAD', 'The answer could not be read.', { reason: 'unexpected' });
}
