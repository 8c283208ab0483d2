// In its own file, which imports nothing, because Node-RED loads it at the start together with the errors of the nodes.

/**
 * A response, delivery or datagram of an unexpected shape. `path` is the place in the JSON (`$.data.t1[0]`), `expected` the
 * expected type or value. The message does not quote the value, because logs contain it.
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    readonly path: string,
    readonly expected: string,
  ) {
    super(`${path}: expected ${expected}`);
  }
}
