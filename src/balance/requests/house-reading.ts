/** The house in a period while it is read: the responses so far, and the meters that they show. */
import { pastUntil, divideIntoParts } from '../period/parts';
import type { SourceInfo } from '../../model/payload';
import { createPause } from '../../time/pause';
import type { House } from '../house-reader';
import { metersOfState } from '../messages/meters-of-state';
import type { MessagesState } from '../messages/state';
import { type BalanceRole, quantities } from '../meters/amounts';
import { findAgreeing } from '../meters/agreeing';
import { isOfHouse } from '../meters/choice';
import type { BalanceMeter } from '../meters/placed-meters';
import { type CounterReading, hasReadingAt } from '../meters/readings';
import type { BalanceAnswer } from './answers';
import { joinReplaced } from '../meters/replaced-meters';
import { joinShapes, toShape, type Shapes } from '../meters/shape';
import { measuredShapes, type Unmeasured, unmeasuredIn } from '../meters/unmeasured';
import { joinSources } from '../payload-parts';
import type { ReadHouse } from '../period/period-balance';
import { Findings } from './house-requests';
import { type OwnSums, ownSumsOf } from './own-sums';
import {
  type BalanceRequest,
  findCountingMeter,
  findDayAt,
  isCountedByGrid,
  isElectric,
  isMonthKnown,
  type PlanInput,
  requestKey,
} from './plan';

export interface ReadingParts extends Pick<PlanInput, 'period' | 'now' | 'hasTotals' | 'needs'> {
  readonly house: House;
  readonly transport: SourceInfo['transport'];
  /** The readings of a local monitor that were stored; null: there is no store. */
  readonly kept: MessagesState | null;
}

export class HouseReading {
  readonly plan: PlanInput;
  /** By meter. */
  readonly findings: ReadonlyMap<string, Findings>;
  /** Keys of the requests that were sent. */
  readonly asked = new Set<string>();
  /** The midnights of the past part of the period, with its ends. */
  readonly borders: readonly number[];
  private readonly until: number;
  private readonly stored: ReadonlyMap<string, BalanceMeter>;

  constructor(private readonly parts: ReadingParts) {
    const { period, now, house, kept } = parts;
    this.until = pastUntil(period, now);
    this.borders = divideIntoParts(period, 'P1D', this.until, []).days;
    const findMeterRole = (name: string): BalanceRole | null =>
      house.meters.find((meter) => meter.name === name)?.role ?? null;
    const frame = { from: period.start, until: this.until, timezone: period.timezone };
    const stored = kept === null ? [] : metersOfState(kept, frame, findMeterRole);
    this.stored = new Map(stored.map((meter) => [meter.name, meter]));
    this.findings = new Map(house.meters.map((meter) => [meter.name, new Findings(meter)]));
    this.plan = {
      ...parts,
      meters: house.meters,
      knowsReading: (name, border) => {
        const role = this.findings.get(name)?.meter.role;
        return role !== undefined && hasReadingAt(this.readingsOf(name), role, border);
      },
      knowsMonth: (start) => this.knowsMonth(start),
    };
  }

  get isRunning(): boolean {
    return this.until < this.parts.period.end;
  }

  /** The requests for the monitor's own sums of gas and water that are needed as well. */
  requestsForSums(): BalanceRequest[] {
    return [...this.findings.values()].flatMap((one) =>
      (this.sumsOf(one)?.wanted ?? []).map((part) => ({ kind: 'series', meter: one.meter.name, period: part })),
    );
  }

  /**
   * The minutes of the grid on the days on which another meter of electricity shows nothing but 0: only they show whether that was
   * measured, or lost (unmeasured.ts).
   */
  requestsForZeros(): BalanceRequest[] {
    if (this.parts.house.hasUnreadBattery === true) return [];
    const { meters, period } = this.plan;
    const grid = meters.filter(({ role }) => role === 'grid');
    const beside = [...this.findings.values()].filter(({ meter }) => isElectric(meter) && meter.role !== 'grid');
    const days = beside.flatMap(({ answers }) =>
      answers.flatMap(({ day, shapes }) => (isZero(shapes) ? (day ?? []) : [])),
    );
    const starts = new Set(days.map(({ start }) => start));
    return [...starts].flatMap((start) =>
      grid.map(({ name }) => ({ kind: 'series', meter: name, period: findDayAt(start, period) }) as const),
    );
  }

