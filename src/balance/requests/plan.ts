/** The requests of a balance. Counters first: they are few, exact and final. */
import {
  monthsOf,
  type Period,
  periodContaining,
  type PeriodOf,
  periodsBetween,
  periodsUntil,
  previousPeriod,
  type SeriesPeriod,
  type Span,
} from '../../calendar/periods';
import { millis } from '../../time/units';
import { type HouseMeter, isOfHouse } from '../meters/choice';
import { isGasBehind } from '../meters/placed-meters';
import type { Slot } from '../meters/shape';
import type { PriceNeeds } from './price-needs';

/** `totals`: the last readings of a day; `realtime`: the current counters; `series`: a day, month or year. */
export type BalanceRequest =
  | { readonly kind: 'totals' | 'series'; readonly meter: string; readonly period: SeriesPeriod }
  | { readonly kind: 'realtime'; readonly meter: string };

export interface PlanInput {
  readonly period: Span;
  readonly meters: readonly HouseMeter[];
  readonly now: number;
  /** Readings of past days are available (remote); otherwise only current ones. */
  readonly hasTotals: boolean;
  /** For the peak, or for prices that change within a day. */
  readonly needs: PriceNeeds;
  /** True if a reading for this border is known. */
  readonly knowsReading: (meter: string, border: number) => boolean;
  /** False if the monitor's own sums show that it knows nothing of the month that begins there. */
  readonly knowsMonth: (start: number) => boolean;
}

/** The first requests; `requestsForGaps` covers the gaps in their responses. */
export function requestsFor(input: PlanInput): BalanceRequest[] {
  const { period, meters, now } = input;
  if (now <= period.start) return [];
  return meters.flatMap((meter): BalanceRequest[] => [
    ...(isCountedByGrid(meter, input) ? [] : counterRequests(meter, input)),
    ...minuteRequests(meter, input),
    // The monitor's own month or year verifies the net. For gas and water it has amounts if no past reading is available.
    ...(isElectric(meter) || (isOfHouse(meter) && !input.hasTotals)
      ? ownPeriods(period).map((own) => series(meter, own))
      : []),
  ]);
}

/** The months or the year of the monitor's own sums. */
export function ownPeriods(period: Span): SeriesPeriod[] {
  if (period.unit === 'day') return [];
  return period.unit === 'month' || period.unit === 'year' ? [period] : monthsOf(period);
}

/**
 * One request per border without a reading: the minutes of the day that ends there, or, for the first border, the day that
 * begins there; and one for the day before the first reading. The current day has no border at its end, so its minutes are requested with its start. In a year with readings of
 * the past, a day of minutes is too short to separate months: the reading of a day before is requested instead. Without such readings
 * a month that has none at one of its ends is the sum of its days.
 */
export function requestsForGaps(input: PlanInput): BalanceRequest[] {
  const { period, now, hasTotals, knowsReading } = input;
  const asked = new Set(requestsFor(input).map(requestKey));
  const requests = input.meters.flatMap((meter) => {
    const counter = findCountingMeter(meter, input);
    const isOpen = (border: number): boolean => border <= now && !knowsReading(counter, border);
    if (period.unit === 'year' && hasTotals) {
      const open = listMidnights(period).filter(isOpen);
      return open.map((border): BalanceRequest => {
        return { kind: 'totals', meter: counter, period: previousPeriod(dayBefore(border, period)) };
      });
    }
    if (!isElectric(meter) && isOfHouse(meter)) return [];
    if (period.unit === 'year') {
      const isByHour = input.needs.hoursOf?.includes(meter.role) === true;
      return daysOfOpenMonths(input, isByHour ? () => true : isOpen).map((day) => series(meter, day));
    }
    const borders = listMidnights(period);
    const open = borders.filter(isOpen);
    // With no reading at any border before, the minutes of the day that ends at the first reading are the only way to know that day.
    const firstRead = borders.find((border) => !isOpen(border)) ?? period.start;
    const days = open.flatMap((border) => daysAround(border, input));
    return [...days, ...(firstRead > period.start ? [dayBefore(firstRead, period)] : [])].map((day) =>
      series(meter, day),
    );
  });
  // The newest days of a year come first, of all meters of the house together, and those of devices after them.
  const devices = new Set(input.meters.flatMap((meter) => (isOfHouse(meter) ? [] : [meter.name])));
  if (period.unit === 'year') {
    requests.sort(
      (a, b) =>
        Number(devices.has(a.meter)) - Number(devices.has(b.meter)) || findRequestStart(b) - findRequestStart(a),
    );
  }
  const fresh = new Map(requests.map((request) => [requestKey(request), request]));
  return [...fresh].flatMap(([key, request]) => (asked.has(key) ? [] : request));
}

