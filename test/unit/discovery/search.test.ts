/** A search on loopback, its subnets and its answers. */
import { getEventListeners } from 'node:events';
import dgram from 'node:dgram';
import should from 'should';
import {
  isInSubnets,
  localSubnets,
  search,
  type SearchOptions,
  type SearchResult,
} from '../../../src/discovery/search';
import { SharedSearch } from '../../../src/discovery/shared-search';
import type { MonitorRecord } from '../../../src/protocol/responses';
import { discoveryQuery, parseDiscoveryReply } from '../../../src/protocol/datagram';
import { toMonitorId } from '../../../src/protocol/mac';
import { until } from '../../support/until';

const mac = '00:1E:C0:85:96:CC';
const id = toMonitorId(mac);

function reply(ip: string, address = mac): Buffer {
  return Buffer.from(JSON.stringify({ ip, mac: address, version: '1.24', type: 'CEMM_basic', init_state: 1 }));
}

function record(address: string): MonitorRecord {
  const known = toMonitorId(address);
  if (known === null) throw new Error('no MAC');
  return { id: known, name: 'Cupboard', type: 'E5AD', version: '2.18.1.0', core: '1.24' };
}

/** A device on loopback that answers the query with these datagrams. */
async function device(
  answers: (ip: string) => Buffer[],
  { address = '127.0.0.1', port = 0, deaf = 0, whileDeaf = null as ((sender: dgram.RemoteInfo) => void) | null } = {},
): Promise<{ port: number; asked: () => number; close: () => Promise<void> }> {
  const socket = dgram.createSocket({ type: 'udp4', reuseAddr: true });
  let asked = 0;
  socket.on('message', (message, sender) => {
    if (!message.equals(discoveryQuery)) return;
    asked += 1;
    if (asked <= deaf) {
      whileDeaf?.(sender);
      return;
    }
    for (const answer of answers(address)) socket.send(answer, sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, address, resolve));
  return {
    port: socket.address().port,
    asked: () => asked,
    close: () =>
      new Promise((resolve) =>
        socket.close(() => {
          resolve();
        }),
      ),
  };
}

function options(port: number, more: Partial<SearchOptions> = {}): SearchOptions {
  return {
    broadcast: '127.0.0.1',
    waitMs: 1500,
    signal: new AbortController().signal,
    verify: () => Promise.resolve(record(mac)),
    allowLoopback: true,
    port,
    ...more,
  };
}

/** A search for a monitor that answers the second request, while another address sends 40 000 datagrams. */
async function searchInFlood(flood: dgram.Socket): Promise<SearchResult> {
  const monitor = await device((ip) => [reply(ip)], { deaf: 1 });
  const answer = search(
    options(monitor.port, {
      waitMs: 4000,
      verify: (host) => Promise.resolve(host === '127.0.0.1' ? record(mac) : null),
      subnets: () => [{ address: '127.0.0.1', prefix: 8, broadcast: '127.255.255.255', internal: true }],
    }),
  );
  const payload = Buffer.from('{"garbage": true}');
  for (let round = 0; round < 40; round += 1) {
    await new Promise<void>((resolve) => {
      let left = 1000;
      for (let index = 0; index < 1000; index += 1) {
        // Sent to the search only, not to the monitor.
        flood.send(payload, monitor.port, '127.0.0.2', () => {
          left -= 1;
          if (left === 0) resolve();
        });
      }
    });
  }
  return answer.finally(() => monitor.close());
}

describe('discovery', function () {
  this.timeout(30_000);

  it('keeps nothing at a signal that lives longer', async () => {
    const { signal } = new AbortController();
    const monitor = await device((ip) => [reply(ip)]);
    for (let round = 0; round < 2; round += 1) await search(options(monitor.port, { signal, waitMs: 50 }));
    await monitor.close();
    should(getEventListeners(signal, 'abort').length).equal(0);
  });

  it('UD7: lists a monitor once that responds several times, and verifies it by its root', async () => {
    const monitor = await device((ip) => [reply(ip), reply(ip)]);
    const result = await search(options(monitor.port));
    result.monitors.should.eql([
      { id, host: '127.0.0.1', verified: true, name: 'Cupboard', type: 'E5AD', version: '2.18.1.0', core: '1.24' },
    ]);
    await monitor.close();
  });

  it('UD8, UD14: sends three requests, so that a lost one does not hide a monitor', async () => {
    const monitor = await device((ip) => [reply(ip)], { deaf: 2 });
    const result = await search(options(monitor.port, { waitMs: 4000 }));
    monitor.asked().should.equal(3);
    result.monitors.should.have.length(1);
    await monitor.close();
  });

  it('UD1: marks a monitor whose root does not respond as unverified', async () => {
    const monitor = await device((ip) => [reply(ip)]);
    const { monitors } = await search(options(monitor.port, { verify: () => Promise.resolve(null) }));
    should(monitors[0]?.verified).be.false();
    should(monitors[0]?.core).equal('1.24');
    await monitor.close();
  });

  it('UD1: drops a device with the MAC of a verified monitor', async () => {
    const monitor = await device((ip) => [reply(ip)]);
    const thief = dgram.createSocket({ type: 'udp4', reuseAddr: true });
    await new Promise<void>((resolve) => thief.bind(0, '127.0.0.9', resolve));
    const claimed: string[] = [];
    const result = search(
      options(monitor.port, {
        verify: (host) => {
          claimed.push(host);
          return Promise.resolve(host === '127.0.0.1' ? record(mac) : record('00:00:00:00:00:01'));
        },
        // The search shares the monitors' port, so unrequested datagrams reach one of its sockets.
        broadcast: '127.255.255.255',
      }),
    );
    for (const delay of [200, 400, 600]) {
      setTimeout(() => {
        thief.send(reply('127.0.0.9'), monitor.port, '127.0.0.2');
      }, delay);
    }
    const direct = dgram.createSocket({ type: 'udp4', reuseAddr: true });
    await new Promise<void>((resolve) => direct.bind(0, '127.0.0.1', resolve));
    setTimeout(() => {
      direct.send(reply('127.0.0.1'), monitor.port, '127.0.0.2');
    }, 300);
    const { monitors } = await result;
    claimed.sort().should.eql(['127.0.0.1', '127.0.0.9']);
    // For the other device only its own root counts.
    monitors
      .map((found) => [found.id, found.host, found.verified])
      .should.eql([
        ['000000000001', '127.0.0.9', true],
        [id, '127.0.0.1', true],
      ]);
    thief.close();
    direct.close();
    await monitor.close();
  });

  it('UD2, UD4: drops invalid responses: garbage, 60 kB, deep nesting, prototype keys, another IP than the sender', async () => {
    const bad = [
      Buffer.alloc(0),
      Buffer.from('hello'),
      Buffer.alloc(60_000, 0x20),
      Buffer.from('['.repeat(500) + ']'.repeat(500)),
      Buffer.from(`{"__proto__": {"x": 1}, "ip": "127.0.0.1", "mac": "${mac}"}`),
      Buffer.from('{"ip": "127.0.0.1", "mac": "12:34"}'),
      Buffer.from('{"ip": 5, "mac": "00:1E:C0:85:96:CC"}'),
      reply('127.0.0.2', 'D8:80:39:46:22:B5'),
    ];
    const monitor = await device((ip) => [...bad, reply(ip)]);
    const result = await search(options(monitor.port));
    result.monitors.map((found) => found.id).should.eql([id]);
    result.dropped.should.be.aboveOrEqual(bad.length);
    should(({} as Record<string, unknown>)['x']).be.undefined();
    await monitor.close();
  });

  it('UD9: returns an empty list, not an error, when no device responds', async () => {
    const silent = await device(() => []);
    (await search(options(silent.port))).monitors.should.be.empty();
    await silent.close();
  });

  it('UD5: finds monitors during a flood from one address', async () => {
    const flood = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => flood.bind(0, '127.0.0.7', resolve));
    // On a busy machine a search may be over before the flood has reached it.
    const monitors = await until('a search that the flood reached', async () => {
      const result = await searchInFlood(flood);
      return result.dropped > 50 ? result.monitors : null;
    });
    flood.close();
    monitors.map((found) => found.host).should.eql(['127.0.0.1']);
  });

  it('UD5, UD8: sends the request again after a flood displaced the responses to the first three', async () => {
    const flood = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => flood.bind(0, '127.0.0.7', resolve));
    const garbage = Buffer.from('{"garbage": true}');
    const monitor = await device((ip) => [reply(ip)], {
      deaf: 3,
      whileDeaf: ({ port, address }) => {
        for (let index = 0; index < 100; index += 1) flood.send(garbage, port, address);
      },
    });
    const verify = (host: string) => Promise.resolve(host === '127.0.0.1' ? record(mac) : null);
    try {
      const { monitors } = await search(options(monitor.port, { waitMs: 8000, verify }));
      monitors.map((found) => found.host).should.eql(['127.0.0.1']);
    } finally {
      flood.close();
      await monitor.close();
    }
  });

  it('UD5: has an answer that comes behind 400 datagrams at once', async () => {
    const flood = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => flood.bind(0, '127.0.0.7', resolve));
    const garbage = Buffer.from('{"garbage": true}');
    const asker = await device(() => [], {
      deaf: Infinity,
      whileDeaf: ({ port, address }) => {
        for (let index = 0; index < 400; index += 1) flood.send(garbage, port, address);
        monitor.send(reply('127.0.0.1'), port, address);
      },
    });
    const monitor = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => monitor.bind(0, '127.0.0.1', resolve));
    const verify = (host: string) => Promise.resolve(host === '127.0.0.1' ? record(mac) : null);
    try {
      const { monitors } = await search(options(asker.port, { verify }));
      monitors.map((found) => found.host).should.eql(['127.0.0.1']);
    } finally {
      flood.close();
      monitor.close();
      await asker.close();
    }
  });

  it('UD5, UD8: asks from another port while a flood at the first one displaces all answers', async () => {
    const flood = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => flood.bind(0, '127.0.0.7', resolve));
    const garbage = Buffer.from('{"garbage": true}');
    const monitor = dgram.createSocket({ type: 'udp4', reuseAddr: true });
    const timers: NodeJS.Timeout[] = [];
    let flooded: number | null = null;
    monitor.on('message', (message, { port, address }) => {
      if (!message.equals(discoveryQuery)) return;
      if (flooded === null) {
        timers.push(
          setInterval(() => {
            for (let index = 0; index < 50; index += 1) flood.send(garbage, port, address);
          }, 100),
        );
      }
      flooded ??= port;
      // The kernel drops what has no room in the buffer.
      if (port !== flooded) monitor.send(reply('127.0.0.1'), port, address);
    });
    await new Promise<void>((resolve) => monitor.bind(0, '127.0.0.1', resolve));
    const verify = (host: string) => Promise.resolve(host === '127.0.0.1' ? record(mac) : null);
    try {
      const { monitors } = await search(options(monitor.address().port, { waitMs: 5000, verify }));
      monitors.map((found) => found.host).should.eql(['127.0.0.1']);
    } finally {
      for (const timer of timers) clearInterval(timer);
      flood.close();
      monitor.close();
    }
  });

  it('UD12: says what to do without a network', async () => {
    await search(options(1, { broadcast: null, subnets: () => [] })).should.be.rejectedWith({
      code: 'NETWORK',
      reason: 'no_interface',
    });
  });

  it('UD10: stops at once when all callers cancel, and leaves no socket open', async () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;
    const stop = new AbortController();
    const shared = new SharedSearch();
    const waiting = shared.search(options(9, { signal: stop.signal, waitMs: 600_000 }));
    setTimeout(() => {
      stop.abort();
    }, 50);
    await waiting.should.be.rejectedWith({ code: 'CANCELLED' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    process
      .getActiveResourcesInfo()
      .filter((kind) => kind === 'UDPWrap')
      .length.should.equal(before);
  });

  it('UD16: runs once for two simultaneous callers, and continues when one of them cancels', async () => {
    const monitor = await device((ip) => [reply(ip)]);
    const shared = new SharedSearch();
    const stop = new AbortController();
    const first = shared.search(options(monitor.port, { signal: stop.signal }));
    const second = shared.search(options(monitor.port));
    stop.abort();
    await first.should.be.rejectedWith({ code: 'CANCELLED' });
    (await second).monitors.should.have.length(1);
    monitor.asked().should.equal(2);
    await monitor.close();
  });
});

