/** What a tap on a bar opens. */
import should from 'should';
import { openedBy } from '../../../nodes/cemm-page/page/draw/draw';
import { inputOf } from '../../support/page/drawn-house';

describe('a tap on a bar', function () {
  this.timeout(60_000);

  it('leads from the year to a month, from there to a day, and then chooses an hour', async () => {
    const month = openedBy(await inputOf({ view: 'year', date: '2026-06-18' }), 4);
    should(month?.view).equal('month');
    should(month?.date?.slice(0, 7)).equal('2026-05');
    const day = openedBy(await inputOf({ ...month }), 9);
    should(day).eql({ view: 'day', date: '2026-05-10' });
    should(openedBy(await inputOf({ ...day }), 12)).equal(null);
  });

  it('opens nothing that has not begun', async () => {
    should(openedBy(await inputOf({ view: 'month', date: '2026-06-18' }), 25)).equal(null);
    should(openedBy(await inputOf({ view: 'week', date: '2026-06-18' }), 0)).eql({ view: 'day', date: '2026-06-15' });
  });
});
