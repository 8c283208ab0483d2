/**
 * The actual flows in a random house, minute by minute: whole watt-minutes and millilitres. It shares no code with src/balance,
 * which is checked against it.
 */
import type { Flow } from './invariants';
import { Random } from '../random';
import { minuteMs } from '../../../src/time/units';

/** Watt-minutes of a kWh. */
const perKwh = 60_000;
/** Millilitres of a m³. */
const perM3 = 1_000_000;

export interface LedgerPlan {
  readonly seed: number;
  /** Epoch ms, a whole minute. */
  readonly start: number;
  readonly minutes: number;
  /** W peak of each inverter. */
  readonly inverters: readonly number[];
  /** W that an inverter takes at night. */
  readonly ownUse: number;
  readonly hasGas: boolean;
  readonly hasWater: boolean;
  readonly battery: BatteryPlan | null;
  /** A meter within the house counts part of its use. */
  readonly hasDevice: boolean;
  /** Another meter, behind that of the device, counts part of its use. */
  readonly hasInner?: boolean;
  /** Minute since the start at which the second inverter takes over from the first one; null: all produce at all times. */
  readonly replacedAt?: number | null;
  /** Periods without any flow: a power cut, the exchange of a meter. Minutes since the start, half-open. */
  readonly dead: readonly (readonly [from: number, to: number])[];
  /** Low tariff at this minute since the start; null: the meters have one tariff. */
  readonly isLow: ((minute: number) => boolean) | null;
}

interface BatteryPlan {
  /** W, in both directions. */
  readonly watts: number;
  /** kWh. */
  readonly capacity: number;
  /** It also charges from the grid, from 2:00 to 4:00 UTC. */
  readonly buysAtNight: boolean;
}

/** Running sums at the start of each minute. */
export type Column = Float64Array;

export class Ledger {
  readonly import: Column;
  readonly export: Column;
  readonly importLow: Column;
  readonly exportLow: Column;
  readonly inverters: readonly Column[];
  readonly charged: Column;
  readonly discharged: Column;
  /** Part of the use of the house. */
  readonly device: Column;
  /** Part of the use of the device. */
  readonly inner: Column;
  readonly gas: Column;
  readonly water: Column;

  constructor(readonly plan: LedgerPlan) {
    const { minutes, seed, inverters, isLow, hasGas, hasWater, ownUse, battery, hasDevice, hasInner = false } = plan;
    const { replacedAt = null } = plan;
    const column = (): Column => new Float64Array(minutes + 1);
    [this.import, this.export, this.importLow, this.exportLow] = [column(), column(), column(), column()];
    [this.gas, this.water] = [column(), column()];
    [this.charged, this.discharged, this.device, this.inner] = [column(), column(), column(), column()];
    this.inverters = inverters.map(column);
    const random = new Random(seed);
    const dead = new Uint8Array(minutes);
    for (const [from, to] of plan.dead) dead.fill(1, Math.max(0, from), Math.max(0, to));
    let [load, cloud, swing, boiler, tap] = [300, 1, 0, 0, 0];
    let stored = 0;
    const firstMinute = plan.start / minuteMs;
    let sun: Column = new Float64Array();
    for (let minute = 0; minute < minutes; minute += 1) {
      const moment = plan.start + minute * minuteMs;
      if (minute % 10 === 0) {
        load = 80 + Math.floor(random.next() ** 3 * 2400);
        cloud = random.next() < 0.2 ? random.next() : 0.3 + 0.7 * cloud;
        // An oven or a heat pump switches within the minute: its import and export are not in the mean.
        swing = random.next() < 0.3 ? Math.floor(random.next() * 60) : 0;
        boiler = random.next() < 0.1 ? Math.floor(random.next() * 30_000) : 0;
        tap = random.next() < 0.15 ? Math.floor(random.next() * 4000) : 0;
      }
      const isDead = dead[minute] === 1;
      const ofDay = firstMinute + minute;
      if (ofDay % dayMinutes === 0 || minute === 0) sun = sunOnDay(Math.floor(ofDay / dayMinutes));
      const height = sun[ofDay % dayMinutes] ?? NaN;
      let solar = 0;
      inverters.forEach((peak, index) => {
        const isAway = replacedAt !== null && minute < replacedAt === index > 0;
        const power = isDead || isAway ? 0 : height > 0 ? Math.floor(peak * height * cloud) : -ownUse;
        solar += power;
        add(this.inverters[index], minute, power);
      });
      const used = load + ((minute * 7919) % 90);
      const flow = isDead || battery === null ? 0 : batteryFlow(battery, stored, used - solar, moment);
      stored += flow;
      add(this.charged, minute, Math.max(0, flow));
      add(this.discharged, minute, Math.max(0, -flow));
      const device = hasDevice && !isDead ? Math.floor(used * 0.4) : 0;
      add(this.device, minute, device);
      add(this.inner, minute, hasInner ? Math.floor(device * 0.5) : 0);
      const grid = isDead ? 0 : used - solar + flow;
      const both = isDead || Math.abs(grid) > 1500 || inverters.length === 0 ? 0 : swing;
      const [taken, given] = [Math.max(0, grid) + both, Math.max(0, -grid) + both];
      const low = isLow?.(minute) === true;
      add(this.import, minute, taken);
      add(this.export, minute, given);
      add(this.importLow, minute, low ? taken : 0);
      add(this.exportLow, minute, low ? given : 0);
      add(this.gas, minute, hasGas && !isDead ? boiler : 0);
      add(this.water, minute, hasWater && !isDead ? tap : 0);
    }
  }

