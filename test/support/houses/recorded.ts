/** The records of a random house's monitor: its meters, their minutes, and its sums of days and months. */
import type { Samples } from '../../../src/protocol/responses';
import { minuteMs, hourMs, dayMs } from '../../../src/time/units';
import { type Entry, samples } from '../model/samples';
import { Random } from '../random';
import type { Column } from './ledger';
import { findUnitStart } from '../bills/calendar';
import {
  isRecorded,
  isMeasuredWhole,
  lastRecorded,
  showCounter,
  type Inverter,
  type Outage,
  type RandomHouse,
} from './random-house';

/** A meter's names, and the place of its counters. */
export interface Listed {
  readonly alias: string | null;
  readonly type: string;
  readonly of: Exclude<Outage['of'], 'all'>;
  readonly inverter: Inverter | null;
}

export function listedMeters(house: RandomHouse): Listed[] {
  const { hasGrid, gas, hasWater, inverters, kind, battery, hasDevice, described } = house;
  return [
    ...(hasGrid ? [{ alias: 'p1', type: 'p1', of: 'p1', inverter: null } as const] : []),
    ...(gas === 'behind' ? [{ alias: 'p1-gas', type: 'gas', of: 'gas', inverter: null } as const] : []),
    ...(gas === 'pulse'
      ? [{ alias: kind === 'remote' ? 's03' : 'pulse-3', type: 'gas', of: 'gas', inverter: null } as const]
      : []),
    ...(hasWater ? [{ alias: 'pulse-2', type: 'water', of: 'water', inverter: null } as const] : []),
    ...inverters.map(
      (inverter) => ({ alias: inverter.alias, type: 'solar_energy', of: 'inverters', inverter }) as const,
    ),
    ...(battery === null ? [] : [{ alias: battery.alias, type: 'modbus', of: 'battery', inverter: null } as const]),
    ...(hasDevice ? [{ alias: 'mb3', type: 'modbus', of: 'device', inverter: null } as const] : []),
    ...(described.hasInner ? [{ alias: 'mb4', type: 'modbus', of: 'inner', inverter: null } as const] : []),
  ];
}

export class Recorded {
  /** @param now epoch ms */
  constructor(
    private readonly house: RandomHouse,
    private readonly now: () => number,
  ) {}

  columnsOf(meter: Listed): { taken: Column; given: Column | null } {
    const { ledger } = this.house;
    if (meter.of === 'p1') return { taken: ledger.import, given: ledger.export };
    if (meter.of === 'inverters')
      return { taken: ledger.inverters[meter.inverter?.column ?? 0] ?? ledger.import, given: null };
    if (meter.of === 'battery') {
      const { charged, discharged } = ledger;
      return this.house.battery?.isReversed === true
        ? { taken: discharged, given: charged }
        : { taken: charged, given: discharged };
    }
    return { taken: ledger[meter.of], given: null };
  }

  /** W, or L per minute. */
  mean(meter: Listed, from: number, minutes: number): number {
    const { ledger } = this.house;
    const { taken, given } = this.columnsOf(meter);
    const to = from + minutes * minuteMs;
    const out = given === null ? 0 : ledger.at(given, to) - ledger.at(given, from);
    const net = ledger.at(taken, to) - ledger.at(taken, from) - out;
    return meter.of === 'gas' || meter.of === 'water' ? net / minutes / 1000 : net / minutes;
  }

  /** The end of the last whole minute. */
  private lastMinute(): number {
    return Math.floor(this.now() / minuteMs) * minuteMs;
  }

  minutes(meter: Listed, moment: number): Map<string, Samples> {
    const { house } = this;
    const start = findUnitStart('day', moment);
    const end = Math.min(findUnitStart('day', start, 1), this.lastMinute());
    if (meter.of === 'gas' && meter.alias === 'p1-gas') return new Map([['gas', this.gasOfDay(meter, start, end)]]);
    const name = meter.of === 'gas' || meter.of === 'water' ? 'flow' : 'electric_power';
    return new Map([
      [
        name,
        this.samples(start, end, minuteMs, (at) => (isRecorded(house, meter.of, at) ? this.mean(meter, at, 1) : null)),
      ],
    ]);
  }

