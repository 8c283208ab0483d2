/** A search on a system that refuses it (UD12 of test/faults.json), with real refusals of the system on loopback. */
import dgram from 'node:dgram';
import should from 'should';
import { search, type SearchOptions } from '../../../src/discovery/search';
import { discoveryQuery } from '../../../src/protocol/datagram';

const refusedBroadcast = '127.255.255.255';

function options(port: number, more: Partial<SearchOptions> = {}): SearchOptions {
  return {
    broadcast: refusedBroadcast,
    waitMs: 1500,
    signal: new AbortController().signal,
    verify: () => Promise.resolve(null),
    allowLoopback: true,
    port,
    ...more,
  };
}

describe('a search on a system that refuses', function () {
  this.timeout(30_000);
  const { setBroadcast, bind } = Object.getOwnPropertyDescriptors(dgram.Socket.prototype);
  const complaints: unknown[] = [];
  const complain = (error: unknown): void => void complaints.push(error);

  beforeEach(() => {
    complaints.length = 0;
    process.on('uncaughtExceptionMonitor', complain);
  });

  afterEach(() => {
    Object.defineProperties(dgram.Socket.prototype, { setBroadcast, bind } as PropertyDescriptorMap);
    process.off('uncaughtExceptionMonitor', complain);
    should(complaints).be.empty();
  });

  /** Without this flag the system refuses every broadcast with EACCES. */
  function forbidBroadcast(): void {
    Reflect.set(dgram.Socket.prototype, 'setBroadcast', () => undefined);
  }

  it('UD12: names the network that refuses, and returns an empty result', async () => {
    forbidBroadcast();
    const control = dgram.createSocket('udp4');
    const refusal = await new Promise<Error | null>((resolve) => {
      control.send('x', 9, refusedBroadcast, resolve);
    });
    control.close();
    should(refusal).match({ code: 'EACCES' });

    const result = await search(options(9));
    should(result).match({ monitors: [], unreachable: [refusedBroadcast], dropped: 0, requests: 0 });
  });

  it('UD12: finds the monitor of one network when another one refuses', async () => {
    forbidBroadcast();
    const monitor = dgram.createSocket('udp4');
    monitor.on('message', (message, { port, address }) => {
      const answer = JSON.stringify({ ip: '127.0.0.1', mac: '00:1E:C0:85:96:CC' });
      if (message.equals(discoveryQuery)) monitor.send(answer, port, address);
    });
    await new Promise<void>((resolve) => monitor.bind(0, '127.0.0.1', resolve));
    const subnets = ['127.0.0.1', refusedBroadcast].map((broadcast) => ({
      address: '127.0.0.1',
      prefix: 8,
      broadcast,
      internal: true,
    }));
    const result = await search(options(monitor.address().port, { broadcast: null, subnets: () => subnets }));
    monitor.close();
    should(result.monitors.map(({ id }) => id)).eql(['001ec08596cc']);
    should(result.unreachable).eql([refusedBroadcast]);
  });

  it('UD12: says what to do when no socket can be opened', async () => {
    const real = bind.value as (this: dgram.Socket, port: number, address: string) => dgram.Socket;
    // An address for documentation (RFC 5737) is not one of this machine, so the system refuses to bind it.
    Reflect.set(dgram.Socket.prototype, 'bind', function refused(this: dgram.Socket) {
      return real.call(this, 0, '192.0.2.1');
    });
    await search(options(9)).should.be.rejectedWith({ code: 'NETWORK', reason: 'no_socket', endpoint: 'discovery' });
  });
});
