/**
 * Invariants of every balance of every house, checked against the actual flows. Each function returns one sentence per broken
 * rule; the numbers of the rules are those of docs/balance.md.
 */
import type { BalancePayload, SeriesPoint } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { findUnitStart } from '../bills/calendar';
import { ownSun } from '../balance/naive-battery';
import { oddIn } from './odd-values';

export const flows = ['import', 'export', 'production', 'charged', 'discharged', 'gas', 'water'] as const;
export type Flow = (typeof flows)[number];

/** kWh or m³ between two moments; null if the house does not have this flow. */
export type Flowed = (flow: Flow, from: number, to: number) => number | null;

export const fieldOf: Readonly<Record<Flow, string>> = {
  import: 'energy_import_kwh',
  export: 'energy_export_kwh',
  production: 'energy_production_kwh',
  charged: 'energy_battery_charged_kwh',
  discharged: 'energy_battery_discharged_kwh',
  gas: 'gas_m3',
  water: 'water_m3',
};

/** kWh or m³: the last digit of a meter. */
const LAST_DIGIT = 0.001;
/** Longest delay of a reading after the border that it stands for. */
const marginOf = (flow: Flow): number => (flow === 'gas' ? 60 : 5) * minuteMs;

/** Tolerance of minutes. */
const slackOf = (flowed: number): number => 0.01 * Math.abs(flowed) + 0.05;
/** Means of minutes are rounded. */
const roundingOf = (flowed: number): number => LAST_DIGIT + 0.0005 * Math.abs(flowed);

/**
 * Rules 1, 2, 4 and 5 for a day, month or year.
 * @param aheadMs of a monitor whose clock is fast: its sum of the running day ends with its own present
 */
export function brokenIn(payload: BalancePayload, flowed: Flowed, now: number, aheadMs = 0): string[] {
  const check = new PeriodCheck(payload, flowed, now, aheadMs);
  return [...check.sums(), ...check.derived(), ...check.marks(), ...pointsOf(payload, check.until), ...oddIn(payload)];
}

class PeriodCheck {
  readonly start: number;
  readonly until: number;

  constructor(
    private readonly payload: BalancePayload,
    private readonly flowed: Flowed,
    now: number,
    private readonly aheadMs: number,
  ) {
    const { start, end } = payload.period ?? { start: 0, end: 0 };
    this.start = start;
    this.until = Math.max(start, Math.min(end, Math.floor(now / minuteMs) * minuteMs));
  }

  /** Checks the measured amounts of one direction. */
  sums(): string[] {
    const broken: string[] = [];
    for (const flow of flows) {
      const field = fieldOf[flow];
      const value = this.payload.values[field] ?? null;
      if (value === null) continue;
      const [from, to] = this.timeOf(flow);
      const truth = this.flowed(flow, from, to) ?? 0;
      const most = this.flowed(flow, this.start - marginOf(flow), this.until + minuteMs + this.aheadMs) ?? 0;
      const least =
        this.flowed(flow, this.start + marginOf(flow), Math.max(this.start, this.until - marginOf(flow))) ?? 0;
      const addBroken = (rule: number, wanted: string) => {
        broken.push(`rule ${rule}: ${field} is ${value}, wanted ${wanted} (${this.claim(field)})`);
      };
      if (this.isMarked(field)) {
        // Production is net, so less time can mean more production: the own use of an inverter at night is missing.
        const atMost = Math.max(most, flow === 'production' ? this.grossProduction() : 0);
        const twice = flow === 'gas' ? this.twice(flow, value - atMost) : this.lastMinutes(flow);
        if (value > atMost + roundingOf(atMost) + twice) addBroken(2, `at most ${atMost}`);
      } else if (this.isCounted(flow)) {
        const meters = Math.max(1, this.metersOf(flow));
        if (Math.abs(value - truth) > LAST_DIGIT * meters + 1e-9) addBroken(1, `${truth} by counters`);
      } else {
        if (value > most + slackOf(most) + this.twice(flow, value - most)) addBroken(1, `at most ${most}`);
        // Import and export within one minute are not visible in minutes; the check of the net amount covers both.
        const isDirection = flow === 'import' || flow === 'export';
        if (!isDirection && value < least - slackOf(least)) addBroken(1, `at least ${least}`);
      }
    }
    return broken;
  }

