/** The current balances of several houses: each continues from the previous ones. */
import type { BalancePayload } from '../../model/payload';
import { isOfHouse } from '../meters/choice';
import { balanceNow, type NowInput } from './now';
import type { RunningQuarter } from '../period/peak';
import type { MeterNow, SeenPowers } from './present';
import { monitorName } from '../../model/identity';
import { setRecent } from '../../checks/set-recent';

interface Followed {
  readonly quarter: RunningQuarter | null;
  readonly seen: SeenPowers;
}

/** Number of houses; a house with changed meters counts as another one. */
const mostHouses = 1000;

/** The current quarter of each house, and its last powers. */
export class RunningQuarters {
  private readonly houses = new Map<string, Followed>();

  balance(
    { monitor, installation }: Pick<NowInput, 'monitor' | 'installation'>,
    meters: readonly MeterNow[],
    {
      timezone,
      ...context
    }: Pick<NowInput, 'intervalMs' | 'unknownMeters' | 'monthPeak'> & { readonly timezone: string },
    now: number,
  ): BalancePayload {
    const house = JSON.stringify([
      monitorName(monitor),
      installation,
      meters.filter(isOfHouse).map(({ name, role }) => [name, role]),
    ]);
    const followed = this.houses.get(house) ?? { quarter: null, seen: new Map() };
    const { payload, quarter } = balanceNow({ ...context, monitor, installation, meters, now, ...followed });
    setRecent(this.houses, house, { ...followed, quarter }, mostHouses);
    return { ...payload, timezone };
  }
}
