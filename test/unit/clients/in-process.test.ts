/** The demo monitor answers in the process that asks: while this one computes, no answer can come. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalClient } from '../../../src/clients/local-client';

/** Longer than a monitor in the network may be silent. */
const busyMs = 5500;

describe('a monitor in the process that asks', function () {
  this.timeout(30_000);
  let server: Server;
  let host: string;

  before(async () => {
    server = createServer((_request, response) => {
      // Takes no time of the processor, and lets nothing else of this process run.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
      setImmediate(() => response.end(JSON.stringify({ data: { mac: '00:11:22:AA:BB:CC' } })));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function readRoot(isInProcess: boolean): Promise<number> {
    const client = createLocalClient({ host, allowLoopback: true, isInProcess });
    const options = { signal: new AbortController().signal, deadlineMs: 25_000, patience: 'user' } as const;
    try {
      return (await client.request({ kind: 'monitors' }, options)).value.length;
    } finally {
      client.close();
    }
  }

  it('is waited for while the process computes, unlike a monitor in the network', async () => {
    (await readRoot(true)).should.equal(1);
    await readRoot(false).should.be.rejectedWith({ code: 'NETWORK' });
  });
});
