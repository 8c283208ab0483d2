/** Answers to the questions of the page, by a house of the simulator at one moment. */
import type { Balances } from '../../../src/balance/balances';
import { billBatteries, billPeriod, billPrices } from '../../../src/balance/bill/bill-question';
import type { BalanceTarget } from '../../../src/balance/house-reader';
import { everyMeter } from '../../../src/balance/meters/choice';
import type { Contract } from '../../../src/balance/prices/contracts';
import { billedContracts, housePrices } from '../../../src/balance/prices/house-contracts';
import { daysOfPrices, pricePoints } from '../../../src/balance/prices/price-points';
import { parsePrices } from '../../../src/balance/prices/prices';
import { parseDate } from '../../../src/calendar/dates';
import { periodContaining } from '../../../src/calendar/periods';
import { openBalances, usualSteps } from '../clients/in-process';
import type { BalancePayload } from '../../../src/model/payload';
import { dayMs, millis } from '../../../src/time/units';
import { type HouseName, listHouseMeters } from '../../../src/simulator/houses';
import type { Question } from '../../../nodes/cemm-page/page/messages';
import type { Flowed } from '../houses/invariants';
import { SimulatedHouse } from '../houses/simulated-house';
import { StillClock } from '../houses/still-clock';

export const zone = 'Europe/Amsterdam';
const user = { signal: new AbortController().signal };
const ofHouse = { currency: 'EUR', import: 0.27, export: 0.06, gas: 1.3, water: 1.1, per_day: 0.9, example: true };

export class HouseAnswers {
  /** What really flowed. */
  readonly flowed: Flowed;
  /** The time of a monitor whose clock is slow: it knows nothing of later minutes. */
  readonly knownUntil: number;
  private readonly balances: Balances;
  private readonly target: BalanceTarget;
  /** Question → answer: the clock stands still, so it stays the same. */
  private readonly given = new Map<string, Promise<BalancePayload>>();

  constructor(
    name: HouseName,
    readonly now: number,
    private readonly prices: object = ofHouse,
    /** A monitor in the own network has no readings of the past, so its years have no electricity. */
    private readonly transport: 'demo' | 'remote' = 'demo',
    /** Those with dates count instead of the prices. */
    private readonly contracts: readonly Contract[] = [],
  ) {
    const clock = new StillClock(now);
    const house = new SimulatedHouse(name, now, now - 430 * dayMs, clock);
    this.flowed = house.flowed;
    this.knownUntil = now + Math.min(0, house.house.clockMinutes ?? 0) * 60_000;
    const battery = listHouseMeters(house.house).flatMap(({ of, alias }) => (of === 'battery' ? [alias] : []));
    this.target = { monitor: null, meters: battery.length === 0 ? everyMeter : { ...everyMeter, battery } };
    this.balances = openBalances({
      client: house.client(transport === 'demo' ? 'local' : 'remote', clock),
      transport,
      clock,
      meters: house.table,
    }).balances;
  }

  answer(question: Question): Promise<BalancePayload> {
    const key = JSON.stringify(question);
    const given = this.given.get(key) ?? this.read(question);
    this.given.set(key, given);
    return given;
  }

  private read(question: Question): Promise<BalancePayload> {
    const { balance, date } = question;
    if (balance === 'now') return this.balances.readNow({ ...this.target, intervalMs: 60_000 }, user);
    const prices = housePrices(this.contracts, zone) ?? parsePrices(this.prices, zone);
    if (balance === 'prices') {
      const period = daysOfPrices({}, { timezone: zone, now: millis(this.now) });
      return Promise.resolve(pricePoints({ prices, period, transport: this.transport, now: this.now }));
    }
    if (balance === 'bill') {
      const frame = {
        timezone: zone,
        now: millis(this.now),
        names: { from: 'from', to: 'to', prices: 'prices', contracts: 'contracts', batteries: 'batteries' },
      };
      const asked = { ...question, batteries: question.batteries_kwh };
      const period = billPeriod(asked, frame);
      const common = { ...this.target, counters: null, period, batteriesKwh: billBatteries(asked, frame) };
      if (question.prices === undefined && this.contracts.length > 0) {
        const contracts = billedContracts(this.contracts, null, zone, period);
        return this.balances.bill({ ...common, contracts }, user);
      }
      const both = question.prices === undefined ? ([prices, prices] as const) : billPrices(asked, frame);
      return this.balances.bill({ ...common, prices: both }, user);
    }
    const period = periodContaining(balance, zone, date === undefined ? millis(this.now) : parseDate(date, zone));
    const step = question.step === '15m' ? 'PT15M' : usualSteps[balance];
    return this.balances.read(
      {
        ...this.target,
        period,
        step,
        prices,
        counters: null,
        wantsPeak: true,
        wantsHours: question.hours === true,
      },
      user,
    );
  }
}

const shared = new Map<string, HouseAnswers>();

/** One house for all tests of a file that ask it at the same moment, because its days take long to read. */
export function sharedAnswers(name: HouseName, now: number, transport: 'demo' | 'remote' = 'demo'): HouseAnswers {
  const key = `${name} ${now} ${transport}`;
  const house = shared.get(key) ?? new HouseAnswers(name, now, undefined, transport);
  shared.set(key, house);
  return house;
}
