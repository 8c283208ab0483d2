/** Why a number is missing, as its reader can act on it. */
import type { BalanceMissing, BalancePayload } from '../../../../src/model/payload';
import type { Say } from './texts';

/** @param balance of which something is missing */
export function sayReason(say: Say, reason: BalanceMissing | 'unknown', balance: BalancePayload): string {
  const meter = unknownMeterIn(balance);
  if (reason === 'unknown_meter' && meter !== null) return say('unknown_meter', meter.name);
  const days = balance.cost?.days;
  if (reason === 'no_price' && days !== undefined && days.known > days.priced) {
    return say('noPriceOfDays', days.known - days.priced, days.past);
  }
  return say(reason);
}

/** Parts of a cost that are not known. */
export function partReasons(
  say: Say,
  balance: BalancePayload,
  cost: 'cost' | 'bills.0',
  missing: BalancePayload['missing'] = balance.missing,
): string[] {
  return (['import', 'export', 'gas', 'water'] as const).flatMap((part) => {
    const reason = missing[`${cost}.${part}`];
    return reason === undefined ? [] : [say('pair', say(part), sayReason(say, reason, balance))];
  });
}

/** The first meter that needs a role; null if there is none. */
export function unknownMeterIn({
  unknownMeters = [],
  names = {},
}: BalancePayload): { readonly key: string; readonly name: string } | null {
  const [key] = unknownMeters;
  return key === undefined ? null : { key, name: names[key] ?? key };
}
