/** The start of a connection with one key and many monitors, on a service that needs two seconds for each request. */
import should from 'should';
import { connectTo } from '../../support/clients/in-process';
import type { MonitorRequest } from '../../../src/clients/client';
import type { RealtimePayload } from '../../../src/model/payload';
import { PastDays } from '../../../src/store/past-days';
import { minuteMs } from '../../../src/time/units';
import { FakeClient, healthy, io, monitorId, monitorRecord, type Value } from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';

const answerMs = 2_000;
/** The time of so many requests, four at a time. */
const timeOf = (requests: number): number => (requests * answerMs) / 4;

interface Fleet {
  readonly count: number;
  readonly clock?: FakeClock;
  /** Of an earlier program. */
  readonly past?: PastDays | null;
  readonly override?: (request: MonitorRequest) => Value | undefined;
}

function start({ count, clock = new FakeClock(), past = null, override = () => undefined }: Fleet) {
  const houses = Array.from({ length: count }, (_, index) => monitorId(`001a2b3c${(4096 + index).toString(16)}`));
  const client = new FakeClient(clock);
  const answers = healthy(clock);
  const valueOf = (request: MonitorRequest): Value =>
    request.kind === 'monitors' ? houses.map((house) => monitorRecord(house)) : (override(request) ?? answers(request));
  client.script = (request) => {
    clock.after(answerMs, () => client.open.find((call) => call.request === request)?.answer(valueOf(request)));
    return null;
  };
  const connection = connectTo({ client, clock, past });
  const read = new Map<string, RealtimePayload>();
  for (const monitor of houses) {
    connection.watchRealtime({ monitor, alias: 'p1', role: 'auto' }, minuteMs, {
      onReading: (reading) => read.set(monitor, reading),
      onAvailability: () => undefined,
      onError: () => undefined,
    });
  }
  return { clock, client, connection, read };
}

describe('connection: the start of a fleet with one key', function () {
  this.timeout(60_000);

  it('reads a monitor before the lists of all others, and each of them, although the first are due again', async () => {
    const { clock, client, connection, read } = start({ count: 300 });
    await clock.advance(10_000);
    read.size.should.be.aboveOrEqual(4);
    // A list and a reading of each.
    await clock.advance(timeOf(2 * 300));
    read.size.should.equal(300);
    client.peak.should.equal(4);
    await connection.close();
  });

  describe('after a restart', () => {
    async function restart(override: NonNullable<Fleet['override']> = () => undefined) {
      const clock = new FakeClock();
      const past = new PastDays({ folder: null, clock, onProblem: () => undefined });
      const before = start({ count: 40, clock, past });
      await clock.advance(minuteMs);
      before.read.size.should.equal(40);
      await before.connection.close();
      return start({ count: 40, clock, past, override });
    }

    it('reads each monitor before the lists, because the last ones are kept', async () => {
      const { clock, client, connection, read } = await restart();
      await clock.advance(timeOf(40) + 2.5 * answerMs);
      read.size.should.equal(40);
      client.count('meters').should.be.belowOrEqual(8);
      await clock.advance(timeOf(2 * 40));
      client.count('meters').should.equal(40);
      await connection.close();
    });

    it('waits for the list where another meter answers than was kept', async () => {
      const { clock, connection, read } = await restart((request) => {
        if (request.kind === 'meters') return [io(7, 'p1', 'p1')];
        return request.kind === 'realtime' ? { ioId: 7, data: new Map(), totals: null } : undefined;
      });
      await clock.advance(timeOf(40));
      read.size.should.be.belowOrEqual(4);
      await clock.advance(3 * minuteMs);
      [...read.values()].map(({ meter }) => meter.ioId).should.deepEqual(Array.from({ length: 40 }, () => 7));
      should(read.size).equal(40);
      await connection.close();
    });
  });
});
