/** The balance of a day, month or year from counters and minutes. */
import type { Span } from '../../calendar/periods';
import { idOf } from '../../model/identity';
import type { BalancePayload, BalanceStep, MonitorInfo, SourceInfo } from '../../model/payload';
import { perKwh, type Amount, type Quantity } from '../meters/amounts';
import { isDifferent, sumsOf, type Flows } from './energies';
import { entryOf } from '../meters/entries';
import { estimatedSteps } from './estimated';
import { costsOfHouse, type Found, tariffsOf } from './house-costs';
import { bySteps, HouseParts, leastExact, type StepAmounts } from './house-parts';
import { houseOf, namesOf, notReadable } from '../payload-parts';
import { partsOf, pastUntil, type Parts } from './parts';
import { highestOf, type KnownQuarter, quartersOf } from './peak';
import { type BalanceMeter, placeMeters } from '../meters/placed-meters';
import { priceBorders, type Prices } from '../prices/prices';
import { Report, type Field, type Unreadable } from './report';

export interface PeriodInput {
  readonly monitor: MonitorInfo;
  /** For a house with added up deliveries: names the house if the id of the monitor is unknown. */
  readonly installation?: string | undefined;
  readonly period: Span;
  readonly step: BalanceStep;
  readonly meters: readonly BalanceMeter[];
  readonly slots: 'minutes' | 'delivered';
  readonly prices: Prices | null;
  readonly source: SourceInfo;
  /** The highest quarters of days whose readings are not kept: first moment and amount. */
  readonly oldQuarters?: readonly KnownQuarter[];
  /** Epoch ms. Later data are not part of the balance yet. */
  readonly now: number;
}

/** What was read of a house; a balance of it has steps and prices as well. */
export type ReadHouse = Omit<PeriodInput, 'step' | 'prices'>;

export function balanceOfPeriod(input: PeriodInput): BalancePayload {
  const { period, step, prices, meters, monitor, now } = input;
  const until = pastUntil(period, now);
  const parts = partsOf(period, step, until, prices === null ? [] : priceBorders(prices, period.start, until));
  const house = new HouseParts(placeMeters(meters, parts.days, until < period.end), parts, input.slots);
  const found: Readonly<Record<Quantity, Found>> = {
    import: house.measured('import'),
    export: house.measured('export'),
    production: house.measured('production'),
    gas: house.measured('gas'),
    water: house.measured('water'),
    charged: house.measured('charged'),
    discharged: house.measured('discharged'),
  };
  const report = new Report(parts);
  for (const field of fieldsOf(found, parts, house)) report.add(field);
  report.addRatio('self_consumption', 'energy_self_consumed_kwh', 'energy_production_kwh');
  report.addRatio('self_sufficiency', 'energy_self_consumed_kwh', 'energy_house_kwh');
  for (const direction of ['import', 'export'] as const) {
    report.addTariffs(direction, tariffsOf(house, found, direction));
  }
  for (const role of ['grid', 'production'] as const) {
    if (differs(meters, role, report, until)) report.doubt(touchedBy[role]);
  }
  if (house.assumesNoExport && typeof report.values['energy_export_kwh'] === 'number') {
    report.missing['energy_export_kwh'] = 'not_offered';
  }
  const quarters = quartersOf({ ...input, from: period.start, until });
  const costs = prices === null ? null : costsOfHouse(prices, period, { parts, report, found, house, quarters });
  for (const name of costs?.leftOut ?? []) {
    const reason = name === 'peak' ? 'not_measured' : report.missing[`${name}_m3`];
    if (reason !== undefined) report.missing[`cost.${name}`] = reason;
  }
  const { unit, label, timezone, start, end } = period;
  return {
    schema: 'cemm/1',
    kind: 'balance',
    id: idOf('bl', monitor, ...houseOf(input), unit, label, step),
    ts: start,
    time: new Date(start).toISOString(),
    monitor: { ...monitor },
    ...(input.installation !== undefined && { installation: input.installation }),
    period: { unit, label, timezone, start, end, step },
    meters: namesOf(meters),
    ...notReadable(meters.filter(({ isReadable }) => !isReadable)),
    values: report.values,
    points: report.points(costs),
    method: report.method,
    coverage: report.coverage,
    // Only the months of a year have one.
    peak: unit === 'year' ? null : highestOf(quarters),
    counters: house.counters(),
    ...estimatedSteps(parts, found, report.values),
    ...(costs !== null && { cost: costs.cost }),
    missing: report.missing,
    complete: report.isComplete,
    source: { ...input.source },
  };
}

type Known = StepAmounts | 'not_readable' | null;

