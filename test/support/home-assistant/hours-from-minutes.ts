/**
 * The hours of a day as exactly as the service can tell them: it has the net power of each minute, and readings at midnight. Import and
 * export within one minute cancel out in that power, so the hours are scaled to what the meter counted on the day (docs/balance.md,
 * "How exact it is").
 */
import { millis } from '../../../src/time/units';
import type { Simulator } from '../../../src/simulator/simulator';

/** In kWh. */
export interface Flows {
  readonly import: number;
  readonly export: number;
}

/** Start of the hour → its flows. */
export function hoursFromMinutes(
  { truth }: Pick<Simulator, 'truth'>,
  { start, end }: { readonly start: number; readonly end: number },
): Map<number, Flows> {
  const [minute, hour] = [60_000, 3_600_000];
  const hours = new Map<number, Flows>();
  const sum = { import: 0, export: 0 };
  for (let at = start; at < end; at += minute) {
    const flowed = truth(millis(at), millis(at + minute));
    const net = flowed.import - flowed.export;
    const from = at - (at % hour);
    const before = hours.get(from) ?? { import: 0, export: 0 };
    const [taken, given] = [Math.max(0, net), Math.max(0, -net)];
    hours.set(from, { import: before.import + taken, export: before.export + given });
    sum.import += taken;
    sum.export += given;
  }
  const counted = truth(millis(start), millis(end));
  const scale = (direction: keyof Flows): number => (sum[direction] === 0 ? 0 : counted[direction] / sum[direction]);
  const scales = { import: scale('import'), export: scale('export') };
  return new Map(
    [...hours].map(([from, flows]) => [
      from,
      { import: flows.import * scales.import, export: flows.export * scales.export },
    ]),
  );
}
