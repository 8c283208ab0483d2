/** Rules for the devices of every balance, checked against the actual flows (docs/balance.md). */
import type { BalanceDevice, BalancePayload } from '../../../src/model/payload';
import { minuteMs, hourMs } from '../../../src/time/units';
import { pourHour } from '../balance/naive-battery';

export interface DeviceLedger {
  /** kWh into a device between two moments, and out of it, which only a meter in the wrong role has. */
  readonly used: (meter: string, from: number, to: number) => number;
  readonly returned: (meter: string, from: number, to: number) => number;
  /** The meter of the device behind which it is; undefined: behind none. */
  readonly within: (meter: string) => string | undefined;
  /** kWh of the house. */
  readonly flowed: (
    flow: 'import' | 'export' | 'production' | 'charged' | 'discharged',
    from: number,
    to: number,
  ) => number | null;
  /** Of import, and of export without its fee, in the clock hour from a moment; null: costs are not compared there. */
  readonly prices: (hour: number) => DevicePrices | null;
}

export interface DevicePrices {
  readonly import: number;
  readonly export: number;
}

type LedgerFlow = Parameters<DeviceLedger['flowed']>[0];

/** Of one device: the share of the sun, what it cost, and the kWh it used. */
interface Shares {
  readonly share: number;
  readonly paid: number;
  readonly used: number;
}

/** One sentence for each broken rule. */
export function devicesBrokenIn(payload: BalancePayload, actual: DeviceLedger, now: number): string[] {
  // A battery without a meter in the balance cannot be seen.
  const isBattery = (flow: string): boolean => flow === 'charged' || flow === 'discharged';
  const ledger: DeviceLedger = {
    ...actual,
    flowed: (flow, from, to) =>
      isBattery(flow) && payload.meters.battery === undefined ? null : actual.flowed(flow, from, to),
  };
  const { devices = [], period, points = [], values, coverage, missing } = payload;
  const misplaced = devices.flatMap(({ meter, within = 'none' }) => {
    const wanted = actual.within(meter) ?? 'none';
    return within === wanted ? [] : [`${meter} is behind ${within}, wanted ${wanted}`];
  });
  if (period === undefined) return [...misplaced, ...presentBrokenIn(payload)];
  const until = Math.max(period.start, Math.min(period.end, Math.floor(now / minuteMs) * minuteMs));
  const broken = [...misplaced];
  broken.push(...devices.flatMap((device) => new DeviceCheck(device, period.start, until, ledger).broken()));
  for (const { meter, energy_kwh: energy = null } of devices) {
    const inPoints = points.map((point) => point.devices?.[meter] ?? null);
    // Readings at the borders of a day, and a delivered amount of all of it, do not show its hours.
    const maySkip = missing['points'] !== undefined || payload.source.transport === 'webhook';
    const isPart = maySkip && inPoints.includes(null);
    const added = inPoints.reduce<number>((sum, kwh) => sum + (kwh ?? 0), 0);
    const slack = 1e-6 * Math.max(1, energy ?? 0);
    if (energy !== null && (added > energy + slack || (!isPart && added < energy - slack)))
      broken.push(`the points of ${meter} come to ${added}, its sum is ${energy}`);
  }
  const [house, other] = [values['energy_house_kwh'] ?? null, values['energy_other_kwh']];
  if (devices.length > 0 && 'energy_house_kwh' in values && other === undefined) broken.push('no rest of the house');
  if (other === null && missing['energy_other_kwh'] === undefined) broken.push('no reason for an unknown rest');
  const outer = devices.filter(({ within }) => within === undefined);
  const isWhole = coverage['energy_other_kwh'] === 1 && outer.every((device) => device.coverage === 1);
  if (isWhole && typeof other === 'number' && house !== null) {
    const rest = outer.reduce((sum, device) => sum - (device.energy_kwh ?? 0), house);
    if (Math.abs(rest - other) > 1e-6) broken.push(`the rest is ${other}, wanted ${rest}`);
  }
  return broken;
}

function presentBrokenIn({ devices = [], values, missing }: BalancePayload): string[] {
  const unexplained = devices.filter((device) => device.power_w === null && device.missing?.['power_w'] === undefined);
  const [house, other] = [values['power_house_w'] ?? null, values['power_other_w'] ?? null];
  const outer = devices.filter(({ within }) => within === undefined);
  const rest = outer.reduce((sum, { power_w: power }) => sum - (power ?? NaN), house ?? NaN);
  return [
    ...unexplained.map(({ meter }) => `no reason for the unknown power of ${meter}`),
    ...(other !== null && Math.abs(other - rest) > 1e-6 ? [`the rest is ${other} W, wanted ${rest}`] : []),
    ...(devices.length > 0 && house !== null && other === null && missing['power_other_w'] === undefined
      ? ['no reason for an unknown rest']
      : []),
  ];
}

