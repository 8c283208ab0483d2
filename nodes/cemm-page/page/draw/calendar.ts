/** A month as a calendar: a cell for each day, coloured by import less export. */
import { largest } from '../../../../src/checks/extremes';
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { levels } from './carpet';
import { localTime } from './dates';
import { isNumber } from './numbers';
import type { Calendar, Level } from './pictures';
import { placeSlots } from './slots';

/** kWh; a smaller difference has the colour of the own sun. */
const balanced = 0.4;

/** Null for another period, and if no day is known. */
export function calendarOf({ formats, frame }: Sheet, balance: BalancePayload): Calendar | null {
  const { period } = balance;
  if (period?.unit !== 'month') return null;
  const hasSun = 'energy_production_kwh' in balance.values;
  const [year = 0, month = 1] = period.label.split('-').map(Number);
  const nets = placeSlots(balance, formats).map((slot) => {
    const [taken, given] = [slot.point?.['energy_import_kwh'], slot.point?.['energy_export_kwh']];
    const isKnown = isNumber(taken) && (isNumber(given) || !hasSun);
    return { slot, net: isKnown ? taken - (isNumber(given) ? given : 0) : null };
  });
  if (nets.every(({ net }) => net === null)) return null;
  const most = largest(nets.map(({ net }) => Math.abs(net ?? 0)));
  const { day: today } = localTime(frame.moment, frame.timezone);
  const weekday = (index: number): number => (new Date(Date.UTC(year, month - 1, index + 1)).getUTCDay() + 6) % 7;
  const middle = ({ ts, end }: { readonly ts: number; readonly end: number }): number => (ts + end) / 2;
  const firstMonday = (7 - weekday(0)) % 7;
  return {
    heads: nets
      .slice(firstMonday, firstMonday + 7)
      .map(({ slot }) => formats.date(middle(slot), { weekday: 'short' }).replace(/\.$/, '')),
    before: weekday(0),
    days: nets.map(({ slot, net }, index) => ({
      index,
      text: String(index + 1),
      level: net === null ? null : levelFor(net, most, hasSun),
      label: `${slot.fullName}: ${formats.amount(net, 'kWh', 2)}`,
      isToday: today === `${period.label}-${String(index + 1).padStart(2, '0')}`,
    })),
    levels: hasSun ? levels : levels.filter((level) => level < 0),
  };
}

/** Nine steps up to the largest day of the month. */
function levelFor(net: number, most: number, hasSun: boolean): Level {
  if (hasSun && Math.abs(net) < balanced) return 0;
  const size = Math.min(4, Math.max(1, Math.ceil((4 * Math.abs(net)) / (most || 1))));
  return levels[net < 0 ? 4 + size : 4 - size] ?? 0;
}
