/**
 * The identities of the simulated monitors: MAC addresses and numbers, which depend on the seed, the house and its time zone, because
 * days are kept by MAC address. Simulators that agree in these have the same minutes, and are one monitor.
 */
import { toMacText, toMonitorId, type MonitorId } from '../protocol/mac';
import type { FaultName } from './faults';
import { defaultTimezone, type House } from './house';
import { houses } from './houses';
import { seededRandom } from './seeded-random';
import type { SimulatedMonitor } from './simulator';
import { createHousehold, type HouseholdOptions } from './household';

/** Version of the core, in discovery and in the root of the local Open API. */
export const coreVersion = '1.25';

interface MonitorsOptions extends HouseholdOptions {
  readonly seed: number;
  readonly count: number;
  readonly house: House;
}

/** The monitors of one key, each with its own household. The household of the first one has the given seed. */
export function createMonitors({ seed, count, ...household }: MonitorsOptions): readonly SimulatedMonitor[] {
  const own = seedOfHouse(seed, household);
  return Array.from({ length: count }, (_, index) => ({
    mac: macOf(own, index),
    cemm: 24_000_000 + Math.floor(seededRandom(own, 301, index) * 900_000),
    household: createHousehold({
      seed: index === 0 ? seed : Math.floor(seededRandom(seed, 302, index) * 2 ** 31),
      ...household,
    }),
  }));
}

export function monitorIdOf({ mac }: SimulatedMonitor): MonitorId {
  const id = toMonitorId(mac);
  if (id === null) throw new RangeError('the MAC of a simulated monitor is no MAC');
  return id;
}

/** The MAC address in responses; with the fault `wrong-monitor`, the address of another device. */
export function respondingMac({ mac }: SimulatedMonitor, faults: ReadonlySet<FaultName>): string {
  return faults.has('wrong-monitor') ? `${mac.slice(0, 3)}FF${mac.slice(5)}` : mac;
}

/** Differs between the houses of one seed, and between time zones, whose days are others; that of the standard house is the seed. */
function seedOfHouse(seed: number, { house, timezone }: Pick<MonitorsOptions, 'house' | 'timezone'>): number {
  const ownZone = house.timezone ?? defaultTimezone;
  const zone = timezone === undefined || timezone === ownZone ? '' : timezone;
  const about = house.about === houses.standard.about ? '' : house.about;
  return Array.from(about + zone).reduce(
    (sum, letter) => Math.floor(seededRandom(sum, 303, letter.codePointAt(0) ?? 0) * 2 ** 31),
    seed,
  );
}

/** A locally administered address (02:…), which no real device has. */
function macOf(seed: number, index: number): string {
  const tail = Math.floor(seededRandom(seed, 300, 0) * 0x100_0000)
    .toString(16)
    .padStart(6, '0');
  const place = (index % 0x10000).toString(16).padStart(4, '0');
  const id = toMonitorId(`02${tail}${place}`);
  if (id === null) throw new RangeError('a simulated MAC is no MAC');
  return toMacText(id);
}
