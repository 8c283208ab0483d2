/** A random house: its meters, its events over a period, and the resulting readings of its meters and its monitor. */
import { Random } from '../random';
import type { Flow, Flowed } from './invariants';
import { type Column, Ledger, type LedgerPlan } from './ledger';
import { isLowTariff } from './low-tariff';
import { describeMeters, type DescribedHouse, undescribed } from './random-devices';
import { minuteMs, hourMs, dayMs } from '../../../src/time/units';

type ConnectionKind = 'remote' | 'local';

export interface Inverter {
  /** Null: the service lists the meter, but no alias selects it. */
  readonly alias: string | null;
  readonly column: number;
  /** Value of the second counter, if the meter has only one. */
  readonly high: 'value' | 'no-value' | 'absent';
}

export type MeterPlace = 'p1' | 'inverters' | 'battery' | 'device' | 'inner' | 'gas' | 'water';

export interface Outage {
  /** `all`: the monitor is away. */
  readonly of: 'all' | MeterPlace;
  /** Epoch ms, half-open. */
  readonly from: number;
  readonly to: number;
}

/** A discontinuity of a counter. */
export interface Step {
  readonly of: MeterPlace;
  readonly at: number;
  /** `exchange`: restarts at the amount; `start`: the amount is added. */
  readonly kind: 'exchange' | 'start';
  /** kWh or m³. */
  readonly amount: number;
}

/** A wrong reading of one midnight: the requested day, and the error. */
export interface WrongReading {
  readonly of: 'p1' | 'inverters';
  /** Epoch ms within the day. */
  readonly at: number;
  readonly by: number;
}

interface Battery {
  readonly alias: string;
  /** Its meter counts the discharge as import. */
  readonly isReversed: boolean;
  /** Value of the counters of the second tariff. */
  readonly high: Inverter['high'];
}

export interface RandomHouse {
  readonly seed: number;
  readonly kind: ConnectionKind;
  readonly timezone: string;
  readonly start: number;
  readonly end: number;
  readonly ledger: Ledger;
  readonly inverters: readonly Inverter[];
  /** Null: the house has none. */
  readonly battery: Battery | null;
  /** A meter of a part of the use; without a row it has no role. */
  readonly hasDevice: boolean;
  readonly described: DescribedHouse;
  readonly hasGrid: boolean;
  readonly offersExport: boolean;
  readonly hasTariffs: boolean;
  readonly gas: 'none' | 'behind' | 'in-p1' | 'pulse';
  readonly gasSeries: 'amounts' | 'readings' | 'flow';
  readonly hasWater: boolean;
  readonly outages: readonly Outage[];
  readonly steps: readonly Step[];
  readonly wrong: readonly WrongReading[];
  /** Counters restart above this; kWh. */
  readonly rollsOverAt: number | null;
  readonly isShuffled: boolean;
  readonly hasDuplicates: boolean;
  /** Age of a day's last reading at midnight, ms. */
  readonly lag: number;
  /** From the end of a day, the service does not show its gas for this long, ms. */
  readonly gasDelay: number;
  /** A local connection that kept readings at midnights. */
  readonly keepsReadings: boolean;
  readonly flowed: Flowed;
  /** Events, for the message of a failure. */
  readonly story: string;
}

export interface HouseTime {
  readonly start: number;
  readonly days: number;
  /** Without battery and device, as the houses of a seed were before they could have one. */
  readonly isPlain?: boolean;
}

