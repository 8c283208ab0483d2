/** The devices of a house in a period, and the rest of its use. A device changes no other number. */
import { runAtOnce } from '../../time/pause';
import { smallest } from '../../checks/extremes';
import type { BalanceDevice, BalanceMissing } from '../../model/payload';
import { type Amount, perKwh, toUnits } from '../meters/amounts';
import { outerDevices, describeDevicePlace } from '../meters/devices';
import { getEntry } from '../meters/entries';
import { isOfHouse } from '../meters/choice';
import { type BalanceMeter, type PlacedMeter, placeMeters, turned } from '../meters/placed-meters';
import type { Prices } from '../prices/prices';
import { sumKnown } from './allocate';
import { deviceCostOf, sunShareOf } from './device-shares';
import type { Flows } from './energies';
import { electricQuantities } from './fields-of-house';
import { hourPricesOf } from './hour-prices';
import { type HoursInput, hoursOfHouse } from './house-hours';
import { HouseParts } from './house-parts';
import { bySteps, joinedMarks, leastExact, makeUnreadable, type StepAmounts } from './measured';
import { type Parts, pastEnd } from './parts';
import { type Field, makeUnreadableField, type Report } from './report';

export interface DevicesInput extends HoursInput {
  readonly devices: readonly BalanceMeter[];
  /** The meters with what more is known of their hours; absent: nothing. */
  readonly byHour?: readonly BalanceMeter[];
  readonly parts: Parts;
  /** With the fields of the house. */
  readonly report: Report;
  readonly prices: Prices | null;
  /** As in PeriodInput. */
  readonly isStillRead?: boolean;
}

export interface DevicesOfPeriod {
  readonly devices: readonly BalanceDevice[];
  /** kWh of each device in each step. */
  readonly ofSteps: readonly Readonly<Record<string, number | null>>[];
  /** Null for a house without meters of the grid. */
  readonly other: Field | null;
}

/** Limit of the other direction: a meter that gives more, such as that of an inverter, is in the wrong role. */
const mostReturned: Amount = 0.05 * perKwh;

export function devicesOfPeriod(input: DevicesInput): DevicesOfPeriod {
  const { devices, parts, period, until } = input;
  const placed = placeMeters(devices, parts.days, until < period.end);
  const uses = placed.map((device) => measureUse(device, input));
  const byHour = placeMeters((input.byHour ?? []).map(turned), parts.days, until < period.end);
  const shares = prepareShares(input, byHour);
  return {
    devices: uses.map((use) => {
      const { meter } = use.placed;
      const inHours = byHour.find((one) => one.meter.name === meter.name) ?? use.placed;
      return { ...describeDevicePlace(meter, devices), ...describeDeviceNumbers(use, inHours, shares) };
    }),
    ofSteps: parts.steps.map((_, step) =>
      Object.fromEntries(uses.map(({ placed: { meter }, inSteps }) => [meter.name, kwhIn(inSteps, step)])),
    ),
    other: computeOtherUse(uses, input),
  };
}

interface Use {
  readonly placed: PlacedMeter;
  /** Use of the period, or why it is unknown. */
  readonly energy: Amount | BalanceMissing;
  /** Measured share of the past part of the period. */
  readonly coverage: number;
  /** NaN for a step in which it is unknown. */
  readonly inSteps: StepAmounts;
}

function measureUse(placed: PlacedMeter, { parts, slots }: DevicesInput): Use {
  const device = new HouseParts([placed], parts, slots);
  const measure = (quantity: 'used' | 'returned'): StepAmounts =>
    bySteps(device.measured(quantity) ?? makeUnreadable(parts), parts);
  const [all, back] = [measure('used'), measure('returned')];
  const past = pastEnd(parts) - getEntry(parts.borders, 0);
  const isPossible = (step: number): boolean => !(getEntry(back.amounts, step) > mostReturned);
  const amounts = all.amounts.map((amount, step) => (isPossible(step) ? amount : NaN));
  const isReversed = (sumKnown(back.amounts) ?? 0) > mostReturned;
  const energy = isReversed ? 'inconsistent' : (sumKnown(all.amounts) ?? 'not_measured');
  return {
    placed,
    energy: all.isReadable ? energy : 'not_readable',
    coverage: past <= 0 ? 0 : (sumKnown(all.known) ?? 0) / past,
    inSteps: { ...all, amounts },
  };
}

/** Share or cost of a device, from its energy in the period. */
type Share = (device: PlacedMeter, energy: Amount) => number | BalanceMissing;

interface Shares {
  /** Null: the house has no production. */
  readonly sun: Share | null;
  /** Null: the house has no prices. */
  readonly cost: Share | null;
}

