/** Values, points and their reliability, in the form of the payload. */
import { getEntry } from '../meters/entries';
import type { BalanceMethod, BalanceMissing, BalancePoint, SeriesPoint, Values } from '../../model/payload';
import { perKwh, perUnit, toUnits, type Amount, type Quantity } from '../meters/amounts';
import type { Costs } from '../prices/costs';
import { isInconsistent, divideWithinOne, smallestEnergy, type Flows } from './energies';
import type { SplitTariffs } from './house-parts';
import { sumKnown } from './allocate';
import { leastExact } from './measured';
import { type Parts, pastEnd } from './parts';

export interface Field {
  readonly name: string;
  /** Decides its unit. */
  readonly quantity: Quantity;
  /** In each step; NaN if unknown. */
  readonly amounts: Float64Array;
  /** Measured ms of each step. */
  readonly known: Float64Array;
  readonly method: BalanceMethod | null;
  /** Flows from one step to another, if they decide whether the amount is possible. */
  readonly flows: ((from: number, to: number) => Flows) | null;
  /** 1 for a step whose amount is known only together with those of others: it has no point. Absent or null: none. */
  readonly onlyTogether?: Uint8Array | null;
  /** The amount of the period if it is not the sum of the steps, or why there is none. */
  readonly total?: Amount | BalanceMissing;
}

/** A field with a meter that does not answer. */
export function makeUnreadableField(name: string, stepCount: number): Field {
  const amounts = new Float64Array(stepCount).fill(NaN);
  const known = new Float64Array(stepCount);
  return { name, quantity: 'import', amounts, known, method: null, flows: null, total: 'not_readable' };
}

/** Reasons for null although everything was measured. */
const noGaps: ReadonlySet<BalanceMissing> = new Set(['zero_divisor', 'not_offered', 'not_by_hour']);

export class Report {
  readonly values: Values = {};
  readonly method: Record<string, BalanceMethod> = {};
  readonly coverage: Record<string, number> = {};
  missing: Record<string, BalanceMissing> = {};
  private readonly fields: Field[] = [];

  constructor(private readonly parts: Parts) {}

  add(field: Field): void {
    this.fields.push(field);
    this.describeField(field);
  }

  /**
   * Replaces the amounts of steps that are not wholly known.
   * @param sumOf null: not known either
   */
  completeSteps(name: string, sumOf: (start: number, end: number) => Amount | null): void {
    const place = this.fields.findIndex((field) => field.name === name);
    const field = this.fields[place];
    if (field === undefined || field.total === 'not_readable') return;
    const borders = [...this.parts.steps, pastEnd(this.parts)];
    const [amounts, known] = [field.amounts.slice(), field.known.slice()];
    let { method } = field;
    this.parts.steps.forEach((start, step) => {
      const length = getEntry(borders, step + 1) - start;
      const sum = getEntry(known, step) < length ? sumOf(start, start + length) : null;
      if (sum === null) return;
      [amounts[step], known[step]] = [sum, length];
      method = method === null ? 'delivered' : leastExact([method, 'delivered']);
    });
    if (method === field.method && known.every((ms, step) => ms === field.known[step])) return;
    const completed: Field = { ...field, amounts, known, method };
    this.fields[place] = completed;
    this.missing = Object.fromEntries(Object.entries(this.missing).filter(([other]) => other !== name));
    this.describeField(completed);
  }

  private describeField(field: Field): void {
    const { name, method, quantity, known } = field;
    const amount = this.checkedTotal(field);
    if (amount !== 'not_by_hour') this.coverage[name] = this.coverageOf(known);
    this.addNumber(name, typeof amount === 'string' ? amount : toUnits(amount, perUnit(quantity)));
    if (method !== null) this.method[name] = method;
  }

  /** Adds the rest beside the devices, which is in doubt wherever the house is. */
  addOther(field: Field | null): void {
    if (field === null) return;
    this.add(field);
    const doubt = this.missing['energy_house_kwh'];
    if (doubt !== undefined) this.missing[field.name] ??= doubt;
  }

  /** Ratio over the time in which the part is known. */
  addRatio(name: string, part: string, whole: string): void {
    const [first, second] = [this.fieldOf(part), this.fieldOf(whole)];
    if (first === null || second === null) return;
    const reason = this.missing[part] ?? this.missing[whole] ?? null;
    const ratio =
      reason !== null && reason !== 'differs'
        ? reason
        : (this.values[whole] ?? 1) <= 0
          ? 'zero_divisor'
          : divideWithinOne(this.sumWhere(first, first), this.sumWhere(second, first));
    this.addNumber(name, ratio);
  }

  addNumber(name: string, number: number | BalanceMissing): void {
    this.values[name] = typeof number === 'number' ? number : null;
    if (typeof number === 'string') this.missing[name] = number;
  }

