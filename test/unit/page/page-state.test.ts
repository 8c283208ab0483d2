/** What a page asks and shows: questions once, answers of one house, nothing while nobody looks. */
import should from 'should';
import type { BalancePayload } from '../../../src/model/payload';
import { PageState } from '../../../nodes/cemm-page/page-state';
import type { Answer, PageSettings, Question } from '../../../nodes/cemm-page/page/messages';
import { views } from '../../../nodes/cemm-page/page/messages';
import { houseDay, houseNow } from '../../support/formats/payloads';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const midnight = Date.parse('2026-10-25T00:00:00+02:00');
const noon = midnight + 13 * hourMs;
const today = { balance: 'day', date: '2026-10-25' } as const;
const thisYear = { balance: 'year', date: '2026' } as const;

const settings: PageSettings = { views: [...views], language: '', readings: true, changePrices: false };

interface Parts {
  readonly question?: string | undefined;
  readonly monitor?: string;
  readonly complete?: boolean;
  readonly end?: number;
}

function of({ question, monitor, complete = true }: Parts): Partial<BalancePayload> {
  return {
    ...(question !== undefined && { question }),
    ...(monitor !== undefined && { monitor: { id: monitor } }),
    complete,
  };
}

function balance(parts: Parts = {}): BalancePayload {
  const { period } = houseDay;
  if (period === undefined) throw new Error('The day has a period.');
  return {
    ...houseDay,
    ...of(parts),
    period: { ...period, start: midnight, end: parts.end ?? midnight + 25 * hourMs },
  };
}

function present(parts: Parts = {}): BalancePayload {
  return { ...houseNow, ...of(parts) };
}

class Watched {
  readonly page: PageState;
  now = noon;

  constructor(changes: Partial<PageSettings> = {}) {
    this.page = new PageState({ ...settings, ...changes }, 'node');
  }

  look(wants: Question[], viewer = 'a'): void {
    this.page.sign({ viewer, wants }, this.now);
  }

  /** Ids of the questions that are sent now. */
  asks(): string[] {
    return this.page.due(this.now).map(({ question }) => question);
  }

  answers(): Record<string, string> {
    this.page.sign({ viewer: `${this.now}`, wants: [] }, this.now);
    const { answers = {} } = this.page.message(this.now) ?? {};
    return Object.fromEntries(Object.entries(answers).map(([key, { state }]) => [key, state]));
  }

  /** Time passes, and the viewer is still there. */
  after(ms: number, wants: Question[]): void {
    this.now += ms;
    this.look(wants);
  }
}

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
    watched.page.take(present({ question: sent?.question }), noon);
    const [next] = watched.page.due(noon);
    should(next).containEql(today);
    should(watched.asks()).eql([]);
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
    watched.page.take(balance({ question: id }), watched.now);
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
    should(watched.answers()).containEql({ 'day 2026-10-25': 'failed' });
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
    watched.page.take(balance({ question: watched.asks()[0] }), noon);
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
      watched.page.take(balance({ question: watched.asks()[0], complete, end: noon }), noon);
      watched.after(30 * minuteMs - 1, [today]);
      should(watched.asks()).eql([]);
      watched.after(1, [today]);
      should(watched.asks().length).equal(expected);
    }
  });

  it('about now are not asked while the balance node sends by itself', () => {
    const watched = new Watched();
    for (let second = 0; second < 300; second += 10) {
      watched.page.take(present(), watched.now);
      watched.after(10 * secondMs, [{ balance: 'now' }]);
      should(watched.asks()).eql([]);
    }
  });

  it('have prices only with the setting', () => {
    const bill: Question = { balance: 'bill', prices: [{ import: 1 }], batteries_kwh: [5] };
    for (const changePrices of [false, true]) {
      const watched = new Watched({ changePrices });
      watched.look([bill]);
      const [sent] = watched.page.due(noon);
      should(sent?.batteries_kwh).eql([5]);
      should(sent?.prices).eql(changePrices ? bill.prices : undefined);
    }
  });

  it('for a bill are not asked if the page does not offer it', () => {
    const watched = new Watched({ views: ['now', 'day'] });
    watched.look([{ balance: 'bill' }, today]);
    should(watched.page.due(noon).map((question) => question.balance)).eql(['day']);
  });

  it('are sent again at once after a deploy', () => {
    const watched = new Watched();
    watched.look([today]);
    const [id] = watched.asks();
    watched.page.fail(id, { code: 'CANCELLED', message: 'stopped', at: noon });
    watched.page.deployed(null);
    should(watched.asks()).eql([id]);
    should(watched.answers()).containEql({ 'day 2026-10-25': 'waiting' });
  });

  it('of two pages on one balance node are not mixed up', () => {
    const [mine, other] = [new Watched(), new PageState(settings, 'other')];
    mine.look([today]);
    other.sign({ viewer: 'b', wants: [{ balance: 'month' }] }, noon);
    const [id] = other.due(noon).map(({ question }) => question);
    mine.page.take(balance({ question: id }), noon);
    should(mine.answers()).eql({ 'now ': 'waiting', 'day 2026-10-25': 'waiting' });
  });
});

