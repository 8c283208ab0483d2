/** A state in parts by UTC month or day, because it is kept in files by month, of which only a part changes. */
import { dayMs } from '../../time/units';
import { joinStates } from './join-states';
import {
  type CountedWindows,
  emptyState,
  fieldIn,
  type FieldState,
  meterIn,
  type MessagesState,
  type MeterState,
  type Sum,
  type Window,
} from './state';

/** The lists of a state that go into a part. */
export interface Lists {
  readonly ofMeter: readonly ('quarters' | 'midnights' | 'breaks' | 'peaks')[];
  readonly ofFields: readonly (keyof FieldState)[];
  /** The latest readings, and what is known of the meters themselves. */
  readonly hasOthers: boolean;
}

export const allLists: Lists = {
  ofMeter: ['peaks', 'quarters', 'midnights', 'breaks'],
  ofFields: ['quarters', 'hours', 'days', 'months', 'years', 'oldQuarters', 'oldHours'],
  hasOthers: true,
};

/** Lists that are kept by month: all that remains of days that are over. */
export const longLists: Lists = {
  ofMeter: ['peaks', 'midnights', 'breaks'],
  ofFields: ['days', 'months', 'years', 'oldQuarters', 'oldHours'],
  hasOthers: true,
};

/** Lists that are kept by day: its quarters and hours. */
export const shortLists: Lists = { ofMeter: ['quarters'], ofFields: ['quarters', 'hours'], hasOthers: false };

export type PartUnit = 'month' | 'day';

/**
 * Parts of a state by the start of their UTC month or day, epoch ms.
 * @param since parts that end earlier are left out
 */
export function splitState(
  state: MessagesState,
  unit: PartUnit,
  lists: Lists,
  since = -Infinity,
): Map<number, MessagesState> {
  const parts = new Map<number, MessagesState>();
  const partAt = (ts: number): MessagesState => {
    const start = startOfPart(ts, unit);
    const part = parts.get(start) ?? emptyState();
    parts.set(start, part);
    return part;
  };
  for (const [name, meter] of Object.entries(state.meters)) {
    const meterAt = (ts: number, end = ts): MeterState | null => {
      if (endOfPart(ts, unit) <= since && end <= since) return null;
      const { meters } = partAt(ts);
      const isNew = !Object.hasOwn(meters, name);
      const target = meterIn(partAt(ts), name);
      return isNew ? Object.assign(target, describeMeter(meter)) : target;
    };
    for (const [field, reading] of lists.hasOthers ? Object.entries(meter.latest) : []) {
      const target = meterAt(reading[0]);
      if (target !== null) target.latest[field] = reading;
    }
    for (const list of lists.ofMeter) {
      for (const [moment, one] of Object.entries(meter[list] ?? {})) {
        const target = meterAt(Number(moment));
        if (target === null) continue;
        const kept: Record<string, unknown> = (target[list] ??= {});
        kept[moment] = one;
      }
    }
    for (const [field, windows] of Object.entries(meter.fields)) {
      for (const list of lists.ofFields) copyWindows(field, list, windows, meterAt);
    }
  }
  if (lists.hasOthers && state.newest > 0) {
    // The part of the last delivery tells of the house and its time, also where the lists of it have nothing yet.
    const newest = partAt(state.newest);
    if (state.delivered !== undefined) newest.delivered = state.delivered;
  }
  for (const [start, part] of parts) part.newest = Math.min(state.newest, endOfPart(start, unit) - 1);
  return parts;
}

/** Role, name and fields of the meter. */
function describeMeter({ role, title, offers, offersExport }: MeterState): Partial<MeterState> {
  return {
    offers,
    ...(role !== undefined && { role }),
    ...(title !== undefined && { title }),
    ...(offersExport !== undefined && { offersExport }),
  };
}

function copyWindows(
  field: string,
  list: keyof FieldState,
  windows: FieldState,
  meterAt: (ts: number, end: number) => MeterState | null,
): void {
  const all: Readonly<Record<string, Window | Sum | CountedWindows>> = windows[list] ?? {};
  for (const [start, window] of Object.entries(all)) {
    // The sum of a year changes long after its start.
    const target = meterAt(Number(start), 'seen' in window ? Number(start) : window[0]);
    if (target === null) continue;
    const kept: Record<string, unknown> = (fieldIn(target, field)[list] ??= {});
    kept[start] = window;
  }
}

/** Null for none. */
export function joinParts(states: readonly unknown[]): MessagesState | null {
  if (states.length === 0) return null;
  if (states.length === 1) return joinStates(null, states[0]);
  // By halves, because each join copies both.
  const middle = states.length >> 1;
  return joinStates(joinParts(states.slice(0, middle)), joinParts(states.slice(middle)));
}

const mostOfMonthMs = 32 * dayMs;

export function startOfPart(ts: number, unit: PartUnit): number {
  const day = new Date(ts).toISOString().slice(0, 10);
  return Date.parse(`${unit === 'day' ? day : `${day.slice(0, 7)}-01`}T00:00:00Z`);
}

export function endOfPart(ts: number, unit: PartUnit): number {
  const start = startOfPart(ts, unit);
  return unit === 'day' ? start + dayMs : startOfPart(start + mostOfMonthMs, 'month');
}
