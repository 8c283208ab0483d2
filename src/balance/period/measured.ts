/** The measured amounts of one quantity: those of several meters, by step, and the steps that contain a share of a longer time. */
import { getEntry } from '../meters/entries';
import type { BalanceMethod, Values } from '../../model/payload';
import { type HouseQuantity, houseQuantities } from '../meters/amounts';
import { counterFields } from '../meters/readings';
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

/** Fields derived from several quantities. */
const derived: Readonly<Record<string, readonly HouseQuantity[]>> = {
  energy_net_kwh: ['import', 'export'],
  energy_self_consumed_kwh: ['export', 'production'],
  energy_house_kwh: ['import', 'export', 'production', 'charged', 'discharged'],
};
/** With a battery. */
const ofHours: readonly HouseQuantity[] = ['import', 'export', 'production', 'charged', 'discharged'];

/** Start of the steps with such a share, of any quantity and by field. Fields without an entry have none. */
export function estimatedSteps(
  { steps, stepOf }: Parts,
  found: Readonly<Record<HouseQuantity, Measured | null>>,
  values: Values,
) {
  const marked = new Map(
    houseQuantities.map((quantity) => [quantity, findEstimatedSteps(found[quantity], stepOf)] as const),
  );
  const list = (of: readonly HouseQuantity[]): number[] =>
    steps.filter((_, step) => of.some((quantity) => marked.get(quantity)?.has(step)));
  const own = houseQuantities.map((quantity) => [counterFields[quantity], list([quantity])] as const);
  const others = Object.entries(derived).flatMap(([name, usual]) => {
    const of = found.charged !== null && name === 'energy_self_consumed_kwh' ? ofHours : usual;
    return (values[name] ?? null) !== null ? [[name, list(of)] as const] : [];
  });
  const estimated = list(houseQuantities);
  const estimatedFields = Object.fromEntries([...own, ...others].filter(([, some]) => some.length > 0));
  return { estimated, ...(estimated.length > 0 && { estimatedFields }) };
}

function findEstimatedSteps(measured: Measured | null, stepOf: Parts['stepOf']): ReadonlySet<number> {
  const steps = new Set<number>();
  measured?.estimated.forEach((mark, part) => {
    if (mark === 1) steps.add(getEntry(stepOf, part));
  });
  return steps;
}
