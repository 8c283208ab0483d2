/** The question for prices, its format for planners, and the answers of price sources. */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daysOfPrices, pricePoints } from '../../../src/balance/prices/price-points';
import { createFormatter } from '../../../src/formats/formatter';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs, millis } from '../../../src/time/units';
import { prices, zone } from '../../support/balance/small-house';
import { describeFormatError, thrownBy } from '../../support/formats/errors';
import { projectDir } from '../../support/node-red/installed-package';
import { valid, withSchemas } from '../../support/model/wire';

const noon = Date.parse('2026-10-25T12:00:00+01:00');

function pointsOf(given: unknown, asked: object = {}): BalancePayload {
  const period = daysOfPrices(asked, { timezone: zone, now: millis(noon) });
  return pricePoints({ prices: given === null ? null : prices(given), period, transport: 'demo', now: noon });
}

function hours(from: string, count: number, value: (index: number) => number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    start: Date.parse(from) + index * hourMs,
    value: value(index),
  }));
}

describe('the question for prices', () => {
  withSchemas();

  it('has today and tomorrow by the hour, also where an hour comes twice', () => {
    const payload = pointsOf({ currency: 'EUR', import: 0.25, export: 0.05, export_fee: 0.03 });
    valid(payload);
    const { points = [], period } = payload;
    should(period).containEql({ label: '2026-10-25/2026-10-26', step: 'PT1H' });
    points.should.have.length(49);
    should(points[0]).deepEqual({
      ts: Date.parse('2026-10-25T00:00:00+02:00'),
      end: Date.parse('2026-10-25T01:00:00+02:00'),
      price_import: 0.25,
      price_export: 0.02,
    });
    payload.complete.should.be.true();
    const rows = createFormatter('rows')({ payload });
    JSON.stringify(rows)
      .should.match(/"field":"price_import"/)
      .and.not.match(/"field":"end"/);
  });

  it('has the prices of a list with taxes, in its step, and null where it has none', () => {
    const list = hours('2026-10-25T22:00:00Z', 3, (index) => 0.1 * index);
    const { points = [], missing } = pointsOf({ currency: 'EUR', import: { list, times: 1.21, plus: 0.1 } });
    const known = points.filter(({ price_import: price }) => price !== null);
    known
      .map(({ ts, price_import: price }) => [new Date(ts).toISOString().slice(11, 16), price])
      .should.deepEqual([
        ['22:00', 0.1],
        ['23:00', 0.221],
        ['00:00', 0.342],
      ]);
    should(points.every(({ price_export: price }) => price === null)).be.true();
    missing.should.deepEqual({ price_import: 'no_price', price_export: 'no_price' });
    const quarters = Array.from({ length: 4 }, (_, index) => ({ start: noon + index * 900_000, value: index / 10 }));
    should(pointsOf({ currency: 'EUR', import: quarters }).period?.step).equal('PT15M');
  });

  it('has no price by tariff, and none without prices', () => {
    should(pointsOf({ currency: 'EUR', import: { t1: 0.2, t2: 0.3 } }).missing).containEql({
      price_import: 'not_by_tariff',
    });
    const fee = { currency: 'EUR', import: 0.25, export: 0.05, export_fee: { t1: 0.01, t2: 0.02 } };
    pointsOf(fee).missing.should.deepEqual({ price_export: 'not_by_tariff' });
    pointsOf({ ...fee, export: undefined }).missing.should.deepEqual({ price_export: 'no_price' });
    const none = pointsOf(null);
    none.complete.should.be.false();
    should(none.points).have.length(49);
  });

  it('takes at most 31 days', () => {
    should(pointsOf({ currency: 'EUR', import: 1 }, { from: '2026-10-01', to: '2026-10-31' }).points).have.length(745);
    describeFormatError(() => pointsOf(null, { from: '2026-10-01', to: '2026-11-01' })).should.equal(
      'INPUT too_many_periods',
    );
    describeFormatError(() => pointsOf(null, { from: 'soon' })).should.equal('INPUT not_a_date');
  });
});

describe('the format for planners', () => {
  it('has each known slot in local time with its offset, on both sides of the clock change', () => {
    const payload = pointsOf({ currency: 'EUR', import: { zones: [{ hours: '2-3', value: 0.3 }] }, export: 0.01 });
    const [formatted] = createFormatter('prices')({ payload });
    should(formatted?.payload).deepEqual({
      priceData: [
        { start: '2026-10-25T02:00:00+02:00', end: '2026-10-25T02:00:00+01:00', value: 0.3, export: 0.01 },
        { start: '2026-10-25T02:00:00+01:00', end: '2026-10-25T03:00:00+01:00', value: 0.3, export: 0.01 },
        { start: '2026-10-26T02:00:00+01:00', end: '2026-10-26T03:00:00+01:00', value: 0.3, export: 0.01 },
      ],
    });
  });
});

