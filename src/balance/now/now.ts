/** The current balance of the house from the latest readings of its meters. */
import { largest } from '../../checks/extremes';
import type {
  BalanceMissing,
  BalancePayload,
  BalancePeak,
  BalancePhase,
  MonitorInfo,
  RealtimePayload,
  Values,
} from '../../model/payload';
import { idOf, payloadHead } from '../../model/identity';
import { type BatteryFlows, type Flows, isInconsistent, smallestPower, computeHouseSums } from '../period/energies';
import {
  expectedPeak,
  followQuarter,
  type ImportReading,
  type MonthPeak,
  roomBelow,
  type RunningQuarter,
} from '../period/peak';
import { isOfHouse } from '../meters/choice';
import { phasesOf } from './phases';
import { devicesNow } from './present-devices';
import { type MeterNow, type Power as PresentPower, Present, type SeenPower, type SeenPowers } from './present';
import { readCounters } from '../meters/readings';
import { describeMeters, joinSources, listInstallation } from '../payload-parts';

export interface NowInput {
  readonly monitor: MonitorInfo;
  /** As in PeriodInput. */
  readonly installation?: string | undefined;
  readonly meters: readonly MeterNow[];
  /** Meters that may be a source, and whose role is unknown. */
  readonly unknownMeters?: readonly string[] | undefined;
  /** Readings further apart than this are not simultaneous. */
  readonly intervalMs: number;
  /** Epoch ms. */
  readonly now: number;
  /** The previous result of balanceNow; null at first. */
  readonly quarter: RunningQuarter | null;
  /** Null or absent: quarters are not read. */
  readonly monthPeak?: MonthPeak | null | undefined;
  /** The powers of earlier calls; modified. Default: this is the first call. */
  readonly seen?: SeenPowers;
}

export interface NowResult {
  readonly payload: BalancePayload;
  /** Pass it to the next call. */
  readonly quarter: RunningQuarter | null;
}

type Power = number | BalanceMissing;

interface Moment {
  /** Null if it counts as simultaneous with any other. */
  readonly ts: number | null;
  readonly values: readonly number[];
}

export function balanceNow(input: NowInput): NowResult {
  const {
    monitor,
    installation,
    unknownMeters = [],
    intervalMs,
    now,
    quarter,
    seen = new Map<string, SeenPower>(),
  } = input;
  const meters = input.meters.filter(isOfHouse);
  const devices = input.meters.filter((meter) => !isOfHouse(meter));
  const present = new Present({ ...input, meters }, seen);
  const [grid, production, battery] = [
    meters.filter(hasRole('grid')),
    meters.filter(hasRole('production')),
    meters.filter(hasRole('battery')),
  ];
  const sumNow = (list: readonly MeterNow[], field: string): Moment | BalanceMissing =>
    combinePowers(
      list.map((meter) => present.powerOf(meter, field)),
      intervalMs,
    );
  const taken = sumNow(grid, 'power_import_w');
  const given = sumNow(grid, 'power_export_w');
  const produced = sumNow(production, 'power_production_w');
  const stored = sumNow(battery, 'power_battery_w');
  const times = [taken, given, produced, stored].flatMap((moment) =>
    typeof moment === 'string' ? [] : (moment.ts ?? []),
  );
  const ts = times.length === 0 ? now : largest(times);
  const isTogether = times.every((time) => ts - time <= intervalMs);
  const values: Values = {};
  const missing: Record<string, BalanceMissing> = {};
  const put = (field: string, power: Power): void => {
    values[field] = typeof power === 'number' ? power + 0 : null;
    if (typeof power === 'string') missing[field] = power;
  };
  const [takes, gives, produces] = [sumPowers(taken), sumPowers(given), sumPowers(produced)];
  if (grid.length > 0) {
    put('power_import_w', takes);
    put('power_export_w', gives);
  }
  if (production.length > 0) put('power_production_w', produces);
  if (battery.length > 0) put('power_battery_w', sumPowers(stored));
  if (grid.length > 0) {
    const flows = [takes, gives, production.length > 0 ? produces : 0, battery.length > 0 ? sumPowers(stored) : 0];
    const [first = 0, second = 0, third = 0] = flows.filter((power) => typeof power === 'number');
    const reason = flows.find((power) => typeof power === 'string') ?? (isTogether ? null : 'not_simultaneous');
    const all: Flows = {
      import: first,
      export: second,
      production: production.length > 0 ? third : null,
      battery: battery.length > 0 && typeof stored !== 'string' ? batteryFlows(stored) : null,
    };
    const { house, selfConsumed } = computeHouseSums(all);
    const checked = (power: number): Power =>
      unknownMeters.length > 0
        ? 'unknown_meter'
        : (reason ?? (isInconsistent(power, all, smallestPower) ? 'inconsistent' : power));
    put('power_house_w', checked(house));
    if (selfConsumed !== null) put('power_self_consumed_w', checked(selfConsumed));
  }
  const complete = Object.values(missing).length === 0;
  const house = missing['power_house_w'] ?? values['power_house_w'] ?? undefined;
  const ofDevices = devicesNow(devices, new Present(input, seen), house);
  if (ofDevices.other !== null) put('power_other_w', ofDevices.other);
  const phases = phasesNow(grid, taken);
  const next = quarterAfter(quarter, grid, taken, ts);
  return {
    quarter: next,
    payload: {
      ...payloadHead('balance', idOf('bl', monitor, ...listInstallation(input), 'now', ts), ts, monitor),
      ...(installation !== undefined && { installation }),
      ...describeMeters(meters, ({ reading }) => reading !== null, unknownMeters),
      values,
      method: {},
      coverage: {},
      ...(devices.length > 0 && { devices: [...ofDevices.devices] }),
      ...(phases.length > 0 && { phases }),
      peak: next === null || typeof taken === 'string' ? null : peakNow(next, input.monthPeak ?? null),
      counters: {},
      estimated: [],
      missing,
      ...(present.since !== null && { stale: { since: present.since } }),
      complete,
      source: joinSources(
        input.meters.flatMap(({ reading }) => (reading === null ? [] : reading.source)),
        now,
      ),
    },
  };
}

