/** Answers requests with the routes of a simulated monitor: no sockets, and no time passes. */
import type { Http } from '../../../src/clients/http';
import { retryAfter, statusFailure } from '../../../src/clients/http-failures';
import { millis } from '../../../src/time/units';
import type { Route, RouteResponse } from '../../../src/simulator/http-server';

/**
 * @param base path of the base address, such as `/v1/`
 * @param body replaces the body of each answer
 */
export function routedHttp(routes: readonly Route[], base = '/', body = (text: string) => text): Http {
  return {
    get({ path, params = {} }) {
      const [written = '', query = ''] = `${base}${path}`.split('?', 2);
      const request = {
        method: 'GET',
        written,
        path: written.endsWith('/') ? written : `${written}/`,
        query: new URLSearchParams([...new URLSearchParams(query), ...Object.entries(params)]),
      };
      const answers = routes.map((route) => route(request));
      const answer: RouteResponse = answers.find((one) => one !== null) ?? { status: 404, body: '' };
      const { status } = answer;
      const failure = statusFailure(status);
      if (failure === null)
        return Promise.resolve({ kind: 'answer', status, body: Buffer.from(body(answer.body)), sent: 1 });
      const header = answer.headers?.['Retry-After'] ?? null;
      return Promise.resolve({ kind: 'failure', failure, retryAfterMs: retryAfter(header, millis(0)), sent: 1 });
    },
    close: () => undefined,
  };
}
