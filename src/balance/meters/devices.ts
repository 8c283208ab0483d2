/** The devices of a house: which one is behind which, and what the house uses beside them. */
import type { HouseMeter } from './choice';

type Device = Pick<HouseMeter, 'name' | 'within' | 'succession' | 'title'>;

/** Meter, name and place of a device in a payload. */
export interface DevicePlace {
  readonly meter: string;
  readonly name: string;
  readonly within?: string;
}

export function describeDevicePlace(device: Device, devices: readonly Device[]): DevicePlace {
  const { name: meter, title } = device;
  const outer = findOuterDevice(device, devices);
  return { meter, name: title ?? meter, ...(outer !== null && { within: outer.name }) };
}

/** The devices that are not behind another one: together with the rest they are the use of the house. */
export function outerDevices<Some extends Device>(devices: readonly Some[]): Some[] {
  return devices.filter((device) => findOuterDevice(device, devices) === null);
}

/** Null for a device that is behind none, or behind a meter that is no device of the balance. */
function findOuterDevice({ within }: Device, devices: readonly Device[]): Device | null {
  if (within === undefined) return null;
  return devices.find(({ name, succession }) => name === within || succession?.row === within) ?? null;
}
