/** Reads the balance of a period from the meters of one monitor: counters first, then minutes if needed (plan.ts). */
import type { Span } from '../../calendar/periods';
import { CemmError, isInternalFault, toCemmError } from '../../errors';
import type { KnownMonitor } from '../../model/identity';
import type { BalancePayload, BalanceStep, SourceInfo } from '../../model/payload';
import {
  type BalanceParts,
  type BalanceTarget,
  findHouse,
  hasReadingsOfThePast,
  type House,
  noMeters,
  type ReadBalanceOptions,
  type ReadOptions,
} from '../house-reader';
import { addMessage } from '../messages/add-message';
import { metersOfState } from '../messages/meters-of-state';
import { emptyState, type MessagesState } from '../messages/state';
import { readState } from '../messages/stored-state';
import type { BalanceRole } from '../meters/amounts';
import { type HouseMeter, isOfHouse } from '../meters/choice';
import { type BalanceMeter, isGasBehind, placeMeters } from '../meters/placed-meters';
import { hasReadingAt } from '../meters/readings';
import { joinReplaced, presentMeters } from '../meters/replaced-meters';
import { measuredShapes, type Unmeasured, unmeasuredIn } from '../meters/unmeasured';
import { joinShapes, quartersOf, shapeOf, type Shapes } from '../meters/shape';
import { joinSources } from '../payload-parts';
import { partsOf, pastUntil } from '../period/parts';
import { balanceOfPeriod, type ReadHouse } from '../period/period-balance';
import type { Prices } from '../prices/prices';
import { readAnswer } from './answers';
import { failUnlessAnswered, Findings } from './findings';
import { type OwnSums, ownSumsOf } from './own-sums';
import {
  type BalanceRequest,
  counterOf,
  isElectric,
  type PlanInput,
  requestKey,
  requestsFor,
  requestsForGaps,
  requestsOfRows,
} from './plan';
import { needsOf } from './price-needs';
import { mostRounds, requestsForDoubts } from './plan-doubts';

/** Stores the readings of a monitor that has current ones only. */
export interface CounterStore {
  /** The last saved state; anything else counts as none. */
  load(monitor: string): Promise<unknown>;
  /** @param state JSON */
  save(monitor: string, state: object): Promise<void>;
}

/** A house in a period. */
export interface HouseTarget extends BalanceTarget {
  readonly period: Span;
  readonly prices: Prices | null;
  /** For a month or a range: read its minutes for the quarter-hour peak. */
  readonly wantsPeak: boolean;
  /** Without it, earlier midnights of a local monitor are unknown. */
  readonly counters: CounterStore | null;
  /** The roles that count; absent: all. */
  readonly roles?: readonly BalanceRole[];
}

export interface PeriodBalanceTarget extends HouseTarget {
  readonly step: BalanceStep;
}

/** Requests of one balance at a time. */
const mostInFlight = 2;

export class BalanceReader {
  constructor(private readonly parts: BalanceParts) {}

  /** @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers or the responses end halfway */
  async read(target: PeriodBalanceTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    const { step, prices } = target;
    return balanceOfPeriod({ ...(await this.readHouse(target, ask)), step, prices });
  }