function prepareShares(input: DevicesInput, byHour: readonly PlacedMeter[]): Shares {
  const { report, prices, found, slots, isStillRead = false } = input;
  const [hasSun, hasCost] = [found.production !== null, prices !== null];
  // Hours take long to compute, and are not all read yet.
  const reason = report.reasonAgainst('energy_house_kwh') ?? (isStillRead ? 'not_by_hour' : null);
  if (reason !== null) return { sun: hasSun ? () => reason : null, cost: hasCost ? () => reason : null };
  const placed = byHour.length === 0 ? input.placed : byHour.filter(({ meter }) => isOfHouse(meter));
  const hours = hoursOfHouse({ ...input, placed });
  const priced = prices === null ? null : hourPricesOf({ ...input, prices, placed, hours });
  const used = (device: PlacedMeter): Float64Array => usedByHour(device, hours.parts, slots);
  return {
    sun: hasSun ? (device, energy) => sunShareOf(used(device), hours.hours, energy) : null,
    cost: priced === null ? null : (device, energy) => deviceCostOf(used(device), hours.hours, energy, priced),
  };
}

/** @param inHours the device with what is known of its hours */
function describeDeviceNumbers({ energy, coverage }: Use, inHours: PlacedMeter, { sun, cost }: Shares) {
  const missing: Record<string, BalanceMissing> = {};
  const put = (field: string, value: number | BalanceMissing): number | null => {
    if (typeof value === 'number') return value;
    missing[field] = value;
    return null;
  };
  const share = (of: Share): number | BalanceMissing => (typeof energy === 'string' ? energy : of(inHours, energy));
  const numbers = {
    energy_kwh: put('energy_kwh', typeof energy === 'string' ? energy : toUnits(energy, perKwh)),
    coverage,
    ...(cost !== null && { cost: put('cost', share(cost)) }),
    ...(sun !== null && { from_sun: put('from_sun', share(sun)) }),
  };
  return Object.keys(missing).length === 0 ? numbers : { ...numbers, missing };
}

/** NaN for an hour that was not measured by itself. */
function usedByHour(placed: PlacedMeter, hours: Parts, slots: DevicesInput['slots']): Float64Array {
  const device = new HouseParts([placed], hours, slots);
  const used = device.measured('used');
  if (used === null) return new Float64Array();
  const byItself = device.measuredByItself('used');
  return bySteps(used, hours).amounts.map((amount, hour) => (byItself[hour] === 1 ? amount : NaN));
}

const name = 'energy_other_kwh';

/** The house less the devices that are behind no other one, over the time in which all of them are known. */
function computeOtherUse(
  uses: readonly Use[],
  { devices, placed, parts, slots, found, report }: DevicesInput,
): DevicesOfPeriod['other'] {
  const house = report.fieldOf('energy_house_kwh');
  if (house === null) return null;
  const outer = outerDevices(devices).flatMap((device) => uses.find((use) => use.placed.meter === device) ?? []);
  if (house.total === 'not_readable' || outer.some(({ energy }) => energy === 'not_readable')) {
    return makeUnreadableField(name, parts.steps.length);
  }
  const together = new HouseParts([...placed, ...outer.map((use) => use.placed)], parts, slots);
  const all = [...electricQuantities.filter((quantity) => found[quantity] !== null), 'used'] as const;
  const inCommon = runAtOnce(together.stepsInCommon(all));
  const sumIn = (step: number): Amount => outer.reduce((sum, { inSteps }) => sum + getEntry(inSteps.amounts, step), 0);
  const isMeasuredStep = (step: number): boolean =>
    inCommon[step] === 1 && !Number.isNaN(getEntry(house.amounts, step)) && !Number.isNaN(sumIn(step));
  const flows = (from: number, to: number): Flows => {
    let [taken, given] = [0, 0];
    for (let step = from; step < to; step += 1) {
      if (!isMeasuredStep(step)) continue;
      taken += getEntry(house.amounts, step);
      given += sumIn(step);
    }
    return { import: taken, export: given, production: null, battery: null };
  };
  const wrong = report.reasonAgainst('energy_house_kwh') ?? findFirstReason(outer);
  return {
    name,
    quantity: 'import',
    amounts: house.amounts.map((amount, step) => (isMeasuredStep(step) ? amount - sumIn(step) : NaN)),
    known: house.known.map((ms, step) =>
      isMeasuredStep(step) ? smallest([ms, ...outer.map(({ inSteps }) => getEntry(inSteps.known, step))]) : 0,
    ),
    method: leastExact([house.method, ...outer.map(({ inSteps }) => inSteps.method)]),
    flows,
    ...joinedMarks([
      runAtOnce(together.stepsOnlyTogether(all)),
      house.onlyTogether,
      ...outer.map(({ inSteps }) => inSteps.onlyTogether),
    ]),
    ...(wrong !== null && { total: wrong }),
  };
}

function findFirstReason(outer: readonly Use[]): BalanceMissing | null {
  const reasons = outer.flatMap(({ energy }) => (typeof energy === 'string' ? energy : []));
  return reasons[0] ?? null;
}

function kwhIn({ amounts, onlyTogether }: StepAmounts, step: number): number | null {
  const amount = getEntry(amounts, step);
  return Number.isNaN(amount) || onlyTogether?.[step] === 1 ? null : toUnits(amount, perKwh);
}
