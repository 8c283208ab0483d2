/** Reports of strangers: one that is broken is refused with the place, and no other ends the simulator that replays it. */
import fc from 'fast-check';
import should from 'should';
import { readReport, ReportError } from '../../../src/report/read-report';
import { isRecord } from '../../../src/checks/record';
import type { Report } from '../../../src/report/report-file';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startReplay } from '../../../src/simulator/start-replay';

const at = Date.parse('2037-06-15T17:00:00Z');
const exchange = (answer: unknown, path = 'cemm/a/p1/realtime/'): unknown => ({ path, query: {}, at, ms: 5, answer });
const good = { status: 200, bytes: 9, json: { data: { t1: [at - 5000, 10] } } };
const failed = { failure: { code: 'RATE', reason: 'status', status: 429 }, retryAfterMs: 2000 };

function reportWith(...exchanges: unknown[]): Readonly<Record<string, unknown>> {
  return {
    format: 'cemm-report/1',
    package: '0.2.0',
    node: 'v22',
    mode: 'remote',
    timezone: 'Europe/Amsterdam',
    at,
    withDays: false,
    replaced: { mac: 1 },
    made: [{ of: 'monitors', payload: {} }],
    deliveries: [],
    exchanges,
  };
}

/** Requests every exchange, as sent and moved to now. */
async function replay(report: Report): Promise<number[]> {
  const statuses: number[] = [];
  for (const toNow of [false, true]) {
    const server = await startReplay({ report, toNow, clock: createSimulatedClock(), remotePort: 0 });
    try {
      for (const { path, query } of report.exchanges) {
        const asked = new URLSearchParams({ ...query, api_key: 'demo' });
        const response = await fetch(`${server.remote ?? ''}${encodeURI(path)}?${asked.toString()}`);
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    } finally {
      await server.close();
    }
  }
  return statuses;
}

describe('reports of strangers', function () {
  this.timeout(60_000);

  const broken: Readonly<Record<string, unknown>> = {
    'a status that HTTP does not have': { ...good, status: 99_999 },
    'a negative status': { ...good, status: -1 },
    'a status that is a text': { ...good, status: '200' },
    'a status with a fraction': { ...good, status: 200.5 },
    'a status of an answer that is not complete': { ...good, status: 100 },
    'neither JSON nor a reason': { status: 200, bytes: 9 },
    'an unknown reason': { status: 200, bytes: 9, noJson: 'constructor' },
    'a thousand levels': { ...good, json: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown },
    'a failure that is none': { failure: null, retryAfterMs: null },
    'a failure with a status that HTTP does not have': { ...failed, failure: { ...failed.failure, status: 1e9 } },
    'a failure with an unknown code': { ...failed, failure: { ...failed.failure, code: 'toString' } },
    'a pause that is a text': { ...failed, retryAfterMs: 'a\r\nb' },
    'no answer': null,
  };
  for (const [what, answer] of Object.entries(broken)) {
    it(`AR8: are refused with the number of the exchange: ${what}`, () => {
      const text = JSON.stringify(reportWith(exchange(good), exchange(answer)));
      should(() => readReport(text)).throw(ReportError, { message: /^Exchange 2 of the file / });
    });
  }

  it('AR8: are refused with the number of the delivery', () => {
    const delivery = { at, headers: {}, bytes: 2, body: {}, signature: '', made: null };
    const text = (other: object): string => JSON.stringify({ ...reportWith(), deliveries: [delivery, other] });
    readReport(text(delivery)).deliveries.length.should.equal(2);
    for (const other of [{ ...delivery, at: 'now' }, { ...delivery, body: undefined }, [], { ...delivery, headers: 1 }])
      should(() => readReport(text(other))).throw(ReportError, { message: /^Delivery 2 of the file / });
  });

  it('AR8: are answered otherwise', async () => {
    const exchanges = [exchange(good), exchange(failed, 'cemm/a/s01/'), exchange({ ...good, status: 999 }, 'cemm/b/')];
    const report = readReport(JSON.stringify(reportWith(...exchanges)));
    should(await replay(report)).eql([200, 429, 999, 200, 429, 999]);
  });

  it('AR8: end nothing, whatever one part of them is', async () => {
    const plain = reportWith(
      exchange(good),
      exchange(failed, 'cemm/a/s01/'),
      exchange({ status: 200, bytes: 9, noJson: 'html' }, 'x'),
    );
    const places = placesIn(plain);
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.oneof(numbers, fc.jsonValue({ maxDepth: 3 })),
        async (place, value) => {
          const text = JSON.stringify(changed(plain, place, value));
          const report = readOrNull(text);
          if (report?.mode !== 'remote') return;
          read += 1;
          (await replay(report)).forEach((status) => {
            status.should.be.within(200, 999);
          });
        },
      ),
      { numRuns: 300 },
    );
    read.should.be.above(10);
  });
});

const numbers = fc.oneof(
  fc.constantFrom(0, -1, 99, 100, 101, 199, 204, 304, 599, 1000, 99_999, 1e21, 1e308, 0.5, at, at / 1000),
  fc.double(),
);

/** Null for a file that is refused. Any other error is one of the package. */
function readOrNull(text: string): Report | null {
  try {
    return readReport(text);
  } catch (error) {
    if (error instanceof ReportError) return null;
    throw error;
  }
}

type Place = readonly (string | number)[];

/** The paths of all members. */
function placesIn(value: unknown, before: Place = []): Place[] {
  const members: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return members.flatMap(([name, member]) => [[...before, name], ...placesIn(member, [...before, name])]);
}

function changed(value: unknown, [name, ...rest]: Place, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((entry: unknown, index) => (index === name ? changed(entry, rest, by) : entry));
  const record = isRecord(value) ? value : {};
  return { ...record, [name]: changed(record[name], rest, by) };
}
