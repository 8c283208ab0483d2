/**
 * An address that drops everything, even the first packet. A thread listens and never accepts a connection; once its queue is
 * full, the system drops further connections, like a firewall. Needs no privilege and no other network.
 */
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface BlackHole {
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

export async function startBlackHole(): Promise<BlackHole> {
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