  /** The meters by what is known so far. A year is much to compute, so it pauses between meters. */
  async meters(): Promise<BalanceMeter[]> {
    const pause = createPause();
    await this.settleVersions();
    const all = [...this.findings.values()];
    const electric = all.filter(({ meter }) => isElectric(meter));
    const answersOf = (isGrid: boolean): readonly BalanceAnswer[] =>
      electric.flatMap(({ meter, answers }) => ((meter.role === 'grid') === isGrid ? answers : []));
    // A battery that is not read can hold the grid at 0 for hours.
    const unmeasured: Unmeasured =
      this.parts.house.hasUnreadBattery === true ? new Map() : unmeasuredIn(answersOf(true), answersOf(false));
    const each: BalanceMeter[] = [];
    for (const one of all) {
      await pause();
      const { meter, answers } = one;
      each.push({
        ...meter,
        isReadable: isReadable(one) || isCountedByGrid(meter, this.plan),
        offersExport: ever([this.stored.get(meter.name), ...answers].map((some) => some?.offersExport ?? null)),
        readings: this.readingsOf(meter.name),
        shapes: this.shapesOf(one, unmeasured),
        net: answers.flatMap(({ net }) => net),
        hasChanged: answers.some(({ versions }) => versions.length > 0),
      });
    }
    return joinReplaced(each, this.borders);
  }

  /** @param meters by what is known so far */
  houseOf(meters: readonly BalanceMeter[]): ReadHouse {
    const { house, period, transport, now } = this.parts;
    const away = house.unreachable.map((meter) => ({ ...meter, isReadable: false, readings: [], shapes: {}, net: [] }));
    const sources = [...this.findings.values()].flatMap(({ answers }) => answers.map(({ source }) => source));
    const own: SourceInfo = { transport, fetchedAt: 0, latencyMs: 0, requests: 0, promises: 0 };
    const source = joinSources([own, ...sources], now);
    const { monitor, unknownMeters } = house;
    return { monitor, period, meters: [...meters, ...away], unknownMeters, slots: 'minutes', source, now };
  }

  /** Lets counters decide between responses that differ. */
  private async settleVersions(): Promise<void> {
    for (const { meter, responses } of this.findings.values()) {
      for (const [key, { versions }] of responses) {
        const [first] = versions;
        if (first === undefined) continue;
        const readings = this.readingsOf(findCountingMeter(meter, this.plan));
        const shapes = versions.map(({ answer }) => answer.shapes);
        const agreeing = versions[findAgreeing(meter.role, first.period, readings, shapes) ?? -1];
        if (agreeing === undefined) continue;
        responses.set(key, agreeing.answer);
        await agreeing.settle();
      }
    }
  }

  private readingsOf(name: string): CounterReading[] {
    return [
      ...(this.stored.get(name)?.readings ?? []),
      ...(this.findings.get(name)?.answers.flatMap(({ readings }) => readings) ?? []),
    ];
  }

  private sumsOf({ meter, responses }: Findings): OwnSums | null {
    const readings = this.readingsOf(findCountingMeter(meter, this.plan));
    return ownSumsOf(meter, this.plan, { asked: this.asked, responses, readings });
  }

  private shapesOf(one: Findings, unmeasured: Unmeasured): Shapes {
    const sums = this.sumsOf(one);
    return sums === null
      ? joinShapes(one.answers.map((answer) => measuredShapes(answer, unmeasured)))
      : { [one.meter.role]: toShape(sums.slots) };
  }

  private knowsMonth(start: number): boolean {
    const { period } = this.parts;
    const own = [...this.findings.values()].flatMap(({ meter, responses }) => {
      if (!isElectric(meter) || period.unit !== 'year') return [];
      return responses.get(requestKey({ kind: 'series', meter: meter.name, period })) ?? [];
    });
    return isMonthKnown(
      start,
      own.map(({ net }) => net),
    );
  }
}

/** True if it has minutes, all of 0. */
function isZero(shapes: Shapes): boolean {
  const amounts = quantities.flatMap((quantity) => shapes[quantity]?.amounts ?? []);
  return amounts.some(({ length }) => length > 0) && amounts.every((list) => list.every((amount) => amount === 0));
}

/** A device of which half of the answers are missing would look like little use; a house fails then. */
function isReadable({ meter, failure, answers, isInterrupted }: Findings): boolean {
  return failure === null || (answers.length > 0 && (isOfHouse(meter) || !isInterrupted));
}

/** Null if none is known. */
function ever(list: readonly (boolean | null)[]): boolean | null {
  return list.includes(true) ? true : list.includes(false) ? false : null;
}
