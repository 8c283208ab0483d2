/** Places of the flow in a drawing that is 360 wide, and its icons of 24 × 24. */
import type { Paths } from './paths';

export type FlowSpot = 'sun' | 'grid' | 'battery';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly nameY: number;
}

/** Start, two handles and end of a curve. */
type Way = readonly [number, number, number, number, number, number, number, number];

export interface Places extends Readonly<Record<FlowSpot, Place>> {
  readonly house: { readonly x: number; readonly y: number };
  readonly ways: Partial<Readonly<Record<keyof Paths, Way>>>;
  /** Drawn only while something flows. */
  readonly rare: readonly (keyof Paths)[];
  readonly devices: readonly number[];
  readonly devicesY: number;
  readonly height: number;
}

interface Parts {
  readonly hasSun: boolean;
  readonly hasBattery: boolean;
  /** With the rest. */
  readonly devices: number;
}

export const icons: Readonly<Record<FlowSpot | 'house' | 'device' | 'rest', string>> = {
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  grid: 'M9.5 3h5M12 3v4M8.5 21 10.5 7h3l2 14M5 7h14M5 7v2.5M19 7v2.5M9.4 15.5 14 11M14.6 15.5 10 11M8.8 19.5l6-4M15.2 19.5l-6-4',
  battery: 'M4 8h14.5v8H4zM21 11v2M7.5 11v2M11 11v2',
  house: 'M4 11.5 12 4.5l8 7M6.5 10v9.5h11V10',
  device: 'M9 4v4M15 4v4M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4',
  rest: 'M6 12h.1M12 12h.1M18 12h.1',
};

const houseRadius = 66;

export function placesFor({ hasSun, hasBattery, devices }: Parts): Places {
  const three = hasSun && hasBattery;
  const house = { x: 180, y: three ? 214 : hasSun || hasBattery ? 168 : 200 };
  const above = (x: number, y: number): Place => ({ x, y, nameY: y - 46 });
  const below = (x: number, y: number): Place => ({ x, y, nameY: y + 54 });
  const [left, right] = [above(68, 62), above(292, 62)];
  const devicesY = house.y + 158;
  const rest = {
    house,
    devicesY,
    height: devices === 0 ? house.y + houseRadius + 6 : devicesY + 56,
    devices: devices === 2 ? [104, 256] : devices === 0 ? [] : [62, 180, 298],
  };
  if (three)
    return {
      ...rest,
      battery: below(54, 122),
      sun: above(180, 62),
      grid: below(306, 122),
      rare: ['batteryToGrid', 'gridToBattery'],
      ways: {
        sunToHouse: [180, 99, 180, 114, 180, 130, 180, 148],
        sunToBattery: [145, 72, 116, 78, 96, 88, 84, 101],
        sunToGrid: [215, 72, 244, 78, 264, 88, 276, 101],
        batteryToHouse: [90, 130, 118, 138, 112, 172, 126, 182],
        batteryToGrid: reversed(gridToBattery),
        gridToHouse: [270, 130, 242, 138, 248, 172, 234, 182],
        gridToBattery,
      },
    };
  const fromLeft: Way = [78, 98, 84, 130, 98, 146, 120, 149];
  const fromRight: Way = [282, 98, 276, 130, 262, 146, 240, 149];
  const across: Way = [104, 56, 146, 48, 214, 48, 256, 56];
  const beside = { ...rest, sun: left, grid: right, battery: left };
  if (hasSun) return { ...beside, rare: [], ways: { sunToHouse: fromLeft, sunToGrid: across, gridToHouse: fromRight } };
  if (hasBattery)
    return {
      ...beside,
      rare: ['gridToBattery'],
      ways: {
        batteryToHouse: fromLeft,
        gridToHouse: fromRight,
        batteryToGrid: across,
        gridToBattery: reversed(across),
      },
    };
  const middle = above(180, 62);
  return {
    ...rest,
    sun: middle,
    grid: middle,
    battery: middle,
    rare: [],
    ways: { gridToHouse: [180, 99, 180, 110, 180, 122, 180, 134] },
  };
}

const gridToBattery: Way = [270, 114, 232, 122, 128, 122, 90, 114];

function reversed([x0, y0, x1, y1, x2, y2, x3, y3]: Way): Way {
  return [x3, y3, x2, y2, x1, y1, x0, y0];
}

export function wayToDevice(house: { readonly x: number; readonly y: number }, x: number, devicesY: number): Way {
  const aside = x - house.x;
  const bottom = house.y + houseRadius;
  const [fromX, fromY] = [house.x + aside * 0.22, bottom - Math.abs(aside) * 0.02];
  return [fromX, fromY, house.x + aside * 0.35, bottom + 40, x, bottom + 24, x, devicesY - 34];
}