  addTariffs(direction: 'import' | 'export', tariffs: SplitTariffs | null): void {
    if (tariffs === null || tariffs.split === 'none') return;
    this.values[`energy_${direction}_t1_kwh`] = toUnits(tariffs.t1, perKwh);
    if (tariffs.split === 'two') this.values[`energy_${direction}_t2_kwh`] = toUnits(tariffs.t2, perKwh);
  }

  /** Marks numbers that differ from those of the monitor itself. */
  doubt(names: readonly string[]): void {
    for (const name of names) {
      if (typeof this.values[name] === 'number') this.missing[name] ??= 'differs';
    }
  }

  /** Marks what is not wholly known because the monitor sent two different values. */
  addChanged(names: readonly string[]): void {
    for (const name of names) if ((this.coverage[name] ?? 1) < 1) this.missing[name] = 'changed';
  }

  /** Amount of the period; null if there is none. */
  amountOf(name: string): Amount | null {
    const field = this.fieldOf(name);
    const amount = field === null ? null : this.checkedTotal(field);
    return typeof amount === 'string' ? null : amount;
  }

  /** Why the amount of the period is null; null if it is known, or if there is no such field. */
  reasonAgainst(name: string): BalanceMissing | null {
    return this.values[name] === null ? (this.missing[name] ?? 'not_measured') : null;
  }

  /** Null if there is no such field. */
  fieldOf(name: string): Field | null {
    return this.fields.find((field) => field.name === name) ?? null;
  }

  /** Amount of a completely measured time between borders of steps, otherwise null. */
  amountBetween(name: string, start: number, end: number): Amount | null {
    const borders = [...this.parts.steps, pastEnd(this.parts)];
    const [from, to] = [borders.indexOf(start), borders.indexOf(end)];
    const field = this.fieldOf(name);
    if (from < 0 || to < 0 || field === null) return null;
    const known = field.known.subarray(from, to).reduce((sum, ms) => sum + ms, 0);
    return known === end - start ? sumKnown(field.amounts, from, to) : null;
  }

  /**
   * One per step; a field without data is null.
   * @param devices kWh of each one in each step; null: the house has none
   * @param onlyTogether steps with amounts that are known only together with others; they have no cost
   */
  points(
    costs: Costs | null,
    devices: readonly Readonly<Record<string, number | null>>[] | null,
    onlyTogether: Uint8Array | undefined,
  ): BalancePoint[] {
    if (onlyTogether?.includes(1) === true) this.missing['points'] = 'not_measured';
    return this.parts.steps.map((ts, step): BalancePoint => {
      const point: SeriesPoint = { ts };
      for (const field of this.fields) {
        const amount = this.checkedSum(field, step, step + 1);
        const isValue = typeof amount === 'number' && isAlone(field, step);
        point[field.name] = isValue ? toUnits(amount, perUnit(field.quantity)) : null;
      }
      const ofStep = costs?.ofSteps[step] ?? {};
      const isKnown = onlyTogether?.[step] !== 1;
      for (const [name, cost] of Object.entries(ofStep)) point[name] = isKnown ? cost : null;
      return devices === null ? point : Object.assign(point, { devices: { ...devices[step] } });
    });
  }

  /** Points that are not known are no part of it. */
  get isComplete(): boolean {
    return (
      Object.values(this.coverage).every((share) => share === 1) &&
      Object.entries(this.missing).every(([name, reason]) => name === 'points' || noGaps.has(reason))
    );
  }

  private coverageOf(known: Float64Array): number {
    const past = pastEnd(this.parts) - getEntry(this.parts.borders, 0);
    return past <= 0 ? 0 : known.reduce((total, ms) => total + ms, 0) / past;
  }

  /** A sum with an impossible step is invalid: the error of the step is in the sum, and points add up to it. */
  private checkedTotal(field: Field): Amount | BalanceMissing {
    if (field.total !== undefined) return field.total;
    const { length } = this.parts.steps;
    for (let step = 0; step < length; step += 1) {
      if (isAlone(field, step) && this.checkedSum(field, step, step + 1) === 'inconsistent') return 'inconsistent';
    }
    return this.checkedSum(field, 0, length);
  }

  private checkedSum(field: Field, from: number, to: number): Amount | BalanceMissing {
    const amount = sumKnown(field.amounts, from, to);
    if (amount === null) return 'not_measured';
    const flows = field.flows?.(from, to) ?? null;
    return flows !== null && isInconsistent(amount, flows, smallestEnergy) ? 'inconsistent' : amount;
  }

  private sumWhere(field: Field, known: Field): Amount | null {
    return sumKnown(field.amounts.map((amount, part) => (Number.isNaN(known.amounts[part]) ? NaN : amount)));
  }
}

/** True if the amount of the step is known without those of others. */
function isAlone(field: Field, step: number): boolean {
  return field.onlyTogether?.[step] !== 1;
}
