import { CemmError } from '../clients/errors';
import { internalFault } from '../clients/internal-fault';
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
  const { code, reason, params } = internalFault(error);
  const where = `${params.kind} at ${params.place}, version ${params.version}`;
  return new CemmError(code, `This is a fault of the package itself (${where}). Please report it with these words.`, {
    reason,
    params,
  });
}
