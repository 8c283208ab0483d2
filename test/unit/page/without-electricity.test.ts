/** The page of a house with meters of water or gas alone, and of one with an inverter alone. */
import should from 'should';
import { parseContractRows, parseHouseContracts } from '../../../src/balance/prices/house-contracts';
import { runAtOnce } from '../../../src/time/pause';
import { type Choice, firstChoice, questionsOf } from '../../../nodes/cemm-page/page/draw/choice';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import type { Drawn } from '../../../nodes/cemm-page/page/draw/drawn';
import { isNumber } from '../../../nodes/cemm-page/page/draw/numbers';
import type { Answer } from '../../../nodes/cemm-page/page/messages';
import { views } from '../../../nodes/cemm-page/page/views';
import { answersOf } from '../../support/page/answers-of';
import { type Change, cardOf, drawnOf, heroIn, noon, numberIn } from '../../support/page/drawn-house';
import { HouseAnswers, zone } from '../../support/page/house-answers';
import { settings, textsFor } from '../../support/page/sheet';

const frame = { moment: noon, timezone: zone };
const house = new HouseAnswers('water-only', noon);

function drawAnswers(choice: Choice, answers: Record<string, Answer>): Drawn {
  return draw({ choice, answers, frame, message: { settings }, language: 'en', texts: textsFor('en') });
}

async function drawnWater(chosen: Partial<Choice>, asked = house): Promise<Drawn> {
  const choice = { ...firstChoice, ...chosen };
  return drawAnswers(choice, await answersOf(asked, choice));
}

function titlesOf({ cards }: Drawn): string[] {
  return cards.map(({ title }) => title);
}

/** Leaves this field of a balance and of its points. */
function only(field: string): Change {
  return (balance) => ({
    ...balance,
    values: { [field]: balance.values[field] ?? null },
    missing: {},
    peak: null,
    points: (balance.points ?? []).map(({ ts, [field]: value }) => ({ ts, [field]: isNumber(value) ? value : null })),
  });
}