  private gasOfDay(meter: Listed, start: number, end: number): Samples {
    const { house } = this;
    if (house.gasSeries === 'flow') {
      return this.samples(start, end - 5 * minuteMs + 1, 5 * minuteMs, (at) =>
        isRecorded(house, 'gas', at) && isRecorded(house, 'gas', at + 4 * minuteMs) ? this.mean(meter, at, 5) : null,
      );
    }
    const { ledger } = house;
    if (house.gasSeries === 'amounts') {
      const used = (at: number): number => (ledger.at(ledger.gas, at + hourMs) - ledger.at(ledger.gas, at)) / 1e6;
      return this.samples(start, end - hourMs + 1, hourMs, (at) =>
        isMeasuredWhole(house, 'gas', at, at + hourMs) ? used(at) : null,
      );
    }
    return this.samples(start, end, hourMs, (at) =>
      isRecorded(house, 'gas', at) ? showCounter(house, 'gas', ledger.gas, 4321.5, at) : null,
    );
  }

  private samples(start: number, end: number, step: number, valueAt: (at: number) => number | null): Samples {
    const { isShuffled, hasDuplicates, seed } = this.house;
    const entries: Entry[] = [];
    for (let at = start; at < end; at += step) {
      const value = valueAt(at);
      if (value === null) continue;
      entries.push([at, value]);
      if (hasDuplicates && (at / step) % 37 === 0) entries.push([at, value]);
    }
    return samples(isShuffled ? shuffle(entries, new Random(seed)) : entries.reverse());
  }

  /** The monitor's sums of days or months, from its own minutes. */
  parts(meter: Listed, unit: 'month' | 'year', moment: number): Map<string, Samples> {
    const { house } = this;
    const part = unit === 'year' ? 'month' : 'day';
    const amounts: Entry[] = [];
    const end = Math.min(findUnitStart(unit, moment, 1), this.lastMinute());
    for (let from = findUnitStart(unit, moment); from < end; from = findUnitStart(part, from, 1)) {
      const to = Math.min(findUnitStart(part, from, 1), end);
      if (to <= house.start - dayMs) continue;
      amounts.unshift([from, this.recorded(meter, Math.max(from, house.start - dayMs), to)]);
    }
    if (meter.of === 'gas' || meter.of === 'water') {
      return new Map([[meter.alias === 'p1-gas' ? 'gas' : 'volume', samples(amounts)]]);
    }
    const low = house.kind === 'remote' ? 'electric_energy_low' : 'electric_energy';
    return new Map([
      [low, samples(amounts)],
      ['electric_energy_high', samples(amounts.map(([from]) => [from, 0]))],
    ]);
  }

  private recorded(meter: Listed, from: number, to: number): number {
    const { ledger, outages } = this.house;
    if (meter.of === 'gas' || meter.of === 'water') {
      // From its counter, as far as it was read.
      const [first, last] = [lastRecorded(this.house, meter.of, from), lastRecorded(this.house, meter.of, to)];
      return (ledger.at(ledger[meter.of], last) - ledger.at(ledger[meter.of], first)) / 1_000_000;
    }
    const { taken, given } = this.columnsOf(meter);
    const net = (a: number, b: number): number => {
      const change = (column: Column): number => ledger.at(column, b) - ledger.at(column, a);
      return (change(taken) - (given === null ? 0 : change(given))) / 60_000;
    };
    const away = outages
      .filter(({ of }) => of === 'all' || of === meter.of)
      .map((one): [number, number] => [Math.max(from, one.from), Math.min(to, one.to)])
      .filter(([a, b]) => b > a)
      .sort(([a], [b]) => a - b);
    let [lost, upTo] = [0, from];
    for (const [a, b] of away) {
      if (b <= upTo) continue;
      lost += net(Math.max(a, upTo), b);
      upTo = b;
    }
    return net(from, to) - lost;
  }
}

function shuffle(entries: readonly Entry[], random: Random): Entry[] {
  const placed = entries.map((entry) => ({ entry, place: random.next() }));
  return placed.sort((a, b) => a.place - b.place).map(({ entry }) => entry);
}
