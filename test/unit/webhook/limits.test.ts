import fc from 'fast-check';
import should from 'should';
import type { Problem } from '../../../src/model/delivery';
import { DeliveryHistory } from '../../../src/webhook/receiver-state';
import { DeliveryQueue, StepQueue } from '../../../src/webhook/delivery-queue';
import { bytesPerMinute, DeliveryQuota, FailureLimit } from '../../../src/webhook/quotas';
import { type MissedSlot, MissedDeliveries } from '../../../src/webhook/missed-deliveries';
import { ProblemReport } from '../../../src/webhook/problem-report';
import { RecentMap, ReplayCache } from '../../../src/webhook/replay-cache';
import { millis, millisToSeconds, type Seconds } from '../../../src/time/units';
import { FakeClock } from '../../support/time/fake-clock';

const noon = '2026-01-15T12:00:00.000Z';

const at = (second: number): Seconds => millisToSeconds(millis(Date.parse(noon) + 1000 * second));

describe('the replay cache', () => {
  it('WA22, TD8: expires, also when the wall clock is set', () => {
    const clock = new FakeClock(noon);
    const memory = new ReplayCache(clock);
    memory.remember('house', 'a', at(0), 600_000);
    clock.setWallClock('2030-01-01T00:00:00Z');
    memory.has('house', 'a').should.be.true();
    clock.tick(599_999);
    memory.has('house', 'a').should.be.true();
    clock.tick(1);
    memory.has('house', 'a').should.be.false();
    memory.has('house', 'b').should.be.false();
  });

  it('expires later when it is recorded again', () => {
    const clock = new FakeClock(noon);
    const memory = new ReplayCache(clock);
    memory.remember('house', 'a', at(0), 100);
    clock.tick(50);
    memory.remember('house', 'a', at(0), 600);
    clock.tick(100);
    memory.remember('house', 'b', at(0), 600);
    memory.has('house', 'a').should.be.true();
    memory.size.should.equal(2);
  });

  it('WA28: is separate per installation: none evicts entries of another', () => {
    const memory = new ReplayCache(new FakeClock(noon));
    memory.remember('good', 'a', at(0), 600_000);
    for (let index = 0; index < 20_000; index++) memory.remember('flood', `d${index}`, at(index), 600_000);
    memory.has('good', 'a').should.be.true();
    memory.has('flood', 'a').should.be.false();
    memory.size.should.equal(65);
  });

  it('WA28: knows from which time on it may have evicted entries: never accepts a repeat as new', () => {
    const clock = new FakeClock(noon);
    const memory = new ReplayCache(clock);
    for (let index = 0; index < 64; index++) memory.remember('house', `d${index}`, at(index), 600_000);
    memory.mayHaveEvicted('house', at(0)).should.be.true();
    memory.mayHaveEvicted('house', at(1)).should.be.false();
    memory.mayHaveEvicted('other', at(0)).should.be.false();
    for (let index = 64; index < 100; index++) memory.remember('house', `d${index}`, at(index), 600_000);
    for (let index = 0; index < 100; index++) {
      should(memory.has('house', `d${index}`) || memory.mayHaveEvicted('house', at(index))).be.true();
    }
    memory.mayHaveEvicted('house', at(100)).should.be.false();
    clock.tick(600_000);
    memory.mayHaveEvicted('house', at(35)).should.be.true();
    memory.mayHaveEvicted('house', at(99)).should.be.true();
    memory.mayHaveEvicted('house', at(100)).should.be.false();
  });

  it('TD8: accepts nothing again that has expired, when the wall clock is set back', () => {
    const clock = new FakeClock(noon);
    const memory = new ReplayCache(clock);
    memory.remember('house', 'a', at(0), 600_000);
    memory.remember('house', 'timeless', null, 30_000);
    clock.tick(600_000);
    clock.setWallClock(noon);
    should(memory.has('house', 'a') || memory.mayHaveEvicted('house', at(0))).be.true();
    memory.remember('house', 'b', at(600), 600_000);
    memory.mayHaveEvicted('house', at(0)).should.be.true();
    memory.mayHaveEvicted('house', at(1)).should.be.false();
    memory.mayHaveEvicted('other', at(0)).should.be.false();
  });

  it('keeps deliveries with a time when those without one are many', () => {
    const memory = new ReplayCache(new FakeClock(noon));
    for (let index = 0; index < 1000; index++) memory.remember('house', `timeless${index}`, null, 30_000);
    memory.has('house', 'timeless999').should.be.true();
    for (let index = 0; index < 64; index++) memory.remember('house', `d${index}`, at(index), 600_000);
    memory.remember('house', 'timeless', null, 30_000);
    memory.has('house', 'd0').should.be.true();
    memory.size.should.equal(64);
  });

  it('removes a delivery that was not accepted in the end', () => {
    const memory = new ReplayCache(new FakeClock(noon));
    memory.remember('house', 'a', at(0), 600_000);
    memory.forget('house', 'a');
    memory.has('house', 'a').should.be.false();
  });

  it('ME2: holds 10 000 installations that deliver every minute, in a limited number of entries', () => {
    const clock = new FakeClock(noon);
    const memory = new ReplayCache(clock);
    for (let minute = 0; minute < 12; minute++) {
      for (let house = 0; house < 10_000; house++) memory.remember(`${house}`, `${minute}`, at(60 * minute), 600_000);
      clock.tick(60_000);
    }
    // Ten minutes of each, and those that expire with the next delivery.
    memory.size.should.be.within(100_000, 110_000);
    for (const house of [0, 1, 9999]) {
      memory.has(`${house}`, '3').should.be.true();
      memory.has(`${house}`, '1').should.be.false();
    }
    for (let house = 0; house < 100_000; house++) memory.remember(`new ${house}`, 'a', at(0), 600_000);
    memory.size.should.be.belowOrEqual(20_000);
    memory.has('new 99999', 'a').should.be.true();
    memory.has('0', '11').should.be.false();
  });

  it('ME2: agrees with an unlimited list, within its limits', () => {
    const step = fc.record({
      digest: fc.constantFrom('a', 'b', 'c', 'd'),
      life: fc.constantFrom(30, 600),
      wait: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = new FakeClock(noon);
        const memory = new ReplayCache(clock, 100);
        const truth = new Map<string, number>();
        for (const { digest, life, wait } of steps) {
          clock.tick(wait);
          memory.has('house', digest).should.equal((truth.get(digest) ?? -1) > clock.monotonic());
          memory.remember('house', digest, at(0), life);
          truth.set(digest, clock.monotonic() + life);
        }
      }),
    );
  });
});

