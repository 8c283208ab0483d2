/** A house whose monitor and clocks have faults: what flowed in it is known, and a test says what its monitor shows of that. */
import type { ClientResponse, OpenApiKind, RequestOf, ValueOf } from '../../../src/clients/client';
import { nextPeriod, type Period, periodContaining } from '../../../src/calendar/periods';
import { CemmError } from '../../../src/errors';
import type { Measurement, Samples } from '../../../src/protocol/responses';
import { minuteMs, hourMs, dayMs, millis } from '../../../src/time/units';
import { MONITOR, monitorRecord } from '../clients/fake-client';
import { type Answers, ImmediateClient } from '../clients/immediate-client';
import { StillClock } from '../houses/still-clock';
import { type Entry, samples } from '../model/samples';

export const zone = 'Europe/Amsterdam';

/** `mb2` is a battery, which charges with positive power, and `mb3` a device behind the smart meter. */
export type MeterName = 'p1' | 's01' | 's02' | 'gas' | 'mb2' | 'mb3';

/** The time of the world, and that of the host, which may be wrong. */
export class World extends StillClock {
  /** Error of the host's clock, ms. */
  hostError = 0;

  override now() {
    return millis(this.moment + this.hostError);
  }

  override monotonic(): number {
    return this.moment;
  }
}

