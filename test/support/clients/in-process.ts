/** Connections over a client of a test, in which nothing is left to chance. */
import { Balances } from '../../../src/balance/balances';
import type { MonitorClient } from '../../../src/clients/client';
import {
  createOpenApiConnection,
  type OpenApiConnection,
  type OpenApiConnectionOptions,
} from '../../../src/connection/open-api-connection';
import type { Clock } from '../../../src/time/clock';

type Options = Partial<OpenApiConnectionOptions> & { readonly client: MonitorClient; readonly clock: Clock };

/** By default of a house in the Netherlands, by the transport of its client. */
export function connectTo(options: Options): OpenApiConnection {
  const { transport } = options.client;
  const usual = { transport, timezone: 'Europe/Amsterdam', deadlineMs: 25_000, random: () => 0.5 };
  return createOpenApiConnection({ ...usual, ...options });
}

/** Such a connection, and the balances of its house. */
export function openBalances(options: Options) {
  const connection = connectTo(options);
  return { connection, balances: new Balances({ reader: connection, clock: options.clock }) };
}

/** The length of the points in a balance of a period. */
export const usualSteps = { day: 'PT1H', week: 'P1D', month: 'P1D', year: 'P1M' } as const;
