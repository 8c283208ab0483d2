/** The points of a balance that contain a share of a longer time. */
import type { Values } from '../../model/payload';
import { type HouseQuantity, houseQuantities } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import { counterFields } from '../meters/readings';
import type { Measured } from './measured';
import type { Parts } from './parts';

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
