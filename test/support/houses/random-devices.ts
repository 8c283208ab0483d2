/** What the owner of a random house says of its meters: devices, one behind another, a wrong role, an inverter that was replaced. */
import type { StoredMeterRow } from '../../../src/model/meter-rows';
import { minuteMs } from '../../../src/time/units';
import type { DeviceLedger } from './device-rules';
import type { Random } from '../random';
import type { RandomHouse, Step, WrongReading } from './random-house';

/** The device, and the one behind its meter: by alias, and by key. */
const deviceNames = { device: ['mb3', 'laadpaal'], inner: ['mb4', 'boiler'] } as const;

export interface DescribedHouse {
  /** Rows of the connection's meters. */
  readonly rows: readonly StoredMeterRow[];
  /** A second device behind the meter of the first one. */
  readonly hasInner: boolean;
  /** The battery is a device in the rows, so the house has a meter in the wrong role. */
  readonly isBatteryDevice: boolean;
  /** Minute since the start at which another inverter, with a meter of its own, took over; null: never. */
  readonly replacedAt: number | null;
}

export const undescribed: DescribedHouse = { rows: [], hasInner: false, isBatteryDevice: false, replacedAt: null };

interface Meters {
  readonly days: number;
  readonly hasDevice: boolean;
  readonly battery: string | null;
  readonly inverters: readonly (string | null)[];
  readonly steps: readonly Step[];
  readonly wrong: readonly WrongReading[];
}

export function describeMeters(random: Random, meters: Meters): DescribedHouse {
  const { days, hasDevice, battery, inverters, steps, wrong } = meters;
  const isDescribed = hasDevice && random.happens(0.7);
  const hasInner = isDescribed && random.happens(0.5);
  const isBatteryDevice = battery !== null && random.happens(0.2);
  // A counter that jumps by itself says nothing of which inverter counts.
  const isSteady = ![...steps, ...wrong].some(({ of }) => of === 'inverters');
  const isReplaced = inverters.length === 1 && inverters[0] === 's01' && isSteady && random.happens(0.4);
  const devices = ([0, 1] as const).flatMap((name): StoredMeterRow[] => {
    const [outer, inner] = [deviceNames.device[name], deviceNames.inner[name]];
    const row = { meter: outer, role: 'consumption' } as const;
    return hasInner ? [row, { meter: inner, role: 'consumption', within: outer }] : [row];
  });
  const rows: readonly StoredMeterRow[] = [
    ...(isDescribed ? devices : []),
    ...(isBatteryDevice ? [{ meter: battery, role: 'consumption' } as const] : []),
    ...(isReplaced ? [{ meter: 's01,s02', role: 'production' } as const] : []),
  ];
  return {
    rows,
    hasInner,
    isBatteryDevice,
    replacedAt: isReplaced ? random.int(1, days * 1440 - 1) : null,
  };
}

/** The flows of the devices of a house. */
export function deviceLedger(house: RandomHouse, prices: DeviceLedger['prices']): DeviceLedger {
  const { ledger, battery, flowed, described } = house;
  const [into, from] =
    battery?.isReversed === true ? [ledger.discharged, ledger.charged] : [ledger.charged, ledger.discharged];
  const columnOf = (meter: string): Float64Array | null => {
    if (deviceNames.device.some((name) => name === meter)) return ledger.device;
    return deviceNames.inner.some((name) => name === meter) ? ledger.inner : null;
  };
  const kwh = (column: Float64Array, first: number, last: number): number =>
    (ledger.at(column, Math.max(first, last)) - ledger.at(column, first)) / minuteMs;
  return {
    used: (meter, first, last) => kwh(columnOf(meter) ?? into, first, last),
    returned: (meter, first, last) => (columnOf(meter) === null ? kwh(from, first, last) : 0),
    within: (meter) => described.rows.find((row) => row.meter === meter)?.within,
    flowed,
    prices,
  };
}
