/** A period beside an earlier one: in the numbers, in the chart and in the table. */
import should from 'should';
import { drawnOf, figuresIn, heroIn, inputOf, numberIn } from '../../support/page/drawn-house';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';

describe('a comparison on the page', function () {
  this.timeout(120_000);

  it('compares a running day with the day before until the same time', async () => {
    const { notes, cost } = heroIn(await drawnOf({ view: 'day', compare: 'before' }));
    should(notes).match(/^Wed, June 17, until 12:00: \d/);
    should(cost?.notes.join()).match(/^Wed, June 17, until 12:00: €\d/);
    const over = heroIn(await drawnOf({ view: 'day', date: '2026-06-16' }));
    should(over.notes).match(/^Tue, June 9: \d/);
  });

  it('draws the use of the other period behind the bars, also of the hours to come, and says so', async () => {
    const [chart] = (await drawnOf({ view: 'day', compare: 'before' })).cards.flatMap((card) => card.chart ?? []);
    should(chart?.ghosts.length).equal(24);
    should(chart?.legend.map(({ name }) => name)).eql(['Wed, June 17']);
    const [alone] = (await drawnOf({ view: 'day', compare: 'none' })).cards.flatMap((card) => card.chart ?? []);
    should(alone?.ghosts).eql([]);
    should(alone?.legend).eql([]);
  });

  it('has figures of the chosen bar that add up to its use', async () => {
    const { cards } = await drawnOf({ view: 'day', date: '2026-06-16', at: 8 });
    const { when, tiles, chart } = figuresIn({ cards });
    should(when?.name).equal('08:00–09:00');
    const of = (wanted: string): number => numberIn(tiles.find(({ name }) => name === wanted)?.text ?? '');
    const used = numberIn(/^[\d.]+/.exec(when?.text ?? '')?.[0] ?? '');
    used.should.be.above(0);
    used.should.be.approximately(of('From the grid') + of('Own sun used'), 0.011);
    should(chart?.columns[8]).containEql({ name: '08:00–09:00', isUnknown: false });
    numberIn(chart?.columns[8]?.text ?? '').should.be.approximately(used, 0.011);
    const [costs] = cards.filter(({ key }) => key === 'cost');
    should(costs?.note).equal('08:00–09:00');
  });

  it('has the use of the other period in the table, with its sum when the period is over', async () => {
    const columnOf = async (date: string, other: string): Promise<string[]> => {
      const input = await inputOf({ view: 'day', date, compare: 'before', shape: 'table' });
      const [table] = draw(input).cards.flatMap((card) => card.table ?? []);
      should(table?.heads.slice(0, 3)).eql(['Time', 'Used (kWh)', `Used, ${other} (kWh)`]);
      return (table?.rows ?? []).map((row) => row[2] ?? '');
    };
    const over = await columnOf('2026-06-16', 'Mon, June 15');
    should(over.length).equal(25);
    const sum = over.slice(0, -1).reduce((all, text) => all + numberIn(text), 0);
    numberIn(over.at(-1) ?? '').should.be.approximately(sum, 1.3);
    should((await columnOf('2026-06-18', 'Wed, June 17')).at(-1)).equal('–');
  });

  it('has a row for the last day of a longer month, so that the sum of that month adds up', async () => {
    const input = await inputOf({ view: 'month', date: '2026-04-15', compare: 'before', shape: 'table' });
    const rows = draw(input).cards.flatMap(({ table }) => table?.rows ?? []);
    should(rows.length).equal(32);
    const [last = [], total = []] = rows.slice(-2);
    should(last[0]).equal('Tue, Mar 31');
    should(last.filter((_, index) => index !== 2).slice(1)).matchEach('–');
    const sum = rows.slice(0, -1).reduce((all, row) => all + numberIn(row[2] ?? ''), 0);
    numberIn(total[2] ?? '').should.be.approximately(sum, 1.6);
  });

  it('has no such row while the month is running, when it has no sum', async () => {
    const input = await inputOf({ view: 'month', date: '2026-06-18', compare: 'before', shape: 'table' });
    const names = draw(input)
      .cards.flatMap(({ table }) => table?.rows ?? [])
      .map(([name]) => name);
    should(names.filter((name = '') => name.includes('May'))).eql([]);
  });
});
