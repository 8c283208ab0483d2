/** The readings of a meter in the places that they stand for, and where they do not go on from each other. */
import type { BalanceRole } from './amounts';
import { breaksOf, excursionsIn, without, type Break, type Medium, type Placed } from './breaks';
import { counters, placeReadings, type CounterReading } from './readings';
import type { Shapes, Slot } from './shape';

/** What is known of one meter. */
export interface BalanceMeter {
  /** Alias or key. */
  readonly name: string;
  readonly role: BalanceRole;
  /** False: it is there and does not answer. */
  readonly isReadable: boolean;
  /** False: a smart meter that counts import and has never offered a counter of export. Absent or null where nothing tells. */
  readonly offersExport?: boolean | null;
  /** In any order, more than once if need be. */
  readonly readings: readonly CounterReading[];
  /** Minutes, where they were read; amounts that a monitor pushed. */
  readonly shapes: Shapes;
  /** What the monitor's own month or year says of each day or month: import − export, or production. */
  readonly net: readonly Slot[];
}

export interface PlacedMeter {
  readonly meter: BalanceMeter;
  readonly placed: Placed;
  readonly breaks: Readonly<Record<Medium, readonly Break[]>>;
  /** Times with readings that were left out, because the counter came back from them. */
  readonly excursions: readonly Break[];
}

const media: readonly Medium[] = ['electricity', 'gas', 'water'];

/**
 * @param borders as for `placeReadings`
 * @param isRunning the period goes on
 */
export function placeMeters(
  meters: readonly BalanceMeter[],
  borders: readonly number[],
  isRunning: boolean,
): PlacedMeter[] {
  return meters.map((meter) => {
    const readings = withGas(meter, meters);
    let placed: Placed = new Map(
      counters.map((counter) => [counter, placeReadings(readings, counter, borders, isRunning)] as const),
    );
    const excursions: Break[] = [];
    for (const medium of media) {
      const found = excursionsIn(placed, medium);
      placed = without(placed, medium, found);
      excursions.push(...found);
    }
    const breaks = (medium: Medium) => breaksOf(placed, meter.shapes, medium);
    return {
      meter,
      placed,
      breaks: { electricity: breaks('electricity'), gas: breaks('gas'), water: breaks('water') },
      excursions,
    };
  });
}

/** The gas meter behind a smart meter (`p1-gas`) is counted in the answers of the smart meter as well. */
function withGas(meter: BalanceMeter, meters: readonly BalanceMeter[]): readonly CounterReading[] {
  if (meter.role !== 'gas' || meter.readings.length > 0) return meter.readings;
  const owner = meters.find(({ role, name }) => role === 'grid' && isGasBehind(meter.name, name));
  return owner?.readings ?? [];
}

export function isGasBehind(gas: string, grid: string): boolean {
  return gas === `${grid}-gas`;
}
