/** The steps below HTTP, each on its own connection: name lookup, TCP connection and TLS handshake. */
import { lookup as systemLookup } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { guardedLookup } from '../clients/address';
import { isPrivate, mayConnect } from '../checks/limits';
import { socketFailure } from '../clients/http-failures';
import { failureOf, type StepValues } from './check-steps';

/** Host, port and address rules of a connection. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

/** A destination in the local network; every address is checked with the rules of a local connection. */
export function localDestination(host: string, port: number, allowLoopback: boolean): Destination {
  return { host, port, lookup: guardedLookup({ allowLoopback }) };
}

export function anyDestination(host: string, port: number): Destination {
  return { host, port, lookup: systemLookup };
}

/** @throws {StepFailure} */
export function checkWritten(host: string, allowLoopback: boolean): void {
  // No lookup takes place for an IP address.
  if (isIP(host) !== 0 && !mayConnect(host, { allowLoopback })) {
    throw failureOf({ code: 'CONFIG', reason: 'host_not_local' });
  }
}

/** @throws {StepFailure} */
export async function resolveName({ host, lookup }: Destination): Promise<void> {
  if (isIP(host) !== 0) return;
  await new Promise<void>((resolve, reject) => {
    lookup(host, { all: true }, (error) => {
      if (error === null) resolve();
      else reject(failureOf(socketFailure(error)));
    });
  });
}

/** True if every address of the name is private, or if the name cannot be looked up: an earlier step reports that. */
export async function resolvesToOwnNetwork({ host, lookup }: Destination): Promise<boolean> {
  if (isIP(host) !== 0) return isPrivate(host);
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => {
      resolve(error !== null || (typeof found !== 'string' && found.every(({ address }) => isPrivate(address))));
    });
  });
}

/** @throws {StepFailure} */
export function openTcp(destination: Destination, timeoutMs: number, signal: AbortSignal): Promise<StepValues> {
  return connected(connectTcp(destination), 'connect', timeoutMs, signal);
}

/** @throws {StepFailure} */
export function openTls(destination: Destination, timeoutMs: number, signal: AbortSignal): Promise<StepValues> {
  const { host } = destination;
  const socket = connectTls({ ...destination, ...(isIP(host) === 0 && { servername: host }) });
  return connected(socket, 'secureConnect', timeoutMs, signal);
}

async function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  signal: AbortSignal,
): Promise<StepValues> {
  const stop = (): void => {
    socket.destroy(Object.assign(new Error('stopped'), { code: 'ETIMEDOUT' }));
  };
  const timer = setTimeout(stop, Math.max(0, timeoutMs));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, () => {
        resolve();
      });
      // Stays attached: a late error of a destroyed socket must not end the process.
      socket.on('error', (error) => {
        reject(failureOf(socketFailure(error)));
      });
      if (signal.aborted) stop();
    });
    return {};
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}