  /** Checks net, house and self-consumption. */
  derived(): string[] {
    const broken: string[] = [];
    const flowedAt = (flow: Flow): number => {
      const [from, to] = this.timeOf(flow);
      return this.flowed(flow, from, to) ?? 0;
    };
    const [taken, given, produced] = [flowedAt('import'), flowedAt('export'), flowedAt('production')];
    const most = (flow: Flow): number => this.flowed(flow, this.start - 5 * minuteMs, this.until + minuteMs) ?? 0;
    const counted = this.isCounted('import') && this.isCounted('export');
    const slack = (parts: number, isExact: boolean): number => (isExact ? 4 * LAST_DIGIT : slackOf(parts));
    const checkSum = (field: string, truth: number, parts: number, isExact: boolean, highest: number | null): void => {
      const value = this.payload.values[field] ?? null;
      if (value === null) return;
      const addBroken = (rule: number, wanted: string) => {
        broken.push(`rule ${rule}: ${field} is ${value}, wanted ${wanted} (${this.claim(field)})`);
      };
      if (!this.isMarked(field)) {
        const allowed = slack(parts, isExact);
        if (value < truth - allowed) addBroken(1, `${truth} ± ${allowed}`);
        if (field !== 'energy_self_consumed_kwh' && value > truth + allowed) addBroken(1, `${truth} ± ${allowed}`);
      }
      if (highest !== null && value > highest + slackOf(highest)) addBroken(2, `at most ${highest}`);
    };
    const { battery } = this.payload.meters;
    const [stored, released] = battery === undefined ? [0, 0] : [flowedAt('charged'), flowedAt('discharged')];
    const isExact =
      counted &&
      (this.isCounted('production') || !('energy_production_kwh' in this.payload.values)) &&
      (battery === undefined || (this.isCounted('charged') && this.isCounted('discharged')));
    checkSum('energy_net_kwh', taken - given, taken + given, counted, null);
    const parts = taken + given + Math.abs(produced) + stored + released;
    const house = most('import') + this.grossProduction() + (battery === undefined ? 0 : most('discharged'));
    checkSum('energy_house_kwh', taken - given + produced + released - stored, parts, isExact, house);
    const used = battery === undefined ? produced - given : this.selfConsumedByHour();
    checkSum('energy_self_consumed_kwh', used, parts, isExact && battery === undefined, this.grossProduction());
    return broken;
  }

  /** Rule 2: unknown parts are marked. */
  marks(): string[] {
    const { values, missing, coverage, complete, estimatedFields = {} } = this.payload;
    const broken: string[] = [];
    for (const [field, value] of Object.entries(values)) {
      if (value === null && missing[field] === undefined)
        broken.push(`rule 2: ${field} is null, and missing does not say why`);
    }
    for (const [field, share] of Object.entries(coverage)) {
      if (!(share >= 0 && share <= 1)) broken.push(`rule 2: the coverage of ${field} is ${share}`);
      if (complete && share !== 1 && field !== ofDevices)
        broken.push(`rule 1: complete, and the coverage of ${field} is ${share}`);
    }
    // A value that a meter has never offered counts as zero, with a mark.
    const known = ['zero_divisor', 'not_offered', 'not_by_hour'];
    // Prices do not make a measured balance incomplete.
    const isOfPrices = (name: string, reason: string): boolean =>
      name === 'cost.total' && ['no_price', 'not_by_tariff'].includes(reason);
    const reasons = Object.entries(missing).filter(
      ([name, reason]) =>
        name !== 'points' && name !== ofDevices && !known.includes(reason) && !isOfPrices(name, reason),
    );
    if (complete && reasons.length > 0) broken.push(`rule 1: complete, and missing has ${JSON.stringify(missing)}`);
    const isMarked =
      reasons.length > 0 ||
      Object.values(coverage).some((share) => share < 1) ||
      Object.keys(estimatedFields).length > 0;
    if (!complete && !isMarked && this.until > this.start) broken.push('rule 2: not complete, and nothing says why');
    return broken;
  }

