/** Statuses of a balance: the use of the house, and the time. */
import type { NodeStatus } from 'node-red';
import type { BalancePayload } from '../../src/model/payload';
import type { Translate } from '../lib/run/translate';
import { availabilityStatus, clockTime, numbersIn, periodStatus } from '../lib/run/status';

/** A current balance shows the power of the house, a period its label and energy. */
export function balanceStatus(payload: BalancePayload, timezone: string, translate: Translate): NodeStatus {
  const { period, values, stale } = payload;
  const shown = numbersIn(translate);
  if (period !== undefined) {
    const energy = values['energy_house_kwh'] ?? null;
    const text = energy === null ? period.label : `${period.label} · ${shown(energy, 1)} kWh`;
    return periodStatus(text, translate);
  }
  if (stale !== undefined) return availabilityStatus({ state: 'stale', since: stale.since }, timezone, translate) ?? {};
  const power = values['power_house_w'] ?? null;
  const time = clockTime(payload.ts, timezone);
  const house = power === null ? null : translate('status.house', { power: shown(power / 1000, 2) });
  return { fill: 'green', shape: 'dot', text: [house, time].filter((part) => part !== null).join(' · ') };
}
