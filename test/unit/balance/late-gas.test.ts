/** Gas that reaches the service hours after midnight is not lost for the readings of that midnight. */
import should from 'should';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyMeter } from '../../../src/balance/meters/choice';
import { nextPeriod, type Period, periodFromLabel } from '../../../src/calendar/periods';
import { openBalances, usualSteps } from '../../support/clients/in-process';
import { PastDays } from '../../../src/store/past-days';
import { hourMs, dayMs } from '../../../src/time/units';
import { FakeMonitor } from '../../support/houses/fake-monitor';
import { randomHouse, type RandomHouse } from '../../support/houses/random-house';
import { StillClock } from '../../support/houses/still-clock';

const april = periodFromLabel('2026-04', 'Europe/Amsterdam');

describe('the gas of a smart meter that its service shows at 5:00', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'cemm-gas-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const house: RandomHouse = {
    ...randomHouse(7, { start: april.start, days: 30 }),
    outages: [],
    steps: [],
    wrong: [],
    rollsOverAt: null,
    lag: 0,
    gasDelay: 5 * hourMs,
  };

  /** As after a restart. */
  async function read(period: Period, now: number) {
    const clock = new StillClock(now);
    const monitor = new FakeMonitor(house, () => now);
    const past = new PastDays({ folder, clock, onProblem: (problem) => should(problem).be.undefined() });
    const { connection, balances } = openBalances({ client: monitor, clock, past });
    const target = { monitor: null, meters: everyMeter, period, prices: null, wantsPeak: false, counters: null };
    const payload = await balances.read(
      { ...target, step: usualSteps[period.unit] },
      { signal: new AbortController().signal },
    );
    const { requests } = monitor;
    // What is due is read again behind the answer.
    for (let quiet = 0, before = 0; quiet < 20; before = monitor.requests) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = monitor.requests === before ? quiet + 1 : 0;
    }
    await past.flush();
    await connection.close();
    return { payload, requests };
  }

  it('BA25: is read again, although the rest of the reading is there', async () => {
    for (
      let day = nextPeriod(periodFromLabel('2026-04-01', house.timezone));
      day.start < april.end;
      day = nextPeriod(day)
    ) {
      const { payload } = await read(day, day.end + 3.5 * hourMs);
      should(payload.values['energy_import_kwh']).be.a.Number();
    }
    await read(april, april.end + 40 * dayMs);
    const { payload, requests } = await read(april, april.end + 41 * dayMs);
    const { start, end } = payload.counters['gas_m3'] ?? {};
    const used = house.flowed('gas', start?.[0] ?? 0, end?.[0] ?? 0) ?? NaN;
    used.should.be.above(60);
    should(payload.values['gas_m3']).be.approximately(used, 0.001);
    should(payload.coverage['gas_m3']).equal(1);
    should(requests).be.below(10);
  });
});
