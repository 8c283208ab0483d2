/** The balance of a day, month or year from counters and minutes. */
import type { Period } from '../../calendar/periods';
import { idOf } from '../../model/identity';
import type { BalancePayload, BalancePeak, BalanceStep, MonitorInfo, SourceInfo } from '../../model/payload';
import { perKwh, type Amount, type Quantity } from '../meters/amounts';
import { costsOf, type Costs, type Priced, type Tariffs } from '../prices/costs';
import { addSelfUse } from './by-hour';
import { isDifferent } from './energies';
import { entryOf } from '../meters/entries';
import { estimatedSteps } from './estimated';
import { fieldsOf, type Found } from './fields-of-house';
import { HouseParts, type SplitTariffs } from './house-parts';
import { houseOf, namesOf, notReadable } from '../payload-parts';
import { daysOfParts, partsOf, pastUntil, type Parts } from './parts';
import { commonQuarters, highestOf, quartersOfMinutes, quartersOfReadings, type Quarters } from './peak';
import { type BalanceMeter, placeMeters, turned } from '../meters/placed-meters';
import { priceBorders, type Prices } from '../prices/prices';
import { Report } from './report';

export interface PeriodInput {
  readonly monitor: MonitorInfo;
  /** For a house with added up deliveries: names the house if the id of the monitor is unknown. */
  readonly installation?: string | undefined;
  readonly period: Period;
  readonly step: BalanceStep;
  readonly meters: readonly BalanceMeter[];
  readonly slots: 'minutes' | 'delivered';
  readonly prices: Prices | null;
  readonly source: SourceInfo;
  /** The highest quarters of days whose readings are not kept: first moment and amount. */
  readonly oldQuarters?: readonly (readonly [start: number, amount: Amount])[];
  /** Epoch ms. Later data are not part of the balance yet. */
  readonly now: number;
}

export function balanceOfPeriod(input: PeriodInput): BalancePayload {
  const { period, step, prices, monitor, now } = input;
  const meters = input.meters.map(turned);
  const until = pastUntil(period, now);
  const parts = partsOf(period, step, until, prices === null ? [] : priceBorders(prices, period.start, until));
  const placed = placeMeters(meters, parts.days, until < period.end);
  const house = new HouseParts(placed, parts, input.slots);
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
  if (found.charged === null) {
    report.addRatio('self_consumption', 'energy_self_consumed_kwh', 'energy_production_kwh');
    report.addRatio('self_sufficiency', 'energy_self_consumed_kwh', 'energy_house_kwh');
  } else {
    addSelfUse(report, { placed, period, step, until, slots: input.slots, parts, found });
  }
  const tariffs = { import: tariffsOf(house, found, 'import'), export: tariffsOf(house, found, 'export') };
  for (const direction of ['import', 'export'] as const) report.addTariffs(direction, tariffs[direction]);
  for (const role of ['grid', 'production', 'battery'] as const) {
    if (differs(meters, role, report, until)) report.doubt(touchedBy[role]);
  }
  if (house.assumesNoExport && typeof report.values['energy_export_kwh'] === 'number') {
    report.missing['energy_export_kwh'] = 'not_offered';
  }
  const costs = prices === null ? null : costsOfHouse(prices, period, parts, report, found, tariffs);
  for (const name of costs?.leftOut ?? []) {
    const reason = report.missing[`${name}_m3`];
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
    peak: peakOf(input, until),
    counters: house.counters(),
    ...estimatedSteps(parts, found, report.values),
    ...(costs !== null && { cost: costs.cost }),
    missing: report.missing,
    complete: report.isComplete,
    source: { ...input.source },
  };
}

function tariffsOf(house: HouseParts, found: Readonly<Record<Quantity, Found>>, direction: 'import' | 'export') {
  const measured = found[direction];
  return measured === null || measured === 'not_readable' ? null : house.tariffs(direction, measured);
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

function costsOfHouse(
  prices: Prices,
  period: Period,
  parts: Parts,
  report: Report,
  found: Readonly<Record<Quantity, Found>>,
  tariffs: { readonly import: SplitTariffs | null; readonly export: SplitTariffs | null },
): Costs {
  const priced = (quantity: Quantity, name: string): Priced | null => {
    const measured = found[quantity];
    if (measured === null) return null;
    const nothing = { amounts: new Float64Array(parts.stepOf.length).fill(NaN), shared: new Uint8Array() };
    const { amounts, shared } = measured === 'not_readable' ? nothing : measured;
    const isReadable = measured !== 'not_readable';
    return { isReadable, amount: report.amountOf(name), coverage: report.coverage[name] ?? 0, amounts, shared };
  };
  // A meter without tariffs has no price by tariff.
  const byTariff = (direction: 'import' | 'export'): Tariffs | null =>
    prices[direction]?.kind === 'tariffs' && tariffs[direction]?.split === 'none' ? null : tariffs[direction];
  return costsOf({
    prices,
    starts: Array.from(parts.stepOf, (_, part) => entryOf(parts.borders, part)),
    import: priced('import', 'energy_import_kwh'),
    export: priced('export', 'energy_export_kwh'),
    gas: priced('gas', 'gas_m3'),
    water: priced('water', 'water_m3'),
    importTariffs: byTariff('import'),
    exportTariffs: byTariff('export'),
    days: daysOfParts(period, parts),
  });
}

/** For grid meters with minutes, or with readings at both ends of quarters. A year has none. */
function peakOf({ meters, period, slots, oldQuarters = [] }: PeriodInput, until: number): BalancePeak | null {
  if (period.unit === 'year') return null;
  const quarters = meters.flatMap(({ role, shapes, readings }): Quarters[] => {
    if (role !== 'grid') return [];
    const counted = quartersOfReadings(readings, period.start, until);
    if (slots !== 'minutes') return [counted];
    return [new Map([...quartersOfMinutes(shapes.import, period.start, until), ...counted])];
  });
  const old = oldQuarters.filter(([start]) => start >= period.start && start < until);
  return highestOf([...old, ...commonQuarters(quarters)]);
}
