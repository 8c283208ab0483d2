/** Lists of prices that are kept: over a restart, beside later lists, and until the store is deleted. */
import should from 'should';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PriceKeeper } from '../../../src/balance/prices/price-keeper';
import { parsePricesInParts, type Prices, pricesOfParts } from '../../../src/balance/prices/prices';
import { PastDays } from '../../../src/store/past-days';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs } from '../../../src/time/units';
import { zone } from '../../support/balance/small-house';
import { FakeClock } from '../../support/time/fake-clock';

const midnight = Date.parse('2026-11-24T23:00:00Z');

describe('the keeper of lists of prices', () => {
  let folder: string;
  let past: PastDays;
  let keeper: PriceKeeper;
  let now: number;

  const restart = async (): Promise<void> => {
    await past.flush();
    open();
  };
  const open = (): void => {
    const onProblem = (problem: string): never => {
      throw new Error(problem);
    };
    past = new PastDays({ folder: join(folder, 'cemm'), clock: new FakeClock(), onProblem });
    keeper = new PriceKeeper(
      () => past,
      'connection',
      () => now,
    );
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-keeper-'));
    now = midnight;
    open();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const hours = (first: number, values: readonly number[]) =>
    values.map((value, index) => ({ start: midnight + (first + index) * hourMs, value }));
  const span = { start: midnight - 48 * hourMs, end: midnight + 48 * hourMs };

  async function read(prices: object): Promise<Prices> {
    return runAtOnce(parsePricesInParts(prices, zone, await keeper.keep({ name: 'prices', prices }, zone, span)));
  }
  const moment = (hour: number): number => midnight + hour * hourMs;
  function at({ import: price }: Prices, ...all: readonly number[]): (number | null)[] {
    return pricesOfParts(price ?? { kind: 'fixed', value: 0n }, all.map(moment)).map((value) =>
      typeof value === 'bigint' ? Number(value / 10n ** 12n) / 1e12 : null,
    );
  }

  it('gives what is over back after a restart, with the factors of now', async () => {
    await read({ currency: 'EUR', import: { list: hours(0, [0.1, 0.2, 0.3, 0.4]), plus: 0.02 } });
    await restart();
    now = moment(3);
    const later = await read({ currency: 'EUR', import: { list: hours(3, [0.5, 0.6]), times: 2 } });
    should(at(later, 0, 1, 2, 3, 4, 5)).deepEqual([0.2, 0.4, 0.6, 1, 1.2, null]);
  });

  it('changes hours to come, and never one that is over', async () => {
    await read({ currency: 'EUR', import: hours(0, [0.1, 0.2, 0.3, 0.4]) });
    now = moment(2);
    const later = await read({ currency: 'EUR', import: hours(0, [9, 9, 0.7, 0.8]) });
    should(at(later, 0, 1, 2, 3)).deepEqual([0.1, 0.2, 0.7, 0.8]);
    now = moment(5);
    should(at(await read({ currency: 'EUR', import: hours(0, [8, 8, 8, 8, 8]) }), 0, 1, 2, 3, 4)).deepEqual([
      0.1, 0.2, 0.7, 0.8, 8,
    ]);
  });

  it('keeps quarters of a list whose later one is by the hour, and cuts a longer price around them', async () => {
    const quarters = [0.1, 0.2, 0.3, 0.4].map((value, index) => ({ start: midnight + index * (hourMs / 4), value }));
    await read({ currency: 'EUR', import: { list: quarters, every: '1h' } });
    now = moment(2);
    should(at(await read({ currency: 'EUR', import: { list: hours(1, [0.5, 0.6]), every: '1h' } }), 0, 1)).deepEqual([
      0.25, 0.5,
    ]);
    const fixed = await read({ currency: 'EUR', import: [{ start: midnight - 40 * hourMs, value: 0.7 }] });
    should(at(fixed, -1, 0.25, 0.75, 1, 2)).deepEqual([0.7, 0.2, 0.4, 0.5, 0.7]);
  });

  it('keeps prices by tariff and of gas under their names', async () => {
    const prices = {
      currency: 'EUR',
      import: hours(0, [0.1, 0.2]).map(({ start, value }) => ({ start, value: { t1: value, t2: 1 } })),
      gas: hours(0, [1.1, 1.2]),
    };
    await read(prices);
    now = moment(2);
    const kept = await keeper.keep({ name: 'prices', prices: { currency: 'EUR', import: hours(2, [1]) } }, zone, span);
    should(kept.import?.map(({ value }) => value)).deepEqual([
      { t1: 0.1, t2: 1 },
      { t1: 0.2, t2: 1 },
    ]);
    should(kept.gas).equal(undefined);
  });

  it('has nothing of another contract or after everything was deleted, and keeps the same list again', async () => {
    const prices = { currency: 'EUR', import: hours(0, [0.1, 0.2]) };
    await read(prices);
    now = moment(1);
    should((await keeper.keep({ name: 'other', prices }, zone, span)).import?.length).equal(1);
    await past.forget();
    const empty = { currency: 'EUR', import: hours(4, [0.1]) };
    should((await keeper.keep({ name: 'prices', prices: empty }, zone, span)).import).deepEqual([]);
    await read(prices);
    now = moment(3);
    should((await keeper.keep({ name: 'prices', prices: empty }, zone, span)).import?.length).equal(2);
  });

  it('keeps nothing of prices that are wrong in any place', async () => {
    for (const wrong of [
      { currency: 'EUR', import: [...hours(0, [0.1]), { start: midnight + hourMs, value: 'x' }] },
      { currency: 'EUR', import: hours(0, [0.1, 0.2]), exprt: 1 },
      {
        currency: 'EUR',
        import: Array.from({ length: 75_001 }, (_, index) => ({ start: midnight + index * hourMs, value: 1 })),
      },
    ]) {
      should(await keeper.keep({ name: 'prices', prices: wrong }, zone, span)).deepEqual({});
    }
    await past.flush();
    should(await readdir(join(folder)).then((names) => names.includes('cemm'))).equal(false);
  });
});
