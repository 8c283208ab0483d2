/** The flow of the view Now: sources above, the house with a ring of its shares, devices below. */
import { largest } from '../../../../src/checks/extremes';
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { type FlowSpot, icons, placesFor, type Place, wayToDevice } from './flow-places';
import { addingUp, isNumber, roundTo } from './numbers';
import { type Paths, pathsIn } from './paths';
import type { Flow, FlowColour, FlowNode, FlowPath, RingPart } from './pictures';

type Power = number | null;

/** Less than this is drawn as a thin line. */
const leastWatt = 5;
const dash = 24;
const sourceRadius = 37;
const deviceRadius = 34;

export function flowOf(sheet: Sheet, balance: BalancePayload): Flow {
  const { say } = sheet;
  const { power_import_w: taken = null, power_export_w: given = null, power_house_w: house = null } = balance.values;
  const { power_production_w: sun, power_battery_w: battery } = balance.values;
  const net = taken === null || given === null ? null : taken - given;
  const devices = devicesOf(balance);
  const text = wattTexts(sheet, [house, net, sun ?? null, battery ?? null, ...devices.map(({ power }) => power)]);
  const [shownNet = null, shownSun = null, shownBattery = null] = text.parts(house, [
    net,
    sun === undefined ? 0 : sun,
    battery === undefined ? 0 : battery,
  ]);
  const shownDevices = text.parts(
    house,
    devices.map(({ power }) => power),
  );
  const places = placesFor({ hasSun: sun !== undefined, hasBattery: battery !== undefined, devices: devices.length });
  const ways = pathsIn(balance);
  const isExport = isNumber(shownNet) && shownNet < 0;
  const node = (spot: FlowSpot, colour: FlowColour, power: Power, name: string, place: Place): FlowNode => ({
    key: spot,
    colour,
    icon: icons[spot],
    x: place.x,
    y: place.y,
    radius: sourceRadius,
    name,
    nameY: place.nameY,
    text: text.of(isNumber(power) && spot !== 'sun' ? Math.abs(power) : power),
    isIdle: power === null || Math.abs(power) < leastWatt,
  });
  const nodes: FlowNode[] = [
    ...(sun === undefined ? [] : [node('sun', 'production', shownSun, say('sun'), places.sun)]),
    node('grid', isExport ? 'export' : 'import', shownNet, directed(sheet, shownNet, 'grid'), places.grid),
    ...(battery === undefined
      ? []
      : [node('battery', 'battery', shownBattery, directed(sheet, shownBattery, 'battery'), places.battery)]),
    ...devices.map(({ key, colour, name }, index): FlowNode => {
      const [x = places.house.x, power = null] = [places.devices[index], shownDevices[index]];
      return {
        key,
        colour,
        x,
        y: places.devicesY,
        radius: deviceRadius,
        name: name ?? say('rest'),
        icon: icons[colour === 'rest' ? 'rest' : 'device'],
        nameY: places.devicesY + deviceRadius + 17,
        text: text.of(power),
        isIdle: power === null || Math.abs(power) < leastWatt,
      };
    }),
  ];
  const drawn = (Object.keys(places.ways) as (keyof Paths)[]).flatMap((key): FlowPath[] => {
    const [way, watt] = [places.ways[key], ways?.[key] ?? 0];
    if (way === undefined || (watt < leastWatt && places.rare.includes(key))) return [];
    return [drawPath(colours[key], way, watt)];
  });
  const used = nodes.map(({ name, text: shown }) => `${name} ${shown}`);
  return {
    height: places.height,
    icon: icons.house,
    house: { ...places.house, ...text.split(text.rounded(house)) },
    ring: ways === null ? [] : ringOf(ways),
    paths: [
      ...drawn,
      ...devices.map(({ colour, power }, index) =>
        drawPath(
          colour,
          wayToDevice(places.house, places.devices[index] ?? places.house.x, places.devicesY),
          power ?? 0,
        ),
      ),
    ],
    nodes,
    label: `${say('house')} ${text.of(text.rounded(house))}. ${used.join('. ')}`,
  };
}

const colours: Readonly<Record<keyof Paths, FlowColour>> = {
  sunToHouse: 'production',
  sunToBattery: 'battery',
  sunToGrid: 'export',
  batteryToHouse: 'battery',
  batteryToGrid: 'export',
  gridToHouse: 'import',
  gridToBattery: 'battery',
};