describe('the quota of an installation', () => {
  it('is 240 deliveries and 4 MB a minute, each installation for itself', () => {
    const clock = new FakeClock(noon);
    const quota = new DeliveryQuota(clock);
    for (let index = 0; index < 240; index++) {
      quota.isSpent('a', 100).should.be.false();
      quota.count('a', 100);
    }
    quota.isSpent('a', 100).should.be.true();
    quota.isSpent('b', 100).should.be.false();
    for (let index = 0; index < 16; index++) quota.count('b', 256 * 1024);
    quota.isSpent('b', 1).should.be.true();
    clock.tick(60_000);
    quota.isSpent('a', 100).should.be.false();
    quota.isSpent('b', 256 * 1024).should.be.false();
  });

  it('is kept for a bounded number of installations, those of a fleet of 10 000 among them', () => {
    const quota = new DeliveryQuota(new FakeClock(noon));
    for (let house = 0; house < 10_000; house++) quota.count(`${house}`, bytesPerMinute);
    for (let house = 0; house < 10_000; house++) quota.isSpent(`${house}`, 1).should.be.true();
    for (let house = 0; house < 200_000; house++) quota.count(`new ${house}`, 1);
    quota.size.should.be.belowOrEqual(20_000);
  });
});

describe('a map of what was used last', () => {
  it('keeps at least its capacity, whatever else comes', () => {
    const map = new RecentMap<{ readonly name: string }>(3);
    map.set('kept', { name: 'kept' });
    for (let index = 0; index < 50; index++) {
      map.set(`${index}`, { name: `${index}` });
      if (index % 3 === 0) should(map.get('kept')?.name).equal('kept');
      map.size.should.be.belowOrEqual(6);
    }
    should([map.get('49')?.name, map.get('48')?.name, map.get('1')]).eql(['49', '48', undefined]);
    map.values().length.should.equal(map.size);
  });
});

