/** Cost and sun of the devices of a long period: sums over hours, of the days that are kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import type { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { periodsBetween, weekFromLabel } from '../../../src/calendar/periods';
import { openBalances } from '../../support/clients/in-process';
import type { BalancePayload } from '../../../src/model/payload';
import { millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { zone } from '../../support/balance/small-house';
import { devicesBrokenIn } from '../../support/houses/device-rules';
import { ledgerOf, prices } from '../../support/houses/matrix';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { KeptInMemory, StillClock } from '../../support/houses/still-clock';

const week = weekFromLabel('2026-W41', zone);
const days = periodsBetween('day', zone, week.start, millis(week.end - 1));
const now = week.end + 3 * 86_400_000;
const user = { signal: new AbortController().signal };
const target = { monitor: null, meters: everyMeter, wantsPeak: false, prices } as const;

describe('the devices of a week of which the counters alone are read', function () {
  this.timeout(120_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-devices-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('have cost and sun where its days are kept, without a request, and change nothing else', async () => {
    const clock = new StillClock(now);
    const past = new PastDays({ folder, clock, onProblem: (problem) => should(problem).be.undefined() });
    const house = new SimulatedHouse('devices', now, week.start - 86_400_000, clock);
    const counters = new KeptInMemory();
    const open = (): Balances => {
      const client = house.client('local', clock);
      return openBalances({ client, clock, past, meters: house.table }).balances;
    };
    const readWeek = (): Promise<BalancePayload> =>
      open().read({ ...target, period: week, step: 'P1D', counters }, user);
    for (const { start } of [...days, { start: week.end }]) {
      clock.moment = start + 20_000;
      await open().keepCounters(target, counters, user);
    }
    clock.moment = now;
    await readWeek();
    const { devices: plainDevices = [], source: plainSource, ...plain } = await readWeek();
    should(plainDevices.map(({ cost, from_sun: sun }) => [cost, sun])).deepEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    should(plainDevices[0]?.missing).deepEqual({ cost: 'not_by_hour', from_sun: 'not_by_hour' });

    for (const period of days) await open().read({ ...target, period, step: 'PT1H', counters }, user);
    await past.flush();
    const known = await readWeek();
    const { devices = [], source, ...rest } = known;
    should(rest).deepEqual(plain);
    should(source.requests).equal(plainSource.requests);
    for (const [index, { cost, from_sun: sun, missing, energy_kwh: energy }] of devices.entries()) {
      should(cost).be.a.Number().and.above(0);
      should(sun).be.a.Number().and.aboveOrEqual(0);
      should(missing).be.undefined();
      should(energy).equal(plainDevices[index]?.energy_kwh);
    }
    devices.length.should.equal(3);
    should(devicesBrokenIn(known, ledgerOf(house), now)).deepEqual([]);
  });
});
