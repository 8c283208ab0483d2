/**
 * The example home-assistant-history imports a year into the real Home Assistant: both clock changes, an exchange of the meter, three
 * kills of either side. The oracle is the ledger of the simulated house, which knows what really flowed.
 */
import should from 'should';
import { isDeepStrictEqual } from 'node:util';
import { chroots } from '../../scripts/home-assistant/chroots';
import { connect } from '../../src/library/connect';
import { millis } from '../../src/time/units';
import { chooseHouse } from '../../src/simulator/houses';
import { dayAfter, historyPrices } from '../support/home-assistant/history-flow';
import { testKey } from '../support/node-red/remote-flow';
import { Random } from '../support/random';
import { RealHistory, type Row } from '../support/real-home-assistant/history';
import { RealHomeAssistant } from '../support/real-home-assistant/real-home-assistant';
import type { Simulator } from '../../src/simulator/simulator';

/** In kWh. */
interface Flows {
  readonly import: number;
  readonly export: number;
}

/** W: minutes with less of it can have both directions, if there is export, or no power, within a quarter of an hour. */
const mostOfBoth = 500;
const near = 15;

/**
 * The hours of a day as exactly as the service can tell them, by their start: it has the net power of each minute, and readings at
 * midnight. Import and export within one minute cancel out in that power: what the meter counted of both goes to the minutes with little
 * power, and then the hours are scaled to the day (docs/decisions/registers-before-minutes.md).
 */
function hoursFromMinutes(
  { truth }: Pick<Simulator, 'truth'>,
  { start, end }: { readonly start: number; readonly end: number },
): Map<number, Flows> {
  const [minute, hour] = [60_000, 3_600_000];
  const minutes = Array.from({ length: (end - start) / minute }, (_, index) => {
    const flowed = truth(millis(start + index * minute), millis(start + (index + 1) * minute));
    const net = flowed.import - flowed.export;
    return { net, watts: Math.round(net * 60_000) };
  });
  const add = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  const counted = truth(millis(start), millis(end));
  const lacks = {
    import: counted.import - add(minutes.map(({ net }) => Math.max(0, net))),
    export: counted.export - add(minutes.map(({ net }) => Math.max(0, -net))),
  };
  const weights = minutes.map(({ watts }, index) => {
    const around = minutes.slice(Math.max(0, index - near), index + near + 1);
    return around.some((other) => other.watts <= 0) ? Math.max(0, mostOfBoth - Math.abs(watts)) : 0;
  });
  const weight = add(weights);
  const both = weight === 0 ? 0 : Math.max(0, Math.min(lacks.import, lacks.export));
  const hours = new Map<number, Flows>();
  minutes.forEach(({ net }, index) => {
    const at = start + index * minute;
    const from = at - (at % hour);
    const before = hours.get(from) ?? { import: 0, export: 0 };
    const share = both === 0 ? 0 : (both * (weights[index] ?? 0)) / weight;
    hours.set(from, {
      import: before.import + Math.max(0, net) + share,
      export: before.export + Math.max(0, -net) + share,
    });
  });
  const scale = (direction: keyof Flows): number => {
    const sum = counted[direction] - lacks[direction] + both;
    return sum === 0 ? 0 : counted[direction] / sum;
  };
  const scales = { import: scale('import'), export: scale('export') };
  return new Map(
    [...hours].map(([from, flows]) => [
      from,
      { import: flows.import * scales.import, export: flows.export * scales.export },
    ]),
  );
}

const [newest] = chroots;
const exchangeDay = '2025-04-02';
const exchange = millis(Date.parse(`${exchangeDay}T10:00:00+02:00`));
const house = {
  ...chooseHouse('standard'),
  events: [{ what: 'exchange' as const, of: ['grid' as const], from: () => exchange }],
};

const [from, to] = ['2025-01-01', '2025-12-31'];
const days = 365;
/** kWh. */
const most = 0.001;
/** kWh in an hour: import and export within one minute, which the service does not tell. */
const mostWithinMinutes = 0.1;

const containsExchange = ({ start, end }: Row): boolean => start <= exchange && exchange < end;
const hoursOf = ({ start, end }: Row): number => (end - start) / 3_600_000;
const difference = ({ start, change }: Row, amount: number, allowed: number): string[] =>
  Math.abs(change - amount) < allowed ? [] : [`${new Date(start).toISOString()}: ${change} instead of ${amount}`];