  /** Watt-minutes or millilitres since the start. */
  at(column: Column, moment: number): number {
    const { start, minutes } = this.plan;
    const position = Math.max(0, Math.min(minutes, (moment - start) / minuteMs));
    const minute = Math.floor(position);
    const before = column[minute] ?? 0;
    const after = column[Math.min(minutes, minute + 1)] ?? 0;
    return before + (after - before) * (position - minute);
  }

  /** kWh or m³ between two moments. */
  flowed(flow: Flow, from: number, to: number): number {
    const columns = flow === 'production' ? this.inverters : [this[flow]];
    const sum = columns.reduce((total, column) => total + this.at(column, to) - this.at(column, from), 0);
    return sum / (flow === 'gas' || flow === 'water' ? perM3 : perKwh);
  }
}

function add(column: Column | undefined, minute: number, amount: number): void {
  if (column !== undefined) column[minute + 1] = (column[minute] ?? 0) + amount;
}

/** W into the battery; negative: out of it. `stored` is in watt-minutes. */
function batteryFlow(
  { watts, capacity, buysAtNight }: BatteryPlan,
  stored: number,
  needed: number,
  moment: number,
): number {
  const room = capacity * perKwh - stored;
  const hour = (moment / 3_600_000) % 24;
  if (buysAtNight && hour >= 2 && hour < 4) return Math.min(watts, room);
  return needed < 0 ? Math.min(-needed, watts, room) : -Math.min(needed, watts, stored);
}

const dayMinutes = 1440;
/** By day since 1970, minute by minute: every house has the same sun. */
const sunDays = new Map<number, Float64Array>();

function sunOnDay(day: number): Float64Array {
  const known = sunDays.get(day);
  if (known !== undefined) return known;
  const first = day * dayMinutes;
  const heights = Float64Array.from({ length: dayMinutes }, (_, minute) => sunAt((first + minute) * minuteMs));
  sunDays.set(day, heights);
  return heights;
}

/** 0 to 1, negative at night; accurate enough for a latitude of 52°. */
function sunAt(moment: number): number {
  const day = (moment / 86_400_000 + 10) % 365.25;
  const hour = (moment / 3_600_000) % 24;
  const season = -Math.cos((2 * Math.PI * day) / 365.25);
  return 0.35 * season + 0.2 - 0.65 * Math.cos((2 * Math.PI * (hour + 0.35)) / 24) * 0.9;
}
