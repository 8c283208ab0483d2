/** The start of a connection with one key and hundreds of monitors, on a service that needs two seconds for each request. */
import 'should';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import type { MonitorRequest } from '../../../src/clients/client';
import { minuteMs } from '../../../src/time/units';
import { FakeClient, healthy, monitorId, monitorRecord, type Value } from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';

const houses = Array.from({ length: 300 }, (_, index) => monitorId(`001a2b3c${(4096 + index).toString(16)}`));
const answerMs = 2_000;

function start() {
  const clock = new FakeClock();
  const client = new FakeClient(clock);
  const answers = healthy(clock);
  const valueOf = (request: MonitorRequest): Value =>
    request.kind === 'monitors' ? houses.map((house) => monitorRecord(house)) : answers(request);
  client.script = (request) => {
    clock.after(answerMs, () => client.open.find((call) => call.request === request)?.answer(valueOf(request)));
    return null;
  };
  const connection = createOpenApiConnection({
    client,
    timezone: 'Europe/Amsterdam',
    transport: 'remote',
    deadlineMs: 25_000,
    clock,
    random: () => 0.5,
  });
  const read = new Set<string>();
  for (const monitor of houses) {
    connection.watchRealtime({ monitor, alias: 'p1', role: 'auto' }, minuteMs, {
      onReading: () => read.add(monitor),
      onAvailability: () => undefined,
      onError: () => undefined,
    });
  }
  return { clock, client, connection, read };
}

describe('connection: the start of a fleet with one key', function () {
  this.timeout(60_000);

  it('reads a monitor before the lists of all others, and each of them, although the first are due again', async () => {
    const { clock, client, connection, read } = start();
    await clock.advance(10_000);
    read.size.should.be.aboveOrEqual(4);
    // A list and a reading of each, four at a time.
    await clock.advance((2 * houses.length * answerMs) / 4);
    read.size.should.equal(houses.length);
    client.peak.should.equal(4);
    await connection.close();
  });
});