function random(minute: number, salt: number): number {
  let mixed = Math.imul(minute ^ (salt * 0x9e3779b9), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Mean power of a minute in W, of s02 in other watts; litres per minute of the gas meter. */
export function truth(meter: MeterName, moment: number, salt = 1): number {
  const minute = Math.floor(moment / minuteMs);
  const chance = random(minute, salt);
  const hour = Math.floor(moment / hourMs) % 24;
  const isSunny = hour >= 6 && hour < 18;
  if (meter === 's01') return isSunny ? Math.round(100 + 2900 * chance) : 0;
  if (meter === 's02') return Math.round(50 * salt + 100 * chance);
  if (meter === 'gas') return 2;
  if (meter === 'mb2') return batteryPower(hour, chance);
  if (meter === 'mb3') return Math.round(20 + 180 * chance);
  return isSunny && chance > 0.7 ? -Math.round(2000 * chance) : Math.round(100 + 700 * chance);
}

/** It charges at noon, less than the sun gives, and discharges in the evening. */
function batteryPower(hour: number, chance: number): number {
  if (hour >= 10 && hour < 15) return Math.round(100 + 500 * chance);
  return hour >= 18 && hour < 22 ? -Math.round(200 + 600 * chance) : 0;
}

/** What flowed: kWh in the direction of import or export, or m³. */
export function flowed(meter: MeterName, from: number, to: number, sign: 1 | -1 = 1, salt = 1): number {
  let sum = 0;
  for (let at = from; at < to; at += minuteMs) sum += Math.max(0, sign * truth(meter, at, salt));
  return sum / (meter === 'gas' ? 1000 : 60_000);
}

const types: Readonly<Record<MeterName, string>> = {
  p1: 'p1',
  s01: 'solar_energy',
  s02: 'solar_energy',
  gas: 'gas',
  mb2: 'modbus',
  mb3: 'modbus',
};

export class FaultyMonitor extends ImmediateClient {
  id = MONITOR;
  /** Error of the monitor's clock, ms. */
  clockError = 0;
  isAway = false;
  /** Slots before it are forgotten. */
  forgottenBefore = -Infinity;
  /** Slots from it on have not arrived yet. */
  arrivedUntil = Infinity;
  /** Those of the gas meter from it on, although the others have. */
  gasArrivedUntil = Infinity;
  /** Minutes that were never recorded. */
  missing: (meter: MeterName, minute: number) => boolean = () => false;
  /** What it shows for slots that it does not have; undefined: it leaves them out. */
  unknown: number | undefined = 0;
  /** What it shows for minutes to come. */
  toCome: number | undefined = undefined;
  decimals = 0;
  /** Its counters are shown, at the present or at the end of a past day. */
  hasReadings = false;
  salt = 1;
  /** The newest time with a value that it has answered with, and by the right clock. */
  toldUntil = -Infinity;
  requests: string[] = [];
  private readonly since: number;

  constructor(
    private readonly world: World,
    transport: 'remote' | 'local',
    private readonly meters: readonly MeterName[] = ['p1'],
  ) {
    super(transport, () => world.now());
    this.since = Math.floor(world.moment / dayMs) * dayMs - 200 * dayMs;
  }

  /** Requests of the past. */
  get asked(): number {
    return this.requests.filter((request) => /series|totals/.test(request)).length;
  }

  override request<K extends OpenApiKind>(request: RequestOf<K>): Promise<ClientResponse<ValueOf<K>>> {
    this.requests.push(JSON.stringify(request));
    if (this.isAway) return Promise.reject(new CemmError('MONITOR_OFFLINE', { status: 502 }));
    return super.request(request);
  }

  override close(): void {
    this.requests = [];
  }

  /** The last minute of which it has data. */
  private newest(meter: MeterName): number {
    return Math.min(this.world.moment, this.arrivedUntil, meter === 'gas' ? this.gasArrivedUntil : Infinity);
  }

  protected readonly answers: Answers = {
    monitors: () => [monitorRecord(this.id)],
    meters: () => this.meters.map((alias, index) => this.record(alias, index)),
    meter: ({ alias }) => this.meters.flatMap((one, index) => (one === alias ? [this.record(one, index)] : [])),
    realtime: ({ alias }) => {
      const meter = this.meterOf(alias);
      const at = this.world.moment;
      const time = millis(at + this.clockError);
      this.toldUntil = at + Math.min(0, this.clockError);
      const name = meter === 'gas' ? 'flow' : 'electric_power';
      const counters = this.hasReadings ? this.readings(meter, at, time) : new Map<string, Measurement>();
      return {
        ioId: 1,
        data: new Map([[name, { time, value: truth(meter, at, this.salt), flaw: null }], ...counters]),
        totals: null,
      };
    },
    totals: ({ alias, time }) => {
      const { start, end } = periodContaining('day', zone, millis(time * 1000));
      const meter = this.meterOf(alias);
      const at = Math.min(end - 1000, this.newest(meter));
      const isKnown = this.hasReadings && at >= start && at >= this.forgottenBefore;
      return {
        ioId: 1,
        time: start,
        data: isKnown ? this.readings(meter, at, millis(at)) : new Map<string, Measurement>(),
      };
    },
    series: ({ alias, unit, time }) => {
      const meter = this.meterOf(alias);
      const period = periodContaining(unit, zone, millis(time * 1000));
      const samples = unit === 'day' ? this.minutes(meter, period) : this.sums(meter, period);
      const power = unit === 'day' ? 'electric_power' : 'electric_energy';
      const volume = unit === 'day' ? 'flow' : 'volume';
      return { ioId: 1, time: period.start, channels: new Map([[meter === 'gas' ? volume : power, samples]]) };
    },
  };

  private meterOf(alias: string): MeterName {
    const meter = this.meters.find((one) => one === alias);
    if (meter === undefined) throw new CemmError('ALIAS', { status: 412, alias });
    return meter;
  }

  private record(alias: MeterName, index: number) {
    return { ioId: index + 1, port: 3, type: types[alias], portOption: null, fullId: null, alias };
  }

  private readings(meter: MeterName, at: number, time: ReturnType<typeof millis>): Map<string, Measurement> {
    const count = (sign: 1 | -1): Measurement => ({ time, value: this.counter(meter, sign, at), flaw: null });
    if (meter === 'gas') return new Map([['volume', count(1)]]);
    if (meter === 'mb2' || meter === 'mb3')
      return new Map([
        ['t1', count(1)],
        ['t3', count(-1)],
      ]);
    if (meter !== 'p1') return new Map([['electric_energy', count(1)]]);
    return new Map([
      ['t1', count(1)],
      ['t2', { time, value: 0, flaw: null }],
      ['t3', count(-1)],
      ['t4', { time, value: 0, flaw: null }],
    ]);
  }

  private readonly counted = new Map<string, number[]>();

  /** A counter: what flowed since a day long before anything that a test asks for, and some more. */
  private counter(meter: MeterName, sign: 1 | -1, at: number): number {
    const key = `${meter} ${sign} ${this.salt}`;
    const days = this.counted.get(key) ?? [1000];
    this.counted.set(key, days);
    const day = Math.floor((at - this.since) / dayMs);
    for (let index = days.length; index <= day; index += 1) {
      const from = this.since + (index - 1) * dayMs;
      days.push((days[index - 1] ?? 0) + flowed(meter, from, from + dayMs, sign, this.salt));
    }
    return (days[day] ?? 0) + flowed(meter, this.since + day * dayMs, at, sign, this.salt);
  }

  private minutes(meter: MeterName, { start, end }: Period): Samples {
    const entries: Entry[] = [];
    const push = (time: number, value: number | undefined): void => {
      if (value !== undefined) entries.push([time, value]);
    };
    const factor = 10 ** this.decimals;
    for (let at: number = start; at < end; at += minuteMs) {
      if (at >= this.world.moment) push(at, this.toCome);
      else if (at < this.forgottenBefore || at >= this.newest(meter) || this.missing(meter, at)) push(at, this.unknown);
      else {
        const more = this.decimals > 0 ? ((at / minuteMs) % 97) / factor : 0;
        push(at, Math.round(truth(meter, at, this.salt) * factor) / factor + more);
      }
    }
    return samples(entries);
  }

  private sums(meter: MeterName, { unit, start, end }: Period): Samples {
    const entries: Entry[] = [];
    let part = periodContaining(unit === 'month' ? 'day' : 'month', zone, start);
    for (; part.start < Math.min(end, this.world.moment); part = nextPeriod(part)) {
      const [from, to] = [Math.max(part.start, this.forgottenBefore), Math.min(part.end, this.newest(meter))];
      const sum =
        from < to
          ? flowed(meter, from, to, 1, this.salt) - (meter === 'gas' ? 0 : flowed(meter, from, to, -1, this.salt))
          : this.unknown;
      if (sum !== undefined) entries.push([part.start, Math.round(sum * 1e6) / 1e6]);
    }
    return samples(entries);
  }
}
