/**
 * Dutch netting, until the end of 2026: export is subtracted from import, tariff by tariff; a surplus of one tariff is first
 * subtracted from the other.
 */
import type { Sum } from './exact';
import type { AmountAndCost, NettedSide } from './unit-costs';

/** One tariff in both directions. */
interface NettedTariff {
  readonly taken: AmountAndCost;
  readonly given: AmountAndCost;
}

/** The cost of electricity without fees. Null if a price or an amount is not known, also of one tariff. */
export function computeNettedCost(taken: NettedSide, given: NettedSide): Sum | null {
  if (taken.share < 1 || given.share < 1 || taken.cost === null || given.cost === null) return null;
  if (!taken.isByTariff && !given.isByTariff) {
    return computeTariffCost({ taken: toAmountAndCost(taken, taken.cost), given: toAmountAndCost(given, given.cost) });
  }
  const [bought, sold] = [taken.byTariff(), given.byTariff()];
  if (bought === null || sold === null) return null;
  const [one, other] = [
    { taken: bought.t1, given: sold.t1 },
    { taken: bought.t2, given: sold.t2 },
  ];
  const [first, second] = [subtractGiven(one), subtractGiven(other)];
  if (first >= 0n === second >= 0n || first === 0n || second === 0n)
    return computeTariffCost(one) + computeTariffCost(other);
  const [surplus, rest] = first < 0n ? [one, other] : [other, one];
  const both = first + second;
  return both >= 0n ? atMean(both, rest.taken) : atMean(both, surplus.given);
}

function toAmountAndCost({ amount }: NettedSide, cost: Sum): AmountAndCost {
  return { amount: BigInt(amount), cost };
}

function subtractGiven({ taken, given }: NettedTariff): bigint {
  return taken.amount - given.amount;
}

function computeTariffCost(tariff: NettedTariff): Sum {
  const net = subtractGiven(tariff);
  return atMean(net, net > 0n ? tariff.taken : tariff.given);
}

/** At the mean price, which is weighted by amount where a price changes. */
function atMean(net: bigint, { amount, cost }: AmountAndCost): Sum {
  return amount === 0n ? 0n : (net * cost) / amount;
}
