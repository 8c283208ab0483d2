/**
 * Role and name of a meter. What decides its role, in this order: a list of the node that is not blank, and a meter in any list has
 * no other role (`roleByLists`); a role of the node (`roleByNode`); the row of the connection's meters; the monitor.
 */
import { CemmError } from '../errors';
import { longestMeterName, type MeterRow, mostMeterRows, readMeterRows, type RowFlaw } from './meter-rows';
import type { MeterInfo, MonitorInfo, Role } from './payload';

/** English, for programs. A dialog has these sentences in its catalogue. */
const problems: Readonly<Record<RowFlaw, string>> = {
  rows: 'each row is an object with `meter` and, if wanted, `monitor`, `name`, `role` and `within`',
  monitor: '`monitor` must be a MAC address, a number or an installation',
  meter: '`meter` must be an alias or a key, such as mb2, or several, such as s01,mb5',
  twice: 'the meter is in another row already',
  name: `\`name\` must be a text of at most ${longestMeterName} characters`,
  nameTwice: 'another meter has this name already',
  role: '`role` must be grid, production, consumption, battery, gas, water or none',
  reversed: 'only a battery or a consumer can count the other way round',
  pulses: 'an S0 output has no direction, so it cannot be the meter of a battery',
  within: '`within` must be the meter of another row of this monitor',
  circle: '`within` leads back to the meter itself',
  many: `a monitor has at most ${mostMeterRows} rows`,
};

/**
 * The rows of a connection.
 * @throws {CemmError} CONFIG `meters`
 */
export function parseMeterRows(value: unknown): readonly MeterRow[] {
  const found = readMeterRows(value);
  if (!('flaw' in found)) return found;
  const { flaw, row, meter } = found;
  throw new CemmError('CONFIG', { reason: 'meters', params: { row, meter, flaw, problem: problems[flaw] } });
}

/** The monitor of a payload, and the installation in the path of a delivery. */
export interface RowOwner extends Pick<MonitorInfo, 'id' | 'cemm'> {
  readonly installation?: string | undefined;
}

/** The rows of all monitors of a connection. */
export class MeterTable {
  constructor(private readonly rows: readonly MeterRow[] = []) {}

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  /** @param isOnly the connection has no other monitor: rows without a monitor are about this one */
  rowsOf({ id, cemm, installation }: RowOwner, isOnly: boolean): MonitorRows {
    if (this.isEmpty) return noRows;
    const names = [id, cemm === undefined ? null : String(cemm), installation ?? null];
    return new MonitorRows(
      this.rows.filter(({ monitor }) => (monitor === null ? isOnly : names.includes(monitor))),
      true,
    );
  }
}

/** The rows of one monitor. */
export class MonitorRows {
  private readonly byMeter: ReadonlyMap<string, MeterRow>;

  /** @param isDescribed the connection has a table: its meters have names */
  constructor(
    readonly all: readonly MeterRow[] = [],
    private readonly isDescribed = false,
  ) {
    this.byMeter = new Map(all.flatMap((row) => row.meters.map(({ name }) => [name, row] as const)));
  }

  of(meter: string): MeterRow | null {
    return this.byMeter.get(meter) ?? null;
  }

  /** True if the meter is no part of the house. */
  isLeftOut(meter: string): boolean {
    return this.of(meter)?.role === 'none';
  }

  /** True if the row counts this meter the other way round. */
  isReversed(meter: string): boolean {
    return this.of(meter)?.meters.find(({ name }) => name === meter)?.isReversed ?? false;
  }

  /** The meter with role and name of its row; in a table without such a row, a CEMM 3.0's own label is its name. */
  describe(meter: MeterInfo): MeterInfo {
    const row = this.of(meter.alias ?? meter.key ?? '');
    const name = row?.name ?? (this.isDescribed ? meter.label : undefined);
    const role = roleByRow(row, meter.role);
    return { ...meter, role, ...(name !== undefined && { name }) };
  }
}

export const noRows = new MonitorRows();
export const noTable = new MeterTable();

/** The role of the row, otherwise the meter's own. `none` leaves a meter without a role where a node asks for it by name. */
export function roleByRow(row: MeterRow | null, own: Role | null): Role | null {
  if (row === null || row.role === null) return own;
  return row.role === 'none' ? null : row.role;
}

/** The role of the node, otherwise that of row or monitor. */
export function roleByNode(chosen: Role | 'auto', meter: MeterInfo): MeterInfo {
  return chosen === 'auto' ? meter : { ...meter, role: chosen };
}

/** The role of a meter in a node with lists; null: it does not count. A role with a list has only the meters that are in it. */
export function roleByLists<ListRole extends Role>(
  lists: Readonly<Partial<Record<ListRole, readonly string[] | null>>>,
  roles: readonly ListRole[],
  meter: string,
  own: Role | null,
): ListRole | null {
  const listed = roles.find((role) => lists[role]?.includes(meter) === true);
  if (listed !== undefined) return listed;
  const role = roles.find((one) => one === own);
  return role !== undefined && (lists[role] ?? null) === null ? role : null;
}
