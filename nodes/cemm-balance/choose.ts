/** Reads house, period and prices of a balance from the properties of the node. */
import type { BilledPrices } from '../../src/balance/bill/bill';
import type { HouseRole } from '../../src/balance/meters/amounts';
import { choiceOf, type MeterChoice } from '../../src/balance/meters/choice';
import type { BilledContract, Contract, Time } from '../../src/balance/prices/contracts';
import {
  billedContracts,
  housePrices,
  parseHouseContracts,
  type ReadContract,
} from '../../src/balance/prices/house-contracts';
import type { PriceSource } from '../../src/balance/prices/price-keeper';
import { type EarlierPrices, parsePricesInParts, type Prices } from '../../src/balance/prices/prices';
import type { BalanceTarget } from '../../src/balance/house-reader';
import { isAlias, isKey } from '../../src/checks/limits';
import { createPause, runWithPauses } from '../../src/time/pause';
import { dayMs } from '../../src/time/units';
import { wallClock } from '../lib/stored/choice';
import { type ConnectionNode, findConnection } from '../lib/run/connection-node';
import { readPrices } from '../lib/stored/prices-property';
import { type Evaluation, expandEnv, resolveText } from '../lib/stored/typed-input';
import { type BalanceConfig, splitMeterList } from './config';

/** @throws {CemmError} as resolveText, and INPUT `meters` and `battery_s0` */
export async function chooseHouse(config: BalanceConfig, evaluation: Evaluation): Promise<BalanceTarget> {
  const monitor = await resolveText('monitor', config.monitor, config.monitorType, evaluation);
  return { monitor, meters: chooseMeters(config, evaluation) };
}

/** @throws {CemmError} CONFIG `env_not_set`, INPUT `meters` and `battery_s0` */
export function chooseMeters(config: BalanceConfig, evaluation: Evaluation): MeterChoice {
  const names = (role: HouseRole): readonly string[] | undefined => {
    const list = splitMeterList(expandEnv(evaluation.RED, evaluation.node, config[role]));
    return list.length === 0 ? undefined : list;
  };
  return choiceOf(names, (name) => isAlias(name) || isKey(name));
}

/** The prices of a node, or of its connection. */
export class HousePrices {
  constructor(
    private readonly config: Pick<BalanceConfig, 'prices' | 'pricesType' | 'connection'>,
    private readonly timezone: string,
    private readonly evaluation: Evaluation,
  ) {}

  /**
   * Null without prices.
   * @param time whose prices are needed, also those that a list of the connection no longer has; null: the present
   * @throws {CemmError} as readPrices and findConnection, and INPUT `prices`
   */
  async at(time: Time | null): Promise<Prices | null> {
    const { prices, pricesType } = this.config;
    if (pricesType === 'connection') {
      return housePrices(await this.contracts(time), this.timezone) ?? this.ofConnection(time);
    }
    const given = await readPrices({ prices, pricesType }, this.evaluation);
    return given === null ? null : this.parse(given);
  }

  /**
   * The prices of periods: those of a connection with what was kept for the period, others once for all.
   * @throws {CemmError} as at(), here or for a period
   */
  async ofPeriods(): Promise<(time: Time) => Promise<Prices | null>> {
    if (this.config.pricesType === 'connection') return (time) => this.at(time);
    const prices = await this.at(null);
    return () => Promise.resolve(prices);
  }

  /**
   * Contracts or prices of a bill whose question has neither.
   * @param time whose prices are needed
   * @throws {CemmError} as at()
   */
  async ofBill(time: Time): Promise<BilledPrices> {
    const contracts = await this.billedContracts(time);
    if (contracts !== null) return { contracts };
    const prices = await this.at(time);
    // The bills then differ by netting alone.
    return { prices: [prices, prices] };
  }

  /** Contracts of the house, and its offers, if the node takes its prices from a connection with contracts. Null for other prices. */
  private async billedContracts(time: Time): Promise<readonly BilledContract[] | null> {
    if (this.config.pricesType !== 'connection') return null;
    // A contract year needs them as well.
    const needed = { start: Math.min(time.start, wallClock() - 366 * dayMs), end: Infinity };
    const contracts = await this.contracts(needed);
    if (contracts.length === 0) return null;
    const isDated = contracts.some((contract) => contract.time !== null);
    const prices = isDated ? null : await this.ofConnection(needed);
    return billedContracts(contracts, prices === null ? null : { name: 'prices', prices }, this.timezone, time);
  }

  private async contracts(time: Time | null): Promise<readonly Contract[]> {
    const read: ReadContract[] = [];
    for (const contract of (await this.house.contracts?.()) ?? []) {
      const { row, prices } = contract;
      const source = { name: `contract ${row.name}`, prices };
      read.push({ ...contract, earlier: await this.earlierPrices(row.pricesType, source, time) });
    }
    return runWithPauses(parseHouseContracts(read, this.timezone), createPause());
  }

  /** The prices of the connection without contracts. */
  private async ofConnection(time: Time | null): Promise<Prices | null> {
    const prices = await this.house.prices?.();
    if (prices === undefined || prices === null) return null;
    return this.parse(prices, await this.earlierPrices(this.house.pricesType, { name: 'prices', prices }, time));
  }

  /** A flow replaces its list, and context forgets. A list that a user has typed stays, and may be corrected. */
  private async earlierPrices(
    type: string | undefined,
    source: PriceSource,
    time: Time | null,
  ): Promise<EarlierPrices> {
    const { priceKeeper } = this.house;
    return type === 'global' && priceKeeper !== undefined ? priceKeeper.keep(source, this.timezone, time) : {};
  }

  private parse(prices: unknown, earlier: EarlierPrices = {}): Promise<Prices> {
    return runWithPauses(parsePricesInParts(prices, this.timezone, earlier), createPause());
  }

  private get house(): ConnectionNode {
    return findConnection(this.evaluation.RED, this.config.connection);
  }
}
