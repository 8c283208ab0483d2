/** The current balance while a house is watched, and the readings at midnight. */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { atMidnights } from '../../../src/balance/requests/midnights';
import type { BalanceParts } from '../../../src/balance/house-reader';
import { BalanceWatch } from '../../../src/balance/requests/now-reader';
import { RunningQuarters } from '../../../src/balance/now/running-quarters';
import type { RealtimeListener } from '../../../src/connection/connection';
import type { CemmError } from '../../../src/errors';
import type { BalancePayload, MeterInfo, RealtimePayload } from '../../../src/model/payload';
import { FakeClock } from '../../support/time/fake-clock';
import { SOURCE } from '../../support/balance/small-house';
import { failure, MONITOR } from '../../support/clients/fake-client';

const startOfTest = Date.parse('2026-06-15T10:00:00Z');

function reading(ts: number, values: RealtimePayload['values']): RealtimePayload {
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'rt',
    ts,
    time: new Date(ts).toISOString(),
    monitor: { id: MONITOR },
    meter: { role: 'grid' },
    values,
    times: {},
    missing: {},
    source: SOURCE,
  };
}

describe('a house that is watched', () => {
  let clock: FakeClock;
  let meters: string[];
  let others: MeterInfo[];
  let listeners: Map<string, RealtimeListener>;
  let sent: BalancePayload[];
  let errors: CemmError[];
  let shards: string[];
  let watch: BalanceWatch;

  beforeEach(async () => {
    clock = new FakeClock('2026-06-15T10:00:00Z');
    meters = ['p1', 's01'];
    others = [];
    listeners = new Map();
    [sent, errors, shards] = [[], [], []];
    const unused = () => Promise.reject(new Error('Nothing else is asked for.'));
    const parts: BalanceParts = {
      clock,
      reader: {
        timezone: 'Europe/Amsterdam',
        transport: 'local',
        knownMeters: () =>
          Promise.resolve({
            monitor: { id: MONITOR },
            meters: [
              ...meters.map((alias): MeterInfo => ({ alias, role: alias === 'p1' ? 'grid' : 'production' })),
              ...others,
            ],
            unanswered: null,
          }),
        readTotals: unused,
        readSeries: unused,
        readRealtime: unused,
        watchRealtime: ({ alias }, _interval, listener) => {
          listeners.set(alias, listener);
          return () => listeners.delete(alias);
        },
      },
    };
    watch = new BalanceWatch(
      parts,
      new RunningQuarters(),
      { monitor: null, meters: everyMeter, intervalMs: 10_000 },
      {
        onBalance: (payload) => sent.push(payload),
        onError: (error) => errors.push(error),
        onOtherShard: (shard) => shards.push(shard),
      },
    );
    await clock.advance(0);
  });
  afterEach(() => {
    watch.stop();
  });

  const grid = (ts: number, taken = 500): void =>
    listeners.get('p1')?.onReading(reading(ts, { power_import_w: taken, power_export_w: 0 }));
  const sun = (ts: number): void => listeners.get('s01')?.onReading(reading(ts, { power_production_w: 300 }));

  it('sends one message per interval, when every meter was read again', () => {
    grid(startOfTest);
    sent.should.have.length(0);
    sun(startOfTest + 4000);
    grid(startOfTest + 10_000, 700);
    sun(startOfTest + 14_000);
    sent.map(({ values }) => values['power_house_w']).should.deepEqual([800, 1000]);
  });

  it('BA4: does not wait for a meter that is away, and says what cannot be told without it', () => {
    grid(startOfTest);
    sun(startOfTest);
    listeners.get('s01')?.onAvailability({
      ...reading(startOfTest, {}),
      kind: 'availability',
      state: 'offline',
      since: startOfTest,
      reason: 'NETWORK',
      failures: 2,
      nextRetryMs: 5000,
    });
    listeners.get('s01')?.onError(failure('NETWORK'));
    grid(startOfTest + 10_000);
    sent.should.have.length(2);
    should(sent[1]?.values).containDeep({ power_import_w: 500, power_production_w: null, power_house_w: null });
    should(sent[1]?.missing).containDeep({ power_production_w: 'not_readable' });
    errors.map(({ code }) => code).should.deepEqual(['NETWORK']);
    sun(startOfTest + 20_000);
    grid(startOfTest + 20_000);
    should(sent.at(-1)?.values['power_house_w']).equal(800);
  });

  it('has no production and house value for an inverter without an alias, and does not wait for it', async () => {
    others = [{ role: 'production', ioId: 4 }];
    await clock.advance(10_000);
    grid(startOfTest + 10_000);
    sun(startOfTest + 10_000);
    const last = sent.at(-1);
    should(last?.values).containDeep({ power_import_w: 500, power_production_w: null, power_house_w: null });
    should(last?.missing).containDeep({ power_production_w: 'not_readable', power_house_w: 'not_readable' });
    should([last?.notReadable, last?.complete]).deepEqual([['io 4'], false]);
  });

  it('has no house value while nothing says what an input for pulses is', async () => {
    others = [{ alias: 's03', role: null }];
    await clock.advance(10_000);
    grid(startOfTest + 10_000);
    sun(startOfTest + 10_000);
    const { values, missing, unknownMeters, complete } = sent.at(-1) ?? {};
    should(values).containDeep({ power_import_w: 500, power_house_w: null });
    should(missing).deepEqual({ power_house_w: 'unknown_meter', power_self_consumed_w: 'unknown_meter' });
    should([unknownMeters, complete]).deepEqual([['s03'], false]);
  });

  it('BA16: is sent without a meter that was not read within the interval', () => {
    grid(startOfTest);
    sun(startOfTest);
    grid(startOfTest + 10_000);
    grid(startOfTest + 20_000);
    should(sent[1]?.ts).equal(startOfTest + 10_000);
    should(sent).have.length(2);
    grid(startOfTest + 30_000);
    should(sent[2]?.missing).containDeep({ power_house_w: 'not_simultaneous' });
  });

  it('follows the list of meters', async () => {
    meters = ['p1', 's01', 's02'];
    await clock.advance(10_000);
    [...listeners.keys()].sort().should.deepEqual(['p1', 's01', 's02']);
    meters = ['p1'];
    await clock.advance(10_000);
    [...listeners.keys()].should.deepEqual(['p1']);
    grid(startOfTest);
    should(sent.at(-1)?.values['power_house_w']).equal(500);
  });

  it('reports once that another shard polls the monitor, and releases everything when stopped', () => {
    for (const listener of listeners.values()) listener.onOtherShard?.('2/3');
    shards.should.deepEqual(['2/3']);
    watch.stop();
    listeners.size.should.equal(0);
    clock.timerCount.should.equal(0);
  });
});

describe('the readings at midnight', () => {
  it('BA10: are taken a minute before and a second after every local midnight, also where the clocks change', async () => {
    const clock = new FakeClock('2026-10-24T12:00:00Z');
    const taken: string[] = [];
    const stop = atMidnights(clock, 'Europe/Amsterdam', () => {
      taken.push(new Date(clock.now()).toISOString());
      return Promise.resolve();
    });
    await clock.advance(2 * 24 * 3_600_000);
    taken.should.deepEqual([
      '2026-10-24T21:59:00.000Z',
      '2026-10-24T22:00:01.000Z',
      '2026-10-25T22:59:00.000Z',
      '2026-10-25T23:00:01.000Z',
    ]);
    stop();
    clock.timerCount.should.equal(0);
  });

  it('are skipped if the machine was asleep at midnight', async () => {
    const clock = new FakeClock('2026-06-14T21:00:00Z');
    let taken = 0;
    const stop = atMidnights(clock, 'Europe/Amsterdam', () => {
      taken += 1;
      return Promise.resolve();
    });
    await clock.sleep(8 * 3_600_000);
    await clock.advance(3_600_000);
    taken.should.equal(0);
    stop();
  });
});
