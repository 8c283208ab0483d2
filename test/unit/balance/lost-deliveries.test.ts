/** A day whose delivery of midnight is lost: its first minutes are known by the amounts around them. */
import should from 'should';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import { hourMs, minuteMs } from '../../../src/time/units';

const midnight = Date.parse('2026-11-25T00:00:00+01:00');
const at = (minute: number): number => midnight + minute * minuteMs;

/** kWh: 1 in the first ten minutes of the day, 0.5 in twenty minutes from 0:30 on, otherwise 0.001 in a minute. */
function shows(moment: number): number {
  const minutes = (moment - midnight) / minuteMs;
  const within = (from: number, length: number): number => Math.max(0, Math.min(length, minutes - from));
  return 100 + 0.1 * within(0, 10) + 0.025 * within(30, 20) + 0.001 * minutes;
}

const meters: readonly FakeMeter[] = [
  { key: 'smartmeter-dsmr', channels: [{ kind: 'counter', key: 'electric_energy_import', shows }] },
];

/** The import of the day until `end`, from the deliveries of these minutes after midnight. */
async function importOfDay(topics: readonly string[], minutes: readonly number[], end = 60) {
  const added = new AddedDeliveries();
  for (const minute of minutes) {
    await added.add(
      specifiedBody(meters, () => topics, at(minute)),
      at(minute),
    );
  }
  const { values, coverage } = await added.balance('2026-11-25', at(end) + 1000);
  return { value: values['energy_import_kwh'] ?? NaN, coverage: coverage['energy_import_kwh'] };
}

const wanted = shows(at(60)) - shows(at(0));

describe('a day without a reading of its midnight', () => {
  it('begins with what an hour has more than the counter in it', async () => {
    const { value, coverage } = await importOfDay(['reading', 'last/hour'], [-30, -15, 15, 30, 45, 60]);
    should(value).be.approximately(wanted, 1e-6);
    should(coverage).equal(1);
  });

  it('begins with it also when a reading of the end of that hour is at most five minutes older than now', async () => {
    const { value, coverage } = await importOfDay(['reading', 'last/hour'], [-30, -15, 15, 30, 60, 65], 65);
    should(value).be.approximately(shows(at(65)) - shows(at(0)), 1e-6);
    should(coverage).equal(1);
  });

  it('begins with what an hour has more than its quarters and the counter in it', async () => {
    const topics = ['reading', 'last/15minutes', 'last/hour'];
    const { value, coverage } = await importOfDay(topics, [-30, -15, 30, 60]);
    should(value).be.approximately(wanted, 1e-6);
    should(coverage).equal(1);
  });

  it('begins with what a quarter has more than the share in it of a counter that goes beyond it', async () => {
    const { value, coverage } = await importOfDay(['reading', 'last/15minutes'], [-15, 10, 25, 60]);
    should(value).be.approximately(wanted, 1e-6);
    should(coverage).equal(1);
  });
});

describe('a meter that is silent while its monitor repeats its last values', () => {
  type Body = ReturnType<typeof specifiedBody>;

  /** The values of before, in a delivery of another moment. */
  const repeated = (of: number, minute: number, topics: readonly string[]): Body => ({
    ...specifiedBody(meters, () => topics, at(of)),
    time: at(minute) / 1000,
  });

  for (const [topic, step] of [
    ['last/15minutes', 15],
    ['last/hour', 60],
  ] as const) {
    it(`counts the amount of ${topic} once, and knows nothing of the time after it`, async () => {
      const added = new AddedDeliveries();
      for (const times of [-1, 0, 1, 2]) {
        await added.add(
          specifiedBody(meters, () => [topic], at(times * step)),
          at(times * step),
        );
      }
      for (const times of [3, 4, 10]) await added.add(repeated(2 * step, times * step, [topic]), at(times * step));
      const { values, coverage } = await added.balance('2026-11-25', at(10 * step) + 1000);
      should(values['energy_import_kwh']).be.approximately(shows(at(2 * step)) - shows(at(0)), 1e-6);
      should(coverage['energy_import_kwh']).be.approximately(0.2, 1e-6);
    });
  }

  it('has its amount in the window of its own time when the delivery of that window is lost', () => {
    const added = new AddedDeliveries();
    const windows = added
      .payload(repeated(15, 45, ['last/15minutes', 'last/hour', 'last/minute']), at(45))
      .readings.map(({ topic, window }) => [topic, window]);
    should(windows).deepEqual([
      ['last/15minutes', { start: at(0), end: at(15) }],
      ['last/hour', { start: at(-60), end: at(0) }],
      ['last/minute', { start: at(14), end: at(15) }],
    ]);
  });
});

