/** A bill of the package beside that of the naive program. */
import should from 'should';
import type { Prices } from '../../../src/balance/prices/prices';
import type { BalancePayload } from '../../../src/model/payload';
import { balance, prices } from '../balance/small-house';
import { spanOf } from './calendar';
import type { Contract } from './contracts';
import { buildBalanceMeters } from './household';
import { naiveCosts, type NaiveCosts, type WrittenPrices } from './naive-costs';

const parts = [
  ...(['import', 'export', 'export_fee', 'gas', 'water', 'fixed', 'peak', 'total', 'netted'] as const),
  'per_kwh' as const,
] satisfies readonly (keyof NaiveCosts)[];

/** A hundred millionth of a cent, for sums of a year. */
const tolerance = 1e-10;

/** Lists of a year are long: each is parsed once. */
const parsed = new Map<WrittenPrices, Prices>();

function parsedOf(written: WrittenPrices): Prices {
  const known = parsed.get(written) ?? prices(written);
  parsed.set(written, known);
  return known;
}

/** The costs of every part and of the points, for a year, a month or a day such as `2027-03-28`. */
export function readBill({ household, prices: written, hasQuarters }: Contract, label: string): BalancePayload {
  const meters = buildBalanceMeters(household.make(), spanOf(label), hasQuarters || label.length > 'yyyy-mm'.length);
  return balance(label, meters, { prices: parsedOf(written) });
}

/** Fails unless the package and the naive program agree. */
export function holdBill(contract: Contract, label: string): BalancePayload {
  const payload = readBill(contract, label);
  const { cost, missing, points = [] } = payload;
  const naive = naiveCosts(contract.household.make(), contract.prices, spanOf(label));
  for (const part of parts) {
    const [ours, wanted] = [cost?.[part] ?? null, naive[part]];
    const place = `${part} of ${label}: ${contract.name}`;
    if (ours === null || wanted === null) should(ours).equal(wanted, place);
    else ours.should.be.approximately(wanted, tolerance, place);
  }
  should(cost?.coverage).be.approximately(naive.coverage, 1e-9, `coverage of ${label}: ${contract.name}`);
  should(cost?.example).equal(contract.prices.example);
  should(missing['cost.peak']).equal(
    contract.prices.peak !== undefined && naive.peak === null ? 'not_measured' : undefined,
  );
  for (const part of ['import', 'export', 'export_fee', 'gas', 'water', 'fixed'] as const) {
    const known = points.map((point) => point[`cost_${part}`]);
    if (naive[part] === null || known.some((one) => typeof one !== 'number')) continue;
    const sum = known.reduce<number>((total, one) => total + (one ?? 0), 0);
    sum.should.be.approximately(naive[part], 1e-8, `points of ${part} of ${label}: ${contract.name}`);
  }
  return payload;
}