describe('the answers of a page', () => {
  it('are all that the viewers look at, and the current balance', () => {
    const watched = new Watched();
    watched.look([today]);
    watched.look([thisYear], 'b');
    should(Object.keys(watched.page.message(noon)?.answers ?? {})).eql(['now ', 'day 2026-10-25', 'year 2026']);
  });

  it('are sent when there is news', () => {
    const watched = new Watched();
    should(watched.page.message(noon)).not.equal(null);
    should(watched.page.message(noon)).equal(null);
    watched.look([today]);
    should(watched.page.message(noon)).not.equal(null);
    watched.look([today]);
    should(watched.page.message(noon)).equal(null);
    watched.page.take(present(), noon);
    should(watched.page.message(noon)).not.equal(null);
  });

  it('of another monitor replace all after a deploy', () => {
    const watched = new Watched();
    watched.look([today]);
    watched.page.take(balance({ question: watched.asks()[0] }), noon);
    watched.page.deployed(null);
    should(watched.page.take(present({ monitor: '00aabbccddee' }), noon)).equal(true);
    should(watched.answers()).eql({ 'now ': 'answered', 'day 2026-10-25': 'waiting' });
  });

  it('of another monitor are refused while the first one sends', () => {
    const watched = new Watched();
    watched.page.take(present(), noon);
    should(watched.page.take(present({ monitor: '00aabbccddee' }), noon + minuteMs - 1)).equal(false);
    watched.page.take(present(), noon + minuteMs - 1);
    should(watched.page.message(noon)?.house).equal(houseNow.monitor.id);
    should(watched.page.take(present({ monitor: '00aabbccddee' }), noon + 2 * minuteMs)).equal(true);
    should(watched.page.message(noon)?.house).equal('00aabbccddee');
  });

  it('stay beside each failure that follows, until the next one', () => {
    const watched = new Watched();
    const shown = (): Answer | undefined => watched.page.message(watched.now)?.answers['day 2026-10-25'];
    watched.look([today]);
    const first = balance({ question: watched.asks()[0] });
    watched.page.take(first, noon);
    for (let times = 0; times < 2; times += 1) {
      watched.after(5 * minuteMs, [today]);
      const failure = { code: 'NETWORK', message: 'no answer', at: watched.now };
      watched.page.fail(watched.asks()[0], failure);
      should(shown()).eql({ state: 'failed', ...failure, balance: first });
    }
    watched.after(5 * minuteMs, [today]);
    watched.page.take(balance({ question: watched.asks()[0] }), watched.now);
    should(shown()?.state).equal('answered');
  });

  it('have the failure of a poll until the next balance', () => {
    const watched = new Watched();
    const failure = { code: 'MONITOR_OFFLINE', message: 'away', at: noon };
    watched.page.fail(undefined, failure);
    should(watched.page.message(noon)?.failure).eql(failure);
    watched.page.take(present(), noon);
    should(watched.page.message(noon)).not.have.property('failure');
  });

  it('are 64 at most', () => {
    const watched = new Watched();
    const days = Array.from({ length: 31 }, (_, index) => `2026-08-${String(index + 1).padStart(2, '0')}`);
    const all = [
      ...days,
      ...days.map((date) => date.replace('-08-', '-07-')),
      '2026-06-01',
      '2026-06-02',
      '2026-06-03',
    ];
    for (const date of all) {
      const wants = [{ balance: 'day', date }] as const;
      watched.look([...wants]);
      watched.page.take(balance({ question: watched.asks()[0], end: noon }), noon);
    }
    watched.look([{ balance: 'day', date: '2026-08-01' }]);
    should(watched.asks().length).equal(1);
    watched.look([{ balance: 'day', date: '2026-06-03' }]);
    should(watched.answers()).containEql({ 'day 2026-06-03': 'answered' });
  });
});
