/** A replayed report answers as the monitor did. */
import should from 'should';
import { millis } from '../../../src/time/units';
import type { Exchange } from '../../../src/report/recording';
import { ReportError, readReport } from '../../../src/report/read-report';
import { fileOf, type Report } from '../../../src/report/report-file';
import { parseCommandLine } from '../../../src/simulator/cli-options';
import type { RouteResponse } from '../../../src/simulator/http-server';
import { replayedMonitor } from '../../../src/simulator/replayed-monitor';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startReplay } from '../../../src/simulator/start-replay';

const at = Date.parse('2037-06-15T17:00:00Z');
const day = 86_400_000;
const query = { time: String(at / 1000 - 3600) };

function exchange(path: string, answer: Exchange['answer'], asked: Readonly<Record<string, string>> = {}): Exchange {
  return { path, query: asked, at, ms: 5, answer };
}

const json = (body: unknown, status = 200): Exchange['answer'] => ({ status, bytes: 9, json: body });

const report: Report = {
  format: 'cemm-report/1',
  package: '0.2.0',
  node: 'v22',
  mode: 'remote',
  timezone: 'Europe/Amsterdam',
  at,
  withDays: false,
  replaced: {},
  made: [],
  deliveries: [],
  exchanges: [
    exchange('cemm/', json({ promise: '1' }, 202)),
    exchange('cemm/', json({ data: [] })),
    exchange('cemm/a/p1/realtime/', json({ data: { t1: [at - 5000, 10] } })),
    exchange('cemm/a/p1/data/month/', json({ data: { flow: [[at - day, 1]] } }), query),
    exchange('cemm/a/s01/', { failure: { code: 'RATE', reason: 'status', status: 429 }, retryAfterMs: 2000 }),
    exchange('cemm/a/s02/', { failure: { code: 'NETWORK', reason: 'timeout' }, retryAfterMs: null }),
    exchange('cemm/a/s03/', { status: 200, bytes: 900, noJson: 'html' }),
  ],
};

function ask(path: string, given: Readonly<Record<string, string>> = {}, now = at, toNow = false) {
  const route = replayedMonitor({ report, toNow }, 'demo', () => millis(now));
  const asked = new URLSearchParams({ api_key: 'demo', ...given });
  return (): RouteResponse | null => route({ method: 'GET', path: `/v1/${path}`, query: asked });
}

describe('a replayed report', () => {
  it('answers a promise before the data, and then the data again', () => {
    const answer = ask('cemm/');
    should([answer(), answer(), answer()].map((one) => one?.status)).eql([202, 200, 200]);
  });

  it('answers with the recorded failures', () => {
    should(ask('cemm/a/s01/')()).match({ status: 429, headers: { 'Retry-After': '2' } });
    should(ask('cemm/a/s02/')()?.status).equal(504);
    should(ask('cemm/a/s03/')()).match({ status: 200, contentType: /html/ });
  });

  it('has no answer to another request, and refuses another key and another method', () => {
    should(ask('cemm/b/')()).be.null();
    should(ask('cemm/a/p1/data/month/')()).be.null();
    should(ask('cemm/', { api_key: 'other' })()?.status).equal(403);
    const route = replayedMonitor({ report }, 'demo', () => millis(at));
    should(route({ method: 'POST', path: '/v1/cemm/', query: new URLSearchParams() })?.status).equal(405);
  });

  it('moves readings to now and series by whole days', () => {
    const now = at + 3 * day + 7_200_000;
    const bodyOf = (path: string, given = {}): unknown => JSON.parse(ask(path, given, now, true)()?.body ?? '');
    should(bodyOf('cemm/a/p1/realtime/')).eql({ data: { t1: [now - 5000, 10] } });
    const moved = { data: { flow: [[at + 2 * day, 1]] } };
    should(bodyOf('cemm/a/p1/data/month/', { time: '2000000000' })).eql(moved);
  });

  it('is served at the port of its own interface only', async () => {
    const clock = createSimulatedClock();
    await startReplay({ report, clock, localPort: 0 }).should.be.rejectedWith(/--remote-port/);
    await startReplay({ report: { ...report, mode: 'webhook' }, clock }).should.be.rejectedWith(/deliveries/);
    const server = await startReplay({ report, clock, remotePort: 0 });
    try {
      const response = await fetch(`${server.remote ?? ''}cemm/?api_key=demo`);
      should(response.status).equal(202);
    } finally {
      await server.close();
    }
  });

  it('needs a file that is a report', () => {
    should(readReport(fileOf(report))).eql(report);
    for (const text of ['', '[]', '{"format":"cemm-report/2"}', fileOf({ ...report, at: 1 })])
      should(() => readReport(text)).throw(ReportError);
    const broken = { ...report, exchanges: [{ path: 'cemm/' }] };
    should(() => readReport(JSON.stringify(broken))).throw(ReportError);
  });

  it('is chosen on the command line of the simulator', () => {
    should(() => parseCommandLine(['--remote-port', '0', '--today'])).throw(/--replay FILE/);
    should(() => parseCommandLine(['--remote-port', '0', '--replay', 'no-such-file.json'])).throw(/cannot be read/);
    should(() => parseCommandLine(['--remote-port', '0', '--replay', 'package.json'])).throw(/not a report/);
    const file = 'test/monitors/local-2.18.1.0.json';
    const command = parseCommandLine(['--local-port', '0', '--replay', file, '--today']);
    should(command).match({ kind: 'replay', options: { toNow: true, localPort: 0 } });
  });
});
