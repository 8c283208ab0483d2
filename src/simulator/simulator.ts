/** The simulated monitor and its service as one object: what tests, demo mode and the command line start. */
import type { Millis } from '../protocol/time';
import type { SimulatedClock } from './simulated-clock';
import type { FaultName } from './faults';
import type { Household } from './household';

/** Each interface is served only where its port is given; 0 = any free port. */
export interface SimulatorOptions {
  readonly localPort?: number;
  readonly remotePort?: number;
  readonly udpPort?: number;
  /** Default 127.0.0.1. */
  readonly address?: string;
  /** Default Europe/Amsterdam. */
  readonly timezone?: string;
  readonly clock?: SimulatedClock;
  readonly seed?: number;
  /** The meters go into service on this day; default 1 January of the year before. A recent day makes houses start fast. */
  readonly since?: Millis;
  /** How many monitors the key has; the local interface and discovery are the first. Default 1. */
  readonly monitors?: number;
  readonly apiKey?: string;
  /** How long the remote service answers 202 before it has the data, in real ms. Default 0: at once. */
  readonly promiseMs?: number;
  /** Open points of the promise (reliability 6.1): does a repeat renew the 10 s, and what does the body look like. */
  readonly promiseRenews?: boolean;
  readonly promiseBody?: 'string' | 'number' | 'object' | 'empty';
  /** Real, monotonic milliseconds, which the life of a promise is measured in; default performance.now. */
  readonly monotonic?: () => number;
  /** DSMR generation of the smart meter: 4 = gas hourly, 5 = gas every 5 minutes. Default 5. */
  readonly dsmr?: 4 | 5;
  /** Address of the Modbus meter, 1 to 247. Default 5. */
  readonly modbus?: number;
  readonly webhook?: WebhookOptions;
  readonly faults?: readonly FaultName[];
  /** One object per request, datagram and delivery. */
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}

export interface WebhookOptions {
  readonly url: string;
  readonly hmacKey?: string;
  /** `Name: value`, one each. */
  readonly headers?: readonly string[];
  /** Simulated seconds between deliveries, aligned to the wall clock. Default 60. */
  readonly everySeconds?: number;
  /** Stop after this many; default: go on. */
  readonly count?: number;
  /** `post` sends basic-v1, `public` the result of the local public API. Default post. */
  readonly type?: 'post' | 'public';
  /** Topics for every channel; default all of them. */
  readonly topics?: readonly string[];
  /** For `public`: path and query on the monitor's own public API, of `timeseries` or `meters`; default a week of solar energy, day by day. */
  readonly publicRequest?: string;
}

/** One of the five last deliveries, as the monitor's own page keeps them (spec.md, Webhook status record). */
export interface DeliveryStatus {
  readonly time: string;
  /** The raw HTTP request. */
  readonly request: string;
  /** First 1000 characters of the response. */
  readonly response: string | null;
  readonly status: number | null;
  readonly error: string | null;
}

export interface SimulatedMonitor {
  /** Colon-separated, upper case. */
  readonly mac: string;
  /** The number webhooks carry. */
  readonly cemm: number;
  readonly household: Household;
}

export interface SimulatedWebhook {
  /** Settles after the last delivery of the count, or when the simulator closes. */
  readonly done: Promise<void>;
  /** The manual run: one delivery at once, also on a frozen clock. */
  sendNow(): Promise<DeliveryStatus>;
}

export interface Simulator {
  /** Address of the local monitor, `http://127.0.0.1:1234`; null where the interface was not asked for. */
  readonly local: string | null;
  /** Base address of the remote service with its version, `http://127.0.0.1:1235/v1/`. */
  readonly remote: string | null;
  /** Port that answers discovery datagrams. */
  readonly udp: number | null;
  readonly monitors: readonly SimulatedMonitor[];
  /** Change it to switch faults on and off while running. */
  readonly faults: Set<FaultName>;
  /** Newest first, five at most. */
  readonly deliveries: readonly DeliveryStatus[];
  /** Of the first monitor; null where no webhook was asked for. */
  readonly webhook: SimulatedWebhook | null;
  /** Requests so far, by interface and path without query: `local /open-api/v1/p1/realtime/`, always with a final slash. */
  readonly requests: ReadonlyMap<string, number>;
  close(): Promise<void>;
}
