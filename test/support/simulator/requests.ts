/** Sends requests to a simulator over real HTTP. */
import type { SimulatedClock } from '../../../src/simulator/simulated-clock';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator, SimulatorOptions } from '../../../src/simulator/simulator';
import { millis, type Millis } from '../../../src/time/units';

export type Sample = [number, number | null];
export type Channels = Record<string, Sample>;
export type Series = Record<string, Sample[]>;

export const momentOf = (iso: string): Millis => millis(Date.parse(iso));
export const seconds = (iso: string): number => Date.parse(iso) / 1000;

export interface SettableClock extends SimulatedClock {
  set(at: string | Millis): void;
}

/** A clock that stands still until it is set. */
export function settableClock(start: string | Millis): SettableClock {
  const toMoment = (at: string | Millis): Millis => (typeof at === 'string' ? momentOf(at) : at);
  let now = toMoment(start);
  return {
    speed: 0,
    now: () => now,
    set: (next) => {
      now = toMoment(next);
    },
  };
}

export interface TestResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export async function request(url: string, method = 'GET'): Promise<TestResponse> {
  const response = await fetch(url, { method });
  const text = await response.text();
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').includes('application/json');
  return { status: response.status, text, headers: response.headers, body: isJson ? JSON.parse(text) : undefined };
}

/** Starts both interfaces on free ports; `local` and `remote` add the address and, for remote, the key to a path. */
export async function startInterfaces(options: SimulatorOptions) {
  const simulator: Simulator = await startSimulator({
    since: momentOf('2026-01-01T12:00:00Z'),
    localPort: 0,
    remotePort: 0,
    ...options,
  });
  const uid = (index = 0) => (simulator.monitors[index]?.mac ?? '').replaceAll(':', '-');
  const key = options.apiKey ?? 'demo';
  return {
    simulator,
    uid,
    local: (path: string) => request(`${simulator.local ?? ''}/open-api/v1${path}`),
    remote: (path: string) =>
      request(`${simulator.remote ?? ''}${path}${path.includes('?') ? '&' : '?'}api_key=${key}`),
  };
}

export type Started = Awaited<ReturnType<typeof startInterfaces>>;

export function sumSamples(samples: readonly Sample[] | undefined): number {
  return (samples ?? []).reduce((total, [, value]) => total + (value ?? 0), 0);
}

export function times(samples: readonly Sample[] | undefined): number[] {
  return (samples ?? []).map(([time]) => time);
}