interface Recording {
  readonly answer: unknown;
}

/** What the sources answer by their own documentation. */
const recorded = JSON.parse(readFileSync(join(projectDir, 'test/recorded/price-sources.json'), 'utf8')) as Readonly<
  Record<string, Recording>
>;

/** As `EnergyZero, before` answers. */
const hourly = {
  Prices: [
    { price: 0.09, readingDate: '2026-11-23T23:00:00Z' },
    { price: -0.01, readingDate: '2026-11-24T00:00:00Z' },
  ],
};

describe('the list of a price source', () => {
  const list = (payload: unknown, more: object = {}) => createFormatter('price-list')({ payload, ...more })[0]?.payload;
  const one = Date.parse('2026-06-18T13:00:00+02:00');
  const last = Date.parse('2026-06-19T23:30:00+02:00');
  const quarter = hourMs / 4;
  const market = [0.08, -0.01, 0.12, 0.1];
  const allIn = [0.2257, 0.1168, 0.2741, 0.2499];
  const wanted: Readonly<Record<string, readonly (readonly [number, number | undefined])[]>> = {
    EnergyZero: [one, one + quarter, last, last + quarter].map((start, index) => [start, market[index]]),
    'EnergyZero, before': [one, one + hourMs].map((start, index) => [start, market[index]]),
    'enever.nl, today': [one, one + quarter].map((start, index) => [start, market[index]]),
    'enever.nl, tomorrow': [last, last + quarter].map((start, index) => [start, market[index + 2]]),
    Tibber: [one, one + quarter, last, last + quarter].map((start, index) => [start, allIn[index]]),
  };

  for (const [source, { answer }] of Object.entries(recorded)) {
    it(`is read from an answer of ${source}, also from its text`, () => {
      const entries = (wanted[source] ?? []).map(([start, value]) => ({ start, value }));
      should(list(answer)).deepEqual(entries);
      should(list(JSON.stringify(answer))).deepEqual(entries);
    });
  }

  it('has both hours of a local time that occurs twice', () => {
    const data = ['01', '02', '02', '03'].map((hour, index) => ({
      datum: `2026-10-25T${hour}:00:00`,
      prijs: `0.${index}`,
    }));
    const start = Date.parse('2026-10-25T01:00:00+02:00');
    const entries = data.map((_, index) => ({ start: start + index * hourMs, value: index / 10 }));
    should(list({ data })).deepEqual(entries);
  });

  it('joins the answers of two days, and can be a price', () => {
    const tomorrow = { Prices: [{ price: 0.2, readingDate: '2026-11-24T23:00:00Z' }] };
    const joined = list([tomorrow, hourly]);
    should(joined?.map(({ value }) => value)).deepEqual([0.09, -0.01, 0.2]);
    prices({ currency: 'EUR', import: { list: joined, times: 1.21, plus: 0.11 } });
  });

  const wrong: [string, unknown, string][] = [
    ['another answer', { prices: [] }, 'payload'],
    ['no entries', { Prices: [] }, 'payload'],
    ['another answer in a list', [hourly, { prices: [] }], '[1]'],
    ['a text that is no JSON', 'Too many requests', 'payload'],
    ['a price that is no number', { Prices: [{ price: 'high', readingDate: '2026-11-24T00:00:00Z' }] }, '[0].price'],
    ['a date that is none', { data: [{ datum: '2026-13-01 00:00', prijs: '0.1' }] }, '[0].datum'],
    [
      'the times of another zone',
      [hourly, { data: [{ datum: '2026-11-24T00:00:00+02:00', prijs: '0.1' }] }],
      '[1][0].datum',
    ],
    [
      'a price below another name',
      { base: [{ start: '2026-11-24T00:00:00Z', price: { amount: '0.1' } }] },
      '[0].price.value',
    ],
    [
      'two prices for one slot',
      [hourly, { Prices: [{ price: 1, readingDate: '2026-11-24T00:00:00Z' }] }],
      '[1].2026-11-24T00:00:00.000Z',
    ],
    ['more than 1 MB', `{"Prices":[],"more":"${'x'.repeat(1_000_001)}"}`, 'payload'],
  ];
  for (const [what, answer, path] of wrong) {
    it(`refuses ${what}, and names the place`, () => {
      const { code, reason, params } = thrownBy(() => list(answer));
      should({ code, reason, path: params['path'] }).deepEqual({ code: 'INPUT', reason: 'price_list', path });
    });
  }

  it('takes the zone of the house from the message', () => {
    const finnish = { data: [{ datum: '2026-11-24T00:00:00+02:00', prijs: '0.1' }] };
    should(list(finnish, { timezone: 'Europe/Helsinki' })).have.length(1);
    describeFormatError(() => list(finnish, { timezone: 'Europe/Nowhere' })).should.equal('INPUT price_list');
  });
});