  private claim(field: string): string {
    const { complete, coverage, missing, method, estimatedFields = {} } = this.payload;
    const said = missing[field] === undefined ? '' : `, ${missing[field]}`;
    const estimated = estimatedFields[field]?.length ?? 0;
    const share = coverage[field];
    return `${complete ? 'complete' : 'not complete'}, ${method[field] ?? 'no method'}, coverage ${share ?? '-'}${said}${estimated > 0 ? `, ${estimated} estimated` : ''}`;
  }

  private isMarked(field: string): boolean {
    const { complete, coverage, missing } = this.payload;
    return !complete && ((coverage[field] ?? 1) < 1 || missing[field] !== undefined);
  }

  /** True if the whole amount is the difference of the readings in `counters`. */
  private isCounted(flow: Flow): boolean {
    const { counters, values } = this.payload;
    const { start = null, end = null } = counters[fieldOf[flow]] ?? {};
    const value = values[fieldOf[flow]] ?? null;
    return start !== null && end !== null && value !== null && Math.abs(end[1] - start[1] - value) < 1e-6;
  }

  private timeOf(flow: Flow): [number, number] {
    const { start = null, end = null } = this.payload.counters[fieldOf[flow]] ?? {};
    if (start !== null && end !== null && this.isCounted(flow)) return [start[0], end[0]];
    // Deliveries end with their last reading, which stands for the present for five minutes.
    const isLast = end !== null && end[0] < this.until && end[0] > this.until - marginOf(flow);
    return [this.start, isLast ? end[0] : this.until];
  }

  private metersOf(flow: Flow): number {
    const { grid, production, battery = [], gas, water } = this.payload.meters;
    if (flow === 'production') return production.length;
    if (flow === 'charged' || flow === 'discharged') return battery.length;
    return flow === 'gas' ? gas.length : flow === 'water' ? water.length : grid.length;
  }

  /**
   * A gas reading can be up to an hour later than its midnight: after a break, amounts of hours can contain that hour as well.
   */
  private twice(flow: Flow, excess: number): number {
    if (flow !== 'gas' || excess <= 0) return 0;
    let most = 0;
    for (let from = this.start; from < this.until; from += 60 * minuteMs) {
      most = Math.max(most, this.flowed('gas', from, from + 60 * minuteMs) ?? 0);
    }
    return most;
  }

  /**
   * The most of the last minutes of a day: beside a break, the minutes of a day and a counter whose reading stands for its midnight can
   * both have them. Days add up to their month because of that, so the balance does not correct it.
   */
  private lastMinutes(flow: Flow): number {
    let most = 0;
    for (let from = this.start; from < this.until;) {
      const midnight = findUnitStart('day', from, 1);
      if (midnight < this.until) most = Math.max(most, this.flowed(flow, midnight - marginOf(flow), midnight) ?? 0);
      from = midnight;
    }
    return most;
  }

  /** With a battery: the sum over hours of production without what goes to the grid. */
  private selfConsumedByHour(): number {
    let sum = 0;
    for (let from = this.start; from < this.until; from += 60 * minuteMs) {
      const to = Math.min(from + 60 * minuteMs, this.until);
      const flowedAt = (flow: Flow): number => this.flowed(flow, from, to) ?? 0;
      const flows = {
        taken: flowedAt('import'),
        given: flowedAt('export'),
        stored: flowedAt('charged'),
        released: flowedAt('discharged'),
      };
      sum += ownSun({ ...flows, sun: flowedAt('production') });
    }
    return sum;
  }

  private gross: number | null = null;

