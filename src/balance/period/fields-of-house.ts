/** The fields of a balance: the amounts of its meters, and the sums that follow from them. */
import { smallest } from '../../checks/extremes';
import type { InParts } from '../../time/pause';
import type { Amount, HouseQuantity } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import { sumKnown } from './allocate';
import { type Flows, type Sums, computeHouseSums } from './energies';
import { type HouseParts } from './house-parts';
import { bySteps, joinedMarks, leastExact, type Measured, type StepAmounts } from './measured';
import type { Parts } from './parts';
import { type Field, makeUnreadableField } from './report';

/** Null if the house has no such meter. */
export type FoundAmounts = Readonly<Record<HouseQuantity, Measured | null>>;

type Known = StepAmounts | null;

/** The fields of the balance: those of the house's meters, and derived ones. With a battery, without its self-consumption. */
export function* computeHouseFields(found: FoundAmounts, parts: Parts, house: HouseParts): InParts<Field[]> {
  const findKnown = (quantity: HouseQuantity): Known => {
    const measured = found[quantity];
    return measured === null ? null : bySteps(measured, parts);
  };
  const [charged, discharged] = [findKnown('charged'), findKnown('discharged')];
  const electric = { import: findKnown('import'), export: findKnown('export'), production: findKnown('production') };
  yield;
  const fields = [
    own('energy_import_kwh', 'import', electric.import),
    own('energy_export_kwh', 'export', electric.export),
    own('energy_production_kwh', 'production', electric.production),
    own('energy_battery_charged_kwh', 'charged', charged),
    own('energy_battery_discharged_kwh', 'discharged', discharged),
    ...(yield* derived({ ...electric, charged, discharged }, house)),
    own('gas_m3', 'gas', findKnown('gas')),
    own('water_m3', 'water', findKnown('water')),
  ];
  return fields.flatMap((field) => field ?? []);
}

function own(name: string, quantity: HouseQuantity, known: Known): Field | null {
  if (known === null) return null;
  return known.isReadable ? { ...known, name, quantity, flows: null } : makeUnreadableField(name, known.amounts.length);
}

/** The quantities of electricity; a house has import and export, or neither. */
export const electricQuantities = ['import', 'export', 'production', 'charged', 'discharged'] as const;
type Electric = (typeof electricQuantities)[number];

function* derived(known: Readonly<Record<Electric, Known>>, house: HouseParts): InParts<Field[]> {
  if (known.import === null || known.export === null) return [];
  const { length } = known.import.amounts;
  const hasSelfConsumed = known.production !== null && known.charged === null;
  const [net, atHouse, selfConsumed] = ['energy_net_kwh', 'energy_house_kwh', 'energy_self_consumed_kwh'] as const;
  const isUnreadable = (quantities: readonly Electric[]): boolean =>
    quantities.some((quantity) => known[quantity]?.isReadable === false);
  const sumsIn = function* (
    quantities: readonly Electric[],
    name: string,
    value: (sums: Sums) => number,
  ): InParts<Field> {
    if (isUnreadable(quantities)) return makeUnreadableField(name, length);
    const together = yield* inCommon(known, quantities, house);
    yield;
    return combined(name, together, value);
  };
  const present = electricQuantities.filter((quantity) => known[quantity] !== null);
  // Net needs the readings of one meter only, whose import and export have the same gaps.
  const onlyTogether = isUnreadable(present) ? null : yield* house.stepsOnlyTogether(present);
  const ofAll = function* (name: string, value: (sums: Sums) => number): InParts<Field> {
    const field = yield* sumsIn(electricQuantities, name, value);
    return { ...field, ...joinedMarks([onlyTogether, field.onlyTogether]) };
  };
  yield;
  const fields = [yield* sumsIn(['import', 'export'], net, (sums) => sums.net)];
  yield;
  if (hasSelfConsumed) fields.push(yield* ofAll(selfConsumed, (sums) => sums.selfConsumed ?? NaN));
  yield;
  return [...fields, yield* ofAll(atHouse, (sums) => sums.house)];
}

/** HouseQuantity → its amounts in the steps in which all quantities are known and simultaneous; NaN in others. */
type Together = ReadonlyMap<Electric, StepAmounts>;

function* inCommon(
  known: Readonly<Record<Electric, Known>>,
  quantities: readonly Electric[],
  house: HouseParts,
): InParts<Together> {
  const of = quantities.flatMap((quantity): [Electric, StepAmounts][] => {
    const amounts = known[quantity];
    return amounts === null ? [] : [[quantity, amounts]];
  });
  const usable = yield* house.stepsInCommon(of.map(([quantity]) => quantity));
  const isIn = usable.map((isUsable, step) =>
    isUsable === 1 && of.every(([, { amounts }]) => !Number.isNaN(getEntry(amounts, step))) ? 1 : 0,
  );
  return new Map(
    of.map(([quantity, { amounts, known: ms, ...measured }]) => [
      quantity,
      {
        ...measured,
        amounts: amounts.map((amount, step) => (isIn[step] === 1 ? amount : NaN)),
        known: ms.map((measured, step) => (isIn[step] === 1 ? measured : 0)),
      },
    ]),
  );
}

function combined(name: string, of: Together, value: (sums: Sums) => Amount): Field {
  const all = [...of.values()];
  const count = all[0]?.amounts.length ?? 0;
  const flows = (from: number, to: number): Flows => flowsBy(of, (amounts) => sumKnown(amounts, from, to) ?? NaN);
  const flowsAt = (step: number): Flows => flowsBy(of, (amounts) => amounts[step] ?? NaN);
  return {
    name,
    quantity: 'import',
    amounts: Float64Array.from({ length: count }, (_, step) => value(computeHouseSums(flowsAt(step)))),
    known: Float64Array.from({ length: count }, (_, step) => smallest(all.map((one) => getEntry(one.known, step)))),
    method: leastExact(all.map(({ method }) => method)),
    ...joinedMarks(all.map(({ onlyTogether }) => onlyTogether)),
    flows: name === 'energy_net_kwh' ? null : flows,
  };
}

/** The flows by the amounts of each quantity; NaN for one that is unknown. */
function flowsBy(of: Together, amountIn: (amounts: Float64Array) => number): Flows {
  const flow = (quantity: Electric): number => {
    const known = of.get(quantity);
    return known === undefined ? NaN : amountIn(known.amounts);
  };
  return {
    import: flow('import'),
    export: flow('export'),
    production: of.has('production') ? flow('production') : null,
    battery: of.has('charged') ? { charged: flow('charged'), discharged: flow('discharged') } : null,
  };
}