export function randomHouse(seed: number, { start, days, isPlain = false }: HouseTime): RandomHouse {
  const random = new Random(seed);
  const timezone = 'Europe/Amsterdam';
  const end = start + days * dayMs;
  const kind = random.pick<ConnectionKind>(['remote', 'remote', 'local']);
  const hasGrid = !random.happens(0.05);
  const count = hasGrid ? random.pick([0, 1, 1, 1, 2, 3]) : 1;
  const hasTariffs = random.happens(0.6);
  const gasKinds = ['none', 'behind', 'behind', 'in-p1', ...(count < 3 ? (['pulse'] as const) : [])] as const;
  const gas = hasGrid ? random.pick(gasKinds) : 'none';
  const hasWater = random.happens(0.4) && kind === 'local';
  const moment = (): number => start + random.int(1, days * 1440 - 1) * minuteMs;
  const outages: Outage[] = [];
  const steps: Step[] = [];
  const wrong: WrongReading[] = [];
  const dead: [number, number][] = [];
  const minuteOf = (at: number): number => Math.round((at - start) / minuteMs);
  const lengths = [3, 20, 60, 180, 700, 1440, 2880, 6000];
  const outage = (of: Outage['of'], share: number): void => {
    if (!random.happens(share)) return;
    const from = moment();
    outages.push({ of, from, to: from + random.pick(lengths) * minuteMs });
  };
  for (const of of ['all', 'p1', 'inverters', 'gas', 'water'] as const) outage(of, 0.25);
  // Single minutes that were not recorded.
  if (random.happens(0.3)) {
    for (let index = 0; index < 30; index += 1) {
      const from = moment();
      outages.push({ of: 'all', from, to: from + random.int(1, 5) * minuteMs });
    }
  }
  if (random.happens(0.2)) {
    const from = moment();
    const to = from + random.pick([180, 2880]) * minuteMs;
    dead.push([minuteOf(from), minuteOf(to)]);
    outages.push({ of: 'all', from, to });
  }
  if (random.happens(0.3)) {
    const of = random.pick(['p1', 'inverters', 'gas', 'water'] as const);
    const at = moment();
    // No power flows during an exchange, whichever meter is exchanged.
    dead.push([minuteOf(at), minuteOf(at) + 30]);
    outages.push({ of: of === 'p1' ? 'all' : of, from: at, to: at + 30 * minuteMs });
    steps.push({ of, at: at + 15 * minuteMs, kind: 'exchange', amount: random.pick([0, 0.1, 12.345]) });
  }
  if (random.happens(0.15))
    steps.push({ of: 'inverters', at: moment(), kind: 'start', amount: random.pick([3500, 12000]) });
  if (random.happens(0.2)) {
    const of = random.pick(['p1', 'inverters'] as const);
    wrong.push({ of, at: moment(), by: random.pick([650, -650, -40, 5000]) });
  }
  const installed = Array.from({ length: count }, (_, column): Inverter => {
    const usual = `s0${column + 1}`;
    const isHidden = kind === 'remote' && column > 0 && random.happens(0.2);
    return { alias: isHidden ? null : usual, column, high: random.pick(['value', 'no-value', 'absent'] as const) };
  });
  // Of its own numbers, so that the other houses of a seed stay as they are.
  const own = new Random(seed ^ 0xba77);
  const battery: Battery | null =
    !isPlain && hasGrid && own.happens(0.35)
      ? { alias: 'mb2', isReversed: own.happens(0.3), high: own.pick(['value', 'no-value', 'absent'] as const) }
      : null;
  const hasDevice = !isPlain && own.happens(0.3);
  for (const of of ['battery', 'device'] as const) {
    if (!(of === 'battery' ? battery !== null : hasDevice) || !own.happens(0.3)) continue;
    const from = start + own.int(1, days * 1440 - 1) * minuteMs;
    outages.push({ of, from, to: from + own.pick(lengths) * minuteMs });
  }
  if (battery !== null && own.happens(0.15)) {
    const at = start + own.int(1, days * 1440 - 1) * minuteMs;
    dead.push([minuteOf(at), minuteOf(at) + 30]);
    outages.push({ of: 'battery', from: at, to: at + 30 * minuteMs });
    steps.push({ of: 'battery', at: at + 15 * minuteMs, kind: 'exchange', amount: own.pick([0, 0.1, 12.345]) });
  }
  const described = isPlain
    ? undescribed
    : describeMeters(new Random(seed ^ 0xde71ce), {
        days,
        hasDevice,
        steps,
        wrong,
        battery: battery?.alias ?? null,
        inverters: installed.map(({ alias }) => alias),
      });
  const { hasInner, replacedAt } = described;
  const successor = { alias: 's02', column: 1, high: installed[0]?.high ?? 'absent' } as const;
  const inverters = replacedAt === null ? installed : [...installed, successor];
  const watts = installed.map(() => random.int(600, 6000));
  const ownUse = random.pick([0, 0, 4]);
  const ledgerPlan: LedgerPlan = {
    seed,
    start: start - dayMs,
    minutes: (days + 2) * 1440,
    inverters: replacedAt === null ? watts : [...watts, ...watts],
    // An inverter that is gone takes nothing.
    ownUse: replacedAt === null ? ownUse : 0,
    replacedAt: replacedAt === null ? null : replacedAt + 1440,
    hasGas: gas !== 'none',
    hasWater,
    hasDevice,
    hasInner,
    battery:
      battery === null ? null : { watts: own.int(800, 3000), capacity: own.int(2, 12), buysAtNight: own.happens(0.3) },
    dead: dead.map(([from, to]) => [from + 1440, to + 1440] as const),
    isLow: hasTariffs ? (minute) => isLowTariff(start - dayMs + minute * minuteMs) : null,
  };
  const has: Readonly<Record<Flow, boolean>> = {
    import: hasGrid,
    export: hasGrid,
    production: count > 0,
    charged: battery !== null,
    discharged: battery !== null,
    gas: gas !== 'none',
    water: hasWater,
  };
  const house = {
    seed,
    kind,
    timezone,
    start,
    end,
    inverters,
    hasGrid,
    hasTariffs,
    gas,
    hasWater,
    outages,
    steps,
    wrong,
    battery,
    hasDevice,
    described,
    offersExport: count > 0 || random.happens(0.5),
    gasSeries: random.pick(['amounts', 'readings', 'flow'] as const),
    rollsOverAt: random.happens(0.1) ? 10_000 : null,
    isShuffled: random.happens(0.3),
    hasDuplicates: random.happens(0.3),
    lag: random.pick([0, 5_000, 5_000, 240_000, 1_200_000]),
    keepsReadings: random.happens(0.6),
    gasDelay: random.happens(0.2) ? 5 * hourMs : 0,
  };
  // Many houses are drawn and not read.
  let computed: Ledger | null = null;
  const ledger = (): Ledger => (computed ??= new Ledger(ledgerPlan));
  return {
    ...house,
    get ledger() {
      return ledger();
    },
    flowed: (flow, from, to) => (has[flow] ? ledger().flowed(flow, from, to) : null),
    story: storyOf(house),
  };
}

