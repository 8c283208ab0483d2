/** The deliveries of a report, sent again. */
import should from 'should';
import { demoKey, type ReceivedDelivery } from '../../../src/report/deliveries';
import { recordDeliveries } from '../../../src/report/record-deliveries';
import { reportOfDeliveries } from '../../../src/report/report';
import type { Report } from '../../../src/report/report-file';
import { millis, type Millis } from '../../../src/time/units';
import { parseCommandLine } from '../../../src/simulator/cli-options';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import { startReplay, type StartReplayOptions } from '../../../src/simulator/start-replay';
import { signBody, buildDelivery } from '../../../src/simulator/webhook-payload';
import { reportedAt, routesOf } from '../../support/report/reported-house';

const { household } = routesOf('standard').monitor;
const timezone = 'Europe/Amsterdam';
const midnight = Date.parse('2026-06-14T22:00:00Z') / 1000;

function received(body: unknown): ReceivedDelivery {
  const headers = { 'content-type': 'application/json', 'x-signature': 'ab'.repeat(64) };
  return { at: reportedAt, headers, body: Buffer.from(JSON.stringify(body)) };
}

const reported = (): Promise<Report> =>
  reportOfDeliveries(
    [
      received(buildDelivery(household, 24_000_293, millis(reportedAt), ['realtime', 'reading'])),
      received({ data: [[midnight, 4.5]] }),
    ],
    { timezone, version: '0.2.0', random: () => 0.4 },
  );

/** Replays into a receiver until it has every delivery. */
async function replayed(
  report: Report,
  options: Partial<StartReplayOptions> = {},
): Promise<readonly ReceivedDelivery[]> {
  const stop = new AbortController();
  let deliveries: Promise<readonly ReceivedDelivery[]> = Promise.resolve([]);
  const port = await new Promise<number>((resolve) => {
    const on = { onListening: resolve, onDelivery: () => undefined };
    deliveries = recordDeliveries({ port: 0, address: '127.0.0.1', signal: stop.signal, ...on });
  });
  const webhook = { url: `http://127.0.0.1:${port}/cemm`, everySeconds: 1 };
  const replay = await startReplay({ report, clock: createSimulatedClock({ speed: 3600 }), webhook, ...options });
  await replay.deliveries?.done;
  stop.abort();
  return deliveries;
}

const bodyOf = ({ body }: ReceivedDelivery): unknown => JSON.parse(Buffer.from(body).toString());

describe('replayed deliveries', () => {
  it('are those of the report, with its signatures', async () => {
    const report = await reported();
    const again = await replayed(report);
    should(again.map(bodyOf)).eql(report.deliveries.map(({ body }) => body));
    should(again.map(({ headers }) => headers['x-signature'])).eql(report.deliveries.map(({ signature }) => signature));
    for (const { headers, body } of again) should(headers['x-signature']).equal(signBody(Buffer.from(body), demoKey));
  });

  it('move to now: readings to the moment, series by whole days', async () => {
    const report = await reported();
    const now: Millis = millis(Date.parse('2026-11-24T09:30:00+01:00'));
    const clock = { speed: 3600, now: () => now };
    const [reading, series] = (await replayed(report, { clock, toNow: true })).map(bodyOf);
    should(reading).have.property('time', Math.floor(now / 1000));
    should(series).eql({ data: [[Date.parse('2026-11-24T00:00:00+01:00') / 1000, 4.5]] });
  });

  it('end when they are closed', async () => {
    const report = await reported();
    const webhook = { url: 'http://127.0.0.1:9/', everySeconds: 86_400 };
    const replay = await startReplay({ report, clock: createSimulatedClock(), webhook });
    await replay.close();
    await replay.deliveries?.done;
  });

  it('need an address, and a report that has some', async () => {
    const report = await reported();
    const clock = createSimulatedClock();
    const webhook = { url: 'http://127.0.0.1:9/' };
    await startReplay({ report, clock }).should.be.rejectedWith(/add --webhook URL/);
    await startReplay({ report, clock, webhook, localPort: 0 }).should.be.rejectedWith(/instead of a port/);
    const answers: Report = { ...report, mode: 'local', deliveries: [] };
    await startReplay({ report: answers, clock, webhook, localPort: 0 }).should.be.rejectedWith(/no deliveries/);
  });

  it('are chosen on the command line', () => {
    const file = ['--replay', 'test/monitors/local-2.18.1.0.json'];
    const command = parseCommandLine([...file, '--webhook', 'http://127.0.0.1:1880/cemm', '--every', '5']);
    should(command).match({ kind: 'replay', options: { webhook: { everySeconds: 5 } } });
    should(() => parseCommandLine([...file, '--webhook', 'http://127.0.0.1', '--webhook-type', 'post'])).throw(
      /leave --webhook-type out/,
    );
  });
});
