/** Another monitor that has got the address of the first one: nothing of it counts (src/clients/device-identity.ts). */
import should from 'should';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { periodFromLabel } from '../../../src/calendar/periods';
import { createLocalClient } from '../../../src/clients/local-client';
import type { Clock } from '../../../src/time/clock';
import { systemClock } from '../../../src/time/clock';
import { connectTo } from '../../support/clients/in-process';
import { toMonitorId } from '../../../src/protocol/mac';
import { millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const zone = 'Europe/Amsterdam';
const [macA, macB] = ['00:11:22:AA:BB:CC', '00:11:22:AA:BB:DD'];
const day = periodFromLabel('2026-05-12', zone);

/** Real timers, and a time of day that a test moves. */
class MovedClock implements Clock {
  movedMs = 0;

  constructor(private readonly begin: number) {}

  now() {
    return millis(this.begin + this.movedMs);
  }

  monotonic(): number {
    return this.movedMs;
  }

  after(delayMs: number, run: () => void): () => void {
    return systemClock.after(delayMs, run);
  }

  soon(run: () => void): void {
    systemClock.soon(run);
  }
}

describe('another monitor at the address', () => {
  let folder: string;
  let server: Server | null;
  let requests: string[];
  let port = 0;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-other-'));
    requests = [];
    port = 0;
    server = null;
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A monitor whose power is always the same. */
  async function listen(mac: string, watts: number, clock: Clock): Promise<void> {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://monitor');
      requests.push(url.pathname);
      const answer = (): unknown => {
        if (url.pathname.endsWith('/realtime/')) return { io_id: 1, data: { electric_power: [clock.now(), watts] } };
        if (url.pathname.endsWith('/data/day/')) {
          const minutes = Array.from({ length: 1440 }, (_, minute) => [day.start + minute * 60_000, watts]);
          return { io_id: 1, time: day.start, data: { electric_power: minutes } };
        }
        if (/\/io\/?$/.test(url.pathname)) return { data: [{ io_id: 1, port: 3, type: 'p1', alias: 'p1' }] };
        return { data: { mac, name: 'Home', type: 'CEMM', version: '2.26' } };
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer()));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  async function stop(): Promise<void> {
    if (server === null) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    server = null;
  }

  for (const filledIn of [true, false]) {
    it(`PD4: is WRONG_MONITOR, and nothing of it is kept (MAC ${filledIn ? 'filled in' : 'known since the start'})`, async () => {
      const clock = new MovedClock(day.end + 3 * hourMs);
      await listen(macA, 500, clock);
      const client = createLocalClient({
        host: `127.0.0.1:${port}`,
        mac: filledIn ? toMonitorId(macA) : null,
        allowLoopback: true,
        clock,
        isInProcess: true,
      });
      const past = new PastDays({ folder, clock, onProblem: () => undefined });
      const connection = connectTo({ client, clock, past });
      const ask = { signal: new AbortController().signal };
      const target = { monitor: null, alias: 'p1', role: 'auto' } as const;
      const before = periodFromLabel('2026-05-11', zone);
      try {
        await connection.readRealtime(target, ask);
        await stop();
        await listen(macB, 900, clock);
        clock.movedMs = 61_000;
        for (const period of [day, before]) {
          await connection.readSeries(target, period, ask).should.be.rejectedWith({ code: 'WRONG_MONITOR' });
        }
        await connection.readRealtime(target, ask).should.be.rejectedWith({ code: 'WRONG_MONITOR' });
        await past.flush();
        // The list of meters of the first monitor, in two copies.
        should(await readdir(folder)).deepEqual(['001122aabbcc']);
        should((await readdir(join(folder, '001122aabbcc'))).filter((name) => name.includes('.series'))).be.empty();
        await stop();
        await listen(macA, 500, clock);
        const { points } = await connection.readSeries(target, day, ask);
        should(points[5]).have.property('power_w', 500);
      } finally {
        await connection.close();
        client.close();
      }
    });
  }

  it('PD4: costs a request for the root for a new connection after a minute, and none for one that is still open', async () => {
    const clock = new MovedClock(day.end + 3 * dayMs);
    await listen(macA, 500, clock);
    const client = createLocalClient({ host: `127.0.0.1:${port}`, allowLoopback: true, clock, isInProcess: true });
    const ask = { signal: new AbortController().signal, deadlineMs: 5_000, patience: 'user' } as const;
    const monitor = toMonitorId(macA);
    const roots = (): number => requests.filter((path) => path === '/open-api/v1/').length;
    try {
      if (monitor === null) throw new Error('no MAC');
      const read = () => client.request({ kind: 'realtime', monitor, alias: 'p1' }, ask);
      await read();
      roots().should.equal(1);
      clock.movedMs += 120_000;
      await read();
      roots().should.equal(1);
      server?.closeAllConnections();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await read();
      roots().should.equal(2);
      server?.closeAllConnections();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await read();
      roots().should.equal(2);
    } finally {
      client.close();
    }
  });
});
