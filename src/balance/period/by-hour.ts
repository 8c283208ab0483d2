/**
 * Self-consumption of a house with a battery. What the sun charges and what the grid charges differ from hour to hour, so it is a
 * sum over hours, whatever the steps of the balance are.
 */
import type { BalanceMethod, BalanceMissing, BalanceStep } from '../../model/payload';
import type { Amount } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import { isInconsistent, divideWithinOne, smallestEnergy, computeHouseSums } from './energies';
import { type HoursInput, type HouseHour, hoursOfHouse } from './house-hours';
import type { Parts } from './parts';
import { type Field, makeUnreadableField, type Report } from './report';

export interface SelfUseInput extends HoursInput {
  readonly step: BalanceStep;
  /** The steps of the balance. */
  readonly parts: Parts;
}

const name = 'energy_self_consumed_kwh';
/** The hours stand for a step or a period if they are at least this share of its known time. */
const nearlyAll = 0.9;

/** Adds energy_self_consumed_kwh and the ratios. Call after the energy of the house was added. */
export function addSelfUse(report: Report, input: SelfUseInput): void {
  const { found } = input;
  const reason = report.missing['energy_house_kwh'];
  const add = (field: Field, selfConsumption: Ratio, selfSufficiency: Ratio): void => {
    if (found.production !== null) {
      report.add(field);
      report.addNumber('self_consumption', selfConsumption);
    }
    report.addNumber('self_sufficiency', selfSufficiency);
  };
  if (found.import === null) return;
  if (reason === 'not_readable') {
    add(makeUnreadableField(name, input.parts.steps.length), reason, reason);
    return;
  }
  const { hours: all, method } = hoursInSteps(input);
  const { known = new Float64Array() } = report.fieldOf('energy_house_kwh') ?? {};
  const hours = inKnownSteps(all, known, input);
  const field: Field = { name, quantity: 'production', ...inSteps(hours, input), method, flows: null };
  const wrong = reason ?? (hours.some(isWrong) ? 'inconsistent' : null);
  const missing = wrong ?? (isNearlyAll(hours, known) ? null : 'not_by_hour');
  if (missing !== null) {
    add({ ...field, total: missing }, missing, missing);
    return;
  }
  const sumHours = (value: (hour: Hour) => number): number => hours.reduce((total, hour) => total + value(hour), 0);
  const [selfConsumed, house] = [sumHours(selfConsumedIn), sumHours(({ flows }) => computeHouseSums(flows).house)];
  add(
    { ...field, total: selfConsumed },
    divideWithinOne(
      selfConsumed,
      sumHours(({ flows }) => flows.production ?? 0),
    ),
    divideWithinOne(house - sumHours(({ flows }) => flows.import), house),
  );
}

type Ratio = number | BalanceMissing;

/** An hour and the index of its step; of steps shorter than an hour, the first one. */
interface Hour extends HouseHour {
  readonly step: number;
}

function selfConsumedIn({ flows }: Hour): Amount {
  return computeHouseSums(flows).selfConsumed ?? 0;
}

function isWrong({ flows }: Hour): boolean {
  return isInconsistent(computeHouseSums(flows).house, flows, smallestEnergy);
}

function hoursInSteps(input: SelfUseInput): { readonly hours: readonly Hour[]; readonly method: BalanceMethod | null } {
  const { hours, method } = hoursOfHouse(input);
  const { steps } = input.parts;
  let step = 0;
  const placed = hours.flatMap((hour): Hour[] => {
    while (hour !== null && (steps[step + 1] ?? Infinity) <= hour.start) step += 1;
    return hour === null ? [] : [{ ...hour, step }];
  });
  return { hours: placed, method };
}

function isBelowHour(step: BalanceStep): boolean {
  return step === 'PT1M' || step === 'PT15M';
}

/** Without the hours of steps of which not nearly all hours are known. */
function inKnownSteps(hours: readonly Hour[], ofHouse: Float64Array, { step }: SelfUseInput): readonly Hour[] {
  if (isBelowHour(step)) return hours;
  const known = new Float64Array(ofHouse.length);
  for (const hour of hours) known[hour.step] = getEntry(known, hour.step) + hour.known;
  return hours.filter((hour) => getEntry(known, hour.step) >= nearlyAll * getEntry(ofHouse, hour.step));
}

function isNearlyAll(hours: readonly Hour[], ofHouse: Float64Array): boolean {
  const byHour = hours.reduce((sum, { known }) => sum + known, 0);
  return byHour > 0 && byHour >= nearlyAll * ofHouse.reduce((sum, ms) => sum + ms, 0);
}

/** The sums of the hours of each step. Steps shorter than an hour have none. */
function inSteps(hours: readonly Hour[], { parts, step }: SelfUseInput): Pick<Field, 'amounts' | 'known'> {
  const amounts = new Float64Array(parts.steps.length).fill(NaN);
  const known = new Float64Array(parts.steps.length);
  for (const hour of hours) {
    known[hour.step] = getEntry(known, hour.step) + hour.known;
    if (isBelowHour(step) || isWrong(hour)) continue;
    const before = getEntry(amounts, hour.step);
    amounts[hour.step] = (Number.isNaN(before) ? 0 : before) + selfConsumedIn(hour);
  }
  return { amounts, known };
}
