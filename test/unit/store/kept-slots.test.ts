/** Prices of lists, and the sums of days of a CEMM 3.0 (src/store/kept-prices.ts, src/store/kept-day-sums.ts). */
import should from 'should';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepDaySums, readDaySums } from '../../../src/store/kept-day-sums';
import { keepPrices, type PriceSlot, readPrices } from '../../../src/store/kept-prices';
import { PastDays } from '../../../src/store/past-days';
import { MONITOR } from '../../support/clients/fake-client';
import { FakeClock } from '../../support/time/fake-clock';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const midnight = Date.parse('2026-03-01T00:00:00Z');

describe('slots of lists in the store of what is over', () => {
  let folder: string;
  let past: PastDays;
  const open = (): PastDays =>
    new PastDays({
      folder: join(folder, 'cemm'),
      clock: new FakeClock(),
      onProblem: (problem, path) => {
        throw new Error(`${problem}: ${path}`);
      },
    });
  const restart = async (): Promise<void> => {
    (await past.flush()).should.be.true();
    past = open();
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-slots-'));
    past = open();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  describe('prices', () => {
    const series = { owner: 'a1b2c3', name: 'Flexible import' };
    const hours = (from: number, values: readonly PriceSlot['value'][]): PriceSlot[] =>
      values.map((value, index) => ({ start: from + index * hourMs, end: from + (index + 1) * hourMs, value }));
    const all = { from: midnight - 40 * dayMs, until: midnight + 40 * dayMs };

    it('stay known after a restart when the list has moved on', async () => {
      await keepPrices(past, series, hours(midnight - 2 * hourMs, [0.1, 0.2, { t1: 0.3, t2: 0.4 }]), midnight - dayMs);
      await restart();
      await keepPrices(past, series, hours(midnight + hourMs, [0.5]), midnight);
      await restart();
      const found = await readPrices(past, series, all);
      found.should.deepEqual(hours(midnight - 2 * hourMs, [0.1, 0.2, { t1: 0.3, t2: 0.4 }, 0.5]));
      should(await readPrices(past, series, { from: midnight, until: midnight + 1 })).deepEqual([found[2]]);
      should(await readPrices(past, { ...series, owner: 'other' }, all)).deepEqual([]);
      should(await readPrices(past, { ...series, name: 'Flexible export' }, all)).deepEqual([]);
    });

    it('change before the end of a slot, and never after it', async () => {
      await keepPrices(past, series, hours(midnight, [0.1, 0.1]), midnight - hourMs);
      await keepPrices(past, series, hours(midnight, [0.2, 0.2]), midnight - 1);
      // Half an hour into the first one; a list without the second one takes nothing away.
      await keepPrices(past, series, hours(midnight, [0.3]), midnight + hourMs / 2);
      await keepPrices(past, series, hours(midnight, [9, 0.4]), midnight + hourMs);
      await restart();
      await keepPrices(past, series, hours(midnight - hourMs, [0.05, 9, 9, 0.5]), midnight + 2 * hourMs);
      await keepPrices(past, series, hours(midnight - hourMs, [9, 9, 9]), midnight + 3 * hourMs);
      should(await readPrices(past, series, all)).deepEqual(hours(midnight - hourMs, [0.05, 0.3, 0.4, 0.5]));
    });

    it('of an hour that is over are not replaced by those of its quarters, and those of an hour to come are', async () => {
      const quarters = hours(midnight, [1, 2]).flatMap(({ start, value }) =>
        [0, 1, 2, 3].map((index) => ({
          start: start + (index * hourMs) / 4,
          end: start + ((index + 1) * hourMs) / 4,
          value,
        })),
      );
      await keepPrices(past, series, hours(midnight, [0.1, 0.2]), midnight);
      await keepPrices(past, series, quarters, midnight + hourMs);
      should(await readPrices(past, series, all)).deepEqual([...hours(midnight, [0.1]), ...quarters.slice(4)]);
    });

    it('of a slot that began in the month before are found, and slots without an end are left out', async () => {
      const long = { start: midnight - 20 * dayMs, end: midnight + 5 * dayMs, value: 1 };
      await keepPrices(past, series, [long, { start: midnight + 6 * dayMs, end: Infinity, value: 2 }], midnight);
      should(await readPrices(past, series, { from: midnight + dayMs, until: midnight + 9 * dayMs })).deepEqual([long]);
    });

    it('take no place of a house', async () => {
      for (let house = 0; house < 200; house += 1) {
        const name = { house: `cemm-${house}`, channel: 'a:b' };
        await keepDaySums(past, name, [{ start: midnight - dayMs, end: midnight, sum: 1 }], midnight + dayMs);
      }
      await keepPrices(past, series, hours(midnight, [1]), midnight);
      await restart();
      should(await readPrices(past, series, all)).have.length(1);
      (await readdir(join(folder, 'cemm'))).should.have.length(201);
      await past.forget();
      should(await readdir(join(folder, 'cemm'))).deepEqual([]);
    }).timeout(20_000);
  });

  describe('sums of days', () => {
    const name = { house: MONITOR, channel: 'grid:import' };
    const days = (...sums: (number | null)[]) =>
      sums.map((sum, index) => ({ start: midnight + index * dayMs, end: midnight + (index + 1) * dayMs, sum }));
    const at = (day: number, hours = 0): number => midnight + day * dayMs + hours * hourMs;
    const kept = async (): Promise<(readonly number[])[]> => {
      await restart();
      return (await readDaySums(past, name, { from: at(0), until: at(40) })).map(({ sums }) => sums);
    };

    it('are kept of days that were over, and found in the next month', async () => {
      await keepDaySums(past, name, days(1, 0, null, 4, 5), at(4, 2));
      should(await kept()).deepEqual([[1], [0], []]);
      await keepDaySums(past, name, days(1, 0, null, 4, 5), at(4, 3));
      should(await kept()).deepEqual([[1], [0], [], [4]]);
      const [fourth] = await readDaySums(past, name, { from: at(3, 1), until: at(3, 2) });
      should(fourth).deepEqual({ start: at(3), end: at(4), sums: [4], readAt: at(4, 3) });
    });

    it('are never replaced by 0 or nothing, and replace them', async () => {
      await keepDaySums(past, name, days(1, 2, 0, null), at(10));
      await keepDaySums(past, name, days(0, null, 3, 4), at(11));
      await keepDaySums(past, name, days(null, 0, 0, 0), at(12));
      should(await kept()).deepEqual([[1], [2], [3], [4]]);
    });

    it('grow for two days, and are contradictions later', async () => {
      await keepDaySums(past, name, days(1, 2, 3), at(3, 4));
      await keepDaySums(past, name, days(1.5, 2.5, 3.5), at(9));
      should(await kept()).deepEqual([[1, 1.5], [2.5], [3.5]]);
      await keepDaySums(past, name, days(1.5, 2.5, 3.5004), at(10));
      should(await kept()).deepEqual([[1, 1.5], [2.5], [3.5]]);
    });
  });
});
