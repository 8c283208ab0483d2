/** The balance of a day, month or year from counters and minutes. */
import type { Span } from '../../calendar/periods';
import { idOf, payloadHead } from '../../model/identity';
import { type InParts, runAtOnce } from '../../time/pause';
import type { BalancePayload, BalanceStep, MonitorInfo, SourceInfo } from '../../model/payload';
import { type HouseQuantity, houseQuantities, perKwh } from '../meters/amounts';
import { addSelfUse } from './by-hour';
import { devicesOfPeriod } from './devices';
import { isDifferent } from './energies';
import { computeHouseFields, type FoundAmounts } from './fields-of-house';
import { costsOfHouse, type HouseReport, splitByTariff } from './house-costs';
import { knownFrom } from './cost-days';
import { HouseParts } from './house-parts';
import { estimatedSteps, joinedMarks } from './measured';
import { describeMeters, listInstallation } from '../payload-parts';
import { divideIntoParts, pastUntil } from './parts';
import { computeQuarters, findHighestQuarter, type KnownQuarter } from './peak';
import { isOfHouse } from '../meters/choice';
import { type BalanceMeter, type PlacedMeter, placeMeters, turned } from '../meters/placed-meters';
import { priceBorders, type Prices } from '../prices/prices';
import { type Field, Report } from './report';

export interface PeriodInput {
  readonly monitor: MonitorInfo;
  /** For a house with added up deliveries: names the house if the id of the monitor is unknown. */
  readonly installation?: string | undefined;
  readonly period: Span;
  readonly step: BalanceStep;
  readonly meters: readonly BalanceMeter[];
  /** The same meters with the minutes of days that are kept as well, for what devices are by the hour; absent without them. */
  readonly byHour?: readonly BalanceMeter[];
  /** Meters that may be a source, and whose role is unknown. */
  readonly unknownMeters?: readonly string[];
  readonly slots: 'minutes' | 'delivered';
  readonly prices: Prices | null;
  readonly source: SourceInfo;
  /** The highest quarters of days whose readings are not kept: first moment and amount. */
  readonly oldQuarters?: readonly KnownQuarter[];
  /** Epoch ms. Later data are not part of the balance yet. */
  readonly now: number;
  /** True while days of it are still requested: until they are there, the monitor's own sums count. */
  readonly isStillRead?: boolean;
}

export interface MeasuredHouse extends HouseReport {
  /** The meters of the house, without its devices. */
  readonly meters: readonly BalanceMeter[];
  readonly devices: readonly BalanceMeter[];
  readonly placed: readonly PlacedMeter[];
}

/** A house as it was read; a balance of it has steps and prices as well. */
export type ReadHouse = Omit<PeriodInput, 'step' | 'prices'>;

/** The amounts of a house in the parts of a period, which are divided at `cuts`. */
export function* measureHouse(input: ReadHouse, step: BalanceStep, cuts: readonly number[]): InParts<MeasuredHouse> {
  const { period, now } = input;
  const all = input.meters.map(turned);
  const [meters, devices] = [all.filter(isOfHouse), all.filter((meter) => !isOfHouse(meter))];
  const until = pastUntil(period, now);
  const parts = divideIntoParts(period, step, until, cuts);
  const placed = placeMeters(meters, parts.days, until < period.end);
  const house = new HouseParts(placed, parts, input.slots);
  yield;
  const found: Record<HouseQuantity, FoundAmounts[HouseQuantity]> = {
    import: null,
    export: null,
    production: null,
    gas: null,
    water: null,
    charged: null,
    discharged: null,
  };
  for (const quantity of houseQuantities) {
    found[quantity] = house.measured(quantity);
    yield;
  }
  const report = new Report(parts);
  const { unknownMeters = [] } = input;
  const fields = yield* computeHouseFields(found, parts, house);
  for (const field of fields) {
    yield;
    report.add(unknownMeters.length > 0 ? withoutHouse(field) : field);
  }
  yield;
  if (found.charged === null) {
    report.addRatio('self_consumption', 'energy_self_consumed_kwh', 'energy_production_kwh');
    report.addRatio('self_sufficiency', 'energy_self_consumed_kwh', 'energy_house_kwh');
  } else {
    addSelfUse(report, { placed, period, step, until, slots: input.slots, parts, found });
  }
  for (const direction of ['import', 'export'] as const) {
    report.addTariffs(direction, splitByTariff(house, found, direction));
  }
  for (const role of ['grid', 'production', 'battery'] as const) {
    if (differs(meters, role, report, until)) report.doubt(touchedBy[role]);
  }
  for (const { role, hasChanged = false } of meters) {
    if (!hasChanged || role === 'consumption') continue;
    report.addChanged(role === 'gas' || role === 'water' ? [`${role}_m3`] : touchedBy[role]);
  }
  if (house.assumesNoExport && typeof report.values['energy_export_kwh'] === 'number') {
    report.missing['energy_export_kwh'] = 'not_offered';
  }
  yield;
  const quarters = yield* computeQuarters({ ...input, from: period.start, until });
  yield;
  return { meters, devices, placed, parts, house, found, report, quarters };
}

