/** A request coordinator with a fake client and a fake clock, and what a caller sees of a request. */
import { CemmError } from '../../../src/errors';
import { RequestCoordinator } from '../../../src/connection/request-coordinator';
import type { MonitorRequest, SendOptions } from '../../../src/clients/client';
import type { Seconds } from '../../../src/time/units';
import { FakeClient, MONITOR } from './fake-client';
import { FakeClock } from '../time/fake-clock';

export const P1 = { kind: 'realtime', monitor: MONITOR, alias: 'p1' } satisfies MonitorRequest;

export function day(index: number, monitor = MONITOR): MonitorRequest {
  return { kind: 'series', monitor, alias: 'p1', unit: 'day', time: (1_700_000_000 + index * 86_400) as Seconds };
}

/** The state of a promise, without waiting for it. */
function outcome<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: CemmError } = {};
  promise.then(
    (value) => (seen.value = value),
    (error: unknown) => {
      if (error instanceof CemmError) seen.error = error;
      else throw error;
    },
  );
  return seen;
}

export function startCoordinator(limits?: FakeClient['limits']) {
  const clock = new FakeClock();
  const client = new FakeClient(clock, 'remote', limits);
  const coordinator = new RequestCoordinator({
    client,
    clock,
    random: () => 0.5,
    place: () => 0.55,
    deadlineMs: 25_000,
  });
  const ask = (request: MonitorRequest, options: Partial<SendOptions> = {}) => {
    const { signal } = new AbortController();
    return outcome(coordinator.request(request, { signal, deadlineMs: 25_000, patience: 'user', ...options }));
  };
  return { clock, client, coordinator, ask };
}
