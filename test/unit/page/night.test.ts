/** The page at night, when an inverter takes a few W. */
import should from 'should';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import { firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import { answersOf, type AnsweringHouse } from '../../support/page/answers-of';
import { cardOf, findTile } from '../../support/page/drawn-house';
import { HouseAnswers, zone } from '../../support/page/house-answers';
import { settings, textsFor } from '../../support/page/sheet';

// Before the sun is up.
const night = Date.parse('2026-01-14T06:30:00+01:00');

async function drawnAtNight(house: AnsweringHouse, view: 'now' | 'day', shape: 'bars' | 'table' = 'bars') {
  const choice = { ...firstChoice, view, shape, ...(view === 'day' && { date: '2026-01-14' }) };
  const answers = await answersOf(house, choice);
  const frame = { moment: house.now, timezone: zone };
  return draw({ choice, answers, frame, message: { settings }, language: 'en', texts: textsFor('en') });
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
});
