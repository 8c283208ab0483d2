/** Answers requests with recorded exchanges, without a network. */
import { getOrSet } from '../checks/get-or-set';
import type { Http, HttpOutcome } from '../clients/http';
import { type Body, type Exchange, requestedPath, type RequestedPath } from './recording';

/**
 * The exchanges of each request, in their order; the last one is repeated, so that a promise (202) comes before its data and
 * further requests get the data.
 */
export class RecordedAnswers {
  private readonly left = new Map<string, Exchange[]>();

  constructor(exchanges: readonly Exchange[]) {
    for (const exchange of exchanges) getOrSet(this.left, buildRequestKey(exchange), () => []).push(exchange);
  }

  /** Null for a request that was not recorded. */
  next(requested: RequestedPath): Exchange['answer'] | null {
    const exchanges = this.left.get(buildRequestKey(requested));
    if (exchanges === undefined) return null;
    const exchange = exchanges.length > 1 ? exchanges.shift() : exchanges[0];
    return exchange?.answer ?? null;
  }
}

/** Paths with and without the last slash are the same request, except the list of I/Os, which is requested with both. */
function buildRequestKey({ path, query }: RequestedPath): string {
  const sorted = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([path, sorted]);
}

/** The body that is sent; a short one of its kind for a body that was not JSON. */
export function writeBody(answer: Body): string {
  if ('json' in answer) return JSON.stringify(answer.json);
  return { empty: '', html: '<!doctype html>', other: '?' }[answer.noJson];
}

export function replayHttp(exchanges: readonly Exchange[]): Http {
  const answers = new RecordedAnswers(exchanges);
  return {
    get: (request) => Promise.resolve(outcomeOf(answers.next(requestedPath(request)))),
    close: () => undefined,
  };
}

const notRecorded: HttpOutcome = {
  kind: 'failure',
  failure: { code: 'CONFIG', reason: 'not_found', status: 404 },
  retryAfterMs: null,
  sent: 1,
};

function outcomeOf(answer: Exchange['answer'] | null): HttpOutcome {
  if (answer === null) return notRecorded;
  if ('failure' in answer) return { kind: 'failure', ...answer, sent: 1 };
  return { kind: 'answer', status: answer.status, body: Buffer.from(writeBody(answer)), sent: 1 };
}
