/** Bills that are read over a connection: random houses, their progress, and how they end. */
import { setImmediate } from 'node:timers/promises';
import should from 'should';
import type { Balances } from '../../../src/balance/balances';
import { type BillTarget } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import type { ReadBalanceOptions } from '../../../src/balance/house-reader';
import { openBalances } from '../../support/clients/in-process';
import { PastDays } from '../../../src/store/past-days';
import type { BalancePayload } from '../../../src/model/payload';
import { dayMs, millis } from '../../../src/time/units';
import { dayRange } from '../../../src/calendar/periods';
import { prices, zone } from '../../support/balance/small-house';
import { timeOf } from '../../support/houses/by-chance';
import { FakeMonitor } from '../../support/houses/fake-monitor';
import { randomHouse, type RandomHouse } from '../../support/houses/random-house';
import { StillClock } from '../../support/houses/still-clock';
import { valid, withSchemas } from '../../support/model/wire';

const onePrice = prices({ currency: 'EUR', import: 0.25, export: 0.05, export_fee: 0.01, per_day: 0.3 });

function open(house: RandomHouse, now: number): { balances: Balances; monitor: FakeMonitor } {
  const clock = new StillClock(now);
  const monitor = new FakeMonitor(house, () => clock.moment);
  const past = new PastDays({ folder: null, clock, onProblem: () => undefined });
  const { balances } = openBalances({ past, client: monitor, clock });
  return { balances, monitor };
}

function target({ start, end }: { readonly start: number; readonly end: number }): BillTarget {
  return {
    monitor: null,
    meters: everyMeter,
    period: dayRange(zone, millis(start), millis(end - dayMs)),
    prices: [onePrice, onePrice],
    batteriesKwh: [5],
    counters: null,
  };
}

const user: ReadBalanceOptions = { signal: new AbortController().signal };

describe('a bill over a connection', function () {
  this.timeout(120_000);
  withSchemas();

  function houses(count: number, of: (house: RandomHouse) => boolean): RandomHouse[] {
    const found: RandomHouse[] = [];
    for (let seed = 1; found.length < count; seed += 1) {
      const house = randomHouse(seed, timeOf(seed, 40));
      if (house.hasGrid && of(house)) found.push(house);
    }
    return found;
  }

  for (const kind of ['remote', 'local'] as const) {
    it(`is that of the true amounts of random houses: ${kind}`, async () => {
      let [billed, saved] = [0, 0];
      for (const house of houses(8, (one) => one.kind === kind)) {
        const { balances } = open(house, house.end + 3 * dayMs);
        const asked = target(house);
        const payload = await balances.bill(asked, user);
        const { share = NaN, bills, missing, values, coverage } = payload;
        const about = `${house.story} ${JSON.stringify({ share, missing, values, coverage })}`;
        should(payload.meters.production).deepEqual([], about);
        if (share < 0.98) {
          should(bills).deepEqual([null, null], about);
          should(payload.moved).be.null();
          continue;
        }
        const [taken, given] = [
          house.flowed('import', asked.period.start, asked.period.end),
          house.flowed('export', asked.period.start, asked.period.end),
        ];
        billed += 1;
        saved += payload.moved === null ? 0 : 1;
        const total = (taken ?? NaN) * 0.25 - (given ?? NaN) * 0.04 + (payload.points?.length ?? NaN) * 0.3;
        // Where there is no reading of a midnight, minutes lack what passes in both directions within one of them.
        const permitted = isCounted(payload) && house.lag <= 5000 ? 0.01 : 0.05 * (taken ?? 0) + 1;
        should(bills?.[1]?.total).be.approximately(total, permitted, about);
      }
      should(billed).be.above(3);
      should(saved).be.above(2);
    });
  }

  function isCounted({ complete, method, missing }: BalancePayload): boolean {
    const fields = ['energy_import_kwh', 'energy_export_kwh'];
    return complete && fields.every((field) => method[field] === 'registers' && missing[field] === undefined);
  }

  it('is a payload of the schema, follows its progress, and is made of kept responses the next time', async () => {
    const [house] = houses(1, ({ kind, outages }) => kind === 'remote' && outages.length === 0);
    if (house === undefined) throw new Error('no house');
    const { balances, monitor } = open(house, house.end + 3 * dayMs);
    const steps: [number, number][] = [];
    const onProgress = (done: number, all: number): void => void steps.push([done, all]);
    const first = await balances.bill(target(house), { ...user, onProgress });
    valid(first);
    should(steps.length).be.above(40);
    should(steps.at(-1)).deepEqual([steps.length, steps.length]);
    const requests = monitor.requests;
    const again = await balances.bill(target(house), user);
    should(monitor.requests - requests).be.belowOrEqual(1);
    should(again.bills).deepEqual(first.bills);
    should(again.batteries).deepEqual(first.batteries);
  });

  it('is computed after the one before it', async () => {
    const [house] = houses(1, ({ kind, outages }) => kind === 'remote' && outages.length === 0);
    if (house === undefined) throw new Error('no house');
    const { balances } = open(house, house.end + 3 * dayMs);
    const other = open(house, house.end + 3 * dayMs).balances;
    let endFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (endFirst = resolve));
    balances['billing'] = first;
    let isComputed = false;
    const bill = balances.bill(target(house), user).then(() => (isComputed = true));
    // It is read, and waits for its turn.
    while (balances['billing'] === first) await setImmediate();
    await other.bill(target(house), user);
    should(isComputed).be.false();
    endFirst();
    should(await bill).be.true();
  });

  it('ends with CANCELLED when it is stopped halfway', async () => {
    const [house] = houses(1, ({ kind }) => kind === 'remote');
    if (house === undefined) throw new Error('no house');
    const { balances, monitor } = open(house, house.end + 3 * dayMs);
    const abort = new AbortController();
    const onProgress = (done: number): void => {
      if (done === 10) abort.abort();
    };
    await balances
      .bill(target(house), { signal: abort.signal, onProgress })
      .should.be.rejectedWith({ code: 'CANCELLED', reason: 'stopped' });
    should(monitor.requests).be.below(20);
  });
});
