/** The page at night, when an inverter takes a few W. */
import should from 'should';
import { withoutNightUse } from '../../../nodes/cemm-page/night';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import { firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import { answersOf, type AnsweringHouse } from '../../support/page/answers-of';
import { cardOf, numberIn, findTile } from '../../support/page/drawn-house';
import { HouseAnswers, zone } from '../../support/page/house-answers';
import { balanceWith, settings, textsFor } from '../../support/page/sheet';

// Before the sun is up.
const night = Date.parse('2026-01-14T06:30:00+01:00');

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

async function drawnAtNight(house: AnsweringHouse, view: 'now' | 'day', shape: 'bars' | 'table' = 'bars') {
  const choice = { ...firstChoice, view, shape, ...(view === 'day' && { date: '2026-01-14' }) };
  const answers = await answersOf(house, choice);
  const frame = { moment: house.now, timezone: zone };
  return draw({ choice, answers, frame, message: { settings }, language: 'en', texts: textsFor('en') });
}

function inWatt(text: string): number {
  return numberIn(text) * (text.endsWith('kW') ? 1000 : 1);
}

describe('an inverter that takes power at night', () => {
  const house = new HouseAnswers('inverter-6w', night, undefined, 'remote');

  it('is below zero in the balance, and its use is in no other field', async () => {
    const { values } = await house.answer({ balance: 'now' });
    should(values['power_production_w']).be.below(0);
    should(values['power_house_w']).be.approximately(
      Number(values['power_import_w']) + Number(values['power_production_w']),
      1e-6,
    );
    const day = await house.answer({ balance: 'day', date: '2026-01-14' });
    should(day.values['energy_production_kwh']).be.below(0);
  });

  it('is 0 of sun on the page, and a use of the house', async () => {
    const { values } = await house.answer({ balance: 'now' });
    const { flow } = cardOf(await drawnAtNight(house, 'now'), 'Now');
    const textOf = (key: string) => flow?.nodes.find((node) => node.key === key)?.text;
    should(textOf('sun')).equal('0\u00a0W');
    should(`${flow?.house.text}\u00a0${flow?.house.unit}`).equal(textOf('grid'));
    should(Number(flow?.house.text)).equal(Math.round(Number(values['power_import_w'])));
  });

  it('is no sun in tiles and table, whose numbers add up', async () => {
    const drawn = await drawnAtNight(house, 'day');
    const figures = cardOf(drawn, 'Used');
    should(findTile(figures, 'Own sun used').text).equal('0.00\u00a0kWh');
    should(drawn.cards[0]?.hero?.text).equal(findTile(figures, 'From the grid').text);
    const { table } = cardOf(await drawnAtNight(house, 'day', 'table'), 'Table');
    const [used = -1, taken = -1, sun = -1] = ['Used', 'From the grid', 'From the sun'].map(
      (name) => table?.heads.findIndex((head) => head.startsWith(name)) ?? -1,
    );
    should(table?.rows.length).be.above(5);
    for (const row of table?.rows ?? []) {
      should(row[sun]).not.match(/−/);
      should(row[used]).equal(row[taken]);
    }
  });

  it('is a part of the rest of a house with devices, so that devices and rest add up to its use', async () => {
    const withDevices = new HouseAnswers('devices', night);
    const { flow } = cardOf(await drawnAtNight(withDevices, 'now'), 'Now');
    const shown = (flow?.nodes ?? []).map(({ key, text }) => ({ key, watt: inWatt(text) }));
    const ofDevices = shown.filter(({ key }) => key !== 'sun' && key !== 'grid');
    should(ofDevices.length).equal(3);
    should(sumOf(ofDevices.map(({ watt }) => watt))).equal(inWatt(`${flow?.house.text} ${flow?.house.unit}`));
    const { values, devices: ofNow = [] } = withoutNightUse(await withDevices.answer({ balance: 'now' }));
    const outerNow = ofNow.filter(({ within }) => within === undefined).map(({ power_w: power }) => power ?? NaN);
    should(sumOf([...outerNow, values['power_other_w'] ?? NaN])).be.approximately(values['power_house_w'] ?? NaN, 1e-6);
    const raw = await withDevices.answer({ balance: 'day', date: '2026-01-14' });
    should(raw.values['energy_production_kwh']).be.below(0);
    const day = withoutNightUse(raw);
    const outer = (day.devices ?? []).filter(({ within }) => within === undefined);
    const ofDay = sumOf([day.values['energy_other_kwh'] ?? NaN, ...outer.map(({ energy_kwh: kwh }) => kwh ?? NaN)]);
    should(ofDay).be.approximately(day.values['energy_house_kwh'] ?? NaN, 1e-9);
    for (const { devices = {}, energy_other_kwh: rest, energy_house_kwh: house } of day.points ?? []) {
      const sum = sumOf([Number(rest), ...outer.map(({ meter }) => devices[meter] ?? NaN)]);
      should(sum).be.approximately(Number(house), 1e-9);
    }
  });

  it('changes no rest that is of a shorter time than the use', () => {
    const balance = balanceWith({
      period: {
        unit: 'day',
        label: '2026-01-14',
        timezone: zone,
        start: night - 6 * 3_600_000,
        end: night,
        step: 'PT1H',
      },
      values: { energy_production_kwh: -0.04, energy_house_kwh: 1.96, energy_other_kwh: 0.5 },
      coverage: { energy_house_kwh: 1, energy_other_kwh: 0.4 },
    });
    should(withoutNightUse(balance).values).containEql({ energy_house_kwh: 2, energy_other_kwh: 0.5 });
    const known = { ...balance, coverage: { energy_house_kwh: 1, energy_other_kwh: 1 } };
    should(withoutNightUse(known).values).containEql({ energy_house_kwh: 2, energy_other_kwh: 0.54 });
  });
});
