/** The limits of a search, and its cancellation. */
import dgram from 'node:dgram';
import should from 'should';
import { verifyMonitor } from '../../../src/discovery/probe-host';
import { search, type SearchOptions } from '../../../src/discovery/search';
import { SharedSearch } from '../../../src/discovery/shared-search';
import type { MonitorRecord } from '../../../src/protocol/responses';
import { discoveryQuery } from '../../../src/protocol/datagram';
import { toMonitorId } from '../../../src/protocol/mac';

function options(port: number, more: Partial<SearchOptions> = {}): SearchOptions {
  return {
    broadcast: '127.0.0.1',
    waitMs: 1500,
    signal: new AbortController().signal,
    verify: () => Promise.resolve(null),
    allowLoopback: true,
    port,
    ...more,
  };
}

/** Devices at different addresses, each with this many monitors. All answer a query that one of them receives. */
async function neighbourhood(hosts: readonly string[], each: number) {
  const sockets = await Promise.all(
    hosts.map(async (host) => {
      const socket = dgram.createSocket({ type: 'udp4', reuseAddr: true });
      await new Promise<void>((resolve) => socket.bind(0, host, resolve));
      return socket;
    }),
  );
  const [ear] = sockets;
  if (ear === undefined) throw new Error('nobody is there');
  ear.on('message', (message, asker) => {
    if (!message.equals(discoveryQuery)) return;
    sockets.forEach((socket, house) => {
      for (let index = 0; index < each; index++) {
        const mac = `00:1E:C0:00:${[house, index].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`;
        socket.send(JSON.stringify({ ip: hosts[house], mac }), asker.port, asker.address);
      }
    });
  });
  return {
    port: ear.address().port,
    close: () => {
      for (const socket of sockets) socket.close();
    },
  };
}

describe('a search', function () {
  this.timeout(60_000);

  it('shows 64 monitors', async () => {
    const hosts = Array.from({ length: 35 }, (_, index) => `127.0.0.${index + 1}`);
    const { port, close } = await neighbourhood(hosts, 2);
    const { monitors, requests } = await search(options(port)).finally(close);
    should(monitors).have.length(64);
    should(requests).equal(35);
  });

  it('verifies many forged answers without a warning of Node.js', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', warned);
    const hosts = Array.from({ length: 100 }, (_, index) => `127.0.0.${index + 1}`);
    const { port, close } = await neighbourhood(hosts, 1);
    try {
      const { requests } = await search(options(port, { verify: verifyMonitor({ allowLoopback: true }) }));
      // Node.js warns at eleven listeners. On a busy machine the last answers come after the search.
      requests.should.be.above(50);
      await new Promise((resolve) => setImmediate(resolve));
      warnings.map(({ message }) => message).should.eql([]);
    } finally {
      close();
      process.off('warning', warned);
    }
  });

  it('UD17: does not end after 64 forged responses before the monitor has responded', async () => {
    const liars = Array.from({ length: 40 }, (_, index) => `127.0.0.${index + 10}`);
    const flood = await neighbourhood(liars, 4);
    const monitor = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => monitor.bind(0, '127.0.0.9', resolve));
    const mac = '00:1E:C0:85:96:CC';
    const id = toMonitorId(mac);
    const verify = (host: string): Promise<MonitorRecord | null> =>
      Promise.resolve(
        host === '127.0.0.9' && id !== null ? { id, name: 'Cupboard', type: null, version: null, core: null } : null,
      );
    const answer = search(options(flood.port, { verify, broadcast: '127.0.0.10' }));
    // The forged answers have arrived when the monitor answers, to the port that the search shares with the monitors.
    const late = setTimeout(() => {
      monitor.send(JSON.stringify({ ip: '127.0.0.9', mac }), flood.port, '127.0.0.2');
    }, 700);
    const { monitors } = await answer.finally(() => {
      clearTimeout(late);
      flood.close();
      monitor.close();
    });
    should(monitors.filter(({ verified }) => verified).map(({ host }) => host)).eql(['127.0.0.9']);
    should(monitors).have.length(64);
  });

  it('parses 16 answers of one sender and shows two', async () => {
    const { port, close } = await neighbourhood(['127.0.0.1'], 40);
    const { monitors, dropped } = await search(options(port)).finally(close);
    should(monitors).have.length(2);
    should(dropped).be.aboveOrEqual(24);
  });

  it('ignores answers from outside its networks', async () => {
    const { port, close } = await neighbourhood(['127.0.0.1'], 1);
    const subnets = () => [{ address: '127.1.0.1', prefix: 16, broadcast: '127.0.0.1', internal: true }];
    const { monitors, dropped } = await search(options(port, { broadcast: null, subnets }));
    close();
    should(monitors).be.empty();
    should(dropped).be.aboveOrEqual(1);
  });

  it('searches loopback networks only by option', async () => {
    const subnets = () => [{ address: '127.0.0.1', prefix: 8, broadcast: '127.255.255.255', internal: true }];
    await search(options(9, { broadcast: null, subnets, allowLoopback: false })).should.be.rejectedWith({
      reason: 'no_interface',
    });
  });

  it('sends nothing when it was cancelled before the start, alone and shared', async () => {
    const { port, close } = await neighbourhood(['127.0.0.1'], 1);
    const stopped = options(port, { signal: AbortSignal.abort() });
    await search(stopped).should.be.rejectedWith({ code: 'CANCELLED', endpoint: 'discovery' });
    let runs = 0;
    const shared = new SharedSearch((given) => {
      runs += 1;
      return search(given);
    });
    await shared.search(stopped).should.be.rejectedWith({ code: 'CANCELLED', endpoint: 'discovery' });
    // The first search was cancelled, so the next one starts anew.
    should((await shared.search(options(port))).monitors).have.length(1);
    should(runs).equal(2);
    close();
  });

  it('can be cancelled while roots are requested', async () => {
    const { port, close } = await neighbourhood(['127.0.0.1'], 1);
    const stop = new AbortController();
    const verify = () => {
      stop.abort();
      return Promise.resolve(null);
    };
    await search(options(port, { signal: stop.signal, verify })).should.be.rejectedWith({ code: 'CANCELLED' });
    close();
  });
});
