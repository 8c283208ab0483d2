/** Routes for the user of the simulator: deliveries and requests (`GET /status`), one delivery (`POST /webhook/run-now`). */
import type { FaultName } from './faults';
import { failure, json, type RouteResponse, type Route } from './http-server';
import type { DeliveryStatus, SimulatedWebhook } from './simulator';

export interface StatusPageParts {
  /** Newest first. */
  readonly deliveries: readonly DeliveryStatus[];
  readonly faults: ReadonlySet<FaultName>;
  readonly requests: ReadonlyMap<string, number>;
  /** Null if there is no webhook. */
  readonly webhook: Pick<SimulatedWebhook, 'sendNow'> | null;
}

interface Page {
  readonly method: 'GET' | 'POST';
  readonly answer: () => RouteResponse;
}

export function statusPage({ deliveries, faults, requests, webhook }: StatusPageParts): Route {
  const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
    [
      '/status/',
      {
        method: 'GET',
        answer: () => json(200, { deliveries, faults: [...faults], requests: Object.fromEntries(requests) }),
      },
    ],
    [
      '/webhook/run-now/',
      {
        method: 'POST',
        answer: () => {
          if (webhook === null) return failure(409, 'no webhook is set: start the simulator with one');
          void webhook.sendNow();
          return json(202, { status: 'started' });
        },
      },
    ],
  ]);
  return ({ method, path }) => {
    const page = pages.get(path);
    if (page === undefined) return null;
    if (method === page.method) return page.answer();
    return { ...failure(405, `only ${page.method}`), headers: { Allow: page.method } };
  };
}
