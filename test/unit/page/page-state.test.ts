/** What a page asks and shows: questions once, answers of one house, nothing while nobody looks. */
import should from 'should';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs, minuteMs } from '../../../src/time/units';
import { type Client, everyone } from '../../../nodes/cemm-page/viewer-message';
import type { Answer, Question } from '../../../nodes/cemm-page/page/messages';
import { houseNow } from '../../support/formats/payloads';
import {
  secondMs,
  midnight,
  noon,
  today,
  thisYear,
  balance,
  present,
  owner,
  settings,
  Watched,
} from '../../support/page/watched';

describe('the questions of a page', () => {
  it('are asked only while somebody looks', () => {
    const watched = new Watched();
    should(watched.asks()).eql([]);
    watched.look([today]);
    watched.now += minuteMs;
    should(watched.asks()).eql([]);
    watched.look([today]);
    should(watched.asks().length).equal(1);
  });

  it('are sent once until the answer, the most important one first', () => {
    const watched = new Watched();
    watched.look([{ balance: 'now' }, today]);
    const [sent] = watched.page.due(noon);
    should(sent).containEql({ balance: 'now' });
    should(watched.asks()).eql([]);
    watched.page.addBalance(present({ question: sent?.question }), noon);
    const [next] = watched.page.due(noon);
    should(next).containEql(today);
    should(watched.asks()).eql([]);
  });

  it('DV5: should not wait where a browser asks little, nor should its answer, and wait where it asks much', () => {
    const watched = new Watched();
    const years = Array.from({ length: 16 }, (_, index) => ({ balance: 'year' as const, date: `${2011 + index}` }));
    const visitor: Client = { socket: 'visitor', address: owner.address };
    const sign = (client: Client, wants: Question[]): boolean =>
      watched.page.noteSign(client, { viewer: 'a', wants }, noon);
    should(sign(visitor, years)).be.false();
    should(sign(owner, [today])).be.true();
    const sent = watched.page.due(noon);
    should(sent.map(({ balance: kind }) => kind)).eql(['day', 'year']);
    should(sent.map(({ question }) => watched.page.isAwaited(question))).eql([true, false]);
    should(sign(owner, [today])).be.false();
    should(watched.page.isAwaited('guessed')).be.false();
  });

  it('of a year do not hold up those of a day', () => {
    const watched = new Watched();
    watched.look([thisYear, today]);
    should(watched.page.due(noon).map((question) => question.balance)).eql(['day', 'year']);
  });

  it('are sent again when they are 60 s old, then less and less often', () => {
    const watched = new Watched();
    watched.look([thisYear]);
    const sent = [0];
    should(watched.asks().length).equal(1);
    for (let second = 1; second <= 700; second += 1) {
      watched.after(secondMs, [thisYear]);
      if (watched.asks().length > 0) sent.push(second);
    }
    should(sent).eql([0, 60, 180, 420]);
  });

  it('take an answer that comes late', () => {
    const watched = new Watched();
    watched.look([today]);
    const [id] = watched.asks();
    watched.after(10 * minuteMs, [today]);
    watched.page.addBalance(balance({ question: id }), watched.now);
    should(watched.asks()).eql([]);
    should(watched.answers()).containEql({ 'day 2026-10-25': 'answered' });
  });

  it('that failed are asked again after a minute, then less and less often', () => {
    const watched = new Watched();
    watched.look([today]);
    const failed = [0];
    const fail = (): void => {
      watched.page.fail(watched.asks()[0], { code: 'MONITOR_OFFLINE', message: 'away', at: watched.now });
    };
    fail();
    should(watched.answers([today])).containEql({ 'day 2026-10-25': 'failed' });
    for (let second = 1; second <= 500; second += 1) {
      watched.after(secondMs, [today]);
      const [id] = watched.asks();
      if (id === undefined) continue;
      failed.push(second);
      watched.page.fail(id, { code: 'MONITOR_OFFLINE', message: 'away', at: watched.now });
    }
    should(failed).eql([0, 60, 180, 420]);
  });

  it('of the current day are asked again after 5 minutes', () => {
    const watched = new Watched();
    watched.look([today]);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), noon);
    watched.after(5 * minuteMs - 1, [today]);
    should(watched.asks()).eql([]);
    watched.after(1, [today]);
    should(watched.asks().length).equal(1);
  });

  it('of a day that is over are asked once if it is complete, otherwise again after 30 minutes', () => {
    for (const [complete, expected] of [
      [true, 0],
      [false, 1],
    ] as const) {
      const watched = new Watched();
      watched.look([today]);
      watched.page.addBalance(balance({ question: watched.asks()[0], complete, end: noon }), noon);
      watched.after(30 * minuteMs - 1, [today]);
      should(watched.asks()).eql([]);
      watched.after(1, [today]);
      should(watched.asks().length).equal(expected);
    }
  });

  it('about now are not asked while the balance node sends by itself', () => {
    const watched = new Watched();
    for (let second = 0; second < 300; second += 10) {
      watched.page.addBalance(present(), watched.now);
      watched.after(10 * secondMs, [{ balance: 'now' }]);
      should(watched.asks()).eql([]);
    }
  });

  it('for a bill are not asked if the page does not offer it', () => {
    const watched = new Watched({ views: ['now', 'day'] });
    watched.look([{ balance: 'bill' }, today]);
    should(watched.page.due(noon).map((question) => question.balance)).eql(['day']);
  });

  it('for a bill of days that are over are asked again after an hour', () => {
    const watched = new Watched();
    const bill: Question = { balance: 'bill', from: '2026-10-01', to: '2026-10-20' };
    watched.look([bill]);
    const [id] = watched.asks();
    const answer = balance({ question: id ?? '', end: noon - hourMs });
    if (answer.period === undefined) throw new Error('The day has a period.');
    watched.page.addBalance({ ...answer, period: { ...answer.period, unit: 'range' } }, noon);
    for (let minute = 1; minute < 60; minute += 1) {
      watched.after(minuteMs, [bill]);
      should(watched.asks()).eql([]);
    }
    watched.after(minuteMs, [bill]);
    should(watched.asks()).eql([id]);
  });

  it('are sent again at once after a deploy', () => {
    const watched = new Watched();
    watched.look([today]);
    const [id] = watched.asks();
    watched.page.fail(id, { code: 'CANCELLED', message: 'stopped', at: noon });
    watched.page.applyDeploy(null);
    should(watched.asks()).eql([id]);
    should(watched.answers()).eql({});
  });

  it('of two pages on one balance node are not mixed up', () => {
    const [mine, other] = [new Watched(), new Watched()];
    mine.look([today]);
    other.look([{ balance: 'now' }]);
    const [id] = other.asks();
    mine.page.addBalance(present({ question: id }), noon);
    should(mine.answers()).eql({});
  });

  it('DV3: have ids that nobody can guess, and that are not in the answers to viewers', () => {
    const ids = Array.from({ length: 20 }, () => {
      const watched = new Watched();
      watched.look([today]);
      return watched.asks()[0] ?? '';
    });
    should(new Set(ids).size).equal(ids.length);
    for (const id of ids) should(id).match(/^[\w-]{24}$/);
    const watched = new Watched();
    watched.look([today]);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), noon);
    should(JSON.stringify(watched.message())).not.containEql('question');
  });
});

