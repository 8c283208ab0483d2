/** The table of simulated households: the interfaces match the rows, and the ledger has the actual flows. */
import should from 'should';
import { createHash } from 'node:crypto';
import { deviceSources, type House, type Source } from '../../../src/simulator/house';
import { createHousehold, type Household } from '../../../src/simulator/household';
import { houses, listHouseMeters } from '../../../src/simulator/houses';
import { dayContaining } from '../../../src/simulator/house-day';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { topics } from '../../../src/simulator/webhook-channels';
import { buildDelivery } from '../../../src/simulator/webhook-payload';
import { dayMs, millis, type Millis } from '../../../src/time/units';
import {
  momentOf,
  request,
  type Series,
  settableClock,
  startInterfaces,
  type TestResponse,
} from '../../support/simulator/requests';

const testNow = '2026-06-15T19:00:00+02:00';
const now = momentOf(testNow);
const since = millis(now - 5 * dayMs);

/** Net flow through the meters of a house according to one interface; null for missing meters. */
type Flowed = Readonly<Record<Source, number | null>>;

const sources: readonly Source[] = ['grid', 'roof', 'garage', 'battery', ...deviceSources, 'gas', 'water'];
const channels = /^(electric_energy|electric_energy_low|electric_energy_high|gas|volume)$/;

function nothing(): Record<Source, number | null> {
  return {
    grid: null,
    roof: null,
    garage: null,
    battery: null,
    gas: null,
    water: null,
    heatPump: null,
    car: null,
    boiler: null,
  };
}

/** Adds up a day in the month series of every alias. */
async function ofMonths(
  get: (alias: string) => Promise<TestResponse>,
  aliases: readonly (readonly [Source, string | undefined])[],
  day: Millis,
): Promise<Flowed> {
  const flowed = nothing();
  for (const [source, alias] of aliases) {
    if (alias === undefined) continue;
    const { status, body } = await get(alias);
    should(status).equal(200);
    const { data } = body as { data: Series };
    for (const [channel, samples] of Object.entries(data)) {
      if (!channels.test(channel)) continue;
      const amount = samples.find(([time]) => time === day)?.[1] ?? 0;
      flowed[source] = (flowed[source] ?? 0) + amount;
    }
  }
  return flowed;
}

/** From the topic of a day of a webhook. */
function ofWebhook(household: Household, topic: 'last/day' | 'this/day', moment: Millis): Flowed {
  const { data } = buildDelivery(household, 1, moment, [topic]);
  const flowed = nothing();
  for (const { key, of } of listHouseMeters(household.house)) {
    const meter = key === undefined ? undefined : data[key];
    if (meter === undefined) continue;
    const value = (channel: string): number => meter[channel]?.[topic]?.value ?? 0;
    const sign = of === 'roof' || of === 'garage' ? -1 : 1;
    const amount =
      'volume' in meter ? value('volume') : sign * (value('electric_energy_import') - value('electric_energy_export'));
    flowed[of] = (flowed[of] ?? 0) + amount;
  }
  return flowed;
}

