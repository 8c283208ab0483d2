/**
 * Self-consumption of a house with a battery. What the sun charges and what the grid charges differ from hour to hour, so it is a
 * sum over hours, whatever the steps of the balance are.
 */
import { smallest } from '../../extremes';
import type { Span } from '../../calendar/periods';
import type { BalanceMissing, BalanceStep } from '../../model/payload';
import type { Amount, Quantity } from '../meters/amounts';
import { entryOf } from '../meters/entries';
import type { PlacedMeter } from '../meters/placed-meters';
import { type Flows, isInconsistent, ratioOf, smallestEnergy, sumsOf } from './energies';
import { electricQuantities, type FoundAmounts } from './fields-of-house';
import { HouseParts } from './house-parts';
import { bySteps, leastExact, type StepAmounts } from './measured';
import { type Parts, partsOf } from './parts';
import type { Field, Report, Unreadable } from './report';

export interface HoursInput {
  readonly placed: readonly PlacedMeter[];
  readonly period: Span;
  readonly step: BalanceStep;
  readonly until: number;
  readonly slots: 'minutes' | 'delivered';
  /** The steps of the balance. */
  readonly parts: Parts;
  readonly found: FoundAmounts;
}

const name = 'energy_self_consumed_kwh';
/** The hours stand for a step or a period if they are at least this share of its known time. */
const nearlyAll = 0.9;

/** Adds energy_self_consumed_kwh and the ratios. Call after the energy of the house was added. */
export function addSelfUse(report: Report, input: HoursInput): void {
  const { found } = input;
  const reason = report.missing['energy_house_kwh'];
  const add = (field: Field | Unreadable, selfConsumption: Ratio, selfSufficiency: Ratio): void => {
    if (found.production !== null) {
      report.add(field);
      report.addNumber('self_consumption', selfConsumption);
    }
    report.addNumber('self_sufficiency', selfSufficiency);
  };
  if (found.import === null) return;
  if (reason === 'not_readable') {
    add({ name, method: reason }, reason, reason);
    return;
  }
  const { hours: all, method } = hoursOf(input);
  const hours = inKnownSteps(all, report.knownIn('energy_house_kwh'), input);
  const field: Field = { name, quantity: 'production', ...inSteps(hours, input), method, flows: null };
  const wrong = reason ?? (hours.some(isWrong) ? 'inconsistent' : null);
  const missing = wrong ?? (isNearlyAll(hours, report.knownIn('energy_house_kwh')) ? null : 'not_by_hour');
  if (missing !== null) {
    add({ ...field, total: missing }, missing, missing);
    return;
  }
  const sum = (value: (hour: Hour) => number): number => hours.reduce((total, hour) => total + value(hour), 0);
  const [selfConsumed, house] = [sum(selfConsumedIn), sum(({ flows }) => sumsOf(flows).house)];
  add(
    { ...field, total: selfConsumed },
    ratioOf(
      selfConsumed,
      sum(({ flows }) => flows.production ?? 0),
    ),
    ratioOf(house - sum(({ flows }) => flows.import), house),
  );
}

type Ratio = number | BalanceMissing;

/** An hour in which every flow was measured by itself. */
interface Hour {
  /** Index of its step; of steps shorter than an hour, the first one. */
  readonly step: number;
  readonly flows: Flows;
  /** Measured ms. */
  readonly known: number;
}

function selfConsumedIn({ flows }: Hour): Amount {
  return sumsOf(flows).selfConsumed ?? 0;
}

function isWrong({ flows }: Hour): boolean {
  return isInconsistent(sumsOf(flows).house, flows, smallestEnergy);
}

function hoursOf({ placed, period, until, slots, parts, found }: HoursInput) {
  const inHours = partsOf(period, 'PT1H', until, []);
  const house = new HouseParts(placed, inHours, slots);
  const measured = new Map<Quantity, StepAmounts & { readonly byItself: Uint8Array }>();
  for (const quantity of electricQuantities) {
    const one = found[quantity] === null ? null : house.measured(quantity);
    if (one === null || one === 'not_readable') continue;
    measured.set(quantity, { ...bySteps(one, inHours), byItself: house.measuredByItself(quantity) });
  }
  const all = [...measured.values()];
  const together = house.stepsInCommon([...measured.keys()]);
  let step = 0;
  const hours = inHours.steps.flatMap((start, hour): Hour[] => {
    while ((parts.steps[step + 1] ?? Infinity) <= start) step += 1;
    if (together[hour] !== 1 || all.some(({ byItself }) => byItself[hour] !== 1)) return [];
    const at = (quantity: Quantity): Amount => measured.get(quantity)?.amounts[hour] ?? 0;
    const flows: Flows = {
      import: at('import'),
      export: at('export'),
      production: at('production'),
      battery: { charged: at('charged'), discharged: at('discharged') },
    };
    return [{ step, flows, known: smallest(all.map((one) => entryOf(one.known, hour))) }];
  });
  return { hours, method: leastExact(all.map(({ method }) => method)) };
}

/** Without the hours of steps of which not nearly all hours are known. */
function inKnownSteps(hours: readonly Hour[], ofHouse: Float64Array, { step }: HoursInput): readonly Hour[] {
  if (step === 'PT15M') return hours;
  const known = new Float64Array(ofHouse.length);
  for (const hour of hours) known[hour.step] = entryOf(known, hour.step) + hour.known;
  return hours.filter((hour) => entryOf(known, hour.step) >= nearlyAll * entryOf(ofHouse, hour.step));
}

function isNearlyAll(hours: readonly Hour[], ofHouse: Float64Array): boolean {
  const byHour = hours.reduce((sum, { known }) => sum + known, 0);
  return byHour > 0 && byHour >= nearlyAll * ofHouse.reduce((sum, ms) => sum + ms, 0);
}

/** The sums of the hours of each step. Steps shorter than an hour have none. */
function inSteps(hours: readonly Hour[], { parts, step }: HoursInput): Pick<Field, 'amounts' | 'known'> {
  const amounts = new Float64Array(parts.steps.length).fill(NaN);
  const known = new Float64Array(parts.steps.length);
  for (const hour of hours) {
    known[hour.step] = entryOf(known, hour.step) + hour.known;
    if (step === 'PT15M' || isWrong(hour)) continue;
    const before = entryOf(amounts, hour.step);
    amounts[hour.step] = (Number.isNaN(before) ? 0 : before) + selfConsumedIn(hour);
  }
  return { amounts, known };
}
