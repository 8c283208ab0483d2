/** The alarms of the example in every house: each alarm in the house with its fault, and none in 28 days of the other houses. */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { nextPeriod, periodContaining } from '../../../src/calendar/periods';
import { openBalances } from '../../support/clients/in-process';
import { dayMs, millis } from '../../../src/time/units';
import { houses, type HouseName } from '../../../src/simulator/houses';
import { ExampleTexts } from '../../support/houses/example-texts';
import { houseNames } from '../../support/houses/matrix-tests';
import { type Alarm, oddNumbers, wrongAlarms } from '../../support/houses/odd-values';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { StillClock } from '../../support/houses/still-clock';

const now = Date.parse('2026-06-18T19:03:00+02:00');
const user = { signal: new AbortController().signal };

/** The expected alarms of a house, and the days since their start. */
const faults: Readonly<Partial<Record<HouseName, readonly (readonly [name: string, days: number])[]>>> = {
  leak: [['water', 35]],
  standby: [['standby', 35]],
  'inverter-off': [['sun', 1]],
  snow: [['sun', 3]],
  overload: [['phase', 1]],
};

async function alarmsOf(name: HouseName): Promise<{ sent: Alarm[]; shown: unknown[] }> {
  const clock = new StillClock(now);
  const house = new SimulatedHouse(name, now, now - 35 * dayMs, clock);
  const { timezone, since } = house.household;
  const { connection, balances } = openBalances({
    client: house.client('local', clock),
    timezone,
    clock,
    meters: house.table,
  });
  const example = new ExampleTexts('alarms', { FUSE_A: '35', PHASES: '1' });
  const sent: Alarm[] = [];
  const gather = (at: number, before: number): void => {
    for (const message of example.shown.slice(before)) {
      sent.push({ name: String(Reflect.get(Object(message), 'topic')), at });
    }
  };
  let period = periodContaining('day', timezone, millis(Math.max(since, now - 34 * dayMs)));
  for (; period.start < now; period = nextPeriod(period)) {
    const target = { monitor: null, meters: everyMeter, period, step: 'PT1H', prices: null } as const;
    const payload = await balances.read({ ...target, wantsPeak: false, counters: null }, user);
    const before = example.shown.length;
    example.from('cemm-alarms-balance', { payload }, now);
    gather(period.start, before);
  }
  const hasGrid = (await connection.listMeters(null, user)).meters.some(({ alias }) => alias === 'p1');
  for (const time of hasGrid ? ['12:00:10', '18:03:10', '18:04:10'] : []) {
    clock.moment = Date.parse(`2026-06-18T${time}+02:00`);
    const [payload] = await connection.readRealtime({ monitor: null, alias: 'p1', role: 'auto' }, user);
    const before = example.shown.length;
    if (payload !== undefined) example.to('cemm-alarms-phase', { payload }, clock.moment);
    gather(clock.moment, before);
  }
  await connection.close();
  return { sent, shown: example.shown };
}

describe('the alarms of every house', function () {
  this.timeout(60_000);

  for (const name of houseNames.filter((one) => houses[one].faults?.includes('no-open-api') !== true)) {
    const own = faults[name] ?? [];
    it(`${name}: ${own.length === 0 ? 'none in 28 days' : own.map(([alarm]) => alarm).join()}`, async () => {
      const { sent, shown } = await alarmsOf(name);
      const expected = own.map(([alarm, days]) => ({ name: alarm, from: now - (days + 1) * dayMs, to: now }));
      should([...wrongAlarms(sent, expected), ...oddNumbers(shown)].join('\n')).equal('');
    });
  }
});