/** The first requests and those for their gaps. */
export function plannedRequests(input: PlanInput): BalanceRequest[] {
  return [...requestsFor(input), ...requestsForGaps(input)];
}

function findRequestStart(request: BalanceRequest): number {
  return request.kind === 'realtime' ? Infinity : request.period.start;
}

/**
 * The days without a reading at both ends, in months that are not the difference of two known readings and of which the monitor knows
 * something.
 */
function daysOfOpenMonths(
  { period, now, knowsMonth }: PlanInput,
  isOpen: (border: number) => boolean,
): PeriodOf<'day'>[] {
  // The current readings stand at the end of the running month.
  const isFromReadings = ({ start, end }: Period): boolean => !isOpen(start) && (end > now || !isOpen(end));
  const months = monthsOf(period).filter(
    (month) => month.start < now && !isFromReadings(month) && knowsMonth(month.start),
  );
  return months.flatMap(({ timezone, start, end }) => {
    const days = periodsBetween('day', timezone, start, millis(Math.min(end, now) - 1));
    return days.filter((day) => day.end > now || !isFromReadings(day));
  });
}

/**
 * A monitor has 0 or nothing for a month before it was there. Without its own sums every month may be known.
 * @param sums its own sums of months, a list for each meter
 */
export function isMonthKnown(month: number, sums: readonly (readonly Slot[])[]): boolean {
  return sums.length === 0 || sums.some((list) => list.some(({ start, amount }) => start === month && amount !== 0));
}

/** The days whose minutes replace a reading at this border. */
function daysAround(border: number, { period, now }: PlanInput): PeriodOf<'day'>[] {
  const next = findDayAt(border, period);
  const isRunning = now < next.end && border < period.end;
  const days = border === period.start ? [] : [dayBefore(border, period)];
  return border === period.start || isRunning ? [...days, next] : days;
}

export function requestKey(request: BalanceRequest): string {
  return request.kind === 'realtime'
    ? `realtime ${request.meter}`
    : `${request.kind} ${request.meter} ${request.period.label}`;
}

/** The ends of a day, every midnight of a month or a range, and the first moments of the months of a year with its end. */
export function listMidnights(period: Span): number[] {
  if (period.unit === 'day') return [period.start, period.end];
  const parts = periodsUntil(period.unit === 'year' ? 'month' : 'day', period, period.end);
  return [...parts.map(({ start }) => start), period.end];
}

function counterRequests({ name: meter }: HouseMeter, input: PlanInput): BalanceRequest[] {
  const { period, now, hasTotals, knowsReading, needs } = input;
  const borders = [...new Set([...listMidnights(period), ...needs.midnights])].sort((a, b) => a - b);
  const past = borders.filter((border) => border <= now && !knowsReading(meter, border));
  const days = hasTotals ? past.map((border) => dayBefore(border, period)) : [];
  const requests = days.map((day): BalanceRequest => ({ kind: 'totals', meter, period: day }));
  if (now >= period.end) return requests;
  const last: BalanceRequest = hasTotals
    ? { kind: 'totals', meter, period: findDayAt(now, period) }
    : { kind: 'realtime', meter };
  return [...requests, last];
}

