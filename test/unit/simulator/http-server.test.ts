/** The HTTP server of the simulator, between its routes and its clients. */
import { connect } from 'node:net';
import should from 'should';
import type { FaultName } from '../../../src/simulator/faults';
import { type HttpInterface, type Route, startHttpInterface } from '../../../src/simulator/http-server';
import { until } from '../../support/until';

describe('the line of the simulator', () => {
  const open: HttpInterface[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((line) => line.close()));
  });

  async function start(route: Route, faults: readonly FaultName[] = [], address = '127.0.0.1') {
    const requests = new Map<string, number>();
    const lines: Readonly<Record<string, unknown>>[] = [];
    const line = await startHttpInterface({
      name: 'local',
      port: 0,
      address,
      pages: [],
      routes: [route],
      faults: new Set(faults),
      requests,
      log: (entry) => void lines.push(entry),
    });
    open.push(line);
    return { origin: line.origin, requests, lines };
  }

  it('answers 500 where a route fails, and continues', async () => {
    const { origin } = await start(({ path }) => {
      if (path === '/bad/') throw new Error('a defect of the simulator');
      return { status: 200, body: 'good' };
    });
    const bad = await fetch(`${origin}/bad`);
    should(bad.status).equal(500);
    should(await bad.text()).not.containEql('defect');
    should(await (await fetch(`${origin}/good`)).text()).equal('good');
  });

  it('resets the connection during a response, also where the answer is empty', async () => {
    for (const body of ['0123456789', '']) {
      const { origin, lines } = await start(() => ({ status: 200, body }), ['reset']);
      await fetch(`${origin}/x`)
        .then((response) => response.text())
        .should.be.rejected();
      await until('the line of the log', () => lines.length === 1);
      should(lines[0]).match({ interface: 'local', method: 'GET', path: '/x/' });
    }
  });

  it('logs that a connection without a response has no status', async () => {
    const { origin, lines, requests } = await start(() => ({ status: 200, body: '' }), ['silent']);
    const abort = new AbortController();
    const asked = fetch(`${origin}/x?time=5`, { signal: abort.signal });
    await until('the request', () => requests.size === 1);
    abort.abort();
    await asked.should.be.rejected();
    await until('the line of the log', () => lines.length === 1);
    should(lines[0]).match({ path: '/x/?time=5', status: null });
  });

  it('counts a thousand different paths, and the rest together', async () => {
    const { origin, requests } = await start(() => ({ status: 200, body: '' }));
    const { port } = new URL(origin);
    const calls = Array.from({ length: 1200 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(calls.join('')));
    socket.resume();
    await until('all of them', () => [...requests.values()].reduce((sum, count) => sum + count, 0) === 1200);
    socket.destroy();
    should(requests.size).equal(1001);
    should(requests.get('local /0/')).equal(1);
    should(requests.get('local *')).equal(200);
  });

  it('writes an IPv6 address into its origin as a URL wants it', async () => {
    const { origin } = await start(() => ({ status: 200, body: 'six' }), [], '::ffff:127.0.0.1');
    should(new URL(origin).hostname).match(/^\[::ffff:/);
    should(await (await fetch(origin)).text()).equal('six');
  });
});
