/** The meters of a house that count, and their roles. */
import { CemmError } from '../../errors';
import { batteryName, hasPulses, isModbus } from '../../model/meter-names';
import { isPulsed } from '../../model/identity';
import { type MonitorRows, noRows, roleByLists } from '../../model/meter-table';
import type { RowRole } from '../../model/meter-rows';
import type { MeterInfo, Role } from '../../model/payload';
import type { BalanceRole, HouseRole } from './amounts';

/** The place of a meter in a row of several. */
export interface Succession {
  /** First meter of the row. */
  readonly row: string;
  readonly order: number;
}

/** A meter by alias or key, and its role in the balance. */
export interface HouseMeter {
  readonly name: string;
  readonly role: BalanceRole;
  /** A battery whose meter counts the discharge as import, or a device whose meter counts its use as export. */
  readonly isReversed?: boolean;
  /** For a device: first meter of the row of the device behind which it is. */
  readonly within?: string;
  /** Its name in the meters of the connection. */
  readonly title?: string;
  /** Its place in a row with the meters that it replaced, or that replaced it. */
  readonly succession?: Succession;
  /** The monitor no longer lists it: another meter of its row counts now. */
  readonly isGone?: boolean;
}

export const houseRoles = ['grid', 'production', 'battery', 'gas', 'water'] as const satisfies readonly HouseRole[];
export const balanceRoles = [...houseRoles, 'consumption'] as const satisfies readonly BalanceRole[];

/** False for a device. */
export function isOfHouse({ role }: Pick<HouseMeter, 'role'>): boolean {
  return role !== 'consumption';
}

/** Names of the meters of a role; null: all meters whose own role this is. */
export type MeterChoice = Readonly<Record<HouseRole, readonly string[] | null>> & {
  /** Names of the batteries whose meters count the discharge as import. */
  readonly reversed?: readonly string[];
};

export const everyMeter: MeterChoice = { grid: null, production: null, battery: null, gas: null, water: null };

/**
 * @param listOf names of a role; undefined: all meters whose own role this is
 * @throws {CemmError} INPUT `meters` and `battery_s0`
 */
export function choiceOf(
  listOf: (role: HouseRole) => readonly string[] | undefined,
  isName: (name: string) => boolean,
): MeterChoice {
  const names = (role: HouseRole): readonly string[] | null => {
    const list = listOf(role)?.map((name) => (role === 'battery' ? batteryName(name) : name)) ?? null;
    const wrong = list?.find((name) => !isName(name));
    if (wrong !== undefined) throw new CemmError('INPUT', { reason: 'meters', params: { field: role, meter: wrong } });
    return list;
  };
  const battery = names('battery');
  const pulsed = battery?.find(hasPulses);
  if (pulsed !== undefined) throw noDirection(pulsed);
  const reversed = (listOf('battery') ?? []).filter((name) => name.startsWith('-')).map(batteryName);
  return {
    grid: names('grid'),
    production: names('production'),
    battery,
    gas: names('gas'),
    water: names('water'),
    ...(reversed.length > 0 && { reversed }),
  };
}

/** An S0 output counts both directions as one. */
export function noDirection(meter: string): CemmError {
  return new CemmError('INPUT', { reason: 'battery_s0', params: { field: 'battery', meter } });
}

/**
 * The role of a meter in the balance; null if it does not count. A meter in a list counts in that role only.
 * @param ofRow the role of its row in the connection's meters: it alone makes a device
 */
export function roleInBalance(
  choice: MeterChoice,
  name: string,
  own: Role | null,
  ofRow: RowRole | null = null,
): BalanceRole | null {
  const role = roleByLists(choice, houseRoles, name, own);
  if (role !== null) return role;
  const isListed = houseRoles.some((one) => choice[one]?.includes(name) === true);
  return own === 'consumption' && ofRow === 'consumption' && !isListed ? 'consumption' : null;
}

/** True if the meter counts the other way round, by the list of the node or else by its row. */
function isReversed(
  { battery, reversed = [] }: MeterChoice,
  name: string,
  role: BalanceRole,
  rows: MonitorRows,
): boolean {
  if (role === 'consumption') return rows.isReversed(name);
  return role === 'battery' && (battery === null ? rows.isReversed(name) : reversed.includes(name));
}

/** A meter of the house with what its list and its row say about it. */
export function describedMeter<Meter extends HouseMeter>(meter: Meter, choice: MeterChoice, rows: MonitorRows): Meter {
  const { name, role } = meter;
  const row = rows.of(name);
  const title = row?.name ?? meter.title;
  const within = role === 'consumption' ? (row?.within ?? null) : null;
  const succession = successionIn(rows, name);
  return {
    ...meter,
    ...(succession !== null && { succession }),
    ...(isReversed(choice, name, role, rows) && { isReversed: true }),
    ...(within !== null && { within }),
    ...(title !== undefined && { title }),
  };
}

