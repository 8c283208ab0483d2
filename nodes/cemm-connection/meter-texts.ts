/** The rows of the meters of the house as texts of a form. Uses no browser API, for unit tests. */
import { macDigits } from '../../src/checks/limits';
import { isRecord } from '../../src/checks/record';
import { isModbus } from '../../src/model/meter-names';
import type { NamedMeterEntry } from './admin-answers';

export interface RowTexts {
  readonly monitor: string;
  readonly meter: string;
  readonly name: string;
  readonly role: string;
  readonly within: string;
}

const members = ['meter', 'name', 'role', 'within', 'monitor'] as const satisfies readonly (keyof RowTexts)[];

/** The texts of a stored row; blank where it has none. */
export function textsOf(row: unknown): RowTexts {
  const text = (name: keyof RowTexts): string => {
    const value = isRecord(row) ? row[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return {
    monitor: text('monitor'),
    meter: text('meter'),
    name: text('name'),
    role: text('role'),
    within: text('within'),
  };
}

/** The row as it is stored; null if it says nothing about its meter, such as that of a found meter that stays as it is. */
export function writtenRow(texts: RowTexts): Partial<RowTexts> | null {
  const filled = members.flatMap((name) => {
    const value = texts[name].trim();
    return value === '' ? [] : [[name, value] as const];
  });
  const row: Partial<RowTexts> = Object.fromEntries(filled);
  return row.name === undefined && row.role === undefined && row.within === undefined ? null : row;
}

/** The found meter that a row is about. */
export function foundRow(found: readonly NamedMeterEntry[], { monitor, meter }: RowTexts): NamedMeterEntry | null {
  const names = splitMeterNames(meter);
  return found.find((entry) => names.includes(entry.alias) && isSameMonitor(entry.monitor, monitor)) ?? null;
}

/** Rows for the found meters that no row is about; those that the monitor already describes come last. */
export function newRows(found: readonly NamedMeterEntry[], rows: readonly RowTexts[]): RowTexts[] {
  const others = found.filter(
    (entry) =>
      !rows.some(
        ({ monitor, meter }) => splitMeterNames(meter).includes(entry.alias) && isSameMonitor(entry.monitor, monitor),
      ),
  );
  const ordered = [...others.filter(({ role }) => role === null), ...others.filter(({ role }) => role !== null)];
  return ordered.map(({ monitor, alias }) => ({ monitor, meter: alias, name: '', role: '', within: '' }));
}

/** The first Modbus meter that a row describes as one of the house; null without one. */
export function findModbusMeter(rows: readonly RowTexts[]): string | null {
  const described = rows.filter((row) => row.role !== 'none' && writtenRow(row) !== null);
  return described.flatMap(({ meter }) => splitMeterNames(meter)).find(isModbus) ?? null;
}

export function splitMeterNames(meter: string): string[] {
  return meter.split(',').map((one) => one.trim().replace(/^-\s*/, ''));
}

function isSameMonitor(one: string, other: string): boolean {
  const plain = (text: string): string => macDigits(text) ?? text.trim();
  return plain(one) === plain(other);
}
