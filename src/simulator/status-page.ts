/** Routes for the user of the simulator: deliveries and requests (`GET /status`), one delivery (`POST /webhook/run-now`). */
import { failure, json, onlyGet, onlyPost, type Route } from './http-server';
import type { Simulator } from './simulator';

type StatusPageParts = Pick<Simulator, 'deliveries' | 'faults' | 'requests' | 'webhook'>;

export function statusPage({ deliveries, faults, requests, webhook }: StatusPageParts): Route {
  return ({ method, path }) => {
    if (path === '/status/') {
      if (method !== 'GET') return onlyGet;
      return json(200, { deliveries, faults: [...faults], requests: Object.fromEntries(requests) });
    }
    if (path !== '/webhook/run-now/') return null;
    if (method !== 'POST') return onlyPost;
    if (webhook === null) return failure(409, 'no webhook is set: start the simulator with one');
    void webhook.sendNow();
    return json(202, { status: 'started' });
  };
}
