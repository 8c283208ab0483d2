/**
 * An answer, delivery or datagram that is not what the specification describes.
 * `path` names the place in the JSON (`$.data.t1[0]`), `expected` what should be there. It never quotes the value:
 * what a stranger sends must not travel into logs.
 */
export class WireError extends Error {
  override readonly name = 'WireError';

  constructor(
    readonly path: string,
    readonly expected: string,
  ) {
    super(`${path}: expected ${expected}`);
  }
}
