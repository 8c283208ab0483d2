/**
 * The pages of a CEMM 3.0 beside the Open API: what it delivered (`GET /status`), the manual run of the webhook
 * (`POST /webhook/run-now`), and its public time series. The local HTTP server asks here first.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Millis } from '../wire/time';
import type { FaultName } from './faults';
import type { House } from './house';
import { parseTimeseriesRequest, timeseries, timeseriesPath } from './public-timeseries';
import type { DeliveryStatus } from './simulator';

export interface StatusPageParts {
  readonly deliveries: readonly DeliveryStatus[];
  readonly faults: ReadonlySet<FaultName>;
  readonly requests: ReadonlyMap<string, number>;
  /** Sends one delivery at once; null where no webhook is set. */
  readonly sendNow: (() => Promise<unknown>) | null;
  readonly house: House;
  readonly now: () => Millis;
}

/** Answers the request and says true, or leaves it alone and says false. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Page {
  readonly method: 'GET' | 'POST';
  readonly answer: (target: string) => { readonly status: number; readonly body: unknown };
}

export function createStatusPage(parts: StatusPageParts): PageHandler {
  const pages: Readonly<Record<string, Page>> = {
    '/status': {
      method: 'GET',
      answer: () => ({
        status: 200,
        body: {
          deliveries: parts.deliveries,
          faults: [...parts.faults],
          requests: Object.fromEntries(parts.requests),
        },
      }),
    },
    '/webhook/run-now': {
      method: 'POST',
      answer: () => {
        if (!parts.sendNow) return refusal(409, 'No webhook is set: start the simulator with one.');
        void parts.sendNow();
        return { status: 202, body: { status: 'started' } };
      },
    },
    [timeseriesPath]: {
      method: 'GET',
      answer: (target) => {
        try {
          return { status: 200, body: timeseries(parts.house, parts.now(), parseTimeseriesRequest(target)) };
        } catch (error) {
          if (error instanceof RangeError) return refusal(400, error.message);
          throw error;
        }
      },
    },
  };

  return (request, response) => {
    const target = request.url ?? '/';
    const path = target.split('?', 1)[0]?.replace(/(?<=.)\/$/, '') ?? '/';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) return false;
    request.resume();
    if (request.method !== page.method) response.setHeader('Allow', page.method);
    const { status, body } =
      request.method === page.method ? page.answer(target) : refusal(405, `Use ${page.method} here.`);
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    return true;
  };
}

function refusal(status: number, message: string) {
  return { status, body: { error: message } };
}
