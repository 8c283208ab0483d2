/** The newest time of a monitor, which says whether a period is over (src/connection/meter-reader.ts). */
import should from 'should';
import { nextPeriod, periodContaining, periodFromLabel } from '../../../src/calendar/periods';
import type { MonitorRequest } from '../../../src/clients/client';
import { connectTo } from '../../support/clients/in-process';
import { hourMs, millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { FakeClient, failure, healthy, type Value } from '../../support/clients/fake-client';
import { makeReadOptions, ZONE } from '../../support/clients/open-api-connection';
import { FakeClock, settle } from '../../support/time/fake-clock';

const day = periodFromLabel('2026-03-11', ZONE);
const p1 = { monitor: null, alias: 'p1', role: 'auto' } as const;

/** A day with a value for each hour. */
function hoursOf(time: number): Value {
  const { start } = periodContaining('day', ZONE, millis(time * 1000));
  const times = Float64Array.from({ length: 24 }, (_, hour) => start + hour * hourMs);
  const samples = { times, values: times.map(() => 100), withoutTime: 0, malformed: 0 };
  return { ioId: 1, time: start, channels: new Map([['electric_power', samples]]) };
}

describe('the newest time of a monitor', () => {
  it('is read at once for a user, also while a request in the background waits for it', async () => {
    const clock = new FakeClock(new Date(day.end + 5 * hourMs).toISOString());
    const client = new FakeClient(clock);
    const answers = healthy(clock);
    const answerOf = (request: MonitorRequest): Value =>
      request.kind === 'series' ? hoursOf(request.time) : answers(request);
    client.script = answerOf;
    const past = new PastDays({ folder: null, clock, onProblem: (problem) => should(problem).be.undefined() });
    const connection = connectTo({ client, clock, past });
    await connection.readSeries(p1, day, makeReadOptions());

    clock.tick(45 * hourMs);
    client.script = () => failure('MONITOR_OFFLINE');
    for (let count = 0; count < 8; count += 1)
      await connection.readRealtime(p1, makeReadOptions()).catch(() => undefined);
    client.script = answerOf;
    // The kept day is read a second time in the background, and then the newest time. Both wait for the pause of an overload.
    await connection.readSeries(p1, day, makeReadOptions());
    await settle();
    const before = client.count('realtime');
    while (client.count('series') < 2) await clock.advance(500);
    client.count('realtime').should.equal(before);

    const read = connection.readSeries(p1, nextPeriod(day), makeReadOptions());
    let isRead = false;
    void read.then(() => (isRead = true));
    await settle();
    isRead.should.be.true();
    await connection.close();
  });
});
