/** The stored readings of a house as one state per month, because they are kept in files by month. Delivered amounts are left out. */
import { largest } from '../../extremes';
import { joinStates } from './join-states';
import { emptyState, type MessagesState, type MeterState } from './state';

/** Parts of a state by the start of their UTC month, epoch ms. */
export function statesByMonth(state: MessagesState): Map<number, MessagesState> {
  const months = new Map<number, MessagesState>();
  const part = (ts: number): MessagesState => {
    const start = monthOf(ts);
    const known = months.get(start) ?? emptyState();
    months.set(start, known);
    return known;
  };
  const meterAt = (ts: number, name: string, { role, offersExport }: MeterState): MeterState => {
    const target = part(ts);
    const known = Object.hasOwn(target.meters, name) ? target.meters[name] : undefined;
    if (known !== undefined) return known;
    const fresh: MeterState = { role, latest: {}, quarters: {}, midnights: {}, fields: {} };
    if (offersExport !== undefined) fresh.offersExport = offersExport;
    // Creates an own property, even for `__proto__`.
    target.meters = { ...target.meters, [name]: fresh };
    return fresh;
  };
  for (const [name, meter] of Object.entries(state.meters)) {
    const newest = largest(Object.values(meter.latest).map(([ts]) => ts));
    if (newest > 0) meterAt(newest, name, meter).latest = meter.latest;
    for (const list of ['quarters', 'midnights', 'breaks'] as const) {
      for (const [border, readings] of Object.entries(meter[list] ?? {})) {
        const target = meterAt(Number(border), name, meter);
        target[list] = { ...target[list], [border]: readings };
      }
    }
  }
  for (const [day, peak] of Object.entries(state.peaks ?? {})) {
    const target = part(Number(day));
    target.peaks = { ...target.peaks, [day]: peak };
  }
  for (const [start, one] of months) one.newest = Math.min(state.newest, monthOf(start + mostOfMonthMs) - 1);
  return months;
}

/** Null for none. */
export function joinMonths(states: readonly unknown[]): MessagesState | null {
  return states.length === 0 ? null : states.reduce<MessagesState>((all, one) => joinStates(all, one), emptyState());
}

const mostOfMonthMs = 32 * 86_400_000;

function monthOf(ts: number): number {
  return Date.parse(`${new Date(ts).toISOString().slice(0, 7)}-01T00:00:00Z`);
}
