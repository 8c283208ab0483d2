/**
 * The meters of the house as a connection stores them: one row per meter, or per place in which a meter was replaced. Parsed once;
 * dialogs and cemm-check-flow use the same function, so this file imports only rules for texts.
 */
import { isAlias, isKey, macDigits, roles } from '../checks/limits';
import { hasPulses } from './meter-names';
import { isRecord } from '../checks/record';

/** `none`: as if the monitor had no such meter. */
export const rowRoles = [...roles, 'none'] as const;

export type RowRole = (typeof rowRoles)[number];

/** A row as a flow file or a program gives it. */
export interface StoredMeterRow {
  /** MAC address, number (`cemm`) or installation; blank: the only monitor. */
  readonly monitor?: string | undefined;
  /** Alias, or key of a delivery. `-mb6`: the other way round. `s01,mb5`: one after the other. */
  readonly meter: string;
  readonly name?: string | undefined;
  readonly role?: RowRole | '' | undefined;
  /** The device behind which it is. */
  readonly within?: string | undefined;
}

/** Alias or key of a meter in a row. */
interface RowMeter {
  readonly name: string;
  /** It counts the other way round: the discharge of a battery as import, or the use of a device as export. */
  readonly isReversed: boolean;
}

export interface MeterRow {
  /** The 12 digits of a MAC address, otherwise a number or an installation as written; null: the only monitor. */
  readonly monitor: string | null;
  /** Several: a meter and those that replaced it, in this order. */
  readonly meters: readonly [RowMeter, ...RowMeter[]];
  /** Null: the row gives no name. */
  readonly name: string | null;
  /** Null: the row gives no role. */
  readonly role: RowRole | null;
  /** First meter of the row of the device behind which it is. */
  readonly within: string | null;
}

export const mostMeterRows = 50;
export const longestMeterName = 40;
const longestMonitor = 64;

/** `rows`: no list of rows, or a row of another form. */
export type RowFlaw =
  | 'rows'
  | 'monitor'
  | 'meter'
  | 'twice'
  | 'name'
  | 'nameTwice'
  | 'role'
  | 'reversed'
  | 'pulses'
  | 'within'
  | 'circle'
  | 'many';

export interface RowProblem {
  readonly flaw: RowFlaw;
  /** Counted from 1; 0: the list as a whole. */
  readonly row: number;
  /** The text of the row; blank where it has another type. */
  readonly meter: string;
}

/** The rows, or the first problem. */
export function readMeterRows(value: unknown): readonly MeterRow[] | RowProblem {
  if (!Array.isArray(value)) return { flaw: 'rows', row: 0, meter: '' };
  const rows: MeterRow[] = [];
  for (const [index, entry] of (value as readonly unknown[]).entries()) {
    const row = readRow(entry);
    if (typeof row === 'string') return { flaw: row, row: index + 1, meter: writtenMeter(entry) };
    rows.push(row);
  }
  const found = rows.map((row) => flawAmong(rows, row));
  const index = found.findIndex((flaw) => flaw !== null);
  const flaw = found[index] ?? null;
  if (flaw !== null) return { flaw, row: index + 1, meter: writtenMeter(value[index]) };
  return rows.map((row) => ({ ...row, within: deviceOf(rows, row)?.meters[0].name ?? null }));
}

const members: readonly string[] = ['monitor', 'meter', 'name', 'role', 'within'];

function readRow(entry: unknown): MeterRow | RowFlaw {
  if (!isRecord(entry) || Object.keys(entry).some((name) => !members.includes(name))) return 'rows';
  const [monitor, meter, name, role, within] = members.map((member) => textIn(entry, member));
  if (monitor === undefined || monitor.length > longestMonitor || /\p{C}/u.test(monitor)) return 'monitor';
  const [first, ...others] = readMeters(meter ?? '');
  if (first === undefined || ![first, ...others].every(isMeter)) return 'meter';
  if (name === undefined || Array.from(name).length > longestMeterName || /\p{Cc}/u.test(name)) return 'name';
  const known = rowRoles.find((one) => one === role) ?? null;
  if (known === null && role !== '') return 'role';
  const meters = [first, ...others] as const;
  if (meters.some(({ isReversed }) => isReversed) && known !== 'battery' && known !== 'consumption') return 'reversed';
  if (known === 'battery' && meters.some(({ name: alias }) => hasPulses(alias))) return 'pulses';
  if (within === undefined || (within !== '' && !readMeters(within).every(isMeter))) return 'within';
  return {
    monitor: monitor === '' ? null : (macDigits(monitor) ?? monitor),
    meters,
    name: name === '' ? null : name,
    role: known,
    within: within === '' ? null : within,
  };
}

/** Blank where it is absent, undefined where it is no text. */
function textIn(entry: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const text = Object.hasOwn(entry, member) ? (entry[member] ?? '') : '';
  return typeof text === 'string' ? text.trim() : undefined;
}

function writtenMeter(entry: unknown): string {
  return isRecord(entry) ? (textIn(entry, 'meter') ?? '') : '';
}

/** `s01, -mb5` */
function readMeters(text: string): RowMeter[] {
  return text.split(',').map((one) => {
    const written = one.trim();
    const isReversed = written.startsWith('-');
    return { name: isReversed ? written.slice(1).trim() : written, isReversed };
  });
}

function isMeter({ name }: RowMeter): boolean {
  return isAlias(name) || isKey(name);
}

function flawAmong(rows: readonly MeterRow[], row: MeterRow): RowFlaw | null {
  const ofMonitor = rows.filter(({ monitor }) => monitor === row.monitor);
  const earlier = ofMonitor.slice(0, ofMonitor.indexOf(row));
  if (earlier.length >= mostMeterRows) return 'many';
  const names = row.meters.map(({ name }) => name);
  const taken = new Set(earlier.flatMap(({ meters }) => meters.map(({ name }) => name)));
  if (names.some((name, place) => taken.has(name) || names.indexOf(name) !== place)) return 'twice';
  if (row.name !== null && earlier.some(({ name }) => name === row.name)) return 'nameTwice';
  if (row.within === null) return null;
  if (deviceOf(rows, row) === null) return 'within';
  return isInCircle(rows, row) ? 'circle' : null;
}

/** The row of the device behind which the meter of this row is; null without one. */
function deviceOf(rows: readonly MeterRow[], { monitor, within }: MeterRow): MeterRow | null {
  if (within === null) return null;
  const [first] = readMeters(within);
  const found = rows.find((row) => row.monitor === monitor && row.meters.some(({ name }) => name === first?.name));
  return found ?? null;
}

function isInCircle(rows: readonly MeterRow[], row: MeterRow): boolean {
  const passed = new Set<MeterRow>();
  for (let next = deviceOf(rows, row); next !== null; next = deviceOf(rows, next)) {
    if (next === row) return true;
    if (passed.has(next)) return false;
    passed.add(next);
  }
  return false;
}
