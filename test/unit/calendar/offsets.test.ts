/** Offsets and names of all zones, compared with luxon, which reads other parts of a formatted time. */
import { IANAZone } from 'luxon';
import should from 'should';
import { isTimezone, toLocalTime } from '../../../src/calendar/zone';
import { millis } from '../../../src/time/units';
import { Random } from '../../support/random';

const zones = Intl.supportedValuesOf('timeZone');
const hour = 3_600_000;

const offset = (zone: string, at: number): number => toLocalTime(zone, millis(at)) - at;
const luxonOffset = (zone: string, at: number): number => Math.round(IANAZone.create(zone).offset(at) * 60) * 1000;

/** Moments around each change of the offset between two moments: a bisection of each step of ten days. */
function changes(zone: string, from: number, to: number): number[] {
  const found: number[] = [];
  for (let start = from; start < to; start += 240 * hour) {
    let [low, high] = [start, start + 240 * hour];
    if (luxonOffset(zone, low) === luxonOffset(zone, high)) continue;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (luxonOffset(zone, middle) === luxonOffset(zone, low)) low = middle;
      else high = middle;
    }
    found.push(low - hour, low, high - 1, high, high + hour);
  }
  return found;
}

describe('offsets of all zones', function () {
  this.timeout(120_000);

  it('equal those of another library, at random moments of 1900 to 2100', () => {
    const random = new Random(42);
    should(zones.length).be.above(400);
    const different: string[] = [];
    for (const zone of [...zones, 'UTC', 'Etc/GMT+12', 'Etc/GMT-14']) {
      for (let count = 0; count < 300; count += 1) {
        const at = random.int(Date.UTC(1900, 0), Date.UTC(2100, 0));
        if (offset(zone, at) !== luxonOffset(zone, at)) different.push(`${zone} ${at}`);
      }
    }
    should(different).eql([]);
  });

  it('equal them to the millisecond around every change of the clocks from 2010 to 2030', () => {
    const different: string[] = [];
    let count = 0;
    const some = ['Europe/Amsterdam', 'America/St_Johns', 'Africa/Casablanca', 'Asia/Gaza', 'Australia/Lord_Howe'];
    for (const zone of [...some, 'Pacific/Apia', 'Antarctica/Troll']) {
      for (const at of changes(zone, Date.UTC(2010, 0), Date.UTC(2030, 0))) {
        count += 1;
        if (offset(zone, at) !== luxonOffset(zone, at)) different.push(`${zone} ${at}`);
      }
    }
    should(count).be.above(500);
    should(different).eql([]);
  });

  it('have seconds where they once had: Liberia until 1972, New York until 1883', () => {
    should(offset('Africa/Monrovia', Date.UTC(1971, 6))).equal(-(44 * 60 + 30) * 1000);
    // The change was in the middle of a minute of UTC.
    const change = Date.UTC(1972, 0, 7, 0, 44, 30);
    should(offset('Africa/Monrovia', change - 1)).equal(-(44 * 60 + 30) * 1000);
    should(offset('Africa/Monrovia', change)).equal(0);
    should(offset('America/New_York', Date.UTC(1880, 0))).equal(-(4 * 3600 + 56 * 60 + 2) * 1000);
  });

  it('are computed in at most 0.8 of the time of the other library', () => {
    // Other minutes in each round, because known ones are not computed again.
    let minute = 0;
    const cpuOf = (compute: (at: number) => number): number => {
      const before = process.cpuUsage();
      for (let count = 0; count < 15_000; count += 1) compute(Date.UTC(2026, 0) + (minute += 1) * 60_000);
      return process.cpuUsage(before).user;
    };
    const ours = (at: number): number => offset('Europe/Amsterdam', at);
    const others = (at: number): number => luxonOffset('Europe/Amsterdam', at);
    // In turns, so that the load of the machine is the same for both; the first round compiles.
    const ratios = Array.from({ length: 6 }, () => cpuOf(ours) / cpuOf(others)).slice(1);
    should(Math.min(...ratios)).be.below(0.8);
  });
});

describe('the name of a zone', () => {
  it('is one of the database of this Node.js, in any case', () => {
    should(zones.filter((zone) => !isTimezone(zone) || !IANAZone.isValidZone(zone))).eql([]);
    for (const name of ['UTC', 'europe/amsterdam', 'Etc/GMT+5']) should(isTimezone(name)).be.true();
  });

  it('is no offset, no other text and nothing else', () => {
    const names = ['', '+02:00', '-05:00', 'Europe/Nowhere', 'Europe/Amsterdam ', '__proto__', 'constructor', 'local'];
    should(names.filter((name) => isTimezone(name))).eql([]);
    should([undefined, null, 2, {}, ['UTC']].filter((value) => isTimezone(value))).eql([]);
  });
});