export function balanceOfPeriod(input: PeriodInput): BalancePayload {
  return runAtOnce(computeBalance(input));
}

export interface ComputedBalance {
  readonly balance: BalancePayload;
  /** The coverage of the costs in their total, which lacks the parts of meters that cannot be read. */
  readonly costCoverage: number;
}

export function* computeBalance(input: PeriodInput): InParts<BalancePayload> {
  return (yield* computeWithCosts(input)).balance;
}

export function* computeWithCosts(input: PeriodInput): InParts<ComputedBalance> {
  const { period, step, prices, monitor, now } = input;
  const until = pastUntil(period, now);
  const cuts = prices === null ? [] : priceBorders(prices, period.start, until);
  const measured = yield* measureHouse(input, step, cuts);
  const { meters, devices, parts, house, found, report, quarters } = measured;
  const { unknownMeters = [] } = input;
  const costs = prices === null ? null : yield* costsOfHouse(prices, period, measured);
  yield;
  for (const name of costs?.leftOut ?? []) {
    const reason = name === 'peak' ? 'not_measured' : report.missing[`${name}_m3`];
    if (reason !== undefined) report.missing[`cost.${name}`] = reason;
  }
  const complete = report.isComplete;
  const isPart = (report.coverage['energy_import_kwh'] ?? 1) < 1;
  const since = isPart ? knownFrom(house, period, until) : null;
  const tooFew = costs?.tooFew ?? null;
  if (tooFew !== null) report.missing['cost.total'] = tooFew;
  const ofDevices = devices.length === 0 ? null : devicesOfPeriod({ ...input, ...measured, until });
  if (ofDevices !== null) report.addOther(ofDevices.other);
  if (input.isStillRead === true && period.unit !== 'day') addOwnNet(report, meters);
  const { onlyTogether } = joinedMarks(Object.values(found).map((one) => one?.onlyTogether));
  const points = report.points(costs, ofDevices?.ofSteps ?? null, onlyTogether);
  const { unit, label, timezone, start, end } = period;
  const balance: BalancePayload = {
    ...payloadHead('balance', idOf('bl', monitor, ...listInstallation(input), unit, label, step), start, monitor),
    ...(input.installation !== undefined && { installation: input.installation }),
    timezone,
    period: { unit, label, timezone, start, end, step },
    ...describeMeters(meters, ({ isReadable }) => isReadable, unknownMeters),
    ...(since !== null && { since }),
    values: report.values,
    points,
    method: report.method,
    coverage: report.coverage,
    ...(ofDevices !== null && { devices: [...ofDevices.devices] }),
    // Only the months of a year have one.
    peak: unit === 'year' ? null : findHighestQuarter(quarters),
    counters: house.counters(),
    ...estimatedSteps(parts, found, report.values),
    ...(costs !== null && { cost: costs.cost }),
    missing: report.missing,
    complete,
    source: { ...input.source },
  };
  return { balance, costCoverage: costs?.coverage ?? 0 };
}

