/** Checks for a monitor at an address: requests the roots of its APIs, under the rules of a local connection. */
import { createLocalClient } from '../clients/local-client';
import type { VerifyMonitor } from './search';
import type { ClientResponse, MonitorClient, PublicClient, SendOptions } from '../clients/client';
import { CemmError } from '../errors';
import { createPublicClient } from '../clients/public-client';
import { describeMonitor } from '../model/identity';
import type { MonitorInfo, SourceInfo } from '../model/payload';
import { describePublicMonitorInFull } from '../model/public-meters';

/** A root is a few hundred bytes from the local network. */
const rootDeadlineMs = 5_000;

export function verifyMonitor({ allowLoopback }: { readonly allowLoopback: boolean }): VerifyMonitor {
  return async (host, signal) => {
    try {
      const client = createLocalClient({ host, allowLoopback });
      const options: SendOptions = { signal, deadlineMs: rootDeadlineMs, patience: 'poll' };
      return (await takeFirst(client, client.request({ kind: 'monitors' }, options))).first;
    } catch {
      // A connection could not use this response.
      return null;
    }
  };
}

/** A monitor at an address that a user entered: a CEMM 3.0, which does not answer a search, or an older monitor. */
interface AnsweringMonitor {
  readonly monitor: MonitorInfo;
  readonly source: SourceInfo;
}

/**
 * Returns null when neither generation answers.
 * @throws {CemmError} CONFIG: not an address of a local network; AUTH: a CEMM 3.0 that refuses; CANCELLED
 */
export async function probeHost(
  host: string,
  { allowLoopback, signal }: { readonly allowLoopback: boolean; readonly signal: AbortSignal },
): Promise<AnsweringMonitor | null> {
  const options: SendOptions = { signal, deadlineMs: rootDeadlineMs, patience: 'poll' };
  try {
    return await probePublic(host, allowLoopback, options);
  } catch (error) {
    if (!(error instanceof CemmError)) throw error;
    if (error.reason === 'mode_local') return answerOrNull(probeLocal(host, allowLoopback, options));
    if (error.code === 'CONFIG' || error.code === 'AUTH' || error.code === 'CANCELLED') throw error;
    return null;
  }
}

async function probePublic(
  host: string,
  allowLoopback: boolean,
  options: SendOptions,
): Promise<AnsweringMonitor | null> {
  const client = createPublicClient({ host, allowLoopback });
  const { first, source } = await takeFirst(client, client.request({ kind: 'identity' }, options));
  return first === null ? null : { monitor: describePublicMonitorInFull(first, host), source };
}

async function probeLocal(
  host: string,
  allowLoopback: boolean,
  options: SendOptions,
): Promise<AnsweringMonitor | null> {
  const client = createLocalClient({ host, allowLoopback });
  const { first, source } = await takeFirst(client, client.request({ kind: 'monitors' }, options));
  return first === null ? null : { monitor: describeMonitor(first, host), source };
}

/** The first monitor of an answer, and where it came from. Closes the client. */
async function takeFirst<Found>(
  client: Pick<MonitorClient | PublicClient, 'transport' | 'close'>,
  request: Promise<ClientResponse<readonly Found[]>>,
): Promise<{ readonly first: Found | null; readonly source: SourceInfo }> {
  try {
    const { value, fetchedAt, latencyMs, requests, promises } = await request;
    return {
      first: value[0] ?? null,
      source: { transport: client.transport, fetchedAt, latencyMs, requests, promises },
    };
  } finally {
    client.close();
  }
}

/** Null when the monitor no longer answers. */
async function answerOrNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof CemmError && error.code !== 'CANCELLED') return null;
    throw error;
  });
}