function minuteRequests(meter: HouseMeter, plan: PlanInput): BalanceRequest[] {
  const { period, now, needs, meters, hasTotals } = plan;
  if (period.unit === 'day') return [series(meter, period)];
  // With a battery, self-consumption is a sum over hours.
  const isByDay = period.unit !== 'year' || !hasTotals;
  const needsHours = isByDay && isElectric(meter) && meters.some(({ role }) => role === 'battery');
  const isNeeded = needsHours || needs.minutesOf.includes(meter.role) || isBesideMinutes(meter, plan);
  if (!isNeeded) return [];
  return requestDays(meter, { period, now });
}

/** The days of which only what is kept is used. */
export function keptRequestsFor({ period, now, needs, meters }: PlanInput): BalanceRequest[] {
  return meters.flatMap((meter) =>
    needs.keptMinutesOf.includes(meter.role) ? requestDays(meter, { period, now }) : [],
  );
}

/**
 * The days of a long period of which only what is kept is used, for the cost of devices and their share of the sun: these are sums over
 * hours, and nothing is requested for them alone.
 */
export function keptRequestsForDevices({ period, meters, now }: PlanInput): BalanceRequest[] {
  if (period.unit === 'day' || meters.every(isOfHouse)) return [];
  return meters.flatMap((meter) => (isElectric(meter) || !isOfHouse(meter) ? requestDays(meter, { period, now }) : []));
}

function requestDays(meter: HouseMeter, { period, now }: Pick<PlanInput, 'period' | 'now'>): BalanceRequest[] {
  return periodsUntil('day', period, Math.min(now, period.end)).map((day) => series(meter, day));
}

/**
 * True for a device of a month whose house is read by the minute in any case: its cost and its share of the sun are sums over hours. Over
 * the internet nothing is requested for these alone.
 */
function isBesideMinutes(meter: HouseMeter, { period, hasTotals, needs, meters }: PlanInput): boolean {
  if (isOfHouse(meter) || hasTotals || period.unit === 'year') return false;
  return needs.minutesOf.includes('grid') || meters.some(({ role }) => role === 'battery');
}

/** The smart meter's own responses contain the counter of the gas meter behind it. */
export function isCountedByGrid(meter: HouseMeter, house: Pick<PlanInput, 'meters'>): boolean {
  return findCountingMeter(meter, house) !== meter.name;
}

/** The meter whose responses contain the counter. */
export function findCountingMeter({ name, role }: HouseMeter, { meters }: Pick<PlanInput, 'meters'>): string {
  const owner = meters.find((other) => role === 'gas' && other.role === 'grid' && isGasBehind(name, other.name));
  return owner?.name ?? name;
}

function series({ name }: HouseMeter, period: SeriesPeriod): BalanceRequest {
  return { kind: 'series', meter: name, period };
}

/** Meters of electricity that make the balance: a device is none of them. */
export function isElectric({ role }: Pick<HouseMeter, 'role'>): boolean {
  return role === 'grid' || role === 'production' || role === 'battery';
}

export function findDayAt(moment: number, { timezone }: Span): PeriodOf<'day'> {
  return periodContaining('day', timezone, millis(moment));
}

function dayBefore(border: number, { timezone }: Span): PeriodOf<'day'> {
  return periodContaining('day', timezone, millis(border - 1));
}

/** A doubt about a row of several meters is about each of them: the day of an exchange is found by both. */
export function requestsOfRows(requests: readonly BalanceRequest[], meters: readonly HouseMeter[]): BalanceRequest[] {
  return requests.flatMap((request) => {
    const row = meters.find(({ name }) => name === request.meter)?.succession?.row;
    if (row === undefined) return [request];
    const names = meters.filter(({ succession }) => succession?.row === row).map(({ name }) => name);
    return names.map((meter) => ({ ...request, meter }));
  });
}
