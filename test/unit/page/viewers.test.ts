/** What browsers send, and who is looking. */
import should from 'should';
import { readViewerMessage } from '../../../nodes/cemm-page/viewer-message';
import { Viewers } from '../../../nodes/cemm-page/viewers';
import { keyOf } from '../../../nodes/cemm-page/page/messages';

const day = (date: string) => ({ balance: 'day' as const, date });

describe('a message of a viewer', () => {
  it('has its questions', () => {
    const wants = [{ balance: 'now' }, day('2026-10-25'), { balance: 'month', date: '2026-10' }];
    should(readViewerMessage({ viewer: 'a-1', wants })).eql({ viewer: 'a-1', wants });
  });

  it('is refused without a name or a list', () => {
    for (const payload of [
      null,
      'text',
      [],
      { wants: [] },
      { viewer: 'a' },
      { viewer: 'a b', wants: [] },
      { viewer: 'x'.repeat(65), wants: [] },
      { viewer: 1, wants: [] },
      { page: 'cemm/page/1', answers: {} },
    ]) {
      should(readViewerMessage(payload)).equal(null);
    }
  });

  it('leaves out questions and parts that cannot be read', () => {
    const wants = [{ balance: 'week' }, null, { balance: 'day', date: '25 October', monitor: 'other' }, day('2026')];
    should(readViewerMessage({ viewer: 'a', wants })?.wants).eql([{ balance: 'day' }, day('2026')]);
  });

  it('takes prices and batteries for a bill only, and only in a limited size', () => {
    const prices = [{ import: 0.3 }, { import: 0.2 }];
    const bill = { balance: 'bill', from: '2025-07-01', to: '2026-06-30', prices, batteries_kwh: [5, 10] };
    should(readViewerMessage({ viewer: 'a', wants: [bill] })?.wants).eql([bill]);
    should(readViewerMessage({ viewer: 'a', wants: [{ ...bill, balance: 'year' }] })?.wants).eql([{ balance: 'year' }]);
    for (const wrong of [
      { prices: [1, 2, 3] },
      { prices: [{ text: 'x'.repeat(20_000) }] },
      { prices: [JSON.parse('['.repeat(9_000) + ']'.repeat(9_000)) as unknown] },
      { batteries_kwh: ['5'] },
      { batteries_kwh: Array.from({ length: 11 }, () => 5) },
    ]) {
      const [read] = readViewerMessage({ viewer: 'a', wants: [{ ...bill, ...wrong }] })?.wants ?? [];
      for (const part of Object.keys(wrong)) should(read).not.have.property(part);
    }
  });

  it('has at most 16 questions', () => {
    const wants = Array.from({ length: 40 }, (_, index) => day(`2026-10-${String(index).padStart(2, '0')}`));
    should(readViewerMessage({ viewer: 'a', wants })?.wants.length).equal(16);
  });
});

describe('the key of a question', () => {
  it('has balance and date', () => {
    should(keyOf({ balance: 'now' })).equal('now ');
    should(keyOf(day('2026-10-25'))).equal('day 2026-10-25');
  });

  it('differs between bills with other days, prices or batteries', () => {
    const bills = [
      {},
      { from: '2025-01-01' },
      { to: '2025-01-01' },
      { prices: [{ import: 1 }] },
      { prices: [{ import: 2 }] },
      { batteries_kwh: [5] },
    ];
    should(new Set(bills.map((bill) => keyOf({ balance: 'bill', ...bill }))).size).equal(bills.length);
  });
});

describe('viewers', () => {
  it('are gone 60 s after their last sign of life', () => {
    const viewers = new Viewers();
    viewers.sign({ viewer: 'a', wants: [day('2026-10-25')] }, 0);
    should(viewers.count(59_999)).equal(1);
    should([...viewers.wants(59_999).keys()]).eql(['day 2026-10-25']);
    should(viewers.count(60_000)).equal(0);
    should(viewers.wants(60_000).size).equal(0);
  });

  it('are gone at once when they say so', () => {
    const viewers = new Viewers();
    viewers.sign({ viewer: 'a', wants: [day('2026-10-25')] }, 0);
    viewers.sign({ viewer: 'a', wants: [], gone: true }, 1);
    should(viewers.count(1)).equal(0);
  });

  it('have news when they come and when they want something else', () => {
    const viewers = new Viewers();
    should(viewers.sign({ viewer: 'a', wants: [day('2026-10-25')] }, 0)).equal(true);
    should(viewers.sign({ viewer: 'a', wants: [day('2026-10-25')] }, 20_000)).equal(false);
    should(viewers.sign({ viewer: 'a', wants: [day('2026-10-24')] }, 20_001)).equal(true);
    should(viewers.sign({ viewer: 'a', wants: [day('2026-10-24')] }, 90_000)).equal(true);
  });

  it('want what is most important to each of them first, everything once', () => {
    const viewers = new Viewers();
    viewers.sign({ viewer: 'a', wants: [{ balance: 'now' }, day('2026-10-25'), day('2026-10-24')] }, 0);
    viewers.sign({ viewer: 'b', wants: [{ balance: 'year' }, day('2026-10-25')] }, 0);
    should([...viewers.wants(0).keys()]).eql(['now ', 'year ', 'day 2026-10-25', 'day 2026-10-24']);
  });

  it('are 50 at most: the one without a sign for longest is forgotten', () => {
    const viewers = new Viewers();
    for (let index = 0; index < 51; index += 1) viewers.sign({ viewer: `v${index}`, wants: [] }, index);
    should(viewers.count(51)).equal(50);
    should(viewers.sign({ viewer: 'v1', wants: [] }, 52)).equal(false);
    should(viewers.sign({ viewer: 'v0', wants: [] }, 53)).equal(true);
  });
});
