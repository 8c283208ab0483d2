import should from 'should';
import { createHousehold } from '../../../src/simulator/household';
import {
  parsePublicRequest,
  timeseries,
  timeseriesByChannel,
  timeseriesPath,
  type TimeseriesQuery,
} from '../../../src/simulator/public-api';
import { millis } from '../../../src/time/units';

const at = moment('2026-10-26T10:30:00Z');
const household = createHousehold({ now: at, since: moment('2026-10-23T12:00:00Z') });

function moment(text: string) {
  return millis(Date.parse(text));
}

function queryOf(query: string): TimeseriesQuery {
  const parsed = parsePublicRequest(`${timeseriesPath}?${query}`);
  if (parsed === 'meters') throw new Error('not a series');
  return parsed;
}

function ask(query: string) {
  return timeseries(household, at, queryOf(query)).data;
}

/** Volume between two moments, by the minutes. */
function litres(from: string, to: string): number {
  let sum = 0;
  for (let time = Date.parse(from); time < Date.parse(to); time += 60_000) sum += household.minute(millis(time)).waterL;
  return sum;
}

describe('Public time series', () => {
  it('has `count` days, oldest first, the last one is today, each at its midnight in Unix seconds', () => {
    const days = ask('channels=water:volume&include=cemm&resolution=day&count=3');
    days
      .map(([time]) => new Date(time * 1000).toISOString())
      .should.eql(['2026-10-23T22:00:00.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });

  it('has the amount of each day, of 25 hours on the day of the change, and of today up to now', () => {
    const values = ask('channels=water:volume&include=cemm&resolution=day&count=3').map(([, value]) => value);
    const expected = [
      litres('2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z'),
      litres('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'),
      litres('2026-10-25T23:00:00Z', '2026-10-26T10:30:00Z'),
    ];
    values.forEach((value, index) => should(value).be.approximately((expected[index] ?? NaN) / 1000, 2e-6));
  });

  it('has null for days before the meter was there', () => {
    const values = ask('channels=water:volume&include=cemm&resolution=day&count=6').map(([, value]) => value === null);
    values.should.eql([true, true, false, false, false, false]);
  });

  it('gives the mean of the day for a power', () => {
    const [entry] = ask('channels=smartmeter-dsmr:voltage&include=cemm&resolution=day&count=1');
    should(entry?.[1]).be.within(225, 240);
  });

  it('takes a channel by its number too', () => {
    ask('channels=1&resolution=day&count=2').should.eql(
      ask('channels=smartmeter-dsmr:electric_power_import&resolution=day&count=2'),
    );
  });

  it('has a value of each channel that is asked for, or a series of each', () => {
    const query = 'channels=water:volume,smartmeter-dsmr:voltage&resolution=day&count=2';
    const both = ask(query);
    const [volume, voltage] = ['water:volume', 'smartmeter-dsmr:voltage'].map((name) =>
      ask(`channels=${name}&resolution=day&count=2`),
    );
    should(both).eql(volume?.map(([time, value], index) => [time, value, voltage?.[index]?.[1]]));
    should(timeseriesByChannel(household, at, queryOf(query)).data).eql({
      'water:volume': volume,
      'smartmeter-dsmr:voltage': voltage,
    });
  });

  const wrong: readonly [string, string, RegExp][] = [
    ['another path', '/api/v1/public/cemm', /path must be/],
    ['no path', 'http://', /path must be/],
    ['no channel', `${timeseriesPath}?resolution=day&count=1`, /`channels`/],
    ['an unknown channel', `${timeseriesPath}?channels=zon:t1&resolution=day&count=1`, /`channels`/],
    ['channel number 0', `${timeseriesPath}?channels=0&resolution=day&count=1`, /`channels`/],
    ['another resolution', `${timeseriesPath}?channels=1&resolution=hour&count=1`, /`resolution`/],
    ['no count', `${timeseriesPath}?channels=1&resolution=day`, /`count`/],
    ['half a day', `${timeseriesPath}?channels=1&resolution=day&count=0.5`, /`count`/],
    ['too many days', `${timeseriesPath}?channels=1&resolution=day&count=1001`, /`count`/],
  ];
  for (const [what, request, sentence] of wrong) {
    it(`refuses ${what} in a sentence`, () => {
      should(() => parsePublicRequest(request)).throw(RangeError, { message: sentence });
    });
  }
});
