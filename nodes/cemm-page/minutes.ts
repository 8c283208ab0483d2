/** Minutes of a day are many: the page draws their power alone, and gets nothing else of them. */
import type { BalancePayload } from '../../src/model/payload';
import { isNumber, roundTo } from './page/draw/numbers';
import { powers } from './page/draw/series';

const fields = new Set([...powers.ofHouse, ...powers.ofGrid].map(({ field }) => field));
/** Decimals of kWh in a minute: 0.06 W. */
const digits = 6;

/** The same balance, of minutes with their power only, and without those of which none is known. */
export function withPowerOnly(balance: BalancePayload): BalancePayload {
  const { period, points } = balance;
  if (period?.step !== 'PT1M' || points === undefined) return balance;
  return {
    ...balance,
    estimated: [],
    estimatedFields: {},
    points: points.flatMap((point) => {
      const known = [...fields].flatMap((field) => {
        const value = point[field];
        return isNumber(value) ? [[field, roundTo(value, digits)] as const] : [];
      });
      return known.length === 0 ? [] : [{ ts: point.ts, ...Object.fromEntries(known) }];
    }),
  };
}