describe('the answers of a page', () => {
  it('are what each viewer looks at, and no more', () => {
    const watched = new Watched();
    const other = { socket: 'other', address: '192.0.2.2' };
    watched.look([today]);
    watched.look([thisYear], 'b', other);
    for (const { question } of watched.page.due(noon)) watched.page.addBalance(balance({ question }), noon);
    watched.page.addBalance(present(), noon);
    should(Object.keys(watched.message()?.answers ?? {})).eql(['day 2026-10-25']);
    const later = new Watched();
    later.look([thisYear], 'b', other);
    later.page.addBalance(balance({ question: later.asks()[0] }), noon);
    should(Object.keys(later.message(other)?.answers ?? {})).eql(['year 2026']);
  });

  it('are sent to a page at once when it opens, then at most once a second with all that has changed', () => {
    const watched = new Watched();
    const sent: [number, string[]][] = [];
    watched.page.addBalance(present(), noon);
    watched.look([{ balance: 'now' }, today, thisYear]);
    const ids = new Map(watched.page.due(noon).map(({ balance: kind, question }) => [kind, question]));
    for (; watched.now < noon + 4 * secondMs; watched.now += 50) {
      if (watched.now === noon + 100) watched.page.addBalance(balance({ question: ids.get('day') }), watched.now);
      if (watched.now === noon + 200) watched.page.addBalance(balance({ question: ids.get('year') }), watched.now);
      if (watched.now >= noon + 2 * secondMs) watched.page.addBalance(present(), watched.now);
      const message = watched.message();
      if (message !== null) sent.push([watched.now - noon, Object.keys(message.answers)]);
    }
    should(sent).eql([
      [0, ['now ']],
      [1000, ['day 2026-10-25', 'year 2026']],
      [2000, ['now ']],
      [3000, ['now ']],
    ]);
  });

  it('are not held back by the count of the requests that they take', () => {
    const watched = new Watched();
    watched.look([today]);
    watched.after(2_000, [today]);
    watched.message();
    watched.after(2_000, [thisYear]);
    const [id] = watched.asks();
    watched.page.progress(id, 1, 12, watched.now);
    should(watched.message()?.answers).be.undefined();
    watched.now += 300;
    watched.page.addBalance(balance({ question: id ?? '' }), watched.now);
    should(Object.keys(watched.message()?.answers ?? {})).eql(['year 2026']);
  });

  it('begin after a second where there are none, so that the page has its buttons', () => {
    const watched = new Watched();
    watched.look([today]);
    should(watched.message()).equal(null);
    watched.now += secondMs;
    should(watched.message()).containEql({ answers: {}, settings });
    watched.now += secondMs;
    should(watched.message()).equal(null);
  });

  it('are sent again to a page that is opened, comes back to a question, or may be new after a deploy', () => {
    const watched = new Watched();
    const next = (): string[] | null => {
      watched.now += secondMs;
      const message = watched.message();
      return message === null ? null : Object.keys(message.answers);
    };
    watched.look([today]);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), noon);
    should(next()).eql(['day 2026-10-25']);
    watched.look([today]);
    should(next()).equal(null);
    watched.look([today], 'reloaded');
    should(next()).eql(['day 2026-10-25']);
    watched.look([], 'reloaded');
    watched.look([today], 'reloaded');
    should(next()).eql(['day 2026-10-25']);
    watched.page.applyDeploy(null);
    should(next()).eql(['day 2026-10-25']);
  });

  it('have the path of the editor for an example, and for a meter whose role is not known', () => {
    const pathIn = (isExample: boolean, parts: Partial<BalancePayload>): string | undefined => {
      const watched = new Watched();
      watched.page.applyDeploy({ path: '/#cemm-connection/house', isExample });
      watched.look([today]);
      watched.page.addBalance({ ...balance({ question: watched.asks()[0] }), ...parts }, noon);
      return watched.page.messages(noon)[0]?.message.dialog;
    };
    const paths = [pathIn(false, {}), pathIn(true, {}), pathIn(false, { unknownMeters: ['garage'] })];
    paths.should.eql([undefined, '/#cemm-connection/house', '/#cemm-connection/house']);
  });

  it('DV4: to one viewer are 64 at most, in messages below a megabyte', () => {
    const watched = new Watched();
    const large = Array.from({ length: 700 }, (_, index) => ({ ts: midnight + index, energy_import_kwh: 1 / 3 }));
    const dates = Array.from({ length: 100 }, (_, index) => `${2010 + (index % 80)}-01-${10 + Math.floor(index / 80)}`);
    const pages = Array.from({ length: 4 }, (_, index) => dates.slice(25 * index, 25 * index + 25));
    const got = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      pages.forEach((days, index) => {
        watched.look(
          days.map((date) => ({ balance: 'day', date })),
          `page${index}`,
        );
      });
      const [question] = watched.asks();
      if (question !== undefined)
        watched.page.addBalance({ ...balance({ question, end: noon }), points: large }, watched.now);
      watched.now += secondMs;
      const message = watched.message();
      should(JSON.stringify(message).length).be.below(1e6);
      for (const key of Object.keys(message?.answers ?? {})) got.add(key);
    }
    should(got.size).equal(64);
    // Another viewer asks for all of them when they are known.
    const second: Client = { socket: 'second', address: owner.address };
    const sizes: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      pages.forEach((days, index) => {
        const asked = days.map((date): Question => ({ balance: 'day', date }));
        watched.look(asked, `page${index}`, second);
      });
      sizes.push(JSON.stringify(watched.message(second)).length);
      watched.now += secondMs;
    }
    should(Math.max(...sizes)).be.within(100_000, 1e6);
    should(sizes.reduce((sum, size) => sum + size, 0)).be.above(1e6);
  });

  it('DV4: that are larger than a message are a failure', () => {
    const watched = new Watched();
    watched.look([today]);
    const points = Array.from({ length: 20_000 }, (_, index) => ({ ts: midnight + index, energy_import_kwh: 1 / 3 }));
    watched.page.addBalance({ ...balance({ question: watched.asks()[0] }), points }, noon);
    should(watched.message()?.answers['day 2026-10-25']).containEql({ state: 'failed', code: 'TOO_LARGE' });
  });

  it('go to all where Dashboard does not name the browser', () => {
    const watched = new Watched();
    watched.look([today], 'a', everyone);
    watched.look([{ balance: 'now' }], 'b', everyone);
    watched.page.addBalance(present(), noon);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), noon);
    should(Object.keys(watched.message(everyone)?.answers ?? {}).sort()).eql(['day 2026-10-25', 'now ']);
  });

  it('of another monitor replace all after a deploy', () => {
    const watched = new Watched();
    watched.look([today]);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), noon);
    watched.page.applyDeploy(null);
    should(watched.page.addBalance(present({ monitor: '00aabbccddee' }), noon)).equal(true);
    should(watched.answers()).eql({ 'now ': 'answered' });
  });

  it('of another monitor are refused while the first one sends', () => {
    const watched = new Watched();
    const house = (): string | null | undefined => {
      watched.look([{ balance: 'now' }], `page ${watched.now}`.replace(' ', '-'));
      return watched.message()?.house;
    };
    watched.page.addBalance(present(), noon);
    should(watched.page.addBalance(present({ monitor: '00aabbccddee' }), noon + minuteMs - 1)).equal(false);
    watched.page.addBalance(present(), noon + minuteMs - 1);
    should(house()).equal(houseNow.monitor.id);
    watched.now = noon + 2 * minuteMs;
    should(watched.page.addBalance(present({ monitor: '00aabbccddee' }), watched.now)).equal(true);
    should(house()).equal('00aabbccddee');
  });

  it('are asked for again after the clock was set back', () => {
    const watched = new Watched();
    watched.look([today]);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), watched.now);
    watched.after(minuteMs, [today]);
    should(watched.asks()).eql([]);
    watched.after(-2 * hourMs, [today]);
    should(watched.asks().length).equal(1);
  });

  it('stay where the same monitor is known by its number, by its MAC address as well, and by its number again', () => {
    const watched = new Watched();
    watched.look([today]);
    const [id, cemm] = [houseNow.monitor.id, 24000001];
    const named = balance({ question: watched.asks()[0] });
    for (const monitor of [{ id: null, cemm }, { id, cemm }, { id: null, cemm }, { id }])
      should(watched.page.addBalance({ ...named, monitor }, noon)).equal(true);
    should(watched.message()?.house).equal(String(cemm));
    should(watched.page.addBalance({ ...named, monitor: { id: null, cemm: 24000002 } }, noon)).equal(false);
  });

  it('stay beside each failure that follows, until the next one', () => {
    const watched = new Watched();
    const shown = (): Answer | undefined => watched.message()?.answers['day 2026-10-25'];
    watched.look([today]);
    const first = balance({ question: watched.asks()[0] });
    const balanceShown = { ...first };
    delete balanceShown.question;
    watched.page.addBalance(first, noon);
    for (let times = 0; times < 2; times += 1) {
      watched.after(5 * minuteMs, [today]);
      const failure = { code: 'NETWORK', message: 'no answer', at: watched.now };
      watched.page.fail(watched.asks()[0], failure);
      should(shown()).eql({ state: 'failed', ...failure, balance: balanceShown });
    }
    watched.after(5 * minuteMs, [today]);
    watched.page.addBalance(balance({ question: watched.asks()[0] }), watched.now);
    should(shown()?.state).equal('answered');
  });

  it('have the failure of a poll until the next balance, and never that of a question of somebody else', () => {
    const watched = new Watched();
    const failure = { code: 'MONITOR_OFFLINE', message: 'away', at: noon };
    watched.look([{ balance: 'now' }]);
    watched.page.fail('a question of another node', failure);
    watched.now += secondMs;
    should(watched.message()).not.have.property('failure');
    watched.page.fail(undefined, failure);
    watched.now += secondMs;
    should(watched.message()?.failure).eql(failure);
    watched.page.addBalance(present(), watched.now);
    watched.now += secondMs;
    should(watched.message()).not.have.property('failure');
  });

  it('are forgotten where nobody looks, when there are more than 128', () => {
    const watched = new Watched();
    const dates = Array.from({ length: 130 }, (_, index) => `${2011 + (index % 80)}-01-${10 + Math.floor(index / 80)}`);
    for (const date of dates) {
      watched.look([{ balance: 'day', date }]);
      watched.page.addBalance(balance({ question: watched.asks()[0], end: noon }), noon);
    }
    watched.look([{ balance: 'day', date: dates.at(0) ?? '' }]);
    should(watched.asks().length).equal(1);
    const last = { balance: 'day', date: dates.at(-1) ?? '' } as const;
    should(watched.answers([last])).eql({ [`day ${last.date}`]: 'answered' });
  });
});
