import fc from 'fast-check';
import should from 'should';
import { countDue, dueAfter, webhookIntervals } from '../../../src/model/webhook-topics';
import { InstallationWatch } from '../../../src/webhook/missed-deliveries';
import { millis } from '../../../src/time/units';
import { FakeClock } from '../../support/time/fake-clock';
import { countZoneLookups } from '../../support/time/zone-lookups';

const minute = 60_000;

function harness({ isFleet = true, capacity = 10_000 } = {}) {
  const clock = new FakeClock('2026-01-15T12:00:10.000Z');
  const told: [string | null, number][] = [];
  const slots = new InstallationWatch(
    '1m',
    'Europe/Amsterdam',
    isFleet,
    clock,
    ({ count }, installation) => told.push([installation, count]),
    capacity,
  );
  const sees = (installation: string | null): void => {
    slots.recordDelivery(clock.now(), clock.now(), installation);
  };
  return { clock, told, slots, sees };
}

describe('missed deliveries of many installations', () => {
  it('begins with the first delivery of each installation and reports missed ones', () => {
    const { clock, told, slots, sees } = harness();
    clock.tick(10 * minute);
    told.should.be.empty();
    sees('a');
    sees('b');
    for (let round = 0; round < 5; round++) {
      clock.tick(minute);
      sees('a');
    }
    told.length.should.be.within(3, 5);
    told.every(([installation]) => installation === 'b').should.be.true();
    slots.stop();
    clock.timerCount.should.equal(0);
  });

  it('stops watching an installation without deliveries for a day', async () => {
    const { clock, told, slots, sees } = harness();
    sees('a');
    clock.tick(1441 * minute);
    await new Promise((resolve) => setImmediate(resolve));
    const before = told.length;
    before.should.be.within(1438, 1441);
    slots.size.should.equal(0);
    clock.tick(100 * minute);
    told.length.should.equal(before);
    clock.timerCount.should.equal(0);
  });

  it('watches a single installation from the start and without end', () => {
    const { clock, told, slots } = harness({ isFleet: false });
    clock.tick(3 * 1440 * minute);
    told.length.should.be.within(4318, 4320);
    should(told[0]?.[0]).be.null();
    slots.stop();
  });

  it('watches no more installations than its capacity', () => {
    const { slots, sees } = harness({ capacity: 2 });
    for (const name of ['a', 'b', 'c', 'd']) sees(name);
    slots.size.should.equal(2);
    slots.stop();
  });

  it('WT23: counts the missed slots of a week that the clock skips, without a loop over them', async () => {
    const { clock, told, slots, sees } = harness();
    for (let house = 0; house < 1000; house += 1) sees(`house-${house}`);
    const lookups = countZoneLookups();
    clock.setWallClock('2026-01-22T11:00:10.000Z');
    clock.tick(minute);
    lookups.stop();
    told.length.should.equal(1000);
    told.every(([, count]) => count === 7 * 1440 - 60).should.be.true();
    // A walk needs 10 080 lookups: one for each minute, as offsets are cached.
    lookups.count().should.be.within(1, 1000);
    slots.stop();
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('the number of due moments in a span', () => {
  it('equals counting one by one, around changes of the clocks', () => {
    const zones = ['Europe/Amsterdam', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/St_Johns', 'Asia/Kolkata'];
    fc.assert(
      fc.property(
        fc.constantFrom(...webhookIntervals),
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) }),
        fc.integer({ min: 0, max: 300 }),
        (interval, zone, at, steps) => {
          const from = dueAfter(millis(at), interval, zone);
          let to = from;
          const walked = interval === '1d' ? steps % 10 : steps;
          for (let step = 0; step < walked; step += 1) to = dueAfter(to, interval, zone);
          countDue(from, to, interval, zone).should.equal(walked);
        },
      ),
    );
  });
});
