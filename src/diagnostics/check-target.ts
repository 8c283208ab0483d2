/** The destination of a connection check, and its first HTTP response. */
import { hostnameOf, hostOrigin, parseAnyBaseUrl, parseLocalHost, speaksPlainly } from '../clients/address';
import { openApiPath, publicApiPath } from '../clients/device-identity';
import { createHttp } from '../clients/http';
import type { Clock } from '../time/clock';
import { CemmError } from '../errors';
import type { MonitorId } from '../protocol/mac';
import { failureOf, type StepValues } from './check-steps';
import { anyDestination, checkWritten, type Destination, localDestination } from './network-probe';

export type CheckedConnection =
  | { readonly mode: 'remote'; readonly baseUrl: string; readonly apiKey: string }
  | {
      /** The two generations of monitors in the local network. */
      readonly mode: 'local' | 'public';
      readonly host: string;
      readonly mac: MonitorId | null;
      readonly allowLoopback: boolean;
      /** The demo monitor. */
      readonly isInProcess?: boolean;
    };

export interface CheckTarget {
  readonly destination: Destination;
  readonly baseUrl: string;
  /** Path of the root. */
  readonly path: string;
}

/** @throws {StepFailure} */
export function openTarget(checked: CheckedConnection): CheckTarget {
  try {
    if (checked.mode === 'remote') {
      const baseUrl = parseAnyBaseUrl(checked.baseUrl);
      const { port } = new URL(baseUrl);
      const number = port === '' ? (speaksPlainly(baseUrl) ? 80 : 443) : Number(port);
      return { baseUrl, path: '', destination: anyDestination(hostnameOf(baseUrl), number) };
    }
    const address = parseLocalHost(checked.host);
    checkWritten(address.host, checked.allowLoopback);
    const destination = localDestination(address.host, address.port, checked.allowLoopback);
    const path = checked.mode === 'public' ? `${publicApiPath}cemm` : openApiPath;
    return { destination, baseUrl: `${hostOrigin(address)}/`, path };
  } catch (error) {
    throw failureFrom(error);
  }
}

/** Any HTTP status passes; the next step checks it. Sends no secret. */
export async function speakHttp(
  { baseUrl, destination, path }: CheckTarget,
  isRemote: boolean,
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<StepValues> {
  const proxy = isRemote ? 'environment' : 'none';
  const http = createHttp({ baseUrl, clock, sockets: 1, proxy, ...(!isRemote && { lookup: destination.lookup }) });
  try {
    const outcome = await http.get({ path, timeoutMs, signal });
    if (outcome.kind === 'answer') return { status: outcome.status };
    const { failure } = outcome;
    if (failure.status === undefined || failure.reason === 'proxy') throw failureOf(failure);
    return { status: failure.status };
  } finally {
    http.close();
  }
}

export function failureFrom(error: unknown): unknown {
  return error instanceof CemmError ? failureOf(error) : error;
}