describe('subnets', () => {
  const subnets = [{ address: '192.168.2.10', prefix: 24, broadcast: '192.168.2.255', internal: false }];

  it('UD3: distinguish local from other addresses', () => {
    isInSubnets('192.168.2.77', subnets).should.be.true();
    isInSubnets('192.168.3.77', subnets).should.be.false();
    isInSubnets('::1', subnets).should.be.false();
    isInSubnets('0xc0.0xa8.0x02.0x4d', subnets).should.be.false();
  });

  it('UD13: exclude point-to-point links and IPv6', () => {
    const all = localSubnets(() => ({
      eth0: [
        { address: '10.1.2.3', netmask: '255.255.0.0', family: 'IPv4', mac: '', internal: false, cidr: '10.1.2.3/16' },
        {
          address: 'fe80::1',
          netmask: 'ffff::',
          family: 'IPv6',
          mac: '',
          internal: false,
          cidr: 'fe80::1/64',
          scopeid: 2,
        },
      ],
      tun0: [
        {
          address: '10.8.0.2',
          netmask: '255.255.255.255',
          family: 'IPv4',
          mac: '',
          internal: false,
          cidr: '10.8.0.2/32',
        },
      ],
    }));
    all.should.eql([{ address: '10.1.2.3', prefix: 16, broadcast: '10.1.255.255', internal: false }]);
  });
});

describe('the discovery answer', () => {
  it("is parsed in both spellings of the vendor's page", () => {
    parseDiscoveryReply(reply('192.168.2.115')).should.eql({
      id,
      ip: '192.168.2.115',
      core: '1.24',
      type: 'CEMM_basic',
    });
  });

  it('CL11: removes control characters and truncates texts', () => {
    const body = Buffer.from(JSON.stringify({ ip: '10.0.0.1', mac, type: `\u001b[31m${'x'.repeat(300)}`, version: 5 }));
    const parsed = parseDiscoveryReply(body);
    should(parsed.type).equal(`[31m${'x'.repeat(60)}`);
    should(parsed.core).be.null();
  });
});