describe('simulated households', () => {
  it('are at least 24, each with a line for the help', () => {
    Object.keys(houses).length.should.be.aboveOrEqual(24);
    for (const { about } of Object.values(houses)) should(about.length).be.within(5, 90);
  });

  it('refuses a name that is not in the table, and says the names', async () => {
    const options = { house: 'castle' } as unknown as Parameters<typeof startSimulator>[0];
    await should(startSimulator(options)).be.rejectedWith({
      message: /^`house` must be one of `standard`, `gas-in-p1`/,
    });
  });

  it('takes a row that is not in the table', async () => {
    const house: House = { about: 'uses nothing', use: 0, meters: [{ of: 'grid', alias: 'p1', remote: 'p1' }] };
    const simulator = await startSimulator({ house, since, clock: settableClock(testNow) });
    simulator.truth(since, now).should.containEql({ import: 0, house: 0, gas: 0 });
    await simulator.close();
  });

  it('keeps every byte of the first row', async () => {
    const running = await startInterfaces({ since, clock: settableClock(testNow), seed: 7 });
    const hash = createHash('sha256');
    for (const alias of ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2', 'usage']) {
      for (const path of ['realtime', 'data/day', 'data/month', 'data/year']) {
        hash.update((await running.local(`/${alias}/${path}/`)).text);
      }
    }
    hash.update((await running.local('/io')).text);
    for (const path of [
      'io',
      ...['p1', 'p1-gas', 's01'].flatMap((alias) => [`${alias}/realtime`, `${alias}/totals`]),
    ]) {
      hash.update((await running.remote(`cemm/${running.uid()}/${path}/`)).text);
    }
    hash.update((await request(`${running.simulator.local ?? ''}/api/v1/public/meters`)).text);
    const [monitor] = running.simulator.monitors;
    if (monitor) hash.update(JSON.stringify(buildDelivery(monitor.household, monitor.cemm, now, topics)));
    await running.simulator.close();
    // Hash from the simulator before it had a table of households.
    hash.digest('hex').should.equal('0043bea7ca7c2200b22a2e09b5b10c810930e685ecb3dec32065c8b83a2471ab');
  });

  for (const [name, house] of Object.entries(houses)) {
    describe(name, () => {
      it('has a ledger that balances between any two moments', () => {
        const household = createHousehold({ house, now, since });
        for (const [from, to] of [
          [household.since, now],
          [millis(now - 61_001), millis(now - 3500)],
        ] as const) {
          const flowed = household.truth(from, to);
          const used = flowed.import - flowed.export + flowed.production + flowed.discharged - flowed.charged;
          should(used).be.approximately(flowed.house, 1e-9);
          for (const amount of [flowed.import, flowed.export, flowed.house, flowed.gas, flowed.water]) {
            should(amount).be.aboveOrEqual(0);
          }
        }
      });

      it('tells on every interface of a day what the ledger says', async () => {
        const hidden = new Set(['webhook-only']);
        const running = await startInterfaces({ house, since, clock: settableClock(testNow) });
        const { household } = running.simulator.monitors[0] ?? {};
        if (household === undefined) throw new Error('no monitor');
        const isNew = house.firstUse !== undefined;
        const today = dayContaining(now, household.timezone);
        const day = isNew ? today : dayContaining(millis(today.start - 1), household.timezone);
        const flowed = running.simulator.truth(isNew ? household.since : day.start, isNew ? now : day.end);
        const rows = listHouseMeters(house);
        const expected = {
          grid: flowed.import - flowed.export,
          battery: flowed.charged - flowed.discharged,
          gas: flowed.gas,
          water: flowed.water,
        };

        const told: Flowed[] = [ofWebhook(household, isNew ? 'this/day' : 'last/day', now)];
        if (!hidden.has(name)) {
          told.push(
            await ofMonths(
              (alias) => running.local(`/${alias}/data/month/`),
              rows.map(({ of, alias }) => [of, alias]),
              day.start,
            ),
            await ofMonths(
              (alias) => running.remote(`cemm/${running.uid()}/${alias}/data/month/`),
              rows.map(({ of, remote }) => [of, remote]),
              day.start,
            ),
          );
        }
        await running.simulator.close();
        for (const each of told) {
          for (const source of ['grid', 'battery', 'gas', 'water'] as const) {
            const amount = each[source];
            const isCounter = source !== 'grid' && source !== 'battery' && house.faults?.includes('volume-counter');
            if (amount !== null && !isCounter) {
              should(amount).be.approximately(expected[source], 0.001);
            }
          }
        }
        const [, local] = told;
        const produced = (local?.roof ?? 0) + (local?.garage ?? 0);
        if (local !== undefined) should(produced).be.approximately(flowed.production, 0.001);
        sources
          .filter((source) => rows.every(({ of }) => of !== source))
          .forEach((source) => {
            should(told.every((each) => each[source] === null)).be.true();
          });
      });
    });
  }
});
