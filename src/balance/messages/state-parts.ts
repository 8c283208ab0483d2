/** A state in parts by UTC month or day, because it is kept in files by month, of which only a part changes. */
import { dayMs } from '../../time/units';
import { joinStates } from './join-states';
import {
  type CountedWindows,
  emptyField,
  emptyMeter,
  emptyState,
  type FieldState,
  type MessagesState,
  type MeterState,
  type Sum,
  type Window,
} from './state';

/** The lists of a state that go into a part. */
export interface Lists {
  readonly borders: readonly ('quarters' | 'midnights' | 'breaks')[];
  readonly windows: readonly (keyof FieldState)[];
  /** The latest readings, peaks, and what is known of the meters themselves. */
  readonly hasOthers: boolean;
}

export const allLists: Lists = {
  borders: ['quarters', 'midnights', 'breaks'],
  windows: ['quarters', 'hours', 'days', 'months', 'years', 'oldQuarters', 'oldHours'],
  hasOthers: true,
};

/** Lists that are kept by month: all that remains of days that are over. */
export const longLists: Lists = {
  borders: ['midnights', 'breaks'],
  windows: ['days', 'months', 'years', 'oldQuarters', 'oldHours'],
  hasOthers: true,
};

/** Lists that are kept by day: its quarters and hours. */
export const shortLists: Lists = { borders: ['quarters'], windows: ['quarters', 'hours'], hasOthers: false };

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
  const meterAt = (ts: number, name: string, meter: MeterState, end = ts): MeterState | null => {
    if (endOfPart(ts, unit) <= since && end <= since) return null;
    const start = startOfPart(ts, unit);
    const part = parts.get(start) ?? emptyState();
    parts.set(start, part);
    const known = Object.hasOwn(part.meters, name) ? part.meters[name] : undefined;
    if (known !== undefined) return known;
    const { role, title, offers, offersExport } = meter;
    const fresh: MeterState = {
      ...emptyMeter(),
      offers,
      ...(role !== undefined && { role }),
      ...(title !== undefined && { title }),
      ...(offersExport !== undefined && { offersExport }),
    };
    // Creates an own property, even for `__proto__`.
    part.meters = { ...part.meters, [name]: fresh };
    return fresh;
  };
  for (const [name, meter] of Object.entries(state.meters)) {
    if (lists.hasOthers) {
      for (const [field, reading] of Object.entries(meter.latest)) {
        const target = meterAt(reading[0], name, meter);
        if (target !== null) target.latest[field] = reading;
      }
      for (const [day, peak] of Object.entries(meter.peaks ?? {})) {
        const target = meterAt(Number(day), name, meter);
        if (target !== null) target.peaks = { ...target.peaks, [day]: peak };
      }
    }
    for (const list of lists.borders) {
      for (const [border, readings] of Object.entries(meter[list] ?? {})) {
        const target = meterAt(Number(border), name, meter);
        if (target !== null) (target[list] ??= {})[border] = readings;
      }
    }
    for (const [field, windows] of Object.entries(meter.fields)) {
      for (const list of lists.windows) copyWindows(field, list, windows, (ts, end) => meterAt(ts, name, meter, end));
    }
  }
  if (lists.hasOthers && state.newest > 0) {
    // The part of the last delivery tells of the house and its time, also where the lists of it have nothing yet.
    const start = startOfPart(state.newest, unit);
    const newest = parts.get(start) ?? emptyState();
    parts.set(start, newest);
    if (state.delivered !== undefined) newest.delivered = state.delivered;
  }
  for (const [start, part] of parts) part.newest = Math.min(state.newest, endOfPart(start, unit) - 1);
  return parts;
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
    const known = Object.hasOwn(target.fields, field) ? target.fields[field] : undefined;
    const own = known ?? emptyField();
    target.fields[field] = own;
    const kept: Record<string, unknown> = (own[list] ??= {});
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