/**
 * Fills the steps that are not wholly known with the monitor's own net of the grid and of production, where every meter of the role has a
 * sum. They come with the first answer, while the days behind them take minutes. A step of 0 stays unknown: a monitor that was reset has 0
 * for its past. Ratios and the use of the house stay.
 */
function addOwnNet(report: Report, meters: readonly BalanceMeter[]): void {
  for (const role of ['grid', 'production'] as const) {
    const ofRole = meters.filter((meter) => meter.role === role);
    if (ofRole.length === 0) continue;
    report.completeSteps(netOf[role][0], (start, end) => {
      const own = ofRole.flatMap(({ net }) => net.find((slot) => slot.start === start && slot.end >= end) ?? []);
      const sum = own.reduce((total, { amount }) => total + amount, 0);
      return own.length < ofRole.length || sum === 0 ? null : sum;
    });
  }
}

/** The fields that an inverter or a battery would change. */
const ofUse: ReadonlySet<string> = new Set(['energy_house_kwh', 'energy_self_consumed_kwh']);

function withoutHouse(field: Field): Field {
  if (!ofUse.has(field.name) || field.total === 'not_readable') return field;
  return { ...field, amounts: field.amounts.map(() => NaN), total: 'unknown_meter' };
}

/** Tolerance for a running day or month: the time not yet added by the monitor, and a share of the flow. */
const runningTolerance = { amount: 2.5 * perKwh, share: 0.05 } as const;

const ofBoth = ['energy_house_kwh', 'energy_self_consumed_kwh', 'self_consumption', 'self_sufficiency'] as const;
const directions = ['energy_import_kwh', 'energy_export_kwh'] as const;
const tariffFields = ['import_t1', 'import_t2', 'export_t1', 'export_t2'].map((name) => `energy_${name}_kwh`);
/** Fields derived from the amounts of a role. A different net does not show which direction is wrong. */
const touchedBy = {
  grid: ['energy_net_kwh', ...directions, ...tariffFields, ...ofBoth],
  production: ['energy_production_kwh', ...ofBoth],
  battery: ['energy_battery_charged_kwh', 'energy_battery_discharged_kwh', ...ofBoth],
} as const;

/** The fields that the monitor's own net of a role verifies: the first minus the second. */
const netOf = {
  grid: ['energy_net_kwh'],
  production: ['energy_production_kwh'],
  battery: ['energy_battery_charged_kwh', 'energy_battery_discharged_kwh'],
} as const;

/** True if the monitor's own net of the completely measured days or months differs. */
function differs(meters: readonly BalanceMeter[], role: keyof typeof netOf, report: Report, until: number): boolean {
  const [plus, minus] = netOf[role];
  const ofRole = meters.filter((meter) => meter.role === role && meter.net.length > 0);
  const [first] = ofRole;
  if (first === undefined || ofRole.length < meters.filter((meter) => meter.role === role).length) return false;
  let [said, found, flowed] = [0, 0, 0];
  for (const { start, end } of first.net) {
    const same = ofRole.flatMap(({ net }) => net.find((slot) => slot.start === start && slot.end === end) ?? []);
    const added = report.amountBetween(plus, start, Math.min(end, until));
    const taken = minus === undefined ? 0 : report.amountBetween(minus, start, Math.min(end, until));
    const measured = added === null || taken === null ? null : added - taken;
    if (measured === null || same.length < ofRole.length) continue;
    const net = same.reduce((sum, { amount }) => sum + amount, 0);
    if (end > until) {
      if (Math.abs(measured - net) > runningTolerance.amount + runningTolerance.share * Math.abs(net)) return true;
      continue;
    }
    said += net;
    found += measured;
    flowed += Math.abs(measured);
  }
  return isDifferent(found, said, Math.max(flowed, Math.abs(said)));
}
