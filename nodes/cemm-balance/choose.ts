/** Reads house, period, points and prices of a balance from the properties of the node. */
import { CemmError } from '../../src/errors';
import type { HouseRole } from '../../src/balance/meters/amounts';
import { choiceOf, type MeterChoice } from '../../src/balance/meters/choice';
import type { BilledContract, Contract } from '../../src/balance/prices/contracts';
import { billedContracts, housePrices, parseHouseContracts } from '../../src/balance/prices/house-contracts';
import { parsePrices, type Prices } from '../../src/balance/prices/prices';
import type { BalanceTarget } from '../../src/balance/house-reader';
import type { PeriodUnit, Span } from '../../src/calendar/periods';
import { isAlias, isKey } from '../../src/limits';
import type { BalanceStep } from '../../src/model/payload';
import { typeOf } from '../lib/choice';
import { type ConnectionNode, findConnection } from '../lib/connection-node';
import { readPrices } from '../lib/prices-property';
import { type Evaluation, expandEnv, resolveText } from '../lib/typed-input';
import { type AskedStep, type BalanceConfig, balancePeriods, type BalancePeriod, namesIn } from './config';

/** @throws {CemmError} as resolveText, and INPUT `meters` and `battery_s0` */
export async function chooseHouse(config: BalanceConfig, evaluation: Evaluation): Promise<BalanceTarget> {
  const monitor = await resolveText('monitor', config.monitor, typeOf(config.monitorType), evaluation);
  return { monitor, meters: chooseMeters(config, evaluation) };
}

/** @throws {CemmError} CONFIG `env_not_set`, INPUT `meters` and `battery_s0` */
export function chooseMeters(config: BalanceConfig, evaluation: Evaluation): MeterChoice {
  const names = (role: HouseRole): readonly string[] | undefined => {
    const list = namesIn(expandEnv(evaluation.RED, evaluation.node, config[role]));
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

/** @throws {CemmError} as resolveText, and INPUT `period` */
export async function chooseBalancePeriod(
  { period, periodType }: Pick<BalanceConfig, 'period' | 'periodType'>,
  evaluation: Evaluation,
): Promise<BalancePeriod> {
  const word = await resolveText('period', period, typeOf(periodType), evaluation);
  const unit = balancePeriods.find((known) => known === word);
  if (unit !== undefined) return unit;
  throw new CemmError('INPUT', { reason: 'period', params: { field: 'period', periods: balancePeriods.join(', ') } });
}

export function stepOf(unit: PeriodUnit, { step }: { readonly step: AskedStep }): BalanceStep {
  switch (unit) {
    case 'day':
      return dayStepsOf[step];
    case 'week':
    case 'month':
      return 'P1D';
    case 'year':
      return 'P1M';
  }
}

const dayStepsOf: Readonly<Record<AskedStep, BalanceStep>> = { '1m': 'PT1M', '15m': 'PT15M', '1h': 'PT1H' };

/**
 * Null without prices.
 * @throws {CemmError} as readPrices and findConnection, and INPUT `prices`
 */
export async function choosePrices(
  { prices, pricesType, connection }: Pick<BalanceConfig, 'prices' | 'pricesType' | 'connection'>,
  timezone: string,
  evaluation: Evaluation,
): Promise<Prices | null> {
  if (pricesType === 'connection') {
    const house = findConnection(evaluation.RED, connection);
    const own = housePrices(await readContracts(house, timezone), timezone);
    if (own !== null) return own;
    return parsed(await house.prices?.(), timezone);
  }
  return parsed(await readPrices({ prices, pricesType }, evaluation), timezone);
}

/**
 * The contracts that a bill compares if the node takes its prices from a connection with contracts: those of the house, and its offers. Null for
 * other prices.
 * @throws {CemmError} as choosePrices
 */
export async function chooseContracts(
  { pricesType, connection }: Pick<BalanceConfig, 'pricesType' | 'connection'>,
  timezone: string,
  period: Span,
  { RED }: Evaluation,
): Promise<readonly BilledContract[] | null> {
  if (pricesType !== 'connection') return null;
  const house = findConnection(RED, connection);
  const contracts = await readContracts(house, timezone);
  if (contracts.length === 0) return null;
  const isDated = contracts.some(({ time }) => time !== null);
  const before = isDated ? null : parsed(await house.prices?.(), timezone);
  return billedContracts(contracts, before === null ? null : { name: 'prices', prices: before }, timezone, period);
}

async function readContracts(house: ConnectionNode, timezone: string): Promise<readonly Contract[]> {
  return parseHouseContracts((await house.contracts?.()) ?? [], timezone);
}

function parsed(given: unknown, timezone: string): Prices | null {
  return given === undefined || given === null ? null : parsePrices(given, timezone);
}
