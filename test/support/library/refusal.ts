/** What was thrown in place of a CemmError, for the message of a test. */
export function noCemmError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : `thrown: ${typeof error}`;
}
