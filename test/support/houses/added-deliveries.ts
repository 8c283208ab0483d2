/** A house whose deliveries are added up like in the node, from the body of a request to a balance. */
import type { BillQuestion } from '../../../src/balance/bill/bill';
import { balanceOfHouse, billOfHouse, type House, Houses, type HouseStore } from '../../../src/balance/messages/houses';
import { roleOfKept } from '../../../src/balance/messages/delivered-role';
import { knownRange } from '../../../src/balance/messages/known-days';
import { PresentHouses } from '../../../src/balance/messages/present-houses';
import { everyMeter, type MeterChoice } from '../../../src/balance/meters/choice';
import { parsePrices, type Prices } from '../../../src/balance/prices/prices';
import { type MonitorRows, noRows } from '../../../src/model/meter-table';
import { type DayRange, periodFromLabel, weekFromLabel } from '../../../src/calendar/periods';
import { DeliveryNormalizer } from '../../../src/model/delivery';
import type { BalancePayload, BalanceStep, WebhookPayload } from '../../../src/model/payload';
import { isRecord } from '../../../src/checks/record';
import { readBody } from '../webhook/context';

const timezone = 'Europe/Amsterdam';
const steps: Readonly<Record<number, BalanceStep>> = { 4: 'P1M', 7: 'P1D', 8: 'P1D', 10: 'PT1H' };

class Stored implements HouseStore {
  constructor(readonly houses: Record<string, unknown> = {}) {}

  names(): Promise<string[]> {
    return Promise.resolve(Object.keys(this.houses));
  }

  read(name: string): Promise<unknown> {
    return Promise.resolve(this.houses[name]);
  }

  write(name: string, house: object): Promise<void> {
    this.houses[name] = house;
    return Promise.resolve();
  }
}

/** No delivery has a value of the house. */
export class NothingAdded extends Error {}

export class AddedDeliveries {
  private store = new Stored();
  private readonly normalizer = new DeliveryNormalizer();
  private houses = new Houses(this.store);
  private present = new PresentHouses();

  constructor(
    private readonly choice: MeterChoice = everyMeter,
    private readonly intervalMs = 60_000,
    /** Of the connection. */
    private readonly rows: MonitorRows = noRows,
  ) {}

  payload(body: object, at: number): WebhookPayload {
    return readBody(this.normalizer, body, at);
  }

  async add(body: object, at: number): Promise<void> {
    const payload = this.payload(body, at);
    await this.houses.add(payload, { timezone, now: at + 300 });
    this.present.keep(await this.houses.houseOf(payload), payload, { choice: this.choice });
  }

  /** What was written stays. */
  restart(): void {
    const written: unknown = JSON.parse(JSON.stringify(this.store.houses));
    this.store = new Stored(isRecord(written) ? written : {});
    this.houses = new Houses(this.store);
    this.present = new PresentHouses();
  }

  async now(now: number): Promise<BalancePayload> {
    const { choice, intervalMs } = this;
    return this.present.current(await this.house(), { choice, intervalMs, timezone, now });
  }

  /** @param label such as `2026-11-24`, `2026-W48`, `2026-11` or `2026` */
  async balance(label: string, now: number, prices?: object): Promise<BalancePayload> {
    return this.pricedBalance(label, now, prices === undefined ? null : parsePrices(prices, timezone));
  }

  /** @param label as for `balance` */
  async pricedBalance(label: string, now: number, prices: Prices | null): Promise<BalancePayload> {
    const step = steps[label.length];
    if (step === undefined) throw new Error(label);
    return balanceOfHouse(await this.house(), this.choice, {
      period: label.includes('W') ? weekFromLabel(label, timezone) : periodFromLabel(label, timezone),
      step,
      now,
      prices,
      rows: this.rows,
    });
  }

  async bill(period: DayRange, now: number, question: BillQuestion): Promise<BalancePayload> {
    return billOfHouse(await this.house(), this.choice, { ...question, period, now });
  }

  /** The days for a bill in place of these. */
  async known(period: DayRange, now: number): Promise<DayRange | null> {
    const { state } = await this.house();
    return knownRange(state, roleOfKept(state, this.choice, this.rows), period, now);
  }

  private async house(): Promise<House> {
    const [house] = await this.houses.chosen(null);
    if (house === undefined) throw new NothingAdded();
    return house;
  }
}
