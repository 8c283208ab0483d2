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
  return choiceOf(
    {
      grid: names('grid'),
      production: names('production'),
      battery: names('battery'),
      gas: names('gas'),
      water: names('water'),
    },
    (name) => isAlias(name) || isKey(name),
  );
}

/**
 * Null without prices.
 * @param time whose prices are needed, also those that a list of the connection no longer has; null: the present
 * @throws {CemmError} as readPrices and findConnection, and INPUT `prices`
 */
export async function choosePrices(
  { prices, pricesType, connection }: Pick<BalanceConfig, 'prices' | 'pricesType' | 'connection'>,
  timezone: string,
  time: Time | null,
  evaluation: Evaluation,
): Promise<Prices | null> {
  if (pricesType === 'connection') {
    const house = findConnection(evaluation.RED, connection);
    const own = housePrices(await readContracts(house, timezone, time), timezone);
    return own ?? pricesOf(house, timezone, time);
  }
  const given = await readPrices({ prices, pricesType }, evaluation);
  return given === null ? null : runWithPauses(parsePricesInParts(given, timezone), createPause());
}

/**
 * The prices of periods: those of a connection with what was kept for the period, others once for all.
 * @throws {CemmError} as choosePrices, here or for a period
 */
export async function pricesOfPeriods(
  config: Pick<BalanceConfig, 'prices' | 'pricesType' | 'connection'>,
  timezone: string,
  evaluation: Evaluation,
): Promise<(time: Time) => Promise<Prices | null>> {
  if (config.pricesType === 'connection') return (time) => choosePrices(config, timezone, time, evaluation);
  const prices = await choosePrices(config, timezone, null, evaluation);
  return () => Promise.resolve(prices);
}

/**
 * Contracts or prices of a bill whose question has neither.
 * @param time whose prices are needed
 * @throws {CemmError} as choosePrices
 */
export async function chooseBilledPrices(
  config: Pick<BalanceConfig, 'prices' | 'pricesType' | 'connection'>,
  timezone: string,
  time: Time,
  evaluation: Evaluation,
): Promise<BilledPrices> {
  const contracts = await chooseContracts(config, timezone, time, evaluation);
  if (contracts !== null) return { contracts };
  const prices = await choosePrices(config, timezone, time, evaluation);
  // The bills then differ by netting alone.
  return { prices: [prices, prices] };
}

/** Contracts of the house, and its offers, if the node takes its prices from a connection with contracts. Null for other prices. */
async function chooseContracts(
  { pricesType, connection }: Pick<BalanceConfig, 'pricesType' | 'connection'>,
  timezone: string,
  time: Time,
  { RED }: Evaluation,
): Promise<readonly BilledContract[] | null> {
  if (pricesType !== 'connection') return null;
  const house = findConnection(RED, connection);
  // A contract year needs them as well.
  const needed = { start: Math.min(time.start, wallClock() - 366 * dayMs), end: Infinity };
  const contracts = await readContracts(house, timezone, needed);
  if (contracts.length === 0) return null;
  const isDated = contracts.some((contract) => contract.time !== null);
  const before = isDated ? null : await pricesOf(house, timezone, needed);
  return billedContracts(contracts, before === null ? null : { name: 'prices', prices: before }, timezone, time);
}

async function readContracts(house: ConnectionNode, timezone: string, time: Time | null): Promise<readonly Contract[]> {
  const read: ReadContract[] = [];
  for (const contract of (await house.contracts?.()) ?? []) {
    const { row, prices } = contract;
    const source = { name: `contract ${row.name}`, prices };
    read.push({ ...contract, earlier: await earlierPrices(house, row.pricesType, source, timezone, time) });
  }
  return runWithPauses(parseHouseContracts(read, timezone), createPause());
}

/** The prices of the connection without contracts. */
async function pricesOf(house: ConnectionNode, timezone: string, time: Time | null): Promise<Prices | null> {
  const given = await house.prices?.();
  if (given === undefined || given === null) return null;
  const source = { name: 'prices', prices: given };
  const earlier = await earlierPrices(house, house.pricesType, source, timezone, time);
  return runWithPauses(parsePricesInParts(given, timezone, earlier), createPause());
}

/** A flow replaces its list, and context forgets. A list that a user has typed stays, and may be corrected. */
async function earlierPrices(
  { priceKeeper }: ConnectionNode,
  type: string | undefined,
  source: PriceSource,
  timezone: string,
  time: Time | null,
): Promise<EarlierPrices> {
  return type === 'global' && priceKeeper !== undefined ? priceKeeper.keep(source, timezone, time) : {};
}