  /** @throws {CemmError} as read */
  async readHouse(target: HouseTarget, ask: ReadBalanceOptions): Promise<ReadHouse> {
    const { period, prices, counters } = target;
    const { clock, reader } = this.parts;
    const hasTotals = hasReadingsOfThePast(reader);
    const { monitor, meters, unreachable } = inRoles(await findHouse(reader, target, ask), target.roles);
    const kept = hasTotals || counters === null ? null : await loadCounters(counters, monitor.id);
    const now = clock.now();
    const until = pastUntil(period, now);
    const roleOf = (name: string): BalanceRole | null => meters.find((meter) => meter.name === name)?.role ?? null;
    const frame = { from: period.start, until, timezone: period.timezone };
    const ofStore = kept === null ? [] : metersOfState(kept, frame, roleOf);
    const stored = new Map(ofStore.map((meter) => [meter.name, meter]));
    const findings = new Map(meters.map((meter) => [meter.name, new Findings(meter)]));
    const readingsOfMeter = (name: string) => [
      ...(stored.get(name)?.readings ?? []),
      ...(findings.get(name)?.answers.flatMap((answer) => answer.readings) ?? []),
    ];
    const plan: PlanInput = {
      period,
      meters,
      now,
      hasTotals,
      needs: needsOf(prices, period, target.wantsPeak),
      knowsReading: (name, border) => {
        const role = findings.get(name)?.meter.role;
        return role !== undefined && hasReadingAt(readingsOfMeter(name), role, border);
      },
    };
    const borders = partsOf(period, 'P1D', until, []).days;
    const bulk: ReadBalanceOptions = { ...ask, isBulk: ask.isBulk === true || period.unit !== 'day' };
    const asked = new Set<string>();
    const sumsOf = ({ meter, responses }: Findings): OwnSums | null =>
      ownSumsOf(meter, plan, { asked, responses, readings: readingsOfMeter(counterOf(meter, plan)) });
    const forSums = (): BalanceRequest[] =>
      [...findings.values()].flatMap((one) =>
        (sumsOf(one)?.wanted ?? []).map((part) => ({ kind: 'series', meter: one.meter.name, period: part })),
      );
    const shapesOf = (one: Findings, unmeasured: Unmeasured): Shapes => {
      const sums = sumsOf(one);
      return sums === null
        ? joinShapes(one.answers.map((answer) => measuredShapes(answer, unmeasured)))
        : { [one.meter.role]: shapeOf(sums.slots) };
    };
    const successionOf = (name: string) => findings.get(name)?.meter.succession;
    const known = (): BalanceMeter[] => {
      const all = [...findings.values()];
      const electric = all.filter(({ meter }) => isElectric(meter));
      const hasGrid = electric.some(({ meter }) => meter.role === 'grid');
      const unmeasured = unmeasuredIn(electric.flatMap(({ answers }) => (hasGrid ? answers : [])));
      const each = all.map((one) => ({
        ...one.meter,
        isReadable: isReadable(one) || isCountedElsewhere(one.meter, findings),
        offersExport: ever([stored.get(one.meter.name), ...one.answers].map((some) => some?.offersExport ?? null)),
        readings: readingsOfMeter(one.meter.name),
        shapes: shapesOf(one, unmeasured),
        net: one.answers.flatMap(({ net }) => net),
        hasChanged: one.answers.some(({ hasChanged }) => hasChanged),
      }));
      return joinReplaced(each, borders, successionOf);
    };
    let [done, all] = [0, 0];
    const askAll = async (requests: readonly BalanceRequest[]): Promise<void> => {
      all += requests.length;
      for (const request of requests) asked.add(requestKey(request));
      await inParallel(requests, mostInFlight, async (request) => {
        const found = findings.get(request.meter);
        if (found !== undefined) await this.find(monitor, found, request, bulk, period.unit === 'range');
        done += 1;
        ask.onProgress?.(done, all);
      });
    };
    await askAll(requestsFor(plan));
    await askAll(requestsForGaps(plan));
    for (let requests = forSums(); requests.length > 0; requests = forSums()) await askAll(requests);
    let found = known();
    for (let round = 0; round < mostRounds; round += 1) {
      const placed = placeMeters(found, borders, until < period.end);
      const doubts = requestsForDoubts(plan, placed, round, (key) => asked.has(key));
      const requests = requestsOfRows(doubts, meters).filter((request) => !asked.has(requestKey(request)));
      if (requests.length === 0) break;
      await askAll(requests);
      found = known();
    }
    failUnlessAnswered([...findings.values()], ask.onMeterError);
    if (kept !== null && counters !== null && this.keep(kept, findings.values())) {
      await counters.save(monitor.id, kept);
    }
    const away = unreachable.map((meter) => ({ ...meter, isReadable: false, readings: [], shapes: {}, net: [] }));
    const sources = [...findings.values()].flatMap(({ answers }) => answers.map(({ source }) => source));
    const own: SourceInfo = { transport: reader.transport, fetchedAt: 0, latencyMs: 0, requests: 0, promises: 0 };
    const source = joinSources([own, ...sources], now);
    return { monitor, period, meters: [...found, ...away], slots: 'minutes', source, now };
  }

