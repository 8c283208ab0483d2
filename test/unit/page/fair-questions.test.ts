/** Whose question a page asks next: who asks much waits behind who asks little. */
import should from 'should';
import { Questions, type SentQuestion } from '../../../nodes/cemm-page/questions';
import type { Client } from '../../../nodes/cemm-page/viewer-message';
import { inTurns, nameQuestion, type Wanted } from '../../../nodes/cemm-page/viewers';

const start = Date.parse('2026-10-25T12:00:00+01:00');
const owner: Client = { socket: 'owner', address: '192.0.2.1' };
const visitor: Client = { socket: 'visitor', address: '192.0.2.2' };

const asked = (client: Client, years: number, from: number): Wanted[] =>
  Array.from({ length: years }, (_, index) => ({
    ...nameQuestion({ balance: 'year', date: `${from + index}` }),
    client,
  }));

/** A balance node that takes the same time for each question. */
class Asked {
  now = start;
  readonly questions = new Questions();
  /** Years that were asked, each with its time in ms from the start. */
  readonly sent: { readonly date: string; readonly at: number }[] = [];
  private readonly done = new Set<string>();
  private current: { readonly sent: SentQuestion; readonly until: number } | null = null;

  constructor(private readonly tookMs: number) {}

  runTo(ms: number, wanted: () => readonly Wanted[]): void {
    for (; this.now < start + ms; this.now += 50) {
      if (this.current !== null && this.now >= this.current.until) {
        const key = this.questions.settle(this.current.sent.question, this.now);
        if (key !== null) this.done.add(key);
        this.current = null;
      }
      const [next] = this.questions.next(wanted(), (key) => !this.done.has(key), this.now);
      if (next === undefined) continue;
      this.current = { sent: next, until: this.now + this.tookMs };
      this.sent.push({ date: next.date ?? '', at: this.now - start });
    }
  }

  /** When the year was asked, ms from the start. */
  at(date: string): number {
    return this.sent.find((one) => one.date === date)?.at ?? Infinity;
  }
}

describe('the next question of a page', () => {
  it('is about a month while a year is read, and about a day while both are', () => {
    const questions = new Questions();
    const wanted = (['bill', 'year', 'week', 'month', 'day', 'now'] as const).map((balance) => ({
      ...nameQuestion({ balance }),
      client: owner,
    }));
    const next = (): string[] => questions.next(wanted, () => true, start).map(({ balance }) => balance);
    should(next().sort()).eql(['bill', 'day', 'week']);
    should(next()).eql([]);
  });

  it('DV5: is that of the viewer who asked less', () => {
    const watched = new Asked(1_000);
    watched.runTo(10_000, () => asked(visitor, 50, 2011));
    watched.runTo(20_000, () => inTurns([asked(visitor, 50, 2011), asked(owner, 2, 2080)]));
    should(watched.at('2080')).be.belowOrEqual(11_000);
    should(watched.at('2081')).be.belowOrEqual(12_000);
  });

  it('DV5: is that of the address, then of the browser, whose questions took less time', () => {
    const watched = new Asked(5_000);
    const second = { ...visitor, socket: 'second' };
    watched.runTo(10_000, () => asked(visitor, 2, 2011));
    watched.runTo(30_000, () => [...asked(visitor, 3, 2011), ...asked(second, 1, 2031), ...asked(owner, 1, 2080)]);
    should(watched.sent.map(({ date }) => date)).eql(['2011', '2012', '2080', '2031', '2013']);
  });

  it('DV5: of an address that asks much leaves the node free most of the time, while others look', () => {
    const watched = new Asked(1_000);
    const both = (): Wanted[] => inTurns([asked(visitor, 80, 2011), asked(owner, 1, 2099)]);
    watched.runTo(120_000, both);
    const later = watched.sent.filter(({ at }) => at > 20_000);
    should(later.length).be.within(8, 12);
  });

  it('DV5: of many browsers of one address counts as that of one', () => {
    const watched = new Asked(1_000);
    const many = Array.from({ length: 50 }, (_, index) => ({ socket: `s${index}`, address: visitor.address }));
    const all = (): Wanted[] => inTurns(many.map((client, index) => asked(client, 1, 2011 + index)));
    watched.runTo(10_000, all);
    watched.runTo(20_000, () => inTurns([all(), asked(owner, 3, 2080)]));
    for (const [index, date] of ['2080', '2081', '2082'].entries()) {
      should(watched.at(date)).be.belowOrEqual(11_000 + 1_000 * index);
    }
  });

  it('DV5: of a browser that asks much does not hold up others of its address', () => {
    const watched = new Asked(1_000);
    const neighbour = { ...owner, address: visitor.address };
    const month = (ms: number): string => `${2070 + Math.floor(ms / 10_000)}`;
    watched.runTo(60_000, () =>
      inTurns([asked(visitor, 50, 2011), asked(neighbour, 1, Number(month(watched.now - start)))]),
    );
    const waits = [1, 2, 3, 4, 5].map((round) => watched.at(`${2070 + round}`) - 10_000 * round);
    should(waits.filter((ms) => ms === 0).length).be.aboveOrEqual(3);
    for (const ms of waits) should(ms).be.belowOrEqual(1_000);
  });

  it('DV5: of a person who looks on every two seconds is not held up by a browser of the same address', () => {
    const watched = new Asked(300);
    const neighbour = { ...owner, address: visitor.address };
    const step = (): number => Math.floor((watched.now - start) / 2_000);
    const month = (): Wanted[] => [
      {
        ...nameQuestion({ balance: 'month', date: `2080-${String(1 + (step() % 12)).padStart(2, '0')}` }),
        client: neighbour,
      },
    ];
    watched.runTo(24_000, () => inTurns([asked(visitor, 200, 1000 + step()), month()]));
    const months = watched.sent.filter(({ date }) => date.startsWith('2080'));
    should(months.length).equal(12);
    for (const [index, { at }] of months.entries()) should(at).be.belowOrEqual(2_000 * index + 300);
  });

  it('DV5: of a person who looks at a slow house never waits for more than the question before', () => {
    const watched = new Asked(30_000);
    const second = { ...owner, socket: 'phone' };
    watched.runTo(600_000, () => inTurns([asked(owner, 3, 2011), asked(second, 3, 2031), asked(visitor, 1, 2051)]));
    should(watched.sent.map(({ at }) => at)).eql(watched.sent.map((_, index) => 30_000 * index));
    should(watched.sent.length).equal(7);
  });

  it('DV5: of a browser that asks another one all the time waits, too', () => {
    const watched = new Asked(1_000);
    const step = (): number => Math.floor((watched.now - start) / 1_000);
    watched.runTo(120_000, () => inTurns([asked(visitor, 2, 2011 + step()), asked(owner, 1, 1999)]));
    should(watched.sent.filter(({ at }) => at > 60_000).length).be.below(30);
  });

  it('of the only viewer never waits', () => {
    const watched = new Asked(1_000);
    watched.runTo(40_000, () => asked(owner, 80, 2011));
    should(watched.sent.length).be.within(39, 40);
  });
});
