/** An inverter uses a little power at night, so production is slightly below 0. No number is a negative zero. */
import should from 'should';
import { balanceNow } from '../../../src/balance/now/now';
import { CemmError } from '../../../src/errors';
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import { formats } from '../../../src/checks/limits';
import { derivedFrom, derivedPowers } from '../../../src/model/derived-fields';
import type { Payload } from '../../../src/model/payload';
import { parseMeasurement, parseSeries } from '../../../src/protocol/open-api';
import { balance, meter, minutesFrom, period, prices, reading } from '../../support/balance/small-house';
import { realtime, T } from '../../support/formats/payloads';

const DAY = '2026-01-15';
const { start, end } = period(DAY);

/** A day with `own` kWh of own use of the inverter, and no other flow. */
function nightOf(own: number) {
  const watts = Array<number>(1440).fill((-own / 24) * 1000);
  const none = Array<number>(1440).fill(0);
  const grid = meter('p1', 'grid', {
    readings: (['import', 'export'] as const).flatMap((counter) => [
      reading(counter, start, 100),
      reading(counter, end, 100),
    ]),
    shapes: { import: minutesFrom(start, none), export: minutesFrom(start, none) },
  });
  const solar = meter('s01', 'production', {
    readings: [reading('production', start, 50), reading('production', end, 50 - own)],
    shapes: { production: minutesFrom(start, watts) },
  });
  const source = { transport: 'local', fetchedAt: end, latencyMs: 1, requests: 1, promises: 0 } as const;
  return balance(DAY, [grid, solar], { prices: prices({ currency: 'EUR', import: 0.25, export: 0.05 }), source });
}

const nowOf = (produced: number) =>
  balanceNow({
    monitor: { id: '001122aabbcc' },
    meters: [
      { name: 'p1', role: 'grid', reading: { ...realtime, values: { power_import_w: 0, power_export_w: 0 } } },
      {
        name: 's01',
        role: 'production',
        reading: { ...realtime, meter: { alias: 's01', role: 'production' }, values: { power_production_w: produced } },
      },
    ],
    intervalMs: 10_000,
    now: T,
    quarter: null,
  }).payload;

function negativeZeros(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Object.is(value, -0) ? [path] : [];
  if (typeof value === 'string') return /(^|[^\d.eE])-0(\.0*)?(?![\d.])/.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, member]) => negativeZeros(member, `${path}.${key}`));
}

/** None if the format does not support this kind of payload: one reads the answers of price providers alone. */
function messagesOf(format: FormatName, payload: Payload): object {
  try {
    return createFormatter(format, { now: () => T })({ payload });
  } catch (error) {
    if (error instanceof CemmError && (error.code === 'UNSUPPORTED' || error.reason === 'price_list')) return [];
    throw error;
  }
}

describe('production slightly below 0', () => {
  const payloads: readonly (readonly [string, Payload])[] = [
    ['a day', nightOf(0.004)],
    ['a day on which an inverter used nothing', nightOf(0)],
    ['a moment', nowOf(-0.4)],
    ['a moment with a negative zero', nowOf(-0)],
    [
      'a reading',
      {
        ...realtime,
        values: { ...realtime.values, power_w: derivedFrom(-0, { field: 'power_production_w', sign: 1, floor: -1 }) },
      },
    ],
  ];
  for (const [name, payload] of payloads) {
    it(`has no negative zero in any format of ${name}`, () => {
      should(negativeZeros(payload)).deepEqual([]);
      for (const format of formats) {
        should(negativeZeros(messagesOf(format, payload))).deepEqual([], format);
      }
    });
  }

  it('has no self-consumption, and no self-sufficiency for a house that uses 0 or less', () => {
    const { values, missing } = nightOf(0.004);
    should(values['energy_production_kwh']).equal(-0.004);
    should([values['self_consumption'], values['self_sufficiency']]).deepEqual([null, null]);
    should(missing).deepEqual({ self_consumption: 'zero_divisor', self_sufficiency: 'zero_divisor' });
  });

  it('is read without a negative zero, as a reading and as a series', () => {
    should(parseMeasurement([T, -0])).deepEqual({ time: T, value: 0, flaw: null });
    should(Object.is(parseMeasurement([T, -0]).value, 0)).equal(true);
    const { channels } = parseSeries({ data: { electric_power: [[T, -0]] } });
    should(Object.is(channels.get('electric_power')?.values[0], 0)).equal(true);
  });

  it('leads to no negative zero power, in any role', () => {
    for (const role of ['grid', 'production'] as const) {
      for (const power of derivedPowers(role)) {
        for (const watts of [0, -0]) should(Object.is(derivedFrom(watts, power), -0)).equal(false);
      }
    }
  });
});