/** None for a power that is too old, and for a house with several meters of the grid. */
function phasesNow([meter, ...others]: readonly MeterNow[], taken: Moment | BalanceMissing): BalancePhase[] {
  if (meter === undefined || others.length > 0 || typeof taken === 'string') return [];
  return phasesOf(meter.reading?.values ?? {});
}

function peakNow(running: RunningQuarter, month: MonthPeak | null): BalancePeak {
  const expected = expectedPeak(running);
  return month === null ? expected : { ...expected, month_w: month.power_w, room_w: roomBelow(running, month) };
}

function hasRole(role: MeterNow['role']): (meter: MeterNow) => boolean {
  return (meter) => meter.role === role;
}

/** The powers of all meters of a role if they are simultaneous; otherwise the reason. */
function combinePowers(powers: readonly PresentPower[], intervalMs: number): Moment | BalanceMissing {
  const times: number[] = [];
  const values: number[] = [];
  for (const power of powers) {
    if (typeof power === 'string') return power;
    values.push(power.value);
    if (power.ts !== null) times.push(power.ts);
  }
  if (values.length === 0) return 'not_measured';
  const ts = times.length === 0 ? null : largest(times);
  return ts === null || times.every((time) => ts - time <= intervalMs) ? { ts, values } : 'not_simultaneous';
}

function sumPowers(moment: Moment | BalanceMissing): Power {
  return typeof moment === 'string' ? moment : moment.values.reduce((sum, value) => sum + value, 0);
}

function batteryFlows({ values }: Moment): BatteryFlows {
  const sumPowers = (powers: readonly number[]): number =>
    powers.reduce((total, power) => total + Math.max(0, power), 0);
  return { charged: sumPowers(values.map((power) => -power)), discharged: sumPowers(values) };
}

function quarterAfter(
  quarter: RunningQuarter | null,
  grid: readonly MeterNow[],
  taken: Moment | BalanceMissing,
  now: number,
): RunningQuarter | null {
  if (typeof taken === 'string') return quarter;
  const counters = grid.map(({ reading }) => (reading === null ? null : readImportCounter(reading)));
  const reading: ImportReading = {
    ts: taken.ts ?? now,
    power_w: taken.values.reduce((sum, value) => sum + value, 0),
    counter: counters.reduce((sum, counter) => (sum === null || counter === null ? null : sum + counter), 0),
  };
  return followQuarter(quarter, reading);
}

function readImportCounter(reading: RealtimePayload): number | null {
  const found = readCounters(reading, 'grid').find(({ counter }) => counter === 'import');
  return found?.amount ?? null;
}