/** The fields of the balance: those of the house's meters, and derived ones. */
function fieldsOf(found: Readonly<Record<Quantity, Found>>, parts: Parts, house: HouseParts): (Field | Unreadable)[] {
  const known = (quantity: Quantity): Known => {
    const measured = found[quantity];
    return measured === null || measured === 'not_readable' ? measured : bySteps(measured, parts);
  };
  const [taken, given, production] = [known('import'), known('export'), known('production')];
  const fields = [
    own('energy_import_kwh', 'import', taken),
    own('energy_export_kwh', 'export', given),
    own('energy_production_kwh', 'production', production),
    ...(taken === null || given === null ? [] : derived(taken, given, production, house)),
    own('gas_m3', 'gas', known('gas')),
    own('water_m3', 'water', known('water')),
  ];
  return fields.flatMap((field) => field ?? []);
}

function own(name: string, quantity: Quantity, known: Known): Field | Unreadable | null {
  if (known === null) return null;
  return known === 'not_readable' ? { name, method: known } : { ...known, name, quantity, flows: null };
}

function derived(
  taken: StepAmounts | 'not_readable',
  given: StepAmounts | 'not_readable',
  production: Known,
  parts: HouseParts,
): (Field | Unreadable)[] {
  const unreadable = (name: string): Unreadable => ({ name, method: 'not_readable' });
  const [net, house, selfConsumed] = ['energy_net_kwh', 'energy_house_kwh', 'energy_self_consumed_kwh'] as const;
  if (taken === 'not_readable' || given === 'not_readable') {
    return [unreadable(net), ...(production === null ? [] : [unreadable(selfConsumed)]), unreadable(house)];
  }
  const grid = inCommon([taken, given], parts.stepsInCommon(['import', 'export']));
  const atGrid = combined(net, grid, (sums) => sums.net, null);
  if (production === 'not_readable') return [atGrid, unreadable(selfConsumed), unreadable(house)];
  const of =
    production === null
      ? grid
      : inCommon([taken, given, production], parts.stepsInCommon(['import', 'export', 'production']));
  const flows = (from: number, to: number): Flows => flowsOf(of, from, to);
  const atHouse = combined(house, of, (sums) => sums.house, flows);
  if (production === null) return [atGrid, atHouse];
  return [atGrid, combined(selfConsumed, of, (sums) => sums.selfConsumed ?? NaN, flows), atHouse];
}

type Together = readonly [StepAmounts, ...StepAmounts[]];

/** Sums over the steps in which all quantities are known and simultaneous. */
function inCommon(of: Together, steps: Uint8Array): Together {
  const isIn = steps.map((isUsable, step) => {
    return isUsable === 1 && of.every(({ amounts }) => !Number.isNaN(entryOf(amounts, step))) ? 1 : 0;
  });
  const only = (one: StepAmounts): StepAmounts => ({
    method: one.method,
    amounts: one.amounts.map((amount, step) => (isIn[step] === 1 ? amount : NaN)),
    known: one.known.map((ms, step) => (isIn[step] === 1 ? ms : 0)),
  });
  const [first, ...others] = of;
  return [only(first), ...others.map(only)];
}

function combined(
  name: string,
  of: Together,
  value: (sums: ReturnType<typeof sumsOf>) => Amount,
  flows: Field['flows'],
): Field {
  const amounts = of[0].amounts.map((_, step) => value(sumsOf(flowsOf(of, step, step + 1))));
  const known = of[0].known.map((_, step) => Math.min(...of.map((one) => entryOf(one.known, step))));
  return { name, quantity: 'import', amounts, known, method: leastExact(of.map(({ method }) => method)), flows };
}

/** Flows in the steps in which all quantities are known; NaN if there are none. */
function flowsOf(of: Together, from: number, to: number): Flows {
  const sums = of.map(({ amounts }) => sumOf(amounts.subarray(from, to)));
  const [taken = NaN, given = NaN, production = null] = sums;
  return { import: taken, export: given, production };
}

function sumOf(amounts: Float64Array): Amount {
  return amounts.reduce((sum, amount) => (Number.isNaN(amount) ? sum : Number.isNaN(sum) ? amount : sum + amount), NaN);
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
} as const;

/** True if the monitor's own net of the completely measured days or months differs. */
function differs(meters: readonly BalanceMeter[], role: 'grid' | 'production', report: Report, until: number): boolean {
  const name = role === 'grid' ? 'energy_net_kwh' : 'energy_production_kwh';
  const ofRole = meters.filter((meter) => meter.role === role && meter.net.length > 0);
  const [first] = ofRole;
  if (first === undefined || ofRole.length < meters.filter((meter) => meter.role === role).length) return false;
  let [said, found, flowed] = [0, 0, 0];
  for (const { start, end } of first.net) {
    const same = ofRole.flatMap(({ net }) => net.find((slot) => slot.start === start && slot.end === end) ?? []);
    const measured = report.amountBetween(name, start, Math.min(end, until));
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
