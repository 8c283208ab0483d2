/** A connection over either Open API with a fake client and a fake clock. */
import type { CemmError } from '../../../src/errors';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import type { ReadOptions } from '../../../src/connection/connection';
import type { MonitorRequest } from '../../../src/clients/client';
import { FakeClient, healthy, type Value } from './fake-client';
import { FakeClock } from '../time/fake-clock';

export const ZONE = 'Europe/Amsterdam';
export const makeReadOptions = (): ReadOptions => ({ signal: new AbortController().signal });

export function startOpenApiConnection(
  override: (request: MonitorRequest, clock: FakeClock) => Value | CemmError | undefined = () => undefined,
  transport: 'remote' | 'local' = 'remote',
) {
  const clock = new FakeClock();
  const client = new FakeClient(clock, transport);
  const answers = healthy(clock);
  client.script = (request) => override(request, clock) ?? answers(request);
  const options = { client, timezone: ZONE, transport, deadlineMs: 25_000, clock, random: () => 0.5 };
  const connection = createOpenApiConnection(transport === 'local' ? { ...options, host: '192.0.2.7' } : options);
  return { clock, client, connection };
}