function successionIn(rows: MonitorRows, name: string): Succession | null {
  const [first, ...others] = rows.of(name)?.meters ?? [];
  if (first === undefined || others.length === 0) return null;
  return { row: first.name, order: [first, ...others].findIndex((meter) => meter.name === name) };
}

/** The meters of rows of several that the monitor no longer lists, in the role of their row. */
function goneMeters(choice: MeterChoice, rows: MonitorRows, counted: readonly HouseMeter[]): HouseMeter[] {
  const isCounted = (name: string): boolean => counted.some((meter) => meter.name === name);
  return rows.all.flatMap(({ meters, role: ofRow }): HouseMeter[] => {
    const listed = counted.find(({ name }) => meters.some((meter) => meter.name === name));
    if (listed === undefined) return [];
    return meters.flatMap(({ name }): HouseMeter[] => {
      const role = roleInBalance(choice, name, ofRow === 'none' ? null : (ofRow ?? listed.role), ofRow);
      if (isCounted(name) || role !== listed.role) return [];
      return [describedMeter({ name, role, isGone: true }, choice, rows)];
    });
  });
}

/**
 * The listed meters that count, and named meters that are not in the list, because they may answer as well.
 * @throws {CemmError} INPUT `battery_s0`
 */
export function metersInBalance(
  choice: MeterChoice,
  meters: readonly MeterInfo[],
  rows: MonitorRows = noRows,
): HouseMeter[] {
  const describeByName = (name: string, role: BalanceRole): HouseMeter => describedMeter({ name, role }, choice, rows);
  const listed = meters.flatMap((meter): HouseMeter[] => {
    const { alias, role: own } = meter;
    const role = alias === undefined ? null : roleInBalance(choice, alias, own, rows.of(alias)?.role ?? null);
    if (alias === undefined || role === null) return [];
    if (role === 'battery' && isPulsed(meter)) throw noDirection(alias);
    return [describeByName(alias, role)];
  });
  const known = new Set(listed.map(({ name }) => name));
  const others = houseRoles.flatMap((role) =>
    (choice[role] ?? []).flatMap((name): HouseMeter[] => (known.has(name) ? [] : [describeByName(name, role)])),
  );
  const all = [...listed, ...others];
  const counted = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
  return [...counted, ...goneMeters(choice, rows, counted)];
}

/**
 * Listed meters that may be an inverter or a battery, and of which neither the monitor nor anybody says what they are: a monitor
 * without a list of I/Os gives no types.
 */
export function untypedSources(
  choice: MeterChoice,
  meters: readonly MeterInfo[],
  rows: MonitorRows = noRows,
): string[] {
  // A list of inverters decides alone.
  if (choice.production !== null) return [];
  return meters.flatMap(({ alias, role, type }) => {
    if (alias === undefined || role !== null || type !== undefined || !(hasPulses(alias) || isModbus(alias))) return [];
    return roleInBalance(choice, alias, null) === null && (rows.of(alias)?.role ?? null) === null ? [alias] : [];
  });
}

/**
 * Meters that count but have no alias, so no request reaches them. The smart meter counts the gas meter behind it. The service has no alias
 * for Modbus meters, so a row of one that counts may be any listed meter without an alias.
 */
export function metersWithoutAlias(
  choice: MeterChoice,
  meters: readonly MeterInfo[],
  rows: MonitorRows = noRows,
): HouseMeter[] {
  const hasGrid = meters.some(({ alias, role }) => alias !== undefined && role === 'grid');
  const hidden = meters.filter(({ alias }) => alias === undefined);
  const counted = hidden.flatMap(({ role: own, ioId, portOption = '' }): HouseMeter[] => {
    const role = houseRoles.find((one) => one === own);
    if (role === undefined || choice[role] !== null) return [];
    const isCounted = role === 'gas' && hasGrid && !portOption.startsWith('s0');
    return isCounted ? [] : [{ name: `io ${ioId ?? '?'}`, role }];
  });
  if (hidden.every(({ role }) => houseRoles.some((one) => one === role))) return counted;
  return [...counted, ...modbusRows(choice, meters, rows)];
}

/** The rows of Modbus meters that count and of which the list has no alias. */
function modbusRows(choice: MeterChoice, meters: readonly MeterInfo[], rows: MonitorRows): HouseMeter[] {
  const isReachable = (name: string): boolean =>
    meters.some(({ alias }) => alias === name) || houseRoles.some((role) => choice[role]?.includes(name) === true);
  return rows.all.flatMap(({ meters: ofRow, role: own }): HouseMeter[] => {
    const role = balanceRoles.find((one) => one === own);
    const [first] = ofRow;
    if (role === undefined || (role !== 'consumption' && choice[role] !== null)) return [];
    if (ofRow.some(({ name }) => !isModbus(name) || isReachable(name))) return [];
    return [describedMeter({ name: first.name, role }, choice, rows)];
  });
}
