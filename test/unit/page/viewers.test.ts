/** What browsers send, and who is looking. */
import should from 'should';
import { type Client, everyone, readClient, readViewerMessage } from '../../../nodes/cemm-page/viewer-message';
import { Viewers } from '../../../nodes/cemm-page/viewers';
import { buildQuestionKey } from '../../../nodes/cemm-page/page/messages';

const day = (date: string) => ({ balance: 'day' as const, date });

describe('a message of a viewer', () => {
  it('has its questions', () => {
    const wants = [{ balance: 'now' }, day('2026-10-25'), { balance: 'month', date: '2026-10' }];
    should(readViewerMessage({ viewer: 'a-1', wants }, true)).eql({ viewer: 'a-1', wants });
  });

  it('names the language whose texts it lacks, if the page has that', () => {
    should(readViewerMessage({ viewer: 'a', wants: [], language: 'nl' }, true)).have.property('language', 'nl');
    for (const language of ['nl-NL', 'es', '__proto__', 7, ['nl']]) {
      should(readViewerMessage({ viewer: 'a', wants: [], language }, true)).not.have.property('language');
    }
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
      should(readViewerMessage(payload, true)).equal(null);
    }
  });

  it('leaves out questions and parts that cannot be read', () => {
    const wants = [{ balance: 'hour' }, null, { balance: 'day', date: '25 October', monitor: 'other' }, day('2026')];
    should(readViewerMessage({ viewer: 'a', wants }, true)?.wants).eql([{ balance: 'day' }, day('2026')]);
  });

  it('takes prices and batteries for a bill only, and only in a limited size', () => {
    const prices = [{ import: 0.3 }, { import: 0.2 }];
    const bill = { balance: 'bill', from: '2025-07-01', to: '2026-06-30', prices, batteries_kwh: [5, 10] };
    should(readViewerMessage({ viewer: 'a', wants: [bill] }, true)?.wants).eql([bill]);
    should(readViewerMessage({ viewer: 'a', wants: [{ ...bill, balance: 'year' }] }, true)?.wants).eql([
      { balance: 'year' },
    ]);
    should(readViewerMessage({ viewer: 'a', wants: [bill] }, false)?.wants[0]).not.have.property('prices');
    for (const wrong of [
      { prices: [1, 2, 3] },
      { prices: [{ text: 'x'.repeat(20_000) }] },
      { prices: [JSON.parse('['.repeat(9_000) + ']'.repeat(9_000)) as unknown] },
      { batteries_kwh: ['5'] },
      { batteries_kwh: Array.from({ length: 11 }, () => 5) },
    ]) {
      const [read] = readViewerMessage({ viewer: 'a', wants: [{ ...bill, ...wrong }] }, true)?.wants ?? [];
      for (const part of Object.keys(wrong)) should(read).not.have.property(part);
    }
  });

  it('has at most 16 questions', () => {
    const wants = Array.from({ length: 40 }, (_, index) => day(`2026-10-${String(index).padStart(2, '0')}`));
    should(readViewerMessage({ viewer: 'a', wants }, true)?.wants.length).equal(16);
  });
});

describe('the key of a question', () => {
  it('has balance and date', () => {
    should(buildQuestionKey({ balance: 'now' })).equal('now ');
    should(buildQuestionKey(day('2026-10-25'))).equal('day 2026-10-25');
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
    should(new Set(bills.map((bill) => buildQuestionKey({ balance: 'bill', ...bill }))).size).equal(bills.length);
  });
});

describe('a browser', () => {
  it('is known by the socket and the address that Dashboard writes into the message', () => {
    should(readClient({ payload: 1 })).equal(null);
    should(readClient({ _client: { socketId: 'a', socketIp: '192.0.2.1' } })).eql({
      socket: 'a',
      address: '192.0.2.1',
    });
    for (const _client of [null, 'x', [], {}, { socketId: 7 }]) should(readClient({ _client })).eql(everyone);
  });
});

const at = (socket: string, address = '192.0.2.1'): Client => ({ socket, address });

