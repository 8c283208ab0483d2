/** A device whose meter was exchanged, and one whose meter was replaced by another, against the ledger of the household. */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { periodFromLabel } from '../../../src/calendar/periods';
import { openBalances, usualSteps } from '../../support/clients/in-process';
import type { HouseName } from '../../../src/simulator/houses';
import { dayMs } from '../../../src/time/units';
import { devicesBrokenIn } from '../../support/houses/device-rules';
import { ledgerOf, prices } from '../../support/houses/matrix';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { KeptInMemory, StillClock } from '../../support/houses/still-clock';

const now = Date.parse('2026-06-18T19:00:20+02:00');
const since = Date.parse('2026-05-31T00:00:00+02:00');
const user = { signal: new AbortController().signal };
/** The day of the exchange, the day after, and the month. */
const labels = ['2026-06-16', '2026-06-17', '2026-06'] as const;

/** The meter of the heat pump now. */
const changed = [
  ['device-exchanged', 'mb2'],
  ['device-replaced', 'mb7'],
] as const satisfies readonly (readonly [HouseName, string])[];

/** The heat pump in the balance of each period, with its kWh by the ledger. No alias of the remote service selects a Modbus meter. */
async function read(name: HouseName, alias: string) {
  const clock = new StillClock(now);
  const house = new SimulatedHouse(name, now, since, clock);
  const { timezone } = house.household;
  const client = house.client('local', clock);
  const { connection, balances } = openBalances({ client, timezone, clock, meters: house.table });
  const store = new KeptInMemory();
  const target = { monitor: null, meters: everyMeter };
  for (let midnight = Date.parse('2026-06-15T00:00:00+02:00'); midnight < now; midnight += dayMs) {
    clock.moment = midnight + 1000;
    await balances.keepCounters(target, store, user);
  }
  clock.moment = now;
  const found = [];
  for (const label of labels) {
    const period = periodFromLabel(label, timezone);
    const step = usualSteps[period.unit];
    const payload = await balances.read({ ...target, period, step, prices, wantsPeak: false, counters: store }, user);
    const device = payload.devices?.find(({ meter }) => meter === alias);
    const used = house.used(alias, period.start, Math.min(period.end, now));
    found.push({ label, device, used, broken: devicesBrokenIn(payload, ledgerOf(house), now) });
  }
  await connection.close();
  return found;
}

describe('a device with a new meter', function () {
  this.timeout(30_000);

  for (const [name, alias] of changed) {
    it(`counts on, on the day of the exchange as well: ${name}`, async () => {
      for (const { label, device, used, broken } of await read(name, alias)) {
        broken.should.deepEqual([], label);
        used.should.be.above(1);
        should(device?.energy_kwh).be.approximately(used, 0.001 * used, label);
        should(device?.coverage).equal(1, label);
        should(device?.name).equal('Heat pump');
      }
    });
  }
});
