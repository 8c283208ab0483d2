/** What messages say, in the store of past days: after a restart, for a role that comes later, and taken over from a context. */
import should from 'should';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { balanceOfHouse, Houses } from '../../../src/balance/messages/houses';
import { KeptHouses, type OtherHouses } from '../../../src/balance/messages/kept-houses';
import { everyMeter, type MeterChoice } from '../../../src/balance/meters/choice';
import { type Period, periodContaining, periodFromLabel } from '../../../src/calendar/periods';
import type { BalancePayload, BalanceStep, WebhookPayload } from '../../../src/model/payload';
import { CemmError } from '../../../src/errors';
import { millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import { FakeClock } from '../../support/time/fake-clock';
import { until } from '../../support/until';

const timezone = 'Europe/Amsterdam';
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const first = Date.parse('2026-03-25T23:00:00Z');
/** Among them the day on which clocks go forward, and the end of a month. */
const last = first + 9 * dayMs - hourMs;

/** kWh that have flowed in a direction until a moment, more by day than by night. */
const flowed = (factor: number, moment: number): number => {
  const hours = (moment - first) / hourMs;
  return 100 + factor * (hours + 2 * Math.sin((hours * Math.PI) / 12));
};
const counter = (key: string, factor: number): FakeMeter['channels'][number] => ({
  kind: 'counter',
  key,
  shows: (moment) => Math.round(flowed(factor, moment) * 1000) / 1000,
});
const meters: readonly FakeMeter[] = [
  {
    key: 'smartmeter-dsmr',
    channels: [
      counter('electric_energy_import_t1', 0.1),
      counter('electric_energy_import_t2', 0.2),
      counter('electric_energy_export', 0.1),
    ],
  },
  { key: 'garage', channels: [counter('electric_energy_import', 0.01), counter('electric_energy_export', 0.4)] },
];
const named: MeterChoice = { ...everyMeter, production: ['garage'] };

/** Every quarter of an hour. */
function deliveries(from: number, until: number): WebhookPayload[] {
  const found: WebhookPayload[] = [];
  const added = new AddedDeliveries();
  for (let at = from; at <= until; at += 15 * minuteMs) {
    found.push(
      added.payload(
        specifiedBody(meters, () => ['reading', 'last/15minutes'], at),
        at,
      ),
    );
  }
  return found;
}

/** A context that forgets nothing. */
class Context implements OtherHouses {
  houses: Record<string, unknown> = {};
  names = (): Promise<string[]> => Promise.resolve(Object.keys(this.houses));
  read = (name: string): Promise<unknown> => Promise.resolve(this.houses[name]);
  write = (name: string, house: object): Promise<void> => {
    this.houses[name] = JSON.parse(JSON.stringify(house));
    return Promise.resolve();
  };
  remove = (name: string): Promise<void> => {
    Reflect.deleteProperty(this.houses, name);
    return Promise.resolve();
  };
}

describe('houses of messages in the store of past days', function () {
  this.timeout(60_000);
  let folder: string;
  let clock: FakeClock;
  let context: Context;
  let past: PastDays;
  let store: KeptHouses;
  let houses: Houses;
  const start = (): void => {
    past = new PastDays({ folder: join(folder, 'cemm'), clock, onProblem: () => undefined });
    store = new KeptHouses({ past, clock, other: context });
    houses = new Houses(store);
  };
  const restart = async (): Promise<void> => {
    await store.close();
    start();
  };
  const add = async (payloads: readonly WebhookPayload[], to = houses): Promise<void> => {
    for (const payload of payloads) await to.add(payload, { timezone, now: payload.ts });
  };
  const balanceIn = async (of: Houses, label: string, choice = named): Promise<BalancePayload> => {
    const [house] = await of.chosen(null);
    if (house === undefined) throw new Error('Nothing was added.');
    const period: Period = periodFromLabel(label, timezone);
    const step: BalanceStep = period.unit === 'day' ? 'PT1H' : 'P1D';
    return balanceOfHouse(await of.withAllOf(house, period), choice, { period, step, prices: null, now: last });
  };
  const shouldHaveHours = async (label: string): Promise<void> => {
    for (const point of (await balanceIn(houses, label)).points ?? []) {
      const used = flowed(0.3, point.ts + hourMs) - flowed(0.3, point.ts);
      should(point['energy_import_kwh']).be.approximately(used, 0.01, new Date(point.ts).toISOString());
    }
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-houses-'));
    clock = new FakeClock(new Date(last).toISOString());
    context = new Context();
    start();
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('PD24: are stored once the context works again, and the failure is reported', async () => {
    const failures: (string | null)[] = [];
    const onError = ({ reason }: CemmError): void => void failures.push(reason);
    store = new KeptHouses({ past, clock, other: context, onError });
    houses = new Houses(store);
    const all = deliveries(first, first + 25 * hourMs);
    await add(all.slice(0, 4));
    const { names } = context;
    context.names = () => Promise.reject(new CemmError('CONFIG', { reason: 'context_store' }));
    await clock.advance(5_000);
    await until('the failure', () => failures.length > 0);
    should(failures).eql(['context_store']);
    context.names = names;
    await add(all.slice(4));
    await clock.advance(16 * minuteMs);
    await restart();
    await shouldHaveHours('2026-03-26');
  });

  it('PD24: are read again after a failure of their store', async () => {
    const { names, read } = context;
    const inContext = new Houses(context);
    await add(deliveries(first, first + hourMs), inContext);
    const later = new Houses(context);
    context.names = () => Promise.reject(new CemmError('CONFIG', { reason: 'context_store' }));
    await should(later.chosen(null)).be.rejected();
    context.names = names;
    context.read = () => Promise.reject(new CemmError('CONFIG', { reason: 'context_store' }));
    await should(later.chosen(null)).be.rejected();
    context.read = read;
    should((await later.chosen(null)).length).equal(1);
  });

  it('PD17: have every day after a restart as before it, also its hours', async () => {
    const all = deliveries(first, last);
    const memory = new Houses(new Context());
    await add(all, memory);
    for (let part = 0; part < all.length; part += 157) {
      await add(all.slice(part, part + 157));
      await restart();
    }
    for (const label of ['2026-03-26', '2026-03-29', '2026-03-31', '2026-04-02', '2026-03', '2026-04']) {
      const [before, after] = [await balanceIn(memory, label), await balanceIn(houses, label)];
      should(after.values).deepEqual(before.values, label);
      should(after.complete).equal(before.complete, label);
    }
    const { points = [], values } = await balanceIn(houses, '2026-03-27');
    const day = periodFromLabel('2026-03-27', timezone);
    should(values['energy_import_kwh']).be.approximately(flowed(0.3, day.end) - flowed(0.3, day.start), 0.01);
    for (const point of points) {
      const used = flowed(0.3, point.ts + hourMs) - flowed(0.3, point.ts);
      should(point['energy_import_kwh']).be.approximately(used, 0.01);
      should(point['energy_production_kwh']).be.a.Number();
    }
  });

  for (const [when, until] of [
    ['on the first day', first + 5 * hourMs],
    ['on the second day', first + 30 * hourMs],
    ['on the second day of a month', Date.parse('2026-04-02T19:00:00Z')],
  ] as const) {
    it(`PD17: have today after a restart ${when} where amounts of quarters alone are delivered`, async () => {
      const amounts = deliveries(first, until).map((payload) => ({
        ...payload,
        values: {},
        readings: payload.readings.filter(({ topic }) => topic === 'last/15minutes'),
      }));
      await add(amounts.slice(0, -1));
      await restart();
      should(await houses.chosen(null)).have.length(1);
      await add(amounts.slice(-1));
      const { start, label } = periodContaining('day', timezone, millis(until - 1));
      const { values } = await balanceIn(houses, label);
      should(values['energy_import_kwh']).be.approximately(flowed(0.3, until) - flowed(0.3, start), 0.2);
    });
  }

  it('PD18: have the past of a meter that gets its role later', async () => {
    await add(deliveries(first, last));
    const unnamed = await balanceIn(houses, '2026-03-27', everyMeter);
    should(unnamed.values['energy_house_kwh']).equal(null);
    should(unnamed.unknownMeters).deepEqual(['garage']);
    await restart();
    const day = periodFromLabel('2026-03-27', timezone);
    const { values, complete } = await balanceIn(houses, '2026-03-27');
    const sun = flowed(0.39, day.end) - flowed(0.39, day.start);
    should(values['energy_production_kwh']).be.approximately(sun, 0.01);
    should(complete).be.true();
    const battery = await balanceIn(houses, '2026-03-27', { ...everyMeter, battery: ['garage'] });
    should(battery.values['energy_battery_discharged_kwh']).be.approximately(
      flowed(0.4, day.end) - flowed(0.4, day.start),
      0.01,
    );
  });

  it('PD19: are taken over once from where version 0.2.0 had them', async () => {
    const [day, next] = ['2026-03-26', '2026-03-27'].map((label) => periodFromLabel(label, timezone).start);
    const kwh = 60_000_000;
    const meter = (role: string, before: object, after: object) => ({
      role,
      latest: {},
      quarters: {},
      fields: {},
      midnights: { [String(day)]: before, [String(next)]: after },
    });
    context.houses['1'] = {
      monitor: { id: null, cemm: 1 },
      state: {
        version: 1,
        newest: next,
        meters: {
          'smartmeter-dsmr': meter(
            'grid',
            { import: [day, 100 * kwh], export: [day, 50 * kwh] },
            { import: [next, 110 * kwh], export: [next, 53 * kwh] },
          ),
          garage: meter('production', { production: [day, 20 * kwh] }, { production: [next, 27 * kwh] }),
        },
      },
    };
    const { values } = await balanceIn(houses, '2026-03-26');
    const expected = { energy_import_kwh: 10, energy_export_kwh: 3, energy_production_kwh: 7, energy_house_kwh: 14 };
    should(values).containDeep(expected);
    await restart();
    should(context.houses).deepEqual({});
    should((await balanceIn(houses, '2026-03-26')).values).containDeep(expected);
    (await readdir(join(folder, 'cemm'))).should.deepEqual(['cemm-1']);
  });

  it('PD20: stay in the context where the folder cannot be written', async () => {
    await writeFile(join(folder, 'cemm'), 'no folder');
    await add(deliveries(first, first + 2 * dayMs));
    await restart();
    Object.keys(context.houses).should.deepEqual(['24000293']);
    should((await balanceIn(houses, '2026-03-26')).values['energy_import_kwh']).be.above(7);
  });

  it('PD20: have their hours after a disk was full for days', async () => {
    const all = deliveries(first, last);
    const free = first + 7 * dayMs;
    await writeFile(join(folder, 'cemm'), 'no folder');
    for (const end of [first + 2 * dayMs, free]) {
      context.houses = {};
      await add(all.filter(({ ts }) => ts >= end - 5 * dayMs && ts < end));
      clock.tick(15 * minuteMs);
      await until('the context to have it', () => Object.keys(context.houses).length > 0);
      await past.flush();
    }
    await rm(join(folder, 'cemm'));
    await add(all.filter(({ ts }) => ts >= free));
    await restart();
    should(context.houses).deepEqual({});
    for (const label of ['2026-03-31', '2026-04-02']) await shouldHaveHours(label);
  });

  it('are written five seconds after a message, and then every quarter of an hour', async () => {
    const all = deliveries(first, first + dayMs + hourMs);
    await add(all);
    should(clock.msToNextTimer).equal(5_000);
    clock.tick(5_000);
    await store.close();
    const other = new KeptHouses({
      past: new PastDays({ folder: join(folder, 'cemm'), clock, onProblem: () => undefined }),
      clock,
      other: new Context(),
    });
    should(await other.names()).deepEqual(['24000293']);
    should((await balanceIn(new Houses(other), '2026-03-26')).values['energy_import_kwh']).be.above(7);
  });

  it('have a name by their monitor or their installation', async () => {
    const [payload] = deliveries(first, first);
    if (payload === undefined) throw new Error('no delivery');
    const owners = [
      { monitor: { id: '001122aabbcc' } },
      { monitor: { id: null, cemm: 24 } },
      { monitor: { id: null }, installation: 'Huis 7/b' },
    ];
    for (const owner of owners) await add([{ ...payload, ...owner }]);
    await restart();
    const names = await readdir(join(folder, 'cemm'));
    names.sort().should.match([/^001122aabbcc$/, /^cemm-24$/, /^inst-[0-9a-f]{16}$/]);
    should((await houses.chosen(null)).map(({ name }) => name).sort()).deepEqual(['001122aabbcc', '24', 'Huis 7/b']);
    should(await houses.chosen('Huis 7/b')).have.length(1);
  });

  const [mac, cemm] = ['001122aabbcc', 24000001];
  const byNumber = { monitor: { id: null, cemm } };
  const byBoth = { monitor: { id: mac, cemm } };
  const parts = [first, first + 3 * dayMs, first + 6 * dayMs, last + minuteMs];
  const deliveriesOf = (part: number, owner: Pick<WebhookPayload, 'monitor'>): WebhookPayload[] =>
    deliveries(parts[part] ?? 0, (parts[part + 1] ?? 0) - minuteMs).map((payload) => ({ ...payload, ...owner }));
  const shouldBeOneHouse = async (): Promise<void> => {
    for (const name of [null, mac, String(cemm)]) should(await houses.chosen(name)).have.length(1);
    should((await houses.chosen(null))[0]?.monitor).containEql({ id: mac, cemm });
    for (const label of ['2026-03-26', '2026-03-29', '2026-04-02']) await shouldHaveHours(label);
    const { values } = await balanceIn(houses, '2026-03');
    const { end } = periodFromLabel('2026-03', timezone);
    // The first delivery has the quarter before it.
    const begin = first - 15 * minuteMs;
    should(values['energy_import_kwh']).be.approximately(flowed(0.3, end) - flowed(0.3, begin), 0.01);
  };

  for (const [what, owners, pause] of [
    ['becomes known', [byNumber, byBoth, byBoth], () => store.close()],
    ['is known, and not after a restart', [byBoth, byNumber, byBoth], restart],
  ] as const) {
    it(`PD17: are one house where the MAC address of the monitor ${what}`, async () => {
      for (const [part, owner] of owners.entries()) {
        await add(deliveriesOf(part, owner));
        await pause();
      }
      await shouldBeOneHouse();
    });
  }

  it('PD17: are one house where the folder has them by number and by MAC address', async () => {
    // Each is alone while it is added up, as in version 0.2.
    await add(deliveriesOf(0, byNumber));
    await store.close();
    const whole = folder;
    folder = join(whole, 'other');
    start();
    await add(deliveriesOf(1, byBoth));
    await store.close();
    await rename(join(folder, 'cemm', mac), join(whole, 'cemm', mac));
    folder = whole;
    start();
    await add(deliveriesOf(2, byNumber));
    await shouldBeOneHouse();
    await restart();
    await shouldBeOneHouse();
  });

  it('are houses of their own where two installations send the same number', async () => {
    const [payload] = deliveries(first, first);
    if (payload === undefined) throw new Error('no delivery');
    for (const owner of [byBoth, { ...byNumber, installation: 'a' }, { ...byNumber, installation: 'b' }])
      await add([{ ...payload, ...owner }]);
    should((await houses.chosen(null)).map(({ name }) => name).sort()).deepEqual([mac, 'a', 'b']);
    should((await houses.chosen(String(cemm))).map(({ name }) => name)).deepEqual([mac]);
  });
});
