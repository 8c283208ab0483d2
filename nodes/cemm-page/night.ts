/** At night an inverter takes a few W: a page shows 0 of sun then, and these W as a use of the house, beside its devices. */
import type { BalancePayload } from '../../src/model/payload';
import { isNumber } from './page/draw/numbers';

type Fields = Readonly<Record<string, number | null>>;

const power = { sun: 'power_production_w', house: 'power_house_w', own: '', rest: 'power_other_w' } as const;
const energy = {
  sun: 'energy_production_kwh',
  house: 'energy_house_kwh',
  own: 'energy_self_consumed_kwh',
  rest: 'energy_other_kwh',
} as const;

/** W; more than this is no inverter at rest, but a meter in the wrong role. */
const mostWatt = 100;
const hourMs = 3_600_000;
/** Length of the points, in hours. */
const hoursOf = { PT1M: 1 / 60, PT15M: 1 / 4, PT1H: 1, P1D: 24, P1M: 730 } as const;

/** The same balance where the inverter takes nothing. */
export function withoutNightUse(balance: BalancePayload): BalancePayload {
  const { values, points, period, coverage } = balance;
  if (period === undefined) return { ...balance, values: corrected(values, power, mostWatt) };
  const hours = Math.max(0, Math.min(period.end, balance.source.fetchedAt) - period.start) / hourMs;
  const mostOf = (length: number): number => (mostWatt * length) / 1000;
  return {
    ...balance,
    values: corrected(values, energy, mostOf(hours), coverage[energy.rest] === coverage[energy.house]),
    ...(points !== undefined && {
      points: points.map((point) => corrected(point, energy, mostOf(hoursOf[period.step]))),
    }),
  };
}

/** @param isOfRest false: the rest is of a shorter time than the use of the inverter */
function corrected<Of extends Fields>(
  fields: Of,
  names: typeof power | typeof energy,
  most: number,
  isOfRest = true,
): Of {
  const [sun, house] = [fields[names.sun], fields[names.house]];
  const [own, rest] = [fields[names.own], fields[names.rest]];
  if (!isNumber(sun) || sun >= 0 || sun < -most) return fields;
  return {
    ...fields,
    [names.sun]: 0,
    ...(isNumber(house) && { [names.house]: house - sun }),
    ...(isNumber(own) && own < 0 && { [names.own]: 0 }),
    ...(isOfRest && isNumber(rest) && { [names.rest]: rest - sun }),
  };
}