describe('the running sums in a delivery of midnight', () => {
  const delivered = (second: number, updated: number | null, value: number) => ({
    format: 'basic-v1',
    cemm: 24_000_293,
    time: midnight / 1000 + second,
    data: {
      'smartmeter-dsmr': {
        electric_energy_import: {
          'this/day': { ...(updated !== null && { time: midnight / 1000 + updated }), value },
        },
      },
      water: { volume: { reading: { time: midnight / 1000 + second, value: 12 } } },
    },
  });
  const dayBefore = Date.parse('2026-11-24T00:00:00+01:00');

  it('are those of the day before if they were last updated then, in the payload and in the balance', async () => {
    for (const updated of [-1, -20, -60]) {
      const added = new AddedDeliveries();
      const body = delivered(2, updated, 9.25);
      const [reading] = added.payload(body, midnight + 2000).readings;
      should(reading?.window).deepEqual({ start: dayBefore, end: midnight + updated * 1000 });
      await added.add(body, midnight + 2000);
      const now = midnight + 3000;
      should((await added.balance('2026-11-24', now)).values['energy_import_kwh']).equal(9.25);
      should((await added.balance('2026-11-25', now)).values['energy_import_kwh']).equal(null);
    }
  });

  it('are of neither day for certain in the first minute, so none counts them', async () => {
    for (const updated of [0, 5, 40, 59, null]) {
      for (const second of [0, 5, 40, 59]) {
        const added = new AddedDeliveries();
        await added.add(delivered(second, updated, 0.25), midnight + second * 1000);
        for (const label of ['2026-11-24', '2026-11-25']) {
          const { values } = await added.balance(label, midnight + 60_000);
          should(values['energy_import_kwh'] ?? null).equal(
            null,
            `${label}, sent ${second}, updated ${String(updated)}`,
          );
        }
      }
    }
  });

  it('of the next minute are those of the new day', async () => {
    const added = new AddedDeliveries();
    await added.add(delivered(62, 60, 0.25), midnight + 62_000);
    should((await added.balance('2026-11-25', midnight + 63_000)).values['energy_import_kwh']).equal(0.25);
  });
});

describe('a monitor that was reset after hours without a delivery', () => {
  for (const topics of [['reading'], ['reading', 'this/day'], ['reading', 'this/day', 'this/month', 'last/day']]) {
    it(`has nothing of these hours, with ${topics.join(' and ')}`, async () => {
      const [lost, reset] = [at(10 * 60), at(16 * 60)];
      /** 1 kW, from 0.5 kWh on after the reset. */
      const counts = (moment: number): number =>
        moment < reset ? 7000 + (moment - midnight) / hourMs : 0.5 + (moment - reset) / hourMs;
      const meter: FakeMeter = {
        key: 'smartmeter-dsmr',
        channels: [{ kind: 'counter', key: 'electric_energy_import', shows: counts }],
      };
      const added = new AddedDeliveries();
      for (let moment = midnight; moment <= at(24 * 60); moment += 15 * minuteMs) {
        if (moment > lost && moment <= reset) continue;
        const since = moment > reset ? reset : -Infinity;
        await added.add(
          specifiedBody([meter], () => topics, moment, since),
          moment,
        );
        if (moment < reset || moment % hourMs !== 0) continue;
        const { values, coverage, complete } = await added.balance('2026-11-25', moment + 1000);
        // The quarter of the reset is not known either.
        const known = (moment - midnight) / hourMs - 6.25;
        should(values['energy_import_kwh']).be.approximately(known, 0.002);
        should(coverage['energy_import_kwh']).be.approximately(known / (known + 6.25), 1e-6);
        should(complete).equal(false);
      }
    });
  }
});

describe('the sum of a month of deliveries that come after each quarter', () => {
  it('counts where the last hour of a day is known, and a reading lies within it', async () => {
    const second = Date.parse('2026-12-02T00:00:00+01:00');
    /** In m³: 20 litres at 23:10, 1:00 and 1:30. */
    const shows = (moment: number): number => {
      const minutes = (moment - second) / minuteMs;
      const litres = [-50, 60, 90].map((from) => Math.min(20, Math.max(0, minutes - from)));
      return 87 + litres.reduce((sum, one) => sum + one, 0) / 1000;
    };
    const meter: FakeMeter = { key: 'water', channels: [{ kind: 'counter', key: 'volume', shows }] };
    const added = new AddedDeliveries();
    const now = second + 4 * hourMs + 45_000;
    for (let moment = second - 30 * hourMs + 45_000; moment <= now; moment += 15 * minuteMs) {
      const body = specifiedBody([meter], () => ['reading', 'last/hour', 'this/month'], moment);
      await added.add(body, moment);
    }
    const { values, coverage } = await added.balance('2026-12', now + 1000);
    should(values['water_m3']).be.approximately(0.06, 1e-6);
    should(coverage['water_m3']).equal(1);
  });
});