class DeviceCheck {
  constructor(
    private readonly device: BalanceDevice,
    private readonly start: number,
    private readonly until: number,
    private readonly ledger: DeviceLedger,
  ) {}

  broken(): string[] {
    const { meter, energy_kwh: energy = null, coverage, missing = {} } = this.device;
    const of = this.ledger.used(meter, this.start, this.until);
    const most = this.ledger.used(meter, this.start - 5 * minuteMs, this.until + minuteMs);
    const returned = this.ledger.returned(meter, this.start + 5 * minuteMs, this.until - 5 * minuteMs);
    const broken: string[] = [];
    const numbers = { energy_kwh: this.device.energy_kwh, cost: this.device.cost, from_sun: this.device.from_sun };
    for (const [field, value] of Object.entries(numbers)) {
      if (value === null && missing[field] === undefined) broken.push(`no reason for the unknown ${field} of ${meter}`);
    }
    if (!(coverage >= 0 && coverage <= 1)) broken.push(`the coverage of ${meter} is ${coverage}`);
    if (energy === null) return broken;
    if (coverage === 1 && returned > 0.1) broken.push(`${meter} is a device with ${energy} kWh, and gave ${returned}`);
    const slack = 0.01 * most + 0.05;
    if (energy > most + slack) broken.push(`${meter} has ${energy} kWh, at most ${most} flowed`);
    if (coverage === 1 && energy < of - slack) broken.push(`${meter} has ${energy} kWh, ${of} flowed`);
    return [...broken, ...this.shares(energy, of)];
  }

  /** Import and export within one minute cancel out where only its mean is known: both results are right, and all between them. */
  private shares(energy: number, of: number): string[] {
    const { meter, from_sun: share = null, cost = null } = this.device;
    if ((share === null && cost === null) || energy < of - 0.02 * of - 0.05) return [];
    const { flowed } = this.ledger;
    const first = this.sharesOf(flowed);
    if (this.isNear(first, first)) return [];
    const other = this.sharesOf((flow, from, to) => withoutBoth(flowed, flow, from, to));
    if (this.isNear(first, other)) return [];
    return [
      `${meter} has ${share} of the sun, wanted ${first.share} to ${other.share}`,
      `${meter} costs ${cost}, wanted ${first.paid} to ${other.paid}`,
    ];
  }

  private isNear(one: Shares, other: Shares): boolean {
    const { from_sun: share = null, cost = null } = this.device;
    const isBetween = (value: number, a: number, b: number, slack: number): boolean =>
      value >= Math.min(a, b) - slack && value <= Math.max(a, b) + slack;
    const isCost =
      cost === null ||
      Number.isNaN(one.paid) ||
      isBetween(cost, one.paid, other.paid, 0.03 * Math.abs(one.paid) + 0.03);
    return isCost && (share === null || one.used <= 0.5 || isBetween(share, one.share, other.share, 0.03));
  }

  /** Sun and cost by hour, as in the naive reading of the contract. */
  private sharesOf(flowed: DeviceLedger['flowed']): Shares {
    const { meter } = this.device;
    let [sun, paid, used] = [0, 0, 0];
    for (let from = this.start; from < this.until; from += hourMs) {
      const to = Math.min(from + hourMs, this.until);
      const flowedIn = (flow: LedgerFlow): number => flowed(flow, from, to) ?? 0;
      const own = this.ledger.used(meter, from, to);
      const parts = pourHour({
        taken: flowedIn('import'),
        given: flowedIn('export'),
        sun: flowedIn('production'),
        stored: flowedIn('charged'),
        released: flowedIn('discharged'),
      });
      const house = parts.grid + parts.sun + parts.battery;
      if (house <= 0) continue;
      used += own;
      sun += (own * parts.sun) / house;
      const { import: taken, export: given } = this.ledger.prices(from) ?? { import: NaN, export: NaN };
      paid += (own * (parts.grid * taken + (parts.sun + parts.battery) * given)) / house;
    }
    return { share: sun / used, paid, used };
  }
}

/** kWh of a flow, for import and export without what cancels out within each minute. */
function withoutBoth(flowed: DeviceLedger['flowed'], flow: LedgerFlow, from: number, to: number): number | null {
  if (flow !== 'import' && flow !== 'export') return flowed(flow, from, to);
  let sum = 0;
  for (let start = from; start < to; start += minuteMs) {
    const end = Math.min(start + minuteMs, to);
    const [taken, given] = [flowed('import', start, end) ?? 0, flowed('export', start, end) ?? 0];
    sum += Math.max(0, flow === 'import' ? taken - given : given - taken);
  }
  return sum;
}
