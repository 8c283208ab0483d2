/**
 * Which house a message is of. A delivery has the number of its monitor, and the MAC address only while its receiver knows that, so
 * both are names of one house.
 */
import type { Origin } from '../../model/identity';

export const isMacName = (name: string): boolean => /^[0-9a-f]{12}$/.test(name);
export const isNumberName = (name: string): boolean => /^\d{1,11}$/.test(name);

export function isOfInstallation(origin: Origin): boolean {
  return origin.installation !== undefined && origin.installation !== '';
}

/** The number of an installation is what its sender says: only the receiver of one monitor has checked it. */
export function isSameMonitor(one: Origin, other: Origin): boolean {
  if (isOfInstallation(one) || isOfInstallation(other)) return false;
  const [{ id, cemm }, { id: otherId, cemm: otherCemm }] = [one.monitor, other.monitor];
  return id !== null && otherId !== null ? id === otherId : cemm !== undefined && cemm === otherCemm;
}

/** The house with what the payload tells of its monitor. */
export function identifiedBy<Known extends Origin>(house: Known, { monitor: { id, cemm } }: Origin): Known {
  const { monitor } = house;
  const isKnown = (id === null || monitor.id !== null) && (cemm === undefined || monitor.cemm !== undefined);
  if (isKnown || isOfInstallation(house)) return house;
  return { ...house, monitor: { ...monitor, id: monitor.id ?? id, ...(cemm !== undefined && { cemm }) } };
}
