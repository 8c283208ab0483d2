import should from 'should';
import { nextSlot } from '../../../src/simulator/webhook-sender';
import { millis } from '../../../src/time/units';

const minute = 60;
const hour = 3600;
const day = 86_400;

function slots(from: string, everySeconds: number, count: number, zone = 'Europe/Amsterdam'): string[] {
  const found: string[] = [];
  let at = millis(Date.parse(from));
  for (let index = 0; index < count; index += 1) {
    at = nextSlot(at, everySeconds, zone);
    found.push(new Date(at).toISOString().replace('.000Z', 'Z'));
  }
  return found;
}

describe('Webhook schedule', () => {
  it('runs a quarter-hour webhook at :00, :15, :30 and :45, whenever it was started', () => {
    slots('2026-06-01T10:07:13.456Z', 15 * minute, 4).should.eql([
      '2026-06-01T10:15:00Z',
      '2026-06-01T10:30:00Z',
      '2026-06-01T10:45:00Z',
      '2026-06-01T11:00:00Z',
    ]);
  });

  it('takes the next slot when it stands on one, and the coming one a millisecond before', () => {
    slots('2026-06-01T10:15:00Z', 15 * minute, 1).should.eql(['2026-06-01T10:30:00Z']);
    slots('2026-06-01T10:14:59.999Z', 15 * minute, 1).should.eql(['2026-06-01T10:15:00Z']);
  });

  it('runs a daily webhook at midnight of the house, not of Greenwich', () => {
    slots('2026-06-01T10:00:00Z', day, 2).should.eql(['2026-06-01T22:00:00Z', '2026-06-02T22:00:00Z']);
    slots('2026-06-01T10:00:00Z', day, 1, 'Asia/Kolkata').should.eql(['2026-06-01T18:30:00Z']);
  });

  it('runs an hourly webhook on the hour of a zone that is half an hour aside', () => {
    slots('2026-06-01T10:00:00Z', hour, 2, 'Asia/Kolkata').should.eql(['2026-06-01T10:30:00Z', '2026-06-01T11:30:00Z']);
  });

  it('has two daily slots 25 hours apart in autumn and 23 in spring', () => {
    slots('2026-10-24T12:00:00Z', day, 2).should.eql(['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z']);
    slots('2026-03-28T12:00:00Z', day, 2).should.eql(['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z']);
  });

  it('gives an hour that comes twice its slots twice', () => {
    slots('2026-10-24T23:59:00Z', hour, 3).should.eql([
      '2026-10-25T00:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T02:00:00Z',
    ]);
    slots('2026-10-25T00:44:00Z', 15 * minute, 2).should.eql(['2026-10-25T00:45:00Z', '2026-10-25T01:00:00Z']);
  });

  it('keeps six-hour slots at 0, 6, 12 and 18 on the clock when it is moved', () => {
    slots('2026-10-24T22:30:00Z', 6 * hour, 2).should.eql(['2026-10-25T05:00:00Z', '2026-10-25T11:00:00Z']);
    slots('2026-03-28T23:30:00Z', 6 * hour, 2).should.eql(['2026-03-29T04:00:00Z', '2026-03-29T10:00:00Z']);
  });

  it('has no slot in an hour that the clock skips', () => {
    slots('2026-03-29T00:45:00Z', 15 * minute, 2).should.eql(['2026-03-29T01:00:00Z', '2026-03-29T01:15:00Z']);
  });

  it('runs a daily webhook also where midnight itself is skipped', () => {
    slots('2026-03-28T12:00:00Z', day, 2, 'Asia/Beirut').should.eql(['2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z']);
  });

  it('starts anew at midnight when the interval does not divide the day', () => {
    slots('2026-06-01T21:59:50Z', 7, 4).should.eql([
      '2026-06-01T21:59:54Z',
      '2026-06-01T22:00:00Z',
      '2026-06-01T22:00:07Z',
      '2026-06-01T22:00:14Z',
    ]);
  });

  it('always goes forward', () => {
    for (const zone of ['Europe/Amsterdam', 'America/Havana', 'Australia/Lord_Howe', 'UTC']) {
      let at = millis(Date.parse('2026-01-01T00:00:00Z'));
      for (let index = 0; index < 1000; index += 1) {
        const slot = nextSlot(at, 5 * hour, zone);
        should(slot).be.above(at);
        should(slot - at).be.belowOrEqual(5 * hour * 1000 + hour * 1000);
        at = slot;
      }
    }
  });
});