  /** Reads the current counters of a local monitor and stores them. */
  async keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void> {
    const house = await findHouse(this.parts.reader, target, ask);
    const { monitor } = house;
    const meters = presentMeters(house.meters);
    const findings = new Map(meters.map((meter) => [meter.name, new Findings(meter)]));
    await inParallel([...findings.values()], mostInFlight, async (found) => {
      if (isCountedElsewhere(found.meter, findings)) return;
      await this.find(monitor, found, { kind: 'realtime', meter: found.meter.name }, ask);
    });
    failUnlessAnswered([...findings.values()], ask.onMeterError);
    const kept = await loadCounters(store, monitor.id);
    if (this.keep(kept, findings.values())) await store.save(monitor.id, kept);
  }

  private keep(kept: MessagesState, findings: Iterable<Findings>): boolean {
    let hasNew = false;
    const context = { timezone: this.parts.reader.timezone, now: this.parts.clock.now() };
    for (const { answers } of findings) {
      for (const { reading } of answers) {
        if (reading !== null) hasNew = addMessage(kept, reading, context) || hasNew;
      }
    }
    return hasNew;
  }

  /**
   * One failure ends the requests for the meter, or, if it is permanent, this kind of request.
   * @param byQuarter the minutes of a year are too many to hold
   */
  private async find(
    monitor: KnownMonitor,
    found: Findings,
    request: BalanceRequest,
    ask: ReadOptions,
    byQuarter = false,
  ): Promise<void> {
    const kind = kindOf(request);
    if (found.isInterrupted || found.refused.has(kind)) return;
    // Kept responses need no request that would notice it.
    if (ask.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
    try {
      const answer = await readAnswer(this.parts.reader, monitor.id, found.meter, request, ask);
      found.responses.set(requestKey(request), byQuarter ? { ...answer, shapes: quartersOf(answer.shapes) } : answer);
    } catch (thrown) {
      const error = toCemmError(thrown);
      if (error.code === 'CANCELLED' || isInternalFault(error)) throw error;
      // The month and the year of the monitor only verify the result.
      if (kind === 'series month' || kind === 'series year') return;
      found.failure ??= error;
      if (error.retryable) found.isInterrupted = true;
      else found.refused.add(kind);
    }
  }
}

async function loadCounters(store: CounterStore, monitor: string): Promise<MessagesState> {
  return readState(await store.load(monitor)) ?? emptyState();
}

/** @throws {CemmError} INPUT `no_meters` */
function inRoles(house: House, roles: HouseTarget['roles']): House {
  if (roles === undefined) return house;
  const meters = house.meters.filter(({ role }) => roles.includes(role));
  if (meters.length === 0) throw noMeters();
  return { ...house, meters, unreachable: house.unreachable.filter(({ role }) => roles.includes(role)) };
}

/** A device of which half of the answers are missing would look like little use; a house fails then. */
function isReadable({ meter, failure, answers, isInterrupted }: Findings): boolean {
  return failure === null || (answers.length > 0 && (isOfHouse(meter) || !isInterrupted));
}

/** Null if none is known. */
function ever(list: readonly (boolean | null)[]): boolean | null {
  return list.includes(true) ? true : list.includes(false) ? false : null;
}

/** Starts no more work after a failure. */
async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: most }, async () => {
    for (const item of rest) await work(item);
  });
  try {
    await Promise.all(workers);
  } finally {
    rest.return?.();
  }
}

function kindOf(request: BalanceRequest): string {
  return request.kind === 'realtime' ? request.kind : `${request.kind} ${request.period.unit}`;
}

/** The smart meter also counts the gas. */
function isCountedElsewhere({ name, role }: HouseMeter, findings: ReadonlyMap<string, Findings>): boolean {
  if (role !== 'gas') return false;
  return [...findings.values()].some(({ meter }) => meter.role === 'grid' && isGasBehind(name, meter.name));
}
