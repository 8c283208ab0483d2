/** The current powers of the devices, and what the house uses beside them. A device changes no other number. */
import type { BalanceDevice, BalanceMissing } from '../../model/payload';
import { outerDevices, describeDevicePlace } from '../meters/devices';
import { smallestPower } from '../period/energies';
import type { MeterNow, Present } from './present';

export interface DevicesNow {
  readonly devices: readonly BalanceDevice[];
  /** Null for a house without devices. */
  readonly other: number | BalanceMissing | null;
}

/** @param house its power, or why it is null; undefined: it has none */
export function devicesNow(
  devices: readonly MeterNow[],
  present: Present,
  house: number | BalanceMissing | undefined,
): DevicesNow {
  const powers = new Map(devices.map((device) => [device.name, readDevicePower(device, present)]));
  const listed = devices.map((device): BalanceDevice => {
    const power = powers.get(device.name) ?? 'not_measured';
    const isKnown = typeof power === 'number';
    return {
      ...describeDevicePlace(device, devices),
      power_w: isKnown ? power : null,
      coverage: isKnown ? 1 : 0,
      ...(!isKnown && { missing: { power_w: power } }),
    };
  });
  if (devices.length === 0 || house === undefined) return { devices: listed, other: null };
  const outer = outerDevices(devices).map(({ name }) => powers.get(name) ?? 'not_measured');
  return { devices: listed, other: subtractDevices(house, outer) };
}

/** `inconsistent` for a meter that gives power, such as that of an inverter in the wrong role. */
function readDevicePower(device: MeterNow, present: Present): number | BalanceMissing {
  const power = present.powerOf(device, 'power_w');
  if (typeof power === 'string') return power;
  return power.value < -smallestPower ? 'inconsistent' : power.value;
}

function subtractDevices(
  house: number | BalanceMissing,
  devices: readonly (number | BalanceMissing)[],
): number | BalanceMissing {
  if (typeof house === 'string') return house;
  let used = 0;
  for (const power of devices) {
    if (typeof power === 'string') return power;
    used += power;
  }
  const rest = house - used + 0;
  return rest < -smallestPower && rest < -0.01 * (Math.abs(house) + Math.abs(used)) ? 'inconsistent' : rest;
}
