import should from 'should';
import { InstallationSlots } from '../../../src/webhook/installation-slots';
import { ManualClock } from './manual-clock';

const minute = 60_000;

function rig({ isFleet = true, capacity = 10_000 } = {}) {
  const clock = new ManualClock('2026-01-15T12:00:10.000Z');
  const told: [string | null, number][] = [];
  const slots = new InstallationSlots(
    '1m',
    'Europe/Amsterdam',
    isFleet,
    clock,
    ({ count }, installation) => told.push([installation, count]),
    capacity,
  );
  const sees = (installation: string | null): void => {
    slots.saw(clock.now(), clock.now(), installation);
  };
  return { clock, told, slots, sees };
}

describe('the watch over the slots of many installations', () => {
  it('begins with the first delivery of each and tells who was silent', () => {
    const { clock, told, slots, sees } = rig();
    clock.advance(10 * minute);
    told.should.be.empty();
    sees('a');
    sees('b');
    for (let round = 0; round < 5; round++) {
      clock.advance(minute);
      sees('a');
    }
    told.length.should.be.within(3, 5);
    told.every(([installation]) => installation === 'b').should.be.true();
    slots.stop();
    clock.timers.should.equal(0);
  });

  it('forgets one that was silent for a day, and its timer with it', async () => {
    const { clock, told, slots, sees } = rig();
    sees('a');
    clock.advance(1441 * minute);
    await new Promise((resolve) => setImmediate(resolve));
    const before = told.length;
    before.should.be.within(1438, 1441);
    slots.size.should.equal(0);
    clock.advance(100 * minute);
    told.length.should.equal(before);
    clock.timers.should.equal(0);
  });

  it('watches a single installation from the start and for ever', () => {
    const { clock, told, slots } = rig({ isFleet: false });
    clock.advance(3 * 1440 * minute);
    told.length.should.be.within(4318, 4320);
    should(told[0]?.[0]).be.null();
    slots.stop();
  });

  it('watches no more than it has room for', () => {
    const { slots, sees } = rig({ capacity: 2 });
    for (const name of ['a', 'b', 'c', 'd']) sees(name);
    slots.size.should.equal(2);
    slots.stop();
  });
});
