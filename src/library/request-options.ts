/** The arguments of the methods of a connection, one table for each kind of request. */
import { types } from 'node:util';
import type { PeriodUnit } from '../calendar/units';
import type {
  AllMetersOptions,
  BalanceOptions,
  BillChoice,
  BillOptions,
  DateChoice,
  HouseMeters,
  MeterOptions,
  MonitorOptions,
  RangeChoice,
  RecentChoice,
  RequestOptions,
  WatchOptions,
} from './cemm';
import { CemmError } from '../errors';
import { roles } from '../checks/limits';
import {
  abortSignal,
  callback,
  checkArgument,
  checkOptions,
  described,
  flag,
  type Kind,
  list,
  milliseconds,
  needed,
  object,
  oneOf,
  type OptionTable,
  text,
  texts,
} from '../checks/options';
import { isRecord } from '../checks/record';

const alias = described(text, 'the alias of a meter, such as p1');
const aliases = described(texts, "a list of aliases, such as ['p1']");
const monitor = described(text, 'a text: the MAC address of a monitor');
const role = oneOf([...roles, 'auto']);
export const dateKind: Kind = {
  expected: "a date, such as '2026-10-25', 'current' or 'previous'",
  accepts: isDateChoice,
};

export function isDateChoice(value: unknown): value is DateChoice {
  // Not `instanceof`, because a Date may come from another realm.
  return typeof value === 'string' || typeof value === 'number' || types.isDate(value);
}

const request: OptionTable<RequestOptions> = {
  signal: abortSignal,
  deadlineMs: milliseconds,
  patience: oneOf(['poll', 'user']),
};
const ofMonitor: OptionTable<MonitorOptions> = { ...request, monitor };
const ofMeter: OptionTable<MeterOptions> = { ...ofMonitor, role };
const ofAllMeters: OptionTable<AllMetersOptions> = { ...ofMeter, onMeterError: callback };
const ofBalance: OptionTable<BalanceOptions> = {
  ...ofMonitor,
  onMeterError: callback,
  onProgress: callback,
  peak: flag,
  meters: described(object, "an object, such as { grid: ['p1'] }"),
  step: oneOf(['PT1M', 'PT15M', 'PT1H']),
  prices: described(object, 'an object, such as { currency: "EUR", import: 0.28 }'),
};
const ofHouse: OptionTable<HouseMeters> = {
  grid: aliases,
  production: aliases,
  battery: aliases,
  gas: aliases,
  water: aliases,
};
const ofBillChoice: OptionTable<BillChoice> = {
  from: dateKind,
  to: dateKind,
  prices: described(list, 'a list of the prices until 2026 and those from 2027'),
  contracts: described(
    list,
    'a list of contracts, such as [{ name: "Fixed", prices: { currency: "EUR", import: 0.28 } }]',
  ),
  batteriesKwh: described(list, 'a list of capacities in kWh, such as [5, 10]'),
};
const ofBill: OptionTable<BillOptions> = {
  ...ofMonitor,
  onMeterError: callback,
  onProgress: callback,
  meters: ofBalance.meters,
};
const ofWatch: OptionTable<WatchOptions> = {
  monitor,
  role,
  signal: abortSignal,
  onAvailability: callback,
  every: milliseconds,
};
const ofRange = (units: readonly PeriodUnit[]): OptionTable<RangeChoice<PeriodUnit>> => ({
  unit: needed(oneOf(units)),
  from: needed(dateKind),
  to: needed(dateKind),
});
const ofRecent: OptionTable<RecentChoice> = {
  resolution: text,
  include: text,
  meter: described(text, 'a text: the key of a meter'),
  count: needed({ expected: 'a whole number of periods', accepts: (value) => typeof value === 'number' }),
};

const tables = { request, ofMonitor, ofMeter, ofAllMeters, ofBalance, ofBill };

