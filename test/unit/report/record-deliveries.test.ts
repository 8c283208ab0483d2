/** Deliveries recorded for a report: head and body, signed anew, and nothing of the sender. */
import should from 'should';
import { recordDeliveries } from '../../../src/report/record-deliveries';
import type { ReceivedDelivery } from '../../../src/report/deliveries';
import { reportOfDeliveries } from '../../../src/report/report';
import { readReport } from '../../../src/report/read-report';
import { replace } from '../../../src/report/replace';
import { fileOf } from '../../../src/report/report-file';
import { buildDelivery } from '../../../src/simulator/webhook-payload';
import { seenInReport } from '../../support/houses/reported-monitor';
import { reportedAt, routesOf } from '../../support/report/reported-house';
import { millis } from '../../../src/time/units';

const { household } = routesOf('standard').monitor;
const bodyAt = (at: number): string =>
  JSON.stringify(buildDelivery(household, 24_000_293, millis(at), ['realtime', 'reading', 'last/hour']));

interface Recording {
  readonly url: string;
  readonly deliveries: Promise<readonly ReceivedDelivery[]>;
  readonly stop: AbortController;
}

async function start(): Promise<Recording> {
  const stop = new AbortController();
  let deliveries: Promise<readonly ReceivedDelivery[]> = Promise.resolve([]);
  const port = await new Promise<number>((resolve) => {
    const onDelivery = () => undefined;
    deliveries = recordDeliveries({
      port: 0,
      address: '127.0.0.1',
      signal: stop.signal,
      onListening: resolve,
      onDelivery,
    });
  });
  return { url: `http://127.0.0.1:${port}/cemm`, deliveries, stop };
}

const headers = {
  'content-type': 'application/json',
  'x-signature': 'ab'.repeat(64),
  'x-api-key': 'volume',
  'x-owner': 'Jansen',
};

describe('recordDeliveries', () => {
  it('ends after ten deliveries', async () => {
    const { url, deliveries } = await start();
    for (let count = 0; count < 10; count += 1) {
      const response = await fetch(url, { method: 'POST', headers, body: `{"count":${count}}` });
      should(response.status).equal(200);
    }
    (await deliveries)
      .map(({ body }) => Buffer.from(body).toString())
      .should.eql(Array.from({ length: 10 }, (_, count) => `{"count":${count}}`));
  });

  it('refuses what is no delivery, and ends when it is stopped', async () => {
    const { url, deliveries, stop } = await start();
    should((await fetch(url)).status).equal(400);
    stop.abort();
    should(await deliveries).eql([]);
  });

  it('makes a report in which the differences of readings and the formats stay', async () => {
    const received = [0, 3_600_000].map((later) => ({
      at: reportedAt + later,
      headers,
      body: Buffer.from(bodyAt(reportedAt + later)),
    }));
    const report = await reportOfDeliveries(received, {
      timezone: 'Europe/Amsterdam',
      version: '0.0.0',
      random: () => 0.4,
    });
    const [first, second] = report.deliveries.map(({ body }) => readingIn(body));
    const [before, after] = [0, 3_600_000].map((later) => readingIn(JSON.parse(bodyAt(reportedAt + later))));
    should(first).not.equal(before);
    should(Math.abs((second ?? 0) - (first ?? 0) - ((after ?? 0) - (before ?? 0)))).be.below(1e-6);
    fileOf(report).should.not.match(/24000293|Jansen|abababab/);
    should(report.deliveries[0]?.headers['x-signature']).equal('…');
    should((await seenInReport(report)).broken).eql([]);
  });
});

describe('reportOfDeliveries', function () {
  this.timeout(60_000);
  const good = bodyAt(reportedAt);
  const bodies: Readonly<Record<string, string>> = {
    'a megabyte of pairs': `{"data":{"p1":[${'[0,0],'.repeat(166_000)}[0,0]]}}`,
    'a megabyte of moments': `{"data":[${'[0,0],'.repeat(166_000)}[0,0]]}`,
    'many columns beside many moments': `{"data":[[1781542800${',1'.repeat(100_000)}]${',[1781542800,1]'.repeat(50_000)}]}`,
    'no JSON': '{"data"',
    'a number': '5',
    'a thousand levels': `${'['.repeat(1000)}${']'.repeat(1000)}`,
    nothing: '',
  };
  const leftOut = [
    { delivery: 4, reason: 'expected json' },
    { delivery: 5, reason: 'expected an object or a list' },
    { delivery: 6, reason: 'expected shallow_nesting' },
    { delivery: 7, reason: 'expected json' },
  ];

  it('AR7: leaves out deliveries that are none, says which, and keeps the others', async () => {
    const received = [...Object.values(bodies), good].map((body) => ({
      at: reportedAt,
      headers,
      body: Buffer.from(body),
    }));
    const report = await reportOfDeliveries(received, { timezone: 'Europe/Amsterdam', version: '0.0.0' });
    should(report.deliveries.length).equal(received.length - leftOut.length);
    should(report.deliveries.at(-1)?.bytes).equal(good.length);
    should(report.leftOut).eql(leftOut);
    should(readReport(fileOf(report)).leftOut).eql(leftOut);
  });

  it('AR7: leaves out a delivery that cannot be walked through', () => {
    const broken = {
      get data(): never {
        throw new RangeError('out of stack');
      },
    };
    const { deliveries } = replace([], [broken, { data: {} }], { moveMs: 0, secrets: [], random: () => 0.5 });
    should(deliveries).eql([null, { data: {} }]);
  });
});

function readingIn(body: unknown): number {
  const path = ['data', 'smartmeter-dsmr', 'electric_energy_import', 'reading', 'value'];
  return Number(path.reduce<unknown>((part, name) => Reflect.get(Object(part), name), body));
}
