import fc from 'fast-check';
import should from 'should';
import { parseMeasurement, parseMeasurements } from '../../../src/protocol/open-api';
import { earliestMoment, latestMoment } from '../../../src/time/units';
import { ProtocolError } from '../../../src/protocol/json';

const moment = 1_700_000_000_000;
const noTime = { time: null, value: null, flaw: 'no_timestamp' };
const unusable = { time: null, value: null, flaw: 'not_finite' };

describe('protocol/measurement', () => {
  it('reads a pair', () => {
    should(parseMeasurement([moment, -8840])).eql({ time: moment, value: -8840, flaw: null });
  });

  it('keeps a real zero, which has a time', () => {
    should(parseMeasurement([moment, 0])).eql({ time: moment, value: 0, flaw: null });
  });

  it('RA24: reads [0, 0] as no value, never as zero in 1970', () => {
    should(parseMeasurement([0, 0])).eql(noTime);
    should(parseMeasurement([0, null])).eql(noTime);
  });

  for (const time of [0, -1, 1_700_000_000, earliestMoment - 1, latestMoment, 1e300]) {
    it(`TD7: reads the time ${time} as none and passes the value on`, () => {
      should(parseMeasurement([time, 5])).eql({ time: null, value: 5, flaw: null });
      should(parseMeasurement([time, '5'])).eql(unusable);
    });
  }

  it('keeps the time of a value that is text or beyond the numbers', () => {
    for (const value of ['5', JSON.parse('1e999'), true, {}, []] as unknown[]) {
      should(parseMeasurement([moment, value])).eql({ time: moment, value: null, flaw: 'not_finite' });
    }
  });

  it('reads null as no recent value, with its time', () => {
    should(parseMeasurement([moment, null])).eql({ time: moment, value: null, flaw: 'no_recent_value' });
  });

  for (const value of [null, undefined, 7, 'x', {}, [], [moment], ['1700000000000', 5], [null, 5]]) {
    it(`RA25: has no value for ${JSON.stringify(value)}, which is not a pair`, () => {
      should(parseMeasurement(value)).eql(unusable);
    });
  }

  it('never returns a value that is not in the input', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { time, value: reading, flaw } = parseMeasurement(value);
        should(reading === null).equal(flaw !== null);
        if (reading === null) return;
        const [moment, given] = value as unknown[];
        should(reading).equal(given);
        should([null, moment]).containEql(time);
      }),
    );
  });

  it('keeps every channel, also with reserved names', () => {
    const channels = parseMeasurements({ t1: [moment, 1], toString: [moment, 2], gas: 'x' }, '$.data');
    should([...channels.keys()]).eql(['t1', 'toString', 'gas']);
    should(channels.get('toString')?.value).equal(2);
    should(channels.get('gas')).eql(unusable);
    should(channels.get('valueOf')).be.undefined();
  });

  it('reads an empty list as an empty object', () => {
    should(parseMeasurements([], '$.data').size).equal(0);
  });

  for (const value of [null, undefined, 1, 'x', [1]]) {
    it(`refuses ${JSON.stringify(value)} as an object of channels`, () => {
      should(() => parseMeasurements(value, '$.data')).throw(ProtocolError, { path: '$.data', expected: 'object' });
    });
  }
});