/** @throws {CemmError} INPUT `option_type`, `option_unknown`, `deadline` */
export function checkRequest(options: RequestOptions, of: keyof typeof tables): void {
  checkOptions('INPUT', options, tables[of]);
  const { deadlineMs } = options;
  if (deadlineMs !== undefined && (deadlineMs <= 0 || deadlineMs > 2 ** 31 - 1)) {
    throw new CemmError('INPUT', { reason: 'deadline' });
  }
}

/** @throws {CemmError} INPUT `option_missing`, `option_type`, `option_unknown`, `deadline` */
export function checkMeter(meter: unknown, options: MeterOptions): void {
  checkArgument('INPUT', 'meter', meter, needed(alias));
  checkRequest(options, 'ofMeter');
}

/** Arguments of `realtime`: an alias with options, or the options of all meters. */
export function checkMeterOrAll(meter: unknown, options: MeterOptions): void {
  if (typeof meter === 'string') {
    checkRequest(options, 'ofMeter');
    return;
  }
  checkArgument('INPUT', 'meter', meter, described(object, `${alias.expected}, or an object of options`));
  if (isRecord(meter)) checkRequest(meter, 'ofAllMeters');
}

/** @throws {CemmError} INPUT `option_type`, `option_unknown`, `deadline` */
export function checkBalance(options: BalanceOptions): void {
  checkRequest(options, 'ofBalance');
  if (options.meters !== undefined) checkOptions('INPUT', options.meters, ofHouse, 'meters');
}

/** @throws {CemmError} INPUT `option_missing`, `option_type`, `option_unknown`, `deadline` */
export function checkBill(choice: unknown, options: BillOptions): void {
  const example = "an object, such as { prices: [{ currency: 'EUR', import: 0.28 }] }";
  checkArgument('INPUT', 'choice', choice, needed(described(object, example)));
  checkOptions('INPUT', choice, ofBillChoice, 'choice');
  if (isRecord(choice) && choice['contracts'] === undefined) {
    checkArgument('INPUT', 'choice.prices', choice['prices'], needed(ofBillChoice.prices));
  }
  checkRequest(options, 'ofBill');
  if (options.meters !== undefined) checkOptions('INPUT', options.meters, ofHouse, 'meters');
}

/** @throws {CemmError} CONFIG `option_missing`, `option_type`, `option_unknown` */
export function checkWatch(meter: unknown, options: unknown, onReading: unknown, onProblem: unknown): void {
  const aliasOrNull: Kind = {
    expected: `${alias.expected}, or null for every meter`,
    accepts: (value) => value === null || typeof value === 'string',
  };
  checkArgument('CONFIG', 'meter', meter, needed(aliasOrNull));
  checkArgument('CONFIG', 'options', options, needed(described(object, 'an object, such as { every: 10000 }')));
  checkOptions('CONFIG', options, ofWatch);
  checkArgument('CONFIG', 'onReading', onReading, needed(callback));
  checkArgument('CONFIG', 'onProblem', onProblem, needed(callback));
}

/** @throws {CemmError} INPUT `option_missing`, `option_type`, `option_unknown`, `deadline` */
export function checkRecent(channel: unknown, choice: unknown, options: MeterOptions): void {
  const name = described(text, 'a text: the name of a channel, such as smartmeter-dsmr:electric_energy_import');
  checkArgument('INPUT', 'channel', channel, needed(name));
  checkArgument('INPUT', 'choice', choice, needed(described(object, 'an object, such as { count: 7 }')));
  checkOptions('INPUT', choice, ofRecent, 'choice');
  checkRequest(options, 'ofMeter');
}

/** @throws {CemmError} INPUT `option_missing`, `option_type`, `option_unknown` */
export function checkRange(range: unknown, units: readonly PeriodUnit[]): void {
  const example = "an object, such as { unit: 'day', from: '2026-10-01', to: '2026-10-31' }";
  checkArgument('INPUT', 'range', range, needed(described(object, example)));
  checkOptions('INPUT', range, ofRange(units), 'range');
}