describe('a house without electricity', function () {
  this.timeout(120_000);

  it('has no flow, no figures of electricity and no dash in any view', async () => {
    for (const view of views) {
      const drawn = await drawnWater({ view, seesCarpet: true });
      drawn.cards.forEach(({ flow, isCarpet, calendar }) =>
        should([flow, isCarpet, calendar]).eql([null, false, null]),
      );
      // The bars to come have no amount.
      const texts = JSON.stringify(drawn.cards.map((card) => ({ ...card, chart: null })));
      const [found] = /.{60}(From the grid|Own sun|kWh|"–").{30}/.exec(texts) ?? [];
      should([view, found]).eql([view, undefined]);
    }
    should(titlesOf(await drawnWater({ view: 'now' }))).eql(['Today', 'Meter readings']);
    should(titlesOf(await drawnWater({ view: 'month' }))).eql(['June 2026', 'Water', 'Cost']);
  });

  it('has its water as number, compared and with bars, in each view', async () => {
    for (const view of ['now', 'day', 'week', 'month', 'year'] as const) {
      const drawn = await drawnWater({ view });
      const hero = heroIn(drawn);
      should(hero.name).match(/^Water, /);
      should(hero.text).match(/^[\d.]+\u00a0(L|m³)$/, view);
      should(hero.notes[0]).match(/: [\d.]+\u00a0(L|m³)/, view);
      const chart = drawn.cards.find((card) => card.chart !== null)?.chart;
      should(chart?.unit).equal('m³');
      should(chart?.ghosts.length).be.above(2);
      should(new Set(chart?.rects.map(({ colour }) => colour))).eql(new Set(['water']));
    }
    const { bullet, notes } = cardOf(await drawnWater({ view: 'now' }), 'Today');
    should(notes).eql(['m³ by hour']);
    should(bullet?.label).match(/^[\d.]+\u00a0L\. .*: [\d.]+\u00a0L$/);
  });

  it('says the amount of a chosen bar', async () => {
    const card = cardOf(await drawnWater({ view: 'month', at: 16 }), 'Water');
    should(card.when?.text).match(/^\d+\u00a0L$/);
    should(cardOf(await drawnWater({ view: 'month' }), 'Water').when?.name).equal('m³');
  });

  it('has a table in cubic metres, and no curve', async () => {
    const { table } = cardOf(await drawnWater({ view: 'month', shape: 'table' }), 'Table');
    should(table?.heads).eql(['Time', 'Water (m³)', 'Water, May 2026 (m³)', 'Cost (EUR)']);
    const numbers = (table?.rows ?? []).map((row) => numberIn(row[1] ?? ''));
    should(numbers.slice(0, -1).reduce((sum, one) => sum + one, 0)).be.approximately(numbers.at(-1) ?? 0, 0.1);
    const day = await drawnWater({ view: 'day', shape: 'curve' });
    should(day.shapes).eql([]);
    should(cardOf(day, 'Water').chart?.rects.length).be.above(0);
  });

  it('is not asked for its powers once its day is known', async () => {
    const answers = await answersOf(house, firstChoice);
    should(questionsOf(firstChoice, frame, answers).map(({ balance }) => balance)).eql(['day', 'day']);
    should(questionsOf(firstChoice, frame, {}).map(({ balance }) => balance)).eql(['now', 'day', 'day', 'prices']);
  });

  it('has a bill of its water and fixed costs', async () => {
    const drawn = await drawnWater({ view: 'bill' });
    const { water_m3: volume } = (await house.answer({ balance: 'bill', batteries_kwh: [5, 10] })).values;
    should(isNumber(volume)).equal(true);
    should(numberIn(heroIn(drawn).text)).equal(Math.round(1.1 * (volume ?? 0) + 0.9 * 365));
    should(heroIn(drawn).notes).eql([]);
    should(drawn.fields).eql([]);
    should(titlesOf(drawn)).eql(['Bill', 'Part']);
  });

  it('has a bill by contracts', async () => {
    const rows = parseContractRows([
      { name: 'Water works', from: '2020-01-01', prices: { currency: 'EUR', water: 1.1 } },
      { name: 'Cheaper', prices: { currency: 'EUR', water: 1, per_day: 0.01 } },
      { name: 'Power only', prices: { currency: 'EUR', import: 0.25, export: 0.05 } },
    ]);
    const contracts = runAtOnce(
      parseHouseContracts(
        rows.map((row) => ({ row, prices: row.prices })),
        zone,
      ),
    );
    const asked = new HouseAnswers('water-only', noon, undefined, 'demo', contracts);
    const bill = await asked.answer({ balance: 'bill', batteries_kwh: [5] });
    const volume = bill.values['water_m3'] ?? 0;
    should(bill.contracts?.[0]?.due).be.approximately(1.1 * volume, 1e-6);
    should(bill.contracts?.[1]?.due).be.approximately(volume + 3.65, 1e-6);
    should(bill.contracts?.[2]?.missing?.['due']).equal('no_price');
    should(heroIn(await drawnWater({ view: 'bill' }, asked)).text).match(/^€\d/);
  });

  it('with gas alone has its gas as number, and its water beside it', async () => {
    const gas = heroIn(await drawnOf({ view: 'month' }, { name: 'no-sun', change: only('gas_m3') }));
    should(gas.name).equal('Gas, up to today');
    should(gas.text).match(/^[\d.]+\u00a0m³$/);
  });

  it('with an inverter alone has its production as number and bars', async () => {
    const change = only('energy_production_kwh');
    const drawn = await drawnOf({ view: 'month' }, { change });
    should(heroIn(drawn).name).match(/^From the sun, /);
    should(heroIn(drawn).text).match(/^[\d.]+\u00a0kWh$/);
    should(cardOf(drawn, 'From the sun').chart?.rects[0]?.colour).equal('production');
  });
});
