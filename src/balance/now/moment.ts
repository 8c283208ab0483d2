/**
 * Collects one reading of each meter of electricity; together they are one moment. It does not wait for devices, of which the last
 * reading counts.
 */
import { largest } from '../../checks/extremes';
import type { RealtimePayload, WebhookPayload } from '../../model/payload';
import { presentMeters } from '../meters/replaced-meters';
import { isOfPhase } from './phases';
import type { MeterNow, PowerRole } from './present';

export type PowerMeter = Omit<MeterNow, 'reading'>;

export class Moment {
  private readonly latest = new Map<string, RealtimePayload>();
  private readonly fresh = new Set<string>();
  private readonly away = new Set<string>();

  /** @param take called with the latest reading of each meter, as soon as all were read again */
  constructor(
    private readonly meters: PowerMeter[],
    private take: (meters: readonly MeterNow[]) => void,
  ) {}

  /** Sends further moments to this function. */
  sendingTo(take: (meters: readonly MeterNow[]) => void): this {
    this.take = take;
    return this;
  }

  read(name: string, reading: RealtimePayload): void {
    if (this.isDevice(name)) {
      this.latest.set(name, reading);
      return;
    }
    // A second reading of one meter: missing readings belong to the next moment.
    if (this.fresh.has(name)) this.endMoment();
    this.away.delete(name);
    this.latest.set(name, reading);
    this.fresh.add(name);
    this.endIfWhole();
  }

  /** The moment no longer waits for this meter. */
  lost(name: string): void {
    this.away.add(name);
    this.latest.delete(name);
    this.fresh.delete(name);
    if (this.fresh.size > 0) this.endIfWhole();
  }

  add(meter: PowerMeter): void {
    if (!this.meters.some(({ name }) => name === meter.name)) this.meters.push(meter);
  }

  /** The latest reading of each meter. */
  get readings(): readonly MeterNow[] {
    return this.counted.map((meter) => ({ ...meter, reading: this.latest.get(meter.name) ?? null }));
  }

  /** Without meters that were replaced. */
  private get counted(): PowerMeter[] {
    return presentMeters(this.meters);
  }

  private isDevice(name: string): boolean {
    return this.meters.some((meter) => meter.name === name && meter.role === 'consumption');
  }

  private endIfWhole(): void {
    const awaited = this.counted.filter(({ role }) => role !== 'consumption');
    if (awaited.every(({ name }) => this.fresh.has(name) || this.away.has(name))) this.endMoment();
  }

  private endMoment(): void {
    this.fresh.clear();
    this.take(this.readings);
  }
}

const powerFields: ReadonlySet<string> = new Set(['power_w', 'power_import_w', 'power_export_w']);

/** The current power of one meter in a delivery, as a reading; null if the delivery has none. */
export function deliveredReading(payload: WebhookPayload, { name, role }: PowerMeter): RealtimePayload | null {
  const found = payload.readings.filter(
    ({ meter, topic, ts }) => meter === name && topic === 'realtime' && ts !== null,
  );
  const findValue = (field: string): number | null => found.find((reading) => reading.field === field)?.value ?? null;
  const [power, taken, given] = [findValue('power_w'), findValue('power_import_w'), findValue('power_export_w')];
  const values = powersOf[role](power, taken, given);
  // Other channels of the meter may be newer.
  const times = found.flatMap(({ ts, field, value }) => (value !== null && powerFields.has(field) ? (ts ?? []) : []));
  if (values === null || times.length === 0) return null;
  const phases = Object.fromEntries(
    found.flatMap(({ field, value }) => (role === 'grid' && isOfPhase(field) ? [[field, value] as const] : [])),
  );
  const { schema, id, monitor, source } = payload;
  const ts = largest(times);
  return {
    schema,
    kind: 'realtime',
    id,
    ts,
    time: new Date(ts).toISOString(),
    monitor,
    source,
    meter: { key: name, role },
    values: { ...values, ...phases },
    times: {},
    missing: {},
  };
}

type Power = number | null;

/** A delivery has the channels that were chosen on the monitor. Nothing is given while something is taken, and the reverse. */
function splitDirections(power: Power, taken: Power, given: Power): readonly [taken: Power, given: Power] {
  if (power !== null && (taken === null || given === null)) return [Math.max(0, power), Math.max(0, -power)];
  const beside = (other: Power): Power => (other !== null && other > 0 ? 0 : null);
  return [taken ?? beside(given), given ?? beside(taken)];
}

function atGrid(power: Power, taken: Power, given: Power): RealtimePayload['values'] | null {
  if (power === null && taken === null && given === null) return null;
  const [power_import_w, power_export_w] = splitDirections(power, taken, given);
  return { power_import_w, power_export_w };
}

const powersOf: Readonly<Record<PowerRole, typeof atGrid>> = {
  grid: atGrid,
  production: ofProduction,
  battery: ofBattery,
  consumption: ofDevice,
};

/** Import charges the battery. */
function ofBattery(power: Power, taken: Power, given: Power): RealtimePayload['values'] | null {
  if (power === null && taken === null && given === null) return null;
  const [charged, discharged] = splitDirections(power, taken, given);
  return { power_battery_w: charged === null || discharged === null ? null : discharged - charged };
}

function ofDevice(power: Power, taken: Power, given: Power): RealtimePayload['values'] | null {
  if (taken !== null || given !== null) return { power_w: (taken ?? 0) - (given ?? 0) };
  return power === null ? null : { power_w: power };
}

/** An inverter counts its delivery as export. */
function ofProduction(power: Power, taken: Power, given: Power): RealtimePayload['values'] | null {
  if (given !== null) return { power_production_w: given - (taken ?? 0) };
  return power === null ? null : { power_production_w: power };
}
