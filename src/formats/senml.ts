/**
 * Format `senml`: a SenML pack (RFC 8428) as an array of records. kWh is a secondary unit (RFC 8798), so a pack with energy
 * needs the version that allows them (RFC 9100).
 */
import { topicOf } from '../model/identity';
import type { FieldUnit } from '../model/fields';
import type { Payload } from '../model/payload';
import { type ChosenFields, onlyChosen } from './chosen-fields';
import { dataPointName, everyDataPointsOf, requiredOrigin, type DataPoints } from './data-points';
import type { Formatted } from './formatted';

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

/** Values are not converted. The registry has no litre per minute, so a flow has no unit. */
const ownUnits: Readonly<Record<FieldUnit, SenmlUnit | null>> = {
  W: { u: 'W' },
  kWh: { u: 'kWh', secondary: true },
  'm³': { u: 'm3' },
  V: { u: 'V' },
  A: { u: 'A' },
  'L/min': null,
  'currency/kWh': null,
};

/** Includes units that only monitors send. */
const senmlUnits: ReadonlyMap<string, SenmlUnit | null> = new Map<string, SenmlUnit | null>([
  ...Object.entries(ownUnits),
  ['kW', { u: 'kW', secondary: true }],
  ['Wh', { u: 'Wh', secondary: true }],
  ['L', { u: 'l' }],
  ['Hz', { u: 'Hz' }],
]);

/** 10 plus 2⁴, the feature of secondary units (RFC 9100, section 4). */
const versionWithSecondaryUnits = 26;

/**
 * One message with the records in order of time; none without known values, because a pack must not be empty. Missing values and
 * unregistered units are left out.
 * @throws {CemmError} as everyDataPointsOf and requiredOrigin
 */
export function senmlOf(payload: Payload, fields: ChosenFields): Formatted<readonly SenmlRecord[]>[] {
  const all = everyDataPointsOf(payload);
  const monitor = requiredOrigin(all[0]);
  const chosen = all.map((some) => onlyChosen(some, fields));
  const pack = packOf(chosen, monitor);
  return pack.length === 0 ? [] : [{ topic: topicOf(payload), payload: pack }];
}

function packOf(all: readonly DataPoints[], monitor: string): SenmlRecord[] {
  const known = all.flatMap((some) =>
    some.all.flatMap((point) =>
      point.value === null ? [] : [{ ...point, value: point.value, step: some.step, about: some.about }],
    ),
  );
  const sorted = known.sort((a, b) => a.ts - b.ts);
  const base = sorted[0]?.ts ?? 0;
  const hasSecondary = sorted.some(({ unit }) => senmlUnits.get(unit ?? '')?.secondary === true);
  const records = sorted.map((point): SenmlRecord => {
    const parts = [point.meter, dataPointName(point), point.step].filter((part) => part !== null);
    const unit = point.unit === null ? null : senmlUnits.get(point.unit);
    return {
      n: parts.map(nameSafe).join(':'),
      ...(unit && { u: unit.u }),
      ...(point.about === 'availability' ? { vb: point.value === 1 } : { v: point.value }),
      ...(point.ts !== base && { t: (point.ts - base) / 1000 }),
    };
  });
  const [first, ...others] = records;
  if (first === undefined) return [];
  const version = hasSecondary ? { bver: versionWithSecondaryUnits } : {};
  return [{ ...version, bn: baseName(monitor), bt: base / 1000, ...first }, ...others];
}

/** A globally unique name from the MAC address (RFC 9039, with `fffe` in the middle to make it 64 bits long). */
function baseName(monitor: string): string {
  if (!/^[0-9a-f]{12}$/.test(monitor)) return `cemm:${nameSafe(monitor)}:`;
  return `urn:dev:mac:${monitor.slice(0, 6)}fffe${monitor.slice(6)}:`;
}

/** Replaces the characters that RFC 8428, section 4.5.1, does not allow in a name. */
function nameSafe(part: string): string {
  return part.replace(/[^A-Za-z0-9\-:./_]/g, '_');
}
