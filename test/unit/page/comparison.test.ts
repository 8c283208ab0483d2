/** A period beside an earlier one: in the numbers, in the chart and in the table. */
import should from 'should';
import { cardOf, drawnOf, inputOf, numberIn, tileOf } from '../../support/page/drawn-house';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';

describe('a comparison on the page', function () {
  this.timeout(120_000);

  it('compares a running day with the day before until the same time', async () => {
    const card = cardOf(await drawnOf({ view: 'day', compare: 'before' }), /^Today/);
    tileOf(card, 'From the grid').notes.should.match(/^the day before, until 12:00: \d/);
    const over = cardOf(await drawnOf({ view: 'day', date: '2026-06-16', compare: 'week' }), /June 16/);
    tileOf(over, 'From the grid').notes.should.match(/^a week before: \d/);
  });

  it('draws the use of the other period as a line, and says so', async () => {
    const [chart] = (await drawnOf({ view: 'day', compare: 'before' })).cards.flatMap((card) => card.chart ?? []);
    should(chart?.lines.length).equal(1);
    should(chart?.legend.map(({ name }) => name)).containDeep(['Used', 'Used, the day before']);
    const [alone] = (await drawnOf({ view: 'day' })).cards.flatMap((card) => card.chart ?? []);
    should(alone?.legend.map(({ name }) => name)).not.containEql('Used');
  });

  it('shows both uses under the pointer', async () => {
    const chosen = { view: 'day', date: '2026-06-16', compare: 'before', at: 8 } as const;
    const [chart] = (await drawnOf(chosen)).cards.flatMap((card) => card.chart ?? []);
    const of = (wanted: string): number => numberIn(chart?.legend.find(({ name }) => name === wanted)?.text ?? '');
    for (const name of ['Used', 'Used, the day before']) of(name).should.be.above(0);
    of('Used').should.be.approximately(of('From the grid') + of('Own sun used'), 0.011);
    should(chart?.atText).match(/Used \d.*, Used, the day before \d/);
  });

  it('has the use of the other period in the table, with its sum when the period is over', async () => {
    const columnOf = async (date: string): Promise<string[]> => {
      const input = await inputOf({ view: 'day', date, compare: 'before', shape: 'table' });
      const [table] = draw(input).cards.flatMap((card) => card.table ?? []);
      should(table?.heads.slice(0, 3)).eql(['Time', 'Used (kWh)', 'Used, the day before (kWh)']);
      return (table?.rows ?? []).map((row) => row[2] ?? '');
    };
    const over = await columnOf('2026-06-16');
    should(over.length).equal(25);
    const sum = over.slice(0, -1).reduce((all, text) => all + numberIn(text), 0);
    numberIn(over.at(-1) ?? '').should.be.approximately(sum, 1.3);
    should((await columnOf('2026-06-18')).at(-1)).equal('–');
  });
});
