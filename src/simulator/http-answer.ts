/** What passes between the simulator's HTTP server and the interfaces behind it. */

export interface Question {
  readonly method: string;
  /** Always ends in a slash: both spellings of a path are the same question. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Default application/json; charset=utf-8. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a question or leaves it to the next route (null). */
export type Route = (question: Question) => Answer | null;

export function json(status: number, value: unknown): Answer {
  return { status, body: JSON.stringify(value) };
}

export function failure(status: number, error: string): Answer {
  return json(status, { error });
}

export const onlyGet: Answer = { ...failure(405, 'only GET'), headers: { Allow: 'GET' } };
