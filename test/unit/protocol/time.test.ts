import should from 'should';
import {
  earliestMoment,
  latestMoment,
  millis,
  millisToSeconds,
  secondsToMillis,
  toMillis,
  toSeconds,
} from '../../../src/time/units';

const first = Date.UTC(2010, 0, 1);
const end = Date.UTC(2100, 0, 1);

describe('protocol/time', () => {
  it('accepts 2010 to 2100 in both units', () => {
    should([earliestMoment, latestMoment]).eql([first, end]);
    for (const [inside, ms] of [
      [true, first],
      [true, 1_700_000_000_000],
      [true, end - 1000],
      [false, first - 1000],
      [false, end],
    ] as const) {
      should(toMillis(ms)).equal(inside ? ms : null);
      should(toSeconds(ms / 1000)).equal(inside ? ms / 1000 : null);
    }
  });

  it('does not mistake one unit for the other', () => {
    for (const ms of [first, end - 1]) {
      should(toSeconds(ms)).be.null();
      should(toMillis(ms / 1000)).be.null();
    }
  });

  it('accepts numbers only', () => {
    for (const value of ['1700000000000', '1700000000', [1_700_000_000_000], new Date(), true, null, undefined, NaN]) {
      should(toMillis(value)).be.null();
      should(toSeconds(value)).be.null();
    }
  });

  it('converts between the units', () => {
    should(millisToSeconds(millis(1_700_000_000_999))).equal(1_700_000_000);
    should(secondsToMillis(millisToSeconds(millis(1_700_000_000_000)))).equal(1_700_000_000_000);
  });
});
