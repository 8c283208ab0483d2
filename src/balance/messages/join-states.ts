/** Joins two states of one house, such as those of two processes that both kept the readings of midnights. */
import { keepReading } from './add-message';
import { emptyState, type MessagesState, type MeterState, type Readings } from './state';
import { readState } from './stored-state';
import { counters } from '../meters/readings';

/**
 * Every border has the nearest reading of both. Of a meter whose role differs, and of delivered amounts, those of the second state
 * stay. An invalid state counts as none.
 */
export function joinStates(one: unknown, other: unknown): MessagesState {
  const [first, second] = [readState(one), readState(other)];
  if (first === null || second === null) return second ?? first ?? emptyState();
  const meters = Object.entries(first.meters).map(([name, meter]): [string, MeterState] => {
    const own = Object.hasOwn(second.meters, name) ? second.meters[name] : undefined;
    return [name, own?.role === meter.role ? joined(meter, own) : (own ?? meter)];
  });
  const peaks = { ...first.peaks, ...second.peaks };
  return {
    version: 1,
    newest: Math.max(first.newest, second.newest),
    meters: Object.fromEntries([...Object.entries(second.meters), ...meters]),
    ...(Object.keys(peaks).length > 0 && { peaks }),
  };
}

function joined(one: MeterState, other: MeterState): MeterState {
  const breaks = borders(one.breaks ?? {}, other.breaks ?? {});
  const offersExport = one.offersExport === true || other.offersExport;
  return {
    ...other,
    ...(offersExport !== undefined && { offersExport }),
    latest: readings(one.latest, other.latest, Infinity),
    quarters: borders(one.quarters, other.quarters),
    midnights: borders(one.midnights, other.midnights),
    ...(Object.keys(breaks).length > 0 && { breaks }),
  };
}

function borders(one: Record<string, Readings>, other: Record<string, Readings>): Record<string, Readings> {
  const all = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...all].map((border) => [border, readings(one[border], other[border], Number(border))]));
}

function readings(one: Readings = {}, other: Readings = {}, border: number): Readings {
  const found: Readings = { ...other };
  for (const counter of counters) {
    const reading = one[counter];
    if (reading !== undefined) keepReading(found, counter, reading, border);
  }
  return found;
}
