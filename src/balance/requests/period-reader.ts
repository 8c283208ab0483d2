/** Reads the balance of a period from the meters of one monitor: counters first, then minutes if needed (plan.ts). */
import type { Span } from '../../calendar/periods';
import { CemmError, isInternalFault, toCemmError } from '../../errors';
import { createPause } from '../../time/pause';
import { hourMs, quarterMs } from '../../time/units';
import type { KnownMonitor } from '../../model/identity';
import type { BalancePayload, BalanceStep } from '../../model/payload';
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
import { emptyState, type MessagesState } from '../messages/state';
import { readState } from '../messages/stored-state';
import type { BalanceRole } from '../meters/amounts';
import { placeMeters } from '../meters/placed-meters';
import { presentMeters } from '../meters/replaced-meters';
import { hoursOfYear } from '../period/hours-of-year';
import { balanceOfPeriod, type ReadHouse } from '../period/period-balance';
import type { Prices } from '../prices/prices';
import { keptAnswer, readAnswer, withSlots } from './answers';
import { failUnlessAnswered, Findings } from './findings';
import { HouseReading, isCountedElsewhere } from './house-reading';
import {
  type BalanceRequest,
  keptRequestsFor,
  keptRequestsForDevices,
  requestKey,
  requestsFor,
  requestsForGaps,
  requestsOfRows,
} from './plan';
import { mostRounds, requestsForDoubts } from './plan-doubts';
import { needsOf, type PriceNeeds } from './price-needs';
import { finishedProgress, type PartsOfAnswer, Progress } from './progress';

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
  /** For a year: the amounts of its hours, by days that are kept, and in the own network also by others. */
  readonly wantsHours?: boolean;
  /** Without any request for a series. */
  readonly onlyKept?: boolean;
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
    const toBalance = (house: ReadHouse): BalancePayload => balanceOfPeriod({ ...house, step, prices });
    if (step === 'PT1M') return notKept(toBalance(await this.readHouse({ ...target, onlyKept: true }, ask)));
    const { onPart } = ask;
    const { wantsHours = false, ...plain } = target;
    const isByKept = wantsHours && hasReadingsOfThePast(this.parts.reader);
    const parts = onPart === undefined ? null : { toBalance, send: onPart };
    const house = await this.readHouse(isByKept ? plain : target, ask, parts);
    const balance = toBalance(house);
    if (wantsHours && target.period.unit === 'year') {
      // The days that are kept show hours, but the sums of the year stay those of its counters.
      const ofHours = isByKept ? await this.readHouse({ ...target, onlyKept: true }, ask) : house;
      // Only the last answer has them: they are many.
      balance.hours = await hoursOfYear(ofHours);
    }
    return onPart === undefined ? balance : { ...balance, progress: finishedProgress(target.period, house.now) };
  }

  /**
   * @param parts sends what is known so far
   * @throws {CemmError} as read
   */
  async readHouse(
    target: HouseTarget,
    ask: ReadBalanceOptions,
    parts: PartsOfAnswer | null = null,
  ): Promise<ReadHouse> {
    const { period, prices, counters } = target;
    const { clock, reader } = this.parts;
    const hasTotals = hasReadingsOfThePast(reader);
    const house = inRoles(await findHouse(reader, target, ask), target.roles);
    const { monitor, meters } = house;
    const kept = hasTotals || counters === null ? null : await loadCounters(counters, monitor.id);
    const now = clock.now();
    const wishes = { wantsPeak: target.wantsPeak, wantsHours: target.wantsHours ?? false, hasTotals };
    const needs = needsOf(prices, period, wishes);
    const reading = new HouseReading({ house, period, now, hasTotals, needs, kept, transport: reader.transport });
    const { plan, findings, asked, borders } = reading;
    const bulk: ReadBalanceOptions = { ...ask, isBulk: ask.isBulk === true || period.unit !== 'day' };
    const joined = slotsKept(period, needs);
    const progress = parts === null ? null : new Progress(reading, clock, parts);
    const pause = createPause();
    const fromKept = async (requests: readonly BalanceRequest[]): Promise<void> => {
      for (const request of requests) {
        await this.takeKept(monitor, findings.get(request.meter), request, bulk, joined);
        await pause();
      }
    };
    let [done, all] = [0, 0];
    const askAll = async (requests: readonly BalanceRequest[]): Promise<void> => {
      all += requests.length;
      for (const request of requests) asked.add(requestKey(request));
      await inParallel(requests, mostInFlight, async (request) => {
        const found = findings.get(request.meter);
        if (found?.final.has(requestKey(request)) === false) await this.find(monitor, found, request, bulk, joined);
        done += 1;
        ask.onProgress?.(done, all);
        await progress?.read(request);
        // Kept series are given without a request, and so without waiting.
        await pause();
      });
    };
    await fromKept(keptRequestsFor(plan));
    if (target.onlyKept === true) {
      await fromKept([...requestsFor(plan), ...requestsForGaps(plan)]);
      return reading.houseOf(await reading.meters());
    }
    if (progress !== null) {
      await fromKept([...requestsFor(plan), ...requestsForGaps(plan)]);
      progress.plan([...requestsFor(plan), ...requestsForGaps(plan)]);
      await progress.send();
    }
    await askAll(requestsFor(plan));
    const forGaps = requestsForGaps(plan);
    progress?.plan(forGaps);
    await askAll(forGaps);
    for (let requests = reading.requestsForSums(); requests.length > 0; requests = reading.requestsForSums()) {
      await askAll(requests);
    }
    let found = await reading.meters();
    for (let round = 0; round < mostRounds; round += 1) {
      const placed = placeMeters(found, borders, reading.isRunning);
      const doubts = requestsForDoubts(plan, placed, round, (key) => asked.has(key));
      const requests = requestsOfRows(doubts, meters).filter((request) => !asked.has(requestKey(request)));
      if (requests.length === 0) break;
      await askAll(requests);
      found = await reading.meters();
    }
    failUnlessAnswered([...findings.values()], ask.onMeterError);
    if (kept !== null && counters !== null && this.keep(kept, findings.values())) {
      await counters.save(monitor.id, kept);
    }
    const known = reading.houseOf(found);
    const ofDevices = keptRequestsForDevices(plan).filter((request) => !asked.has(requestKey(request)));
    await fromKept(ofDevices);
    const isKept = ofDevices.some(
      (request) => findings.get(request.meter)?.responses.has(requestKey(request)) === true,
    );
    return isKept ? { ...known, byHour: await reading.meters() } : known;
  }

  /** Reads the current counters of a local monitor and stores them. */
  async keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void> {
    const house = await findHouse(this.parts.reader, target, ask);
    const { monitor } = house;
    const meters = presentMeters(house.meters);
    const findings = new Map(meters.map((meter) => [meter.name, new Findings(meter)]));
    await inParallel([...findings.values()], mostInFlight, async (found) => {
      if (isCountedElsewhere(found, findings)) return;
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

  private async takeKept(
    monitor: KnownMonitor,
    found: Findings | undefined,
    request: BalanceRequest,
    ask: ReadOptions,
    joined: number | null,
  ): Promise<void> {
    if (ask.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
    const kept =
      found === undefined ? null : await keptAnswer(this.parts.reader, monitor.id, found.meter, request, ask);
    if (found === undefined || kept === null) return;
    found.responses.set(requestKey(request), withSlots(kept.answer, joined));
    if (kept.isFinal) found.final.add(requestKey(request));
  }

  /**
   * One failure ends the requests for the meter, or, if it is permanent, this kind of request.
   * @param joined length of the slots to which whole minutes are joined, ms; null: the minutes stay
   */
  private async find(
    monitor: KnownMonitor,
    found: Findings,
    request: BalanceRequest,
    ask: ReadOptions,
    joined: number | null = null,
  ): Promise<void> {
    const kind = nameRequestKind(request);
    if (found.isInterrupted || found.refused.has(kind)) return;
    // Kept responses need no request that would notice it.
    if (ask.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
    try {
      const answer = await readAnswer(this.parts.reader, monitor.id, found.meter, request, ask);
      found.responses.set(requestKey(request), withSlots(answer, joined));
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

/** The minutes of a year are too many to hold. Quarters are needed for its peaks and its prices, otherwise hours. */
function slotsKept({ unit }: Span, { minutesOf, keptMinutesOf }: PriceNeeds): number | null {
  if (unit === 'range') return quarterMs;
  if (unit !== 'year') return null;
  return minutesOf.length + keptMinutesOf.length > 0 ? quarterMs : hourMs;
}

/** Nothing was requested, so what lacks may be known to the monitor. */
function notKept(balance: BalancePayload): BalancePayload {
  const missing = Object.entries(balance.missing).map(([name, reason]) => {
    const isAbsent = reason === 'not_measured' && balance.values[name] === null;
    return [name, isAbsent ? 'not_kept' : reason] as const;
  });
  return { ...balance, missing: Object.fromEntries(missing) };
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

function nameRequestKind(request: BalanceRequest): string {
  return request.kind === 'realtime' ? request.kind : `${request.kind} ${request.period.unit}`;
}