describe('viewers', () => {
  const keysOf = (viewers: Viewers, now: number): string[] => viewers.wanted(now).map(({ key }) => key);

  it('are gone 60 s after their last sign of life', () => {
    const viewers = new Viewers();
    viewers.noteSign(at('a'), { viewer: 'a', wants: [day('2026-10-25')] }, 0);
    should(viewers.count(59_999)).equal(1);
    should(keysOf(viewers, 59_999)).eql(['day 2026-10-25']);
    should(viewers.count(60_000)).equal(0);
    should(keysOf(viewers, 60_000)).eql([]);
  });

  it('are gone at once when they say so', () => {
    const viewers = new Viewers();
    viewers.noteSign(at('a'), { viewer: 'a', wants: [day('2026-10-25')] }, 0);
    viewers.noteSign(at('a'), { viewer: 'a', wants: [], gone: true }, 1);
    should(viewers.count(1)).equal(0);
  });

  it('have news when they come and when they ask something else', () => {
    const viewers = new Viewers();
    const sign = (date: string, now: number): object =>
      viewers.noteSign(at('a'), { viewer: 'a', wants: [day(date)] }, now);
    should(sign('2026-10-25', 0)).eql({ isNewPage: true, added: ['day 2026-10-25'] });
    should(sign('2026-10-25', 20_000)).eql({ isNewPage: false, added: [] });
    should(sign('2026-10-24', 20_001)).eql({ isNewPage: false, added: ['day 2026-10-24'] });
    should(sign('2026-10-24', 90_000)).eql({ isNewPage: true, added: ['day 2026-10-24'] });
  });

  it('DV5: take turns by address, then by browser, each with what is most important to it', () => {
    const viewers = new Viewers();
    const wants = (year: number) => [10, 11, 12].map((date) => day(`${year}-01-${date}`));
    viewers.noteSign(at('a', 'one'), { viewer: 'a', wants: wants(2021) }, 0);
    viewers.noteSign(at('b', 'one'), { viewer: 'b', wants: wants(2022) }, 0);
    viewers.noteSign(at('c', 'two'), { viewer: 'c', wants: wants(2023) }, 0);
    should(keysOf(viewers, 0).map((key) => key.slice(4))).eql([
      ...['2021-01-10', '2023-01-10', '2022-01-10', '2023-01-11', '2021-01-11', '2023-01-12'],
      ...['2022-01-11', '2021-01-12', '2022-01-12'],
    ]);
  });

  it('DV5: are 100 at most: the address with most of them gives way', () => {
    const viewers = new Viewers();
    viewers.noteSign(at('owner', 'home'), { viewer: 'owner', wants: [] }, 0);
    for (let index = 0; index < 300; index += 1)
      viewers.noteSign(at(`s${index}`, 'other'), { viewer: 'v', wants: [] }, 1);
    should(viewers.count(1)).equal(100);
    should(viewers.noteSign(at('owner', 'home'), { viewer: 'owner', wants: [] }, 1)).containEql({ isNewPage: false });
  });

  it('DV4: have 64 questions at most, whatever names they take, and 1 MB in all', () => {
    const viewers = new Viewers();
    const signAll = (into: Viewers, client: Client): void => {
      for (let index = 0; index < 50; index += 1) {
        const wants = Array.from({ length: 16 }, (_, date) => day(`20${index + 10}-01-${date + 10}`));
        into.noteSign(client, { viewer: `v${index}`, wants }, 0);
      }
    };
    signAll(viewers, at('a'));
    should(viewers.count(0)).equal(1);
    should(keysOf(viewers, 0).length).equal(64);
    const unnamed = new Viewers();
    signAll(unnamed, everyone);
    should(keysOf(unnamed, 0).length).equal(64);
    const prices = [{ import: 1, note: 'x'.repeat(19_000) }];
    for (let index = 0; index < 99; index += 1) {
      const wants = Array.from({ length: 16 }, (_, kwh) => ({
        balance: 'bill' as const,
        prices,
        batteries_kwh: [index, kwh],
      }));
      viewers.noteSign(at(`s${index}`, 'other'), { viewer: 'v', wants }, 0);
    }
    const kept = viewers.wanted(0).filter(({ client }) => client.address === 'other');
    should(kept.reduce((sum, { bytes }) => sum + bytes, 0)).be.within(500_000, 1_048_576);
    should(kept.every(({ key }) => key.length < 60)).equal(true);
  });
});
