/** Options and result of `startSimulator`. */
import type { Millis } from '../time/units';
import type { SimulatedClock } from './simulated-clock';
import type { FaultName } from './faults';
import type { House } from './house';
import type { Household } from './household';
import type { HouseName } from './houses';

/** An interface is started only if its port is given. Port 0 is any free port. */
export interface SimulatorOptions {
  /** Port of the local Open API, the public API of a CEMM 3.0 and the status page. */
  readonly localPort?: number;
  /** Port of the remote Open API. */
  readonly remotePort?: number;
  /** Port of discovery. */
  readonly udpPort?: number;
  /** IP address to listen on. Default 127.0.0.1. */
  readonly address?: string;
  /** Name of a household of the table in `houses.ts`, or a custom row. Default `standard`. */
  readonly house?: HouseName | House;
  /** IANA name. Default: that of the house, else Europe/Amsterdam. */
  readonly timezone?: string;
  /** Default: real time. */
  readonly clock?: SimulatedClock;
  /** Another seed gives other households and MAC addresses. Default 1. */
  readonly seed?: number;
  /** Start of the measurements, Unix ms. Default: 1 January of last year. With a later date the simulator starts faster. */
  readonly since?: Millis;
  /** Number of monitors of the key. The local interface and discovery are those of the first one. Default 1. */
  readonly monitors?: number;
  /** Key of the remote Open API. Default `demo`. */
  readonly apiKey?: string;
  /** Time in which the remote service responds with 202 before it has the data, in real ms. Default 0. */
  readonly promiseMs?: number;
  /** A repeated request extends its promise by 10 seconds. The vendor does not document it. Default false. */
  readonly promiseRenews?: boolean;
  /** Body of the response 202, which the vendor does not document. Default `string`. */
  readonly promiseBody?: 'string' | 'number' | 'object' | 'empty';
  /** Monotonic clock of promises, in real ms. Default performance.now. */
  readonly monotonic?: () => number;
  /** DSMR generation of the smart meter. 4: gas every hour; 5: gas every 5 minutes. Default: that of the house, else 5. */
  readonly dsmr?: 4 | 5;
  /** Address of the Modbus meter, 1 to 247. Default 5. */
  readonly modbus?: number;
  /** Sends deliveries of the first monitor. */
  readonly webhook?: WebhookOptions;
  /** Faults at the start, besides those of the house. */
  readonly faults?: readonly FaultName[];
  /** Called with an object for each request, datagram and delivery. */
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}

/** A webhook of the simulated monitor (https://wiki.cemm.nl/tools/webhooks). */
export interface WebhookOptions {
  readonly url: string;
  /** Key of the signature. Default: no signature. */
  readonly hmacKey?: string;
  /** Additional headers, each as `Name: value`. */
  readonly headers?: readonly string[];
  /** Simulated seconds between deliveries, aligned to local time. Default 60. */
  readonly everySeconds?: number;
  /** Number of deliveries. Default: no limit. */
  readonly count?: number;
  /** `post` sends basic-v1, `public` a response of the public API. Default `post`. */
  readonly type?: 'post' | 'public';
  /** Topics of every channel. Default: all. */
  readonly topics?: readonly string[];
  /** Type `public`: path and query of `timeseries` or `meters` in the public API. Default: seven days of solar energy. */
  readonly publicRequest?: string;
}

/** One of the last five deliveries, as on the status page of a monitor. */
export interface DeliveryStatus {
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** The raw HTTP request. */
  readonly request: string;
  /** First 1000 characters of the response. */
  readonly response: string | null;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Null if there was a response. */
  readonly error: string | null;
}

/** A simulated monitor. */
export interface SimulatedMonitor {
  /** MAC address with colons in upper case. */
  readonly mac: string;
  /** Number of the monitor in deliveries. */
  readonly cemm: number;
  readonly household: Household;
}

/** The running webhook of a simulator. */
export interface SimulatedWebhook {
  /** Resolves after `count` deliveries or when the simulator closes. */
  readonly done: Promise<void>;
  /** Sends one delivery now, also on a frozen clock. */
  sendNow(): Promise<DeliveryStatus>;
}

/** A running simulator. */
export interface Simulator {
  /** Address of the first monitor, `http://127.0.0.1:1234`; null if the interface is not started. */
  readonly local: string | null;
  /** Base address of the remote service, `http://127.0.0.1:1235/v1/`; null if the interface is not started. */
  readonly remote: string | null;
  /** Port of discovery; null if the interface is not started. */
  readonly udp: number | null;
  readonly monitors: readonly SimulatedMonitor[];
  /** Actual flows in the house of the first monitor, whatever its meters show. */
  readonly truth: Household['truth'];
  /** The active faults. Change the set to switch faults on and off. */
  readonly faults: Set<FaultName>;
  /** The last five deliveries, newest first. */
  readonly deliveries: readonly DeliveryStatus[];
  /** Null if there is no webhook. */
  readonly webhook: SimulatedWebhook | null;
  /** Interface and path (`local /open-api/v1/p1/realtime/`, with a final slash, without the query) → number of requests. */
  readonly requests: ReadonlyMap<string, number>;
  /** Closes all interfaces and cancels running deliveries. */
  close(): Promise<void>;
}