function storyOf(house: Omit<RandomHouse, 'flowed' | 'story' | 'ledger'>): string {
  const { outages, steps, wrong, start, end, ...plain } = house;
  const formatMoment = (moment: number): string => new Date(moment).toISOString().slice(0, 16);
  return JSON.stringify({
    ...plain,
    time: `${formatMoment(start)} to ${formatMoment(end)}`,
    outages: outages
      .filter(({ from, to }) => to - from > 5 * minuteMs)
      .map(({ of, from, to }) => `${of} ${formatMoment(from)} ${formatMoment(to)}`),
    shortOutages: outages.filter(({ from, to }) => to - from <= 5 * minuteMs).length,
    steps: steps.map(({ of, at: moment, kind, amount }) => `${kind} ${of} ${formatMoment(moment)} ${amount}`),
    wrong: wrong.map(({ of, at: moment, by }) => `${of} ${formatMoment(moment)} ${by}`),
  });
}

/** True if the monitor recorded the meter at a moment. */
export function isRecorded(house: RandomHouse, of: Outage['of'], moment: number): boolean {
  return !house.outages.some((one) => (one.of === 'all' || one.of === of) && moment >= one.from && moment < one.to);
}

/** True if it recorded a whole period. */
export function isMeasuredWhole(house: RandomHouse, of: Outage['of'], from: number, to: number): boolean {
  return !house.outages.some((one) => (one.of === 'all' || one.of === of) && one.from < to && one.to > from);
}

/** The last moment, not after the given one, at which the monitor read the meter. */
export function lastRecorded(house: RandomHouse, of: Outage['of'], moment: number): number {
  let at = moment;
  for (;;) {
    const away = house.outages.find((one) => (one.of === 'all' || one.of === of) && at >= one.from && at < one.to);
    if (away === undefined) return at;
    at = away.from - 1000;
  }
}

/** Reading of a counter, kWh or m³. */
export function showCounter(house: RandomHouse, of: Step['of'], column: Column, base: number, moment: number): number {
  const { ledger, steps, rollsOverAt } = house;
  const unit = of === 'gas' || of === 'water' ? 1_000_000 : 60_000;
  let [value, since] = [base, house.start - dayMs];
  for (const step of [...steps].sort((a, b) => a.at - b.at)) {
    if (step.of !== of || step.at > moment) continue;
    if (step.kind === 'exchange') [value, since] = [step.amount, step.at];
    else value += step.amount;
  }
  const whole = value + (ledger.at(column, moment) - ledger.at(column, since)) / unit;
  const turned = rollsOverAt === null || unit !== 60_000 ? whole : whole % rollsOverAt;
  return Math.round(turned * 1e6) / 1e6;
}