describe('long work', () => {
  it('takes a turn of the event loop for every step, one job after the other', () => {
    const turns: (() => void)[] = [];
    const done: string[] = [];
    const queue = new StepQueue({ soon: (run) => turns.push(run) });
    const job = (name: string, steps: number) => {
      let left = steps;
      return () => {
        left -= 1;
        done.push(`${name}${left}`);
        return left === 0;
      };
    };
    queue.add(job('a', 3));
    queue.add(job('b', 2));
    for (let turn = 0; turn < 4; turn++) {
      done.length.should.equal(turn);
      turns.length.should.equal(1);
      turns.shift()?.();
    }
    done.should.eql(['a2', 'a1', 'a0', 'b1']);
    queue.finish();
    done.should.eql(['a2', 'a1', 'a0', 'b1', 'b0']);
    turns.shift()?.();
    turns.should.be.empty();
  });
});

describe('failures per address', () => {
  it('are limited per minute and address', () => {
    const clock = new FakeClock(noon);
    const limit = new FailureLimit(clock);
    for (let call = 0; call < 60; call++) limit.exceeded('a').should.be.false();
    limit.exceeded('a').should.be.true();
    limit.exceeded('b').should.be.false();
    clock.tick(60_000);
    limit.exceeded('a').should.be.false();
  });

  it('WA27, ME4: are kept for a limited number of addresses', () => {
    const limit = new FailureLimit(new FakeClock(noon));
    for (let address = 0; address < 1_000_000; address++) limit.exceeded(`a${address}`);
    limit.size.should.equal(1000);
  });
});

describe('the queue', () => {
  it('OV2: keeps the order and both limits', () => {
    const queue = new DeliveryQueue<number>({ items: 3, bytes: 100 });
    queue.hasRoom(101).should.be.false();
    for (const item of [1, 2, 3]) queue.add(item, 10);
    queue.hasRoom(1).should.be.false();
    should(queue.take()).equal(1);
    queue.hasRoom(80).should.be.true();
    queue.hasRoom(81).should.be.false();
    should([queue.take(), queue.take(), queue.take()]).deepEqual([2, 3, undefined]);
    queue.hasRoom(100).should.be.true();
  });

  it('keeps room for accepted deliveries that are not ready yet', () => {
    const queue = new DeliveryQueue<number>({ items: 2, bytes: 100 });
    const giveBack = queue.reserve(60);
    queue.hasRoom(41).should.be.false();
    queue.hasRoom(40).should.be.true();
    queue.add(1, 1);
    queue.hasRoom(1).should.be.false();
    giveBack();
    queue.hasRoom(99).should.be.true();
  });

  it('agrees with an array', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 30 }))), (steps) => {
        const queue = new DeliveryQueue<number>({ items: 5, bytes: 60 });
        const truth: number[] = [];
        for (const step of steps) {
          if (step === null) should(queue.take()).equal(truth.shift());
          else {
            const room = truth.length < 5 && truth.reduce((sum, item) => sum + item, 0) + step <= 60;
            queue.hasRoom(step).should.equal(room);
            if (room) {
              queue.add(step, step);
              truth.push(step);
            }
          }
          queue.length.should.equal(truth.length);
        }
      }),
    );
  });
});

it('the history has the five last of both kinds apart, newest first', () => {
  const history = new DeliveryHistory();
  const outcome = { bytes: 1, remote: null, cemm: 1, id: null };
  for (let at = 1; at <= 7; at++) history.add({ ...outcome, at, status: 200, word: 'accepted' });
  for (let at = 8; at <= 20; at++) history.add({ ...outcome, at, status: 401, word: 'bad_signature' });
  history.accepted.map(({ at }) => at).should.deepEqual([7, 6, 5, 4, 3]);
  history.refused.map(({ at }) => at).should.deepEqual([20, 19, 18, 17, 16]);
});

describe('the report of problems', () => {
  it('reports the first at once and the rest of a minute as a count', () => {
    const clock = new FakeClock(noon);
    const told: Problem[] = [];
    const report = new ProblemReport(clock, (problem) => told.push(problem));
    for (let call = 0; call < 26_000; call++) report.add('bad_signature', 'a');
    report.add('bad_signature', 'b');
    told
      .map(({ remote, count }) => [remote, count])
      .should.deepEqual([
        ['a', 1],
        ['b', 1],
      ]);
    clock.tick(60_000);
    told
      .slice(2)
      .map(({ remote, count }) => [remote, count])
      .should.deepEqual([['a', 25_999]]);
    clock.tick(120_000);
    report.add('bad_signature', 'a');
    told.length.should.equal(4);
    report.stop();
    clock.timerCount.should.equal(0);
  });

  it('ME4: is limited for any number of addresses, and loses no count', () => {
    const clock = new FakeClock(noon);
    const told: Problem[] = [];
    const report = new ProblemReport(clock, (problem) => told.push(problem));
    for (let address = 0; address < 5000; address++) report.add('bad_key', `10.0.${address >> 8}.${address & 255}`);
    told.length.should.be.below(110);
    clock.tick(130_000);
    told.reduce((sum, { count }) => sum + count, 0).should.equal(5000);
    clock.tick(600_000);
    clock.timerCount.should.equal(0);
  });
});

