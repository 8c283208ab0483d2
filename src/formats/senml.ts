/**
 * Format `senml`: a SenML pack (RFC 8428) as an array of records. Units come from the SenML registry; energy has none of
 * its own there but J, so kWh is taken from the secondary units (RFC 8798), which a pack says by its version (RFC 9100).
 */
import { topicOf } from '../model/identity';
import type { Payload } from '../model/payload';
import { dataPointName, dataPointsOf, requiredOrigin, type DataPoints } from './data-points';
import type { Formatted } from './formatter';

export interface SenmlRecord {
  /** Base name, in the first record. */
  readonly bn?: string;
  /** Base time in seconds, in the first record. */
  readonly bt?: number;
  /** Base version, in the first record of a pack that uses secondary units. */
  readonly bver?: number;
  readonly n: string;
  readonly u?: string;
  readonly v?: number;
  readonly vb?: boolean;
  /** Seconds after the base time. */
  readonly t?: number;
}

interface SenmlUnit {
  readonly u: string;
  /** RFC 8798. */
  readonly secondary?: true;
}

/**
 * Nothing is converted: a record's value is in the unit that its name says. The registry has no litre per minute, so a
 * flow goes without a unit.
 */
const UNITS: ReadonlyMap<string, SenmlUnit> = new Map<string, SenmlUnit>([
  ['W', { u: 'W' }],
  ['kW', { u: 'kW', secondary: true }],
  ['kWh', { u: 'kWh', secondary: true }],
  ['Wh', { u: 'Wh', secondary: true }],
  ['m³', { u: 'm3' }],
  ['L', { u: 'l' }],
  ['V', { u: 'V' }],
  ['A', { u: 'A' }],
  ['Hz', { u: 'Hz' }],
]);

/** 10, and 2 to the power of the feature code 4: secondary units (RFC 9100, section 4). */
const VERSION_WITH_SECONDARY_UNITS = 26;

/**
 * One message with the records in the order of time; none where there is no value, for a pack without records is none.
 * A missing value is left out. A unit that is not registered is left out too: the field's name has it.
 * @throws as dataPointsOf and requiredOrigin
 */
export function senmlOf(payload: Payload): Formatted[] {
  const dataPoints = dataPointsOf(payload);
  const pack = packOf(dataPoints, requiredOrigin(dataPoints));
  return pack.length === 0 ? [] : [{ topic: topicOf(payload), payload: pack }];
}

function packOf(dataPoints: DataPoints, monitor: string): SenmlRecord[] {
  const known = dataPoints.all.flatMap((point) => (point.value === null ? [] : [{ ...point, value: point.value }]));
  const sorted = known.sort((a, b) => a.ts - b.ts);
  const base = sorted[0]?.ts ?? 0;
  let hasSecondary = false;
  const records = sorted.map((point): SenmlRecord => {
    const parts = [point.meter, dataPointName(point), dataPoints.step].filter((part) => part !== null);
    const unit = point.unit === null ? undefined : UNITS.get(point.unit);
    if (unit?.secondary) hasSecondary = true;
    return {
      n: parts.map(nameSafe).join(':'),
      ...(unit && { u: unit.u }),
      ...(dataPoints.about === 'availability' ? { vb: point.value === 1 } : { v: point.value }),
      ...(point.ts !== base && { t: (point.ts - base) / 1000 }),
    };
  });
  return records.map((record, index) =>
    index > 0
      ? record
      : {
          ...(hasSecondary && { bver: VERSION_WITH_SECONDARY_UNITS }),
          bn: baseName(monitor),
          bt: base / 1000,
          ...record,
        },
  );
}

/** A MAC is a name that is nobody else's (RFC 9039: 48 bits are widened to 64 by `fffe` in the middle). */
function baseName(monitor: string): string {
  if (!/^[0-9a-f]{12}$/.test(monitor)) return `cemm:${nameSafe(monitor)}:`;
  return `urn:dev:mac:${monitor.slice(0, 6)}fffe${monitor.slice(6)}:`;
}

/** RFC 8428, section 4.5.1: letters, digits and `- : . / _`. */
function nameSafe(part: string): string {
  return part.replace(/[^A-Za-z0-9\-:./_]/g, '_');
}
