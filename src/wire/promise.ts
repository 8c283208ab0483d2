/** "Ask again": what the remote service answers while it fetches the data from the monitor (spec.md R1). */

/** The code of a promise; null where the body had none that could be read. Only compared, never sent, never shown. */
export interface WirePromise {
  readonly code: string | null;
}

/**
 * A status of 202 is a promise whatever the body is, and so is a `promise` member under any other success: the shape of
 * the body is not specified.
 * @param answer the parsed body, or undefined where it was no JSON
 * @returns null when it is no promise
 */
export function findPromise(status: number, answer: unknown): WirePromise | null {
  const code = promiseMember(answer);
  if (code === undefined || code === null) return status === 202 ? { code: null } : null;
  return { code: JSON.stringify(code) };
}

function promiseMember(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'promise' in answer ? answer.promise : undefined;
}
