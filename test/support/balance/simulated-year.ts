/** A year of the simulated house with its ledger, day by day as reported by its monitor. */
import { describeMeter } from '../../../src/model/identity';
import { normalizeSeries } from '../../../src/model/series';
import { nextPeriod, periodContaining, type SeriesPeriod } from '../../../src/calendar/periods';
import { minuteMs, millis } from '../../../src/time/units';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { Counter, CounterReading } from '../../../src/balance/meters/readings';
import { buildShapes } from '../../../src/balance/meters/slots';
import type { Shapes } from '../../../src/balance/meters/shape';
import { createHousehold, type Household, type Minute } from '../../../src/simulator/household';
import type { Registers } from '../../../src/simulator/register-sums';
import { type Entry, samples } from '../model/samples';
import { meter, reading, SOURCE, zone } from './small-house';

export const sums = ['import', 'export', 'production', 'selfConsumed', 'house'] as const;
export type Sum = (typeof sums)[number];

/** kWh. */
export type Truth = Readonly<Record<Sum, number>>;

const ofImport = (r: Registers) => r.importT1Kwh + r.importT2Kwh;
const ofExport = (r: Registers) => r.exportT1Kwh + r.exportT2Kwh;
const ofRoof = (r: Registers) => r.solarT1Kwh + r.solarT2Kwh - r.solarOwnT1Kwh - r.solarOwnT2Kwh;
const ofGarage = (r: Registers) => r.garageT1Kwh + r.garageT2Kwh - r.garageOwnT1Kwh - r.garageOwnT2Kwh;

/** A year with a leap day and both changes of the clocks. */
const year = 2028;

export class SimulatedYear {
  readonly household: Household;
  readonly days: readonly SeriesPeriod[];

  constructor(seed: number) {
    const start = millis(Date.parse(`${year - 1}-12-31T12:00:00Z`));
    const first = periodContaining('day', zone, millis(Date.parse(`${year}-01-01T12:00:00Z`)));
    this.household = createHousehold({ seed, timezone: zone, now: first.end, since: start });
    const days: SeriesPeriod[] = [];
    for (let day = first; day.label.startsWith(String(year)); day = nextPeriod(day)) days.push(day);
    this.days = days;
  }

  truth({ start, end }: SeriesPeriod): Truth {
    const [before, after] = [this.household.registers(start), this.household.registers(end)];
    const change = (of: (r: Registers) => number): number => of(after) - of(before);
    const [taken, given, production] = [change(ofImport), change(ofExport), change(ofRoof) + change(ofGarage)];
    return {
      import: taken,
      export: given,
      production,
      selfConsumed: production - given,
      house: taken - given + production,
    };
  }

  /** Readings of the meters at a moment. */
  readings(at: number): Readonly<Record<'p1' | 's01' | 'mb5', CounterReading[]>> {
    const shown = this.household.registers(millis(at));
    const p1: readonly (readonly [Counter, number])[] = [
      ['import', ofImport(shown)],
      ['export', ofExport(shown)],
      ['import_t1', shown.importT1Kwh],
      ['import_t2', shown.importT2Kwh],
      ['export_t1', shown.exportT1Kwh],
      ['export_t2', shown.exportT2Kwh],
    ];
    return {
      p1: p1.map(([counter, value]) => reading(counter, at, value)),
      s01: [reading('production', at, ofRoof(shown))],
      mb5: [reading('production', at, ofGarage(shown))],
    };
  }

  /** @param isLost minutes that the monitor did not record */
  shapes(
    day: SeriesPeriod,
    isLost: (at: number) => boolean = () => false,
  ): Readonly<Record<'p1' | 's01' | 'mb5', Shapes>> {
    const column = (alias: string, role: 'grid' | 'production', power: (minute: Minute) => number): Shapes => {
      const entries: Entry[] = [];
      for (let at: number = day.start; at < day.end; at += minuteMs) {
        if (!isLost(at)) entries.push([at, power(this.household.minute(millis(at)))]);
      }
      const series = normalizeSeries({
        response: { ioId: 1, time: null, channels: new Map([['electric_power', samples(entries)]]) },
        period: day,
        now: day.end,
        monitor: { id: null },
        meter: { ...describeMeter(alias, null), role },
        source: SOURCE,
      });
      return buildShapes(series, role);
    };
    return {
      p1: column('p1', 'grid', ({ gridW }) => gridW),
      s01: column('s01', 'production', ({ solarW }) => solarW),
      mb5: column('mb5', 'production', ({ garageW }) => garageW),
    };
  }

  meters(
    readings: Readonly<Record<'p1' | 's01' | 'mb5', CounterReading[]>>,
    shapes: Readonly<Record<'p1' | 's01' | 'mb5', Shapes>>,
  ): BalanceMeter[] {
    return (['p1', 's01', 'mb5'] as const).map((name) =>
      meter(name, name === 'p1' ? 'grid' : 'production', { readings: readings[name], shapes: shapes[name] }),
    );
  }
}
