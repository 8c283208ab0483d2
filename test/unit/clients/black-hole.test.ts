/** A host that does not answer the first packet, such as one behind a firewall (RA16 of test/faults.json). */
import should from 'should';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../src/time/clock';
import type { CheckedConnection } from '../../../src/diagnostics/check-target';
import { checkConnection } from '../../../src/diagnostics/connection-check';
import { until } from '../../support/until';
import {
  apiKey,
  askOptions,
  errorOf,
  leaks,
  localAt,
  localEndpoints,
  publicAt,
  publicEndpoints,
  remoteAt,
  remoteEndpoints,
  type Endpoint,
} from '../../support/clients/harness';

/**
 * An address that drops everything, even the first packet. A thread listens and never accepts a connection; once its queue is
 * full, the system drops further connections, like a firewall. Needs no privilege and no other network.
 */
interface BlackHole {
  readonly port: number;
  close(): Promise<void>;
}

const listener = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    // Out of this thread's loop nothing is accepted any more.
    setImmediate(() => Atomics.wait(workerData, 0, 0));
  });
`;

/** Longest time of a connection that is not dropped, in ms: a dropped packet is repeated after a second, in vain. */
const patience = 1500;
const largestQueue = 32;

async function startBlackHole(): Promise<BlackHole> {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(listener, { eval: true, workerData: lock });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const queue: Socket[] = [];
  while (await isTaken(port, queue)) {
    if (queue.length > largestQueue) throw new Error('The queue of a listener that takes nobody does not fill up.');
  }
  return {
    port,
    close: async () => {
      for (const socket of queue) socket.destroy();
      Atomics.store(lock, 0, 1);
      Atomics.notify(lock, 0);
      await worker.terminate();
    },
  };
}

/** True while the queue has room. */
function isTaken(port: number, queue: Socket[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    queue.push(socket);
    socket.on('error', reject);
    const timer = setTimeout(() => {
      resolve(false);
    }, patience);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

const deadlineMs = 1200;

/** Connections of this process that are not established. */
const knocking = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

describe('a host that accepts no packets', function () {
  this.timeout(60_000);
  let hole: BlackHole;

  before(async () => {
    hole = await startBlackHole();
  });

  after(() => hole.close());

  function tests<C extends { close(): void }>(
    name: string,
    endpoints: readonly Endpoint<C>[],
    open: (server: { origin: string }) => C,
  ): void {
    it(`RA16: ends every request of a ${name} client at its deadline, and closes the connection`, async () => {
      const before = knocking();
      await Promise.all(
        endpoints.map(async (endpoint) => {
          const client = open({ origin: `http://127.0.0.1:${hole.port}` });
          const started = systemClock.monotonic();
          const error = await errorOf(endpoint.ask(client, askOptions(deadlineMs)));
          should([error.code, error.retryable]).eql(['DEADLINE', true], endpoint.name);
          should(systemClock.monotonic() - started).be.aboveOrEqual(deadlineMs - 1);
          should(leaks(error, apiKey)).be.empty();
          client.close();
        }),
      );
      await until('no connection to be left', () => knocking() <= before);
    });
  }
  tests('remote', remoteEndpoints, remoteAt);
  tests('local', localEndpoints, localAt);
  tests('public', publicEndpoints, publicAt);

  it('RA16: is reported by the connection check at the port step', async () => {
    const before = knocking();
    for (const checked of [
      { mode: 'local', host: `127.0.0.1:${hole.port}`, mac: null, allowLoopback: true },
      { mode: 'remote', baseUrl: `https://127.0.0.1:${hole.port}/v1/`, apiKey },
    ] satisfies CheckedConnection[]) {
      const rungs = await checkConnection(checked, { signal: new AbortController().signal, deadlineMs });
      const failed = rungs.filter(({ state }) => state === 'failed');
      should(failed.map(({ step, word }) => `${step} ${String(word)}`)).eql(['tcp NETWORK_timeout']);
    }
    await until('no connection to be left', () => knocking() <= before);
  });
});