describe(`the past from ${from} to ${to} in Home Assistant ${newest?.homeAssistant ?? ''}`, function () {
  this.timeout(1_500_000);
  const random = new Random(31);
  let homeAssistant: RealHomeAssistant;
  let history: RealHistory;

  before(async () => {
    if (newest === undefined) throw new Error('no Home Assistant');
    homeAssistant = await RealHomeAssistant.start(newest);
    const since = `${dayAfter(from, -7)}T00:00:00Z`;
    history = await RealHistory.createFor(homeAssistant, `${dayAfter(to, 2)}T12:00:00+01:00`, since, { house });
  });
  after(async () => {
    await history.close();
    await homeAssistant.stop();
  });

  /** Days that differ from what flowed. The one with the exchange is the balance of its day, as a test says. */
  async function wrongDays(direction: keyof Flows): Promise<string[]> {
    const rows = await history.rows(`energy_${direction}_kwh`, 'day');
    return rows
      .filter((row) => !containsExchange(row))
      .flatMap((row) => difference(row, history.simulator.truth(millis(row.start), millis(row.end))[direction], most));
  }

  /** Hours that differ from what the service can tell of them, or too much from what flowed. */
  async function wrongHours(): Promise<string[]> {
    const found = await history.rows('energy_import_kwh', 'day');
    const told = new Map(
      found.filter((day) => !containsExchange(day)).flatMap((day) => [...hoursFromMinutes(history.simulator, day)]),
    );
    should(told.size).equal((days - 1) * 24);
    const wrong = (['import', 'export'] as const).map(async (direction) => {
      const hours = await history.rows(`energy_${direction}_kwh`);
      return hours.flatMap((row) => {
        const flowed = history.simulator.truth(millis(row.start), millis(row.end));
        const hour = told.get(row.start);
        return [
          ...(hour === undefined ? [] : difference(row, hour[direction], most)),
          ...(containsExchange(row) ? [] : difference(row, flowed[direction], mostWithinMinutes)),
        ];
      });
    });
    return (await Promise.all(wrong)).flat();
  }

  it('BA20, BA22: is imported over three kills of either side, and again with the same rows', async () => {
    await history.deploy(from, to);
    for (let times = 1; times <= 3; times++) {
      await history.importUntilKilled('Node-RED', random.int(days, 3 * days));
      await history.importUntilKilled('Home Assistant', random.int(days, 3 * days));
    }
    await history.importTo(to);
    const first = await history.allRows();
    should(first['energy_import_kwh']).have.length(days * 24);
    await history.pressButton('again');
    await history.importedTo(to, 900_000);
    await history.stored();
    const second = await history.allRows();
    Object.keys(first)
      .filter((field) => !isDeepStrictEqual(first[field], second[field]))
      .should.deepEqual([]);
  });

  it('equals the meter on each day and in each hour, also over both clock changes', async () => {
    const found = await history.rows('energy_import_kwh', 'day');
    found.should.have.length(days);
    const lengths = found.map(hoursOf).filter((length) => length !== 24);
    lengths.should.deepEqual([23, 25]);
    for (const direction of ['import', 'export'] as const) (await wrongDays(direction)).should.deepEqual([]);
    (await wrongHours()).should.deepEqual([]);
  });

  it('is on the day of an exchange what the balance of that day says', async () => {
    const service = await connect({ apiKey: testKey, baseUrl: String(history.simulator.remote) });
    const { values } = await service.balance({ day: exchangeDay }).finally(() => service.close());
    for (const field of ['energy_import_kwh', 'energy_export_kwh'] as const) {
      const found = await history.rows(field, 'day');
      should(found.find(containsExchange)?.change).be.approximately(values[field] ?? NaN, 0.001);
    }
    const midnight = Date.parse(`${exchangeDay}T00:00:00+02:00`);
    const flowed = history.simulator.truth(millis(midnight), millis(midnight + 86_400_000));
    should(values['energy_net_kwh']).be.approximately(flowed.import - flowed.export, 0.01);
  });

  it('has the costs of each day to the cent, with the gas that the gas meter had told by midnight', async () => {
    const [costs, gas] = [await history.rows('cost', 'day'), await history.rows('gas_m3', 'day')];
    costs.should.have.length(days);
    const { import: perKwh, export: paid, gas: perM3, per_day: fixed } = historyPrices;
    const wrong = costs.flatMap((row) => {
      const flowed = history.simulator.truth(millis(row.start), millis(row.end));
      const told = gas.find(({ start }) => start === row.start)?.change ?? NaN;
      const isRight = Math.abs(told - flowed.gas) < 0.01;
      const cost = perKwh * flowed.import - paid * flowed.export + perM3 * told + fixed;
      return difference(row, isRight ? cost : NaN, 0.005);
    });
    wrong.should.deepEqual([]);
  });

  it('goes on with yesterday on each of three nights', async () => {
    await history.deploy(from, '');
    for (const day of [2, 3, 4].map((night) => dayAfter(to, night))) {
      await history.restartNodeRed('SIGTERM', `${dayAfter(day, 1)}T03:10:00+01:00`);
      await history.pressButton('night');
      await history.importedTo(day);
    }
    await history.stored();
    const found = await history.rows('energy_import_kwh', 'day');
    found.should.have.length(days + 4);
    (await wrongDays('import')).should.deepEqual([]);
  });

  it('has no issue in its statistics, and no error or warning in the log', async () => {
    should(await homeAssistant.command('recorder/validate_statistics')).deepEqual({});
    homeAssistant.problems().should.deepEqual([]);
  });
});
