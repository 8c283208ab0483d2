/** Faults of clients, discovery and time (test/faults.json) that no other test covers. */
import dgram from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import should from 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import { CemmError } from '../../../src/errors';
import { createLocalClient } from '../../../src/clients/local-client';
import { search, type SearchOptions, type SearchResult } from '../../../src/discovery/search';
import { SharedSearch } from '../../../src/discovery/shared-search';
import { ResponseCache } from '../../../src/connection/response-cache';
import { normalizeSeries } from '../../../src/model/series';
import { discoveryQuery } from '../../../src/protocol/datagram';
import { toMonitorId } from '../../../src/protocol/mac';
import { startFaultServer } from '../../support/network/fault-server';
import { askOptions, errorOf, localAt, monitor, remoteAt } from '../../support/clients/harness';
import { FakeClock } from '../../support/time/fake-clock';
import { momentOf, meter, MONITOR, series, SOURCE } from '../../support/model/wire';

const nodesDir = resolve(__dirname, '../../../nodes');
const mac = '00:1E:C0:85:96:CC';

describe('client faults', () => {
  it('RA17: applies the deadline to name resolution', async () => {
    const client = createLocalClient({ host: 'cemm.local', resolve: () => undefined });
    const error = await errorOf(client.request({ kind: 'monitors' }, askOptions(300)));
    should([error.code, error.retryable]).eql(['DEADLINE', true]);
    client.close();
  });

  it('RA26: counts samples of another day as outside and drops them', () => {
    const noon = momentOf('2026-10-20T12:00:00Z');
    const payload = normalizeSeries({
      response: series({ electric_power: [[noon, 5] as const, [noon + 60_000, 6] as const] }),
      period: periodFromLabel('2026-10-24', 'Europe/Amsterdam'),
      now: momentOf('2026-10-25T12:00:00Z'),
      monitor: MONITOR,
      meter: meter('s01', null),
      source: SOURCE,
    });
    should(payload.stats.outside).equal(2);
    should(payload.points.filter((point) => Object.values(point).includes(5))).be.empty();
    should(payload.complete).be.false();
  });

  it('ME4: caches a limited number of refused aliases', () => {
    const memory = new ResponseCache(new FakeClock(), true);
    const asked = (index: number) => ({ kind: 'realtime', monitor, alias: `made-up-${index}` }) as const;
    for (let index = 0; index < 3000; index++) {
      memory.failed(asked(index), new CemmError('ALIAS', { status: 412 }));
    }
    const known = Array.from({ length: 3000 }, (_, index) => index).filter(
      (index) => memory.knownFailure(asked(index)) !== null,
    );
    should(known.length).equal(1000);
    should(known[0]).equal(2000);
  });

  it('ME8: keeps no connection in an error', async () => {
    const server = await startFaultServer(() => (socket) => socket.resetAndDestroy());
    for (const client of [remoteAt(server), localAt(server)]) {
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions(2000)));
      for (const name of Reflect.ownKeys(error)) {
        const value: unknown = Reflect.get(error, name);
        const isPlain =
          value === null || typeof value !== 'object' || Object.getPrototypeOf(value) === Object.prototype;
        should(isPlain).be.true(String(name));
      }
      should(error.cause).be.undefined();
      client.close();
    }
    await server.close();
  });
});

describe('discovery faults', function () {
  this.timeout(30_000);

  function options(port: number, more: Partial<SearchOptions> = {}): SearchOptions {
    return {
      broadcast: '127.0.0.1',
      waitMs: 700,
      signal: new AbortController().signal,
      verify: () => Promise.resolve(null),
      allowLoopback: true,
      port,
      ...more,
    };
  }

  /** A device that answers each query with these datagrams, on a shared or exclusive port. */
  async function device(answers: readonly (string | Uint8Array)[], reuseAddr = true) {
    const socket = dgram.createSocket({ type: 'udp4', reuseAddr });
    socket.on('message', (message, sender) => {
      if (!message.equals(discoveryQuery)) return;
      for (const answer of answers) socket.send(answer, sender.port, sender.address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return socket;
  }

  const answer = JSON.stringify({ ip: '127.0.0.1', mac, version: '1.24', type: 'CEMM_basic', init_state: 1 });

  it('UD6: ignores its own request', async () => {
    const socket = await device([discoveryQuery, answer]);
    const { monitors, dropped } = await search(options(socket.address().port));
    should(monitors.map(({ id }) => id)).eql([toMonitorId(mac)]);
    should(dropped).equal(0);
    socket.close();
  });

  it('UD11: finds monitors while another program has the port', async () => {
    const socket = await device([answer], false);
    const { monitors } = await search(options(socket.address().port));
    should(monitors).have.length(1);
    socket.close();
  });

  it('UD14: sends a request to the network at most once in 5 s', async () => {
    let now = 0;
    let searches = 0;
    const nothing: SearchResult = {
      monitors: [],
      dropped: 0,
      unreachable: [],
      fetchedAt: 0,
      latencyMs: 0,
      requests: 0,
    };
    const shared = new SharedSearch(
      () => {
        searches += 1;
        return Promise.resolve(nothing);
      },
      () => now,
    );
    for (now = 0; now < 20_000; now += 100) await shared.search(options(9));
    should(searches).equal(4);
  });

  it('UD15: inserts no text of a device as HTML', () => {
    const scripts = readdirSync(nodesDir, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && /editor/.test(file),
    );
    should(scripts.length).be.above(20);
    for (const file of scripts) {
      const source = readFileSync(join(nodesDir, file), 'utf8');
      should(source).not.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.html\(|parseHTML/, file);
      // jQuery creates elements from a text that begins with a tag, so such a text must be a literal.
      should(source).not.match(/\$\(\s*`\s*<[^`]*\$\{/, file);
    }
  });
});
