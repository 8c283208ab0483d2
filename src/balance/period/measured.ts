/** The measured amounts of one quantity: those of several meters, and by step. */
import { getEntry } from '../meters/entries';
import type { BalanceMethod } from '../../model/payload';
import type { Allocated } from './allocate';
import type { Parts } from './parts';

export interface Measured extends Allocated {
  /** False: one of the meters does not answer, and nothing is known. */
  readonly isReadable: boolean;
  /** Null if nothing was measured. */
  readonly method: BalanceMethod | null;
  /** 1 for a step whose amount is known only together with those of others, as a part of a delivered sum. Absent: none. */
  readonly onlyTogether?: Uint8Array;
}

/** The known amounts of one quantity in each step. */
export type StepAmounts = Pick<Measured, 'isReadable' | 'amounts' | 'known' | 'method' | 'onlyTogether'>;

/** In ascending order of accuracy. */
const methods: readonly BalanceMethod[] = ['minutes', 'delivered', 'registers'];

/** The sum is known only where both meters are known. */
export function together(one: Measured, other: Measured): Measured {
  const amounts = one.amounts.map((amount, part) => amount + getEntry(other.amounts, part));
  return {
    isReadable: one.isReadable && other.isReadable,
    amounts,
    known: one.known.map((ms, part) => (Number.isNaN(amounts[part]) ? 0 : Math.min(ms, getEntry(other.known, part)))),
    ...joinedMarks([one.onlyTogether, other.onlyTogether]),
    estimated: one.estimated.map((mark, part) => mark | getEntry(other.estimated, part)),
    shared: one.shared.map((mark, part) => mark | getEntry(other.shared, part)),
    gaps: [...one.gaps, ...other.gaps],
    method: leastExact([one.method, other.method]),
  };
}

/** The steps that one of the lists marks. */
export function joinedMarks(lists: readonly (Uint8Array | null | undefined)[]): Pick<Measured, 'onlyTogether'> {
  const [first, ...others] = lists.flatMap((list) => list ?? []);
  if (first === undefined) return {};
  return { onlyTogether: first.map((mark, step) => others.reduce((all, list) => all | (list[step] ?? 0), mark)) };
}

/** The known amounts and times summed by step. */
export function bySteps(measured: Measured, { steps, stepOf }: Parts): StepAmounts {
  const amounts = new Float64Array(steps.length).fill(NaN);
  const known = new Float64Array(steps.length);
  stepOf.forEach((step, part) => {
    const amount = getEntry(measured.amounts, part);
    if (Number.isNaN(amount)) return;
    const before = getEntry(amounts, step);
    amounts[step] = (Number.isNaN(before) ? 0 : before) + amount;
    known[step] = getEntry(known, step) + getEntry(measured.known, part);
  });
  const { isReadable, method, onlyTogether } = measured;
  return { isReadable, amounts, known, method, ...joinedMarks([onlyTogether]) };
}

/** Null if one is null. */
export function leastExact(list: readonly (BalanceMethod | null)[]): BalanceMethod | null {
  if (list.includes(null)) return null;
  return methods.find((method) => list.includes(method)) ?? null;
}

/** An amount of 0 wherever the other quantity is known. */
export function makeZeroAmounts({ isReadable, amounts, known, method }: Measured): Measured {
  const none = new Uint8Array(amounts.length);
  const zeros = amounts.map((amount) => amount * 0);
  return { isReadable, amounts: zeros, known, method, estimated: none, shared: none, gaps: [] };
}

/** The parts of a quantity of which a meter does not answer. */
export function makeUnreadable({ stepOf: { length } }: Parts): Measured {
  const none = new Uint8Array(length);
  const amounts = new Float64Array(length).fill(NaN);
  const known = new Float64Array(length);
  return { isReadable: false, amounts, known, method: null, estimated: none, shared: none, gaps: [] };
}