  /** Production by the hour, without the inverters' own use. */
  private grossProduction(): number {
    if (this.gross !== null) return this.gross;
    let sum = 0;
    for (let from = this.start - 5 * minuteMs; from < this.until + minuteMs; from += 60 * minuteMs) {
      sum += Math.max(0, this.flowed('production', from, Math.min(from + 60 * minuteMs, this.until + minuteMs)) ?? 0);
    }
    this.gross = sum;
    return sum;
  }
}

/** Devices leave a balance complete. */
const ofDevices = 'energy_other_kwh';

const summed = [...Object.values(fieldOf), 'energy_net_kwh', 'energy_house_kwh', 'energy_self_consumed_kwh'];

const derivedFrom: Readonly<Record<string, readonly string[]>> = {
  energy_house_kwh: ['energy_import_kwh', 'energy_export_kwh', 'energy_production_kwh'],
  // With a battery also a quarter of an hour, which has none.
  energy_self_consumed_kwh: ['energy_export_kwh', 'energy_production_kwh'],
};

function isBelowNothing(point: SeriesPoint, field: string): boolean {
  return point[field] === null && (derivedFrom[field] ?? []).every((part) => point[part] !== null);
}

/** Rule 5, and no point in the future (rule 3). Needs no ledger. */
export function pointsOf({ values, missing, points = [], period }: BalancePayload, until: number): string[] {
  const broken: string[] = [];
  points.forEach((point, index) => {
    broken.push(...oddPoint(point, period?.step === 'PT1H'));
    if (point.ts >= until && period !== undefined)
      broken.push(`rule 3: a point at ${point.ts}, where ${until} is not yet over`);
    if (index > 0 && point.ts <= (points[index - 1]?.ts ?? 0))
      broken.push(`rule 5: points are not ascending at ${point.ts}`);
  });
  for (const field of summed) {
    const value = values[field] ?? null;
    if (value === null) continue;
    // A negative point, as with an unmeasured battery, is null, although its parts are known.
    if (field in derivedFrom && points.some((point) => isBelowNothing(point, field))) continue;
    // A delivered sum, such as that of a month, does not show its days.
    if (missing['points'] !== undefined && points.some((point) => point[field] === null)) continue;
    const added = points.reduce((sum, point) => sum + (point[field] ?? 0), 0);
    if (Math.abs(added - value) > 1e-6 * Math.max(1, Math.abs(value))) {
      broken.push(`rule 5: the points of ${field} come to ${added}, its sum is ${value}`);
    }
  }
  return broken;
}

function oddPoint(point: SeriesPoint, isHour: boolean): string[] {
  const of = (name: string): number | null => point[`energy_${name}_kwh`] ?? null;
  const [taken, given, production, house, net] = [of('import'), of('export'), of('production'), of('house'), of('net')];
  const [stored, released] = [of('battery_charged'), of('battery_discharged')];
  const broken: string[] = [];
  const checkSum = (name: string, value: number | null, wanted: number): void => {
    if (value !== null && Math.abs(value - wanted) > 1e-6) {
      broken.push(`rule 5: ${name} is ${value} at ${point.ts}, its parts come to ${wanted}`);
    }
  };
  if (taken === null || given === null) return broken;
  checkSum('net', net, taken - given);
  if ('energy_production_kwh' in point && production === null) {
    if (house !== null) broken.push(`rule 5: house is ${house} at ${point.ts}, and production is not known`);
    return broken;
  }
  if ('energy_battery_charged_kwh' in point && (stored === null || released === null)) {
    if (house !== null) broken.push(`rule 5: house is ${house} at ${point.ts}, and the battery is not known`);
    return broken;
  }
  checkSum('house', house, taken - given + (production ?? 0) + (released ?? 0) - (stored ?? 0));
  if (production === null) return broken;
  if (stored === null || released === null) checkSum('self-consumed', of('self_consumed'), production - given);
  else if (isHour) {
    checkSum('self-consumed', of('self_consumed'), ownSun({ taken, given, sun: production, stored, released }));
  }
  return broken;
}
