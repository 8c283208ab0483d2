/** Reads the balance of a period from the meters of one monitor: counters first, then minutes if needed (plan.ts). */
import type { Span } from '../../calendar/periods';
import { hourMs, quarterMs } from '../../time/units';
import type { BalancePayload, BalanceStep } from '../../model/payload';
import {
  type BalanceParts,
  type BalanceTarget,
  findHouse,
  hasReadingsOfThePast,
  type House,
  noMeters,
  type ReadBalanceOptions,
} from '../house-reader';
import { addMessage } from '../messages/add-message';
import { emptyState, type MessagesState } from '../messages/state';
import { readState } from '../messages/stored-state';
import type { BalanceRole } from '../meters/amounts';
import type { HouseMeter } from '../meters/choice';
import { type BalanceMeter, placeMeters } from '../meters/placed-meters';
import { presentMeters } from '../meters/replaced-meters';
import { hoursOfYear } from '../period/hours-of-year';
import { balanceOfPeriod, type ReadHouse } from '../period/period-balance';
import type { Prices } from '../prices/prices';
import { HouseReading } from './house-reading';
import { failUnlessAnswered, Findings, HouseRequests } from './house-requests';
import {
  isCountedByGrid,
  keptRequestsFor,
  keptRequestsForDevices,
  plannedRequests,
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
    const kept = hasTotals || counters === null ? null : await loadCounters(counters, house.monitor.id);
    const now = clock.now();
    const wishes = { wantsPeak: target.wantsPeak, wantsHours: target.wantsHours ?? false, hasTotals };
    const needs = needsOf(prices, period, wishes);
    const reading = new HouseReading({ house, period, now, hasTotals, needs, kept, transport: reader.transport });
    const progress = parts === null ? null : new Progress(reading, clock, parts);
    const { plan, findings, asked } = reading;
    const requests = new HouseRequests({
      reader,
      monitor: house.monitor,
      findings,
      asked,
      ask: { ...ask, isBulk: ask.isBulk === true || period.unit !== 'day' },
      joined: slotsKept(period, needs),
      onAnswer: (request) => progress?.read(request),
    });
    await requests.takeKept(keptRequestsFor(plan));
    if (target.onlyKept === true) {
      await requests.takeKept(plannedRequests(plan));
      return reading.houseOf(await reading.meters());
    }
    if (progress !== null) await sendKept(reading, requests, progress);
    await sendPlanned(reading, requests, progress);
    const found = await sendForDoubts(reading, requests, house.meters);
    failUnlessAnswered([...findings.values()], ask.onMeterError);
    if (kept !== null && counters !== null && this.keep(kept, findings.values())) {
      await counters.save(house.monitor.id, kept);
    }
    return withDevices(reading, requests, reading.houseOf(found));
  }

  /** Reads the current counters of a local monitor and stores them. */
  async keepCounters(target: BalanceTarget, store: CounterStore, ask: ReadBalanceOptions): Promise<void> {
    const { reader } = this.parts;
    const house = await findHouse(reader, target, ask);
    const { monitor } = house;
    const meters = presentMeters(house.meters);
    const findings = new Map(meters.map((meter) => [meter.name, new Findings(meter)]));
    const requests = new HouseRequests({ reader, monitor, findings, asked: new Set(), ask, joined: null });
    const counted = meters.filter((meter) => !isCountedByGrid(meter, { meters }));
    await requests.send(counted.map(({ name }) => ({ kind: 'realtime', meter: name })));
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
}

/** Sends what is kept as the first part of the answer. */
async function sendKept(reading: HouseReading, requests: HouseRequests, progress: Progress): Promise<void> {
  const { plan } = reading;
  await requests.takeKept(plannedRequests(plan));
  progress.plan(plannedRequests(plan));
  await progress.send();
}

/** The requests of the plan, those that fill its gaps, and those for the monitor's own sums. */
async function sendPlanned(reading: HouseReading, requests: HouseRequests, progress: Progress | null): Promise<void> {
  await requests.send(requestsFor(reading.plan));
  const forGaps = requestsForGaps(reading.plan);
  progress?.plan(forGaps);
  await requests.send(forGaps);
  for (let sums = reading.requestsForSums(); sums.length > 0; sums = reading.requestsForSums()) {
    await requests.send(sums);
  }
}

/** Asks for what the answers leave in doubt, some times, and returns the meters as they are then known. */
async function sendForDoubts(
  reading: HouseReading,
  requests: HouseRequests,
  meters: readonly HouseMeter[],
): Promise<BalanceMeter[]> {
  const { plan, borders, asked } = reading;
  let found = await reading.meters();
  for (let round = 0; round < mostRounds; round += 1) {
    const placed = placeMeters(found, borders, reading.isRunning);
    const doubts = requestsForDoubts(plan, placed, round, (key) => asked.has(key));
    const wanted = [...requestsOfRows(doubts, meters), ...reading.requestsForZeros()];
    const unsent = wanted.filter((request) => !asked.has(requestKey(request)));
    if (unsent.length === 0) break;
    await requests.send(unsent);
    found = await reading.meters();
  }
  return found;
}

/** Adds the hours of the devices that are kept. */
async function withDevices(reading: HouseReading, requests: HouseRequests, house: ReadHouse): Promise<ReadHouse> {
  const { plan, asked, findings } = reading;
  const ofDevices = keptRequestsForDevices(plan).filter((request) => !asked.has(requestKey(request)));
  await requests.takeKept(ofDevices);
  const isKept = ofDevices.some((request) => findings.get(request.meter)?.responses.has(requestKey(request)) === true);
  return isKept ? { ...house, byHour: await reading.meters() } : house;
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
  const hasUnreadBattery = !roles.includes('battery') && house.meters.some(({ role }) => role === 'battery');
  return {
    ...house,
    meters,
    hasUnreadBattery,
    unreachable: house.unreachable.filter(({ role }) => roles.includes(role)),
  };
}