describe('missed slots', () => {
  function watch(start: string, interval: '15m' | '1h' | '1d' | '1m' = '15m', zone = 'Europe/Amsterdam') {
    const clock = new FakeClock(start);
    const missed: MissedSlot[] = [];
    const slots = new MissedDeliveries(interval, zone, clock, (slot) => missed.push(slot));
    const texts = (): string[] =>
      missed.map(
        ({ start: from, end, count }) => `${new Date(from).toISOString()}/${new Date(end).toISOString()} ${count}`,
      );
    return { clock, missed, slots, texts };
  }

  it('are reported once, half a minute after the delivery was due', () => {
    const { clock, texts } = watch('2026-01-15T12:01:00Z');
    clock.tick(14 * 60_000 + 30_000);
    texts().should.be.empty();
    clock.tick(1);
    texts().should.deepEqual(['2026-01-15T12:00:00.000Z/2026-01-15T12:15:00.000Z 1']);
    clock.tick(15 * 60_000 - 1);
    texts().length.should.equal(1);
    clock.tick(1);
    texts()[1]?.should.equal('2026-01-15T12:15:00.000Z/2026-01-15T12:30:00.000Z 1');
  });

  it('are not reported when a delivery was started or arrived within half a minute', () => {
    for (const [started, arrived] of [
      [0, 2000],
      [-1000, -500],
      [0, 29_000],
      [-200_000, 3000],
      [null, 4000],
    ] as const) {
      const { clock, slots, missed } = watch('2026-01-15T12:01:00Z');
      const due = Date.parse('2026-01-15T12:15:00Z');
      clock.tick(due + Math.min(arrived, 29_000) - clock.now());
      slots.recordDelivery(started === null ? null : millis(due + started), millis(due + arrived));
      clock.tick(5 * 60_000);
      missed.should.be.empty();
    }
  });

  it('are reported despite a delivery that was started by hand in between', () => {
    const { clock, slots, missed } = watch('2026-01-15T12:01:00Z');
    clock.tick(6 * 60_000);
    slots.recordDelivery(clock.now(), clock.now());
    clock.tick(9 * 60_000);
    missed.length.should.equal(1);
  });

  it('follow the installation into days of 23 and 25 hours', () => {
    const spring = watch('2026-03-28T22:30:00Z', '1d');
    spring.clock.tick(24 * 3_600_000);
    spring
      .texts()
      .should.deepEqual([
        '2026-03-27T23:00:00.000Z/2026-03-28T23:00:00.000Z 1',
        '2026-03-28T23:00:00.000Z/2026-03-29T22:00:00.000Z 1',
      ]);
    const autumn = watch('2026-10-24T22:30:00Z', '1h');
    autumn.clock.tick(25 * 3_600_000);
    autumn.missed.length.should.equal(25);
  });

  it('TD9: become one message after suspension, and none after the clock is set', () => {
    const { clock, missed, texts } = watch('2026-01-15T12:01:00Z');
    clock.setWallClock('2026-01-15T15:01:00Z');
    clock.tick(60_000);
    texts().should.deepEqual(['2026-01-15T12:00:00.000Z/2026-01-15T15:00:00.000Z 12']);
    clock.setWallClock('2027-01-15T15:01:00Z');
    clock.tick(60_000);
    missed.length.should.equal(1);
    clock.tick(14 * 60_000);
    missed.length.should.equal(2);
  });

  it('wait for a machine that starts in 1970 to learn the time', () => {
    const { clock, missed } = watch('1970-01-01T00:00:10Z', '1d');
    clock.tick(600_000);
    clock.setWallClock('2026-01-15T12:01:00Z');
    clock.tick(600_000);
    missed.should.be.empty();
    clock.tick(12 * 3_600_000);
    missed.length.should.equal(1);
  });

  it('end with the watch', () => {
    const { clock, slots, missed } = watch('2026-01-15T12:01:00Z');
    slots.stop();
    clock.timerCount.should.equal(0);
    clock.tick(3_600_000);
    missed.should.be.empty();
  });
});
