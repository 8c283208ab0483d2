/** The end of a balance that is known in part, and its cost. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Frame } from './choice';

/** Now, or the moment of the last reading where the monitor has been away since; not before the period. Epoch ms. */
export function knownUntil({ moment }: Frame, { period, source }: BalancePayload): number {
  return Math.max(period?.start ?? 0, Math.min(moment, source.fetchedAt));
}

/** Null while a part of it is not known: `total` has the other parts then. */
export function totalCost({ cost, missing }: BalancePayload): number | null {
  return missing['cost.total'] === undefined ? (cost?.total ?? null) : null;
}