function directed({ say }: Sheet, power: Power, of: 'grid' | 'battery'): string {
  if (power === null || power === 0) return say(of);
  if (of === 'grid') return say(power < 0 ? 'toGrid' : 'fromGrid');
  return `${say('battery')} · ${say(power < 0 ? 'charges' : 'discharges')}`;
}

interface Device {
  readonly key: string;
  readonly colour: FlowColour;
  /** Null: the rest. */
  readonly name: string | null;
  readonly power: Power;
}

/** The two largest devices that are not behind another one, and the rest of the house. */
function devicesOf({ devices = [], values }: BalancePayload): Device[] {
  const outer = devices.filter(({ within, power_w: power }) => within === undefined && power !== undefined);
  if (outer.length === 0) return [];
  const sorted = [...outer].sort((a, b) => (b.power_w ?? -1) - (a.power_w ?? -1));
  const [largestTwo, others] = [sorted.slice(0, 2), sorted.slice(2)];
  const { power_other_w: other = null } = values;
  const rest = others.reduce<Power>(
    (sum, { power_w: power = null }) => (sum === null || power === null ? null : sum + power),
    other,
  );
  return [
    ...largestTwo.map(({ meter, name, power_w: power = null }, index) => ({
      key: meter,
      name,
      power,
      colour: index === 0 ? ('device1' as const) : ('device2' as const),
    })),
    { key: 'rest', colour: 'rest', name: null, power: rest },
  ];
}

interface WattTexts {
  readonly rounded: (watt: Power) => Power;
  /** Rounded so that they add up to the rounded whole. */
  readonly parts: (whole: Power, parts: readonly Power[]) => Power[];
  readonly of: (watt: Power) => string;
  readonly split: (watt: Power) => { readonly text: string; readonly unit: string };
}

/** Whole watts below 1 kW. With a larger power in the picture, all are rounded to 10 W, so that the shown ones add up. */
function wattTexts({ formats }: Sheet, powers: readonly Power[]): WattTexts {
  const grid = largest(powers.map((power) => Math.abs(power ?? 0))) >= 1000 ? 10 : 1;
  const isLarge = (watt: Power): boolean => Math.abs(watt ?? 0) >= 1000;
  const split = (watt: Power): { text: string; unit: string } => ({
    text: isLarge(watt) ? formats.number((watt ?? 0) / 1000, 2) : formats.number(watt, 0),
    unit: isLarge(watt) ? 'kW' : 'W',
  });
  return {
    rounded: (watt) => (watt === null ? null : Math.round(watt / grid) * grid + 0),
    parts: (whole, parts) => {
      const scaled = (watt: Power): Power => (watt === null ? null : watt / grid);
      return addingUp(scaled(whole), parts.map(scaled), 0).map((part) => (part === null ? null : part * grid + 0));
    },
    of: (watt) => (isLarge(watt) ? formats.amount((watt ?? 0) / 1000, 'kW', 2) : formats.amount(watt, 'W', 0)),
    split,
  };
}

function drawPath(colour: FlowColour, way: readonly number[], watt: number): FlowPath {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = way;
  const d = `M${x0} ${y0}C${x1} ${y1} ${x2} ${y2} ${x3} ${y3}`;
  if (watt < leastWatt) return { colour, d, width: 0, seconds: 0, tip: '' };
  const root = Math.sqrt(watt / 1000);
  const angle = (Math.atan2(y3 + y2 - y1 - y0, x3 + x2 - x1 - x0) * 180) / Math.PI;
  const middle = (a: number, b: number, c: number, e: number): number => (a + 3 * b + 3 * c + e) / 8;
  return {
    colour,
    d,
    width: tenth(Math.min(16, 4 + 6 * root)),
    seconds: roundTo(dash / (16 + 30 * root), 2),
    tip: `translate(${tenth(middle(x0, x1, x2, x3))} ${tenth(middle(y0, y1, y2, y3))}) rotate(${tenth(angle)})`,
  };
}

function ringOf({ sunToHouse, batteryToHouse, gridToHouse }: Paths): RingPart[] {
  const used = sunToHouse + batteryToHouse + gridToHouse;
  const parts = [
    { colour: 'production' as const, power: sunToHouse },
    { colour: 'battery' as const, power: batteryToHouse },
    { colour: 'import' as const, power: gridToHouse },
  ].filter(({ power }) => power >= leastWatt);
  let from = 0;
  return parts.map(({ colour, power }) => {
    const share = (100 * power) / used;
    const part = { colour, from: tenth(from), share: tenth(share) };
    from += share;
    return part;
  });
}

function tenth(value: number): number {
  return roundTo(value, 1);
}
