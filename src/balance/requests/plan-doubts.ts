/** Requests that locate breaks and unusual amounts: first the day is located, then its minutes are read. */
import { nextPeriod, periodContaining, periodsUntil, type Span } from '../../calendar/periods';
import { dayMs, hourMs } from '../../time/units';
import { perKwh, perM3 } from '../meters/amounts';
import { isPossible, findCounterMedium, unusualRate, type Break } from '../meters/breaks';
import { pastUntil } from '../period/parts';
import { changeIn, differingIn, computeTolerance } from '../meters/own-differences';
import type { PlacedMeter } from '../meters/placed-meters';
import { findCountingMeter, findDayAt, isElectric, requestKey, type BalanceRequest, type PlanInput } from './plan';
import { type Counter, listStretches, mainCounters, type PlacedReading } from '../meters/readings';

/** Halving a month locates the day within five rounds; one more reads the minutes. */
export const mostRounds = 6;
/** Largest number of days that are read by minute. */
const mostDays = 3;
/** Largest number of unusual amounts per meter; they may be correct. */
const mostUnusual = 2;

/** @param isAsked true if the request with this key was already sent */
export function requestsForDoubts(
  input: PlanInput,
  meters: readonly PlacedMeter[],
  round: number,
  isAsked: (key: string) => boolean,
): BalanceRequest[] {
  if (input.period.unit === 'day') return ownMonths(input, meters).filter((one) => !isAsked(requestKey(one)));
  const requests = meters.flatMap((placed) => {
    const { name, role } = placed.meter;
    const counter = findCountingMeter({ name, role }, input);
    const readingsOf = (borders: readonly number[]): BalanceRequest[] =>
      borders.map((border) => ({ kind: 'totals', meter: counter, period: findDayAt(border - 1, input.period) }));
    const differing = differingIn(placed.meter, placed.placed, pastUntil(input.period, input.now)).slice(
      0,
      mostUnusual,
    );
    const beside = canFind(input) ? besideEnds(input, placed, round === 0 ? differing : []) : [];
    const within = canFind(input) ? differing.flatMap((one) => steepestIn(placed, one)) : differing;
    const doubts = [...doubtsOf(placed), ...within];
    const inDoubt = doubts.flatMap((doubt): BalanceRequest[] => {
      const inner = midnightsIn(doubt, input.period);
      const open = inner.flatMap((border) => readingsOf([border])).filter((one) => !isAsked(requestKey(one)));
      const middle = open[Math.floor((open.length - 1) / 2)];
      if (canFind(input) && round < mostRounds - 1 && middle !== undefined) return [middle];
      // The series of a gas meter may contain readings, which do not show a break.
      if (role === 'gas') return [];
      const days = [doubt.from, ...inner].map((border) => findDayAt(border, input.period));
      return days.length > mostDays ? [] : days.map((period) => ({ kind: 'series', meter: name, period }));
    });
    return [...(isElectric({ role }) ? readingsOf(beside) : []), ...inDoubt];
  });
  const fresh = new Map(requests.map((request) => [requestKey(request), request]));
  return [...fresh].flatMap(([key, request]) => (isAsked(key) ? [] : [request]));
}

/**
 * The month by the monitor's own sums, where the readings of a day have much that its minutes do not have: a wrong reading at midnight
 * looks like an outage with as much use.
 */
function ownMonths({ period, now }: PlanInput, meters: readonly PlacedMeter[]): BalanceRequest[] {
  const whole = { start: period.start, end: pastUntil(period, now) };
  return meters.flatMap(({ meter, placed }) => {
    const isUnclear = mainCounters[meter.role].some((counter) => {
      const change = changeIn(placed.get(counter), whole);
      if (change === null || !isElectric(meter)) return false;
      const measured = meter.shapes[counter]?.amounts.reduce((sum, amount) => sum + amount, 0) ?? 0;
      return Math.abs(change.amount - measured) > computeTolerance(change.amount, change.beside);
    });
    const month = periodContaining('month', period.timezone, period.start);
    return isUnclear ? [{ kind: 'series', meter: meter.name, period: month }] : [];
  });
}

/** A month already has a reading of every midnight. */
function canFind({ period, hasTotals }: PlanInput): boolean {
  return period.unit === 'year' && hasTotals;
}

/**
 * Readings of the adjacent days reveal a wrong reading at an end of the period or of a different amount. If a day with a break is
 * next to a long time, the reading of one more day shows which of the two is wrong.
 */
function besideEnds({ period, now }: PlanInput, placed: PlacedMeter, differing: readonly Break[]): number[] {
  const whole: Break = { from: period.start, to: pastUntil(period, now) };
  return [whole, ...differing, ...longBesideBreaks(placed)].flatMap(({ from, to }) => {
    const borders = [nextPeriod(findDayAt(from, period)).start, findDayAt(to - 1, period).start];
    return borders.filter((border) => border > from && border < to);
  });
}

/** The long times next to a day with a break that may contain the same wrong reading. A replaced meter has none. */
function longBesideBreaks({ meter, placed, breaks }: PlacedMeter): Break[] {
  return breaks.electricity.flatMap((broken) => {
    if (broken.to - broken.from >= 2 * dayMs) return [];
    const ofCounters = mainCounters[meter.role].map((counter): Break[] | null => {
      const steps = listStretches(placed.get(counter) ?? []);
      const own = steps.find(({ from, to }) => from === broken.from && to === broken.to);
      if (own === undefined) return [];
      const long = steps.filter(({ from, to }) => (to === broken.from || from === broken.to) && to - from > 2 * dayMs);
      if (isPossible(counter, own.amount, own.to - own.from)) return long;
      const asMuch = long.filter(({ amount }) => own.amount < 0 && amount >= -0.9 * own.amount);
      return asMuch.length === 0 ? null : asMuch;
    });
    return ofCounters.includes(null) ? [] : ofCounters.flatMap((long) => long ?? []);
  });
}

function doubtsOf({ meter, placed, breaks, excursions }: PlacedMeter): Break[] {
  const main = mainCounters[meter.role];
  const medium = findCounterMedium(main[0]);
  const unusual = main.flatMap((counter) => unusualIn(placed.get(counter) ?? [], counter));
  const all = [...breaks[medium], ...excursions, ...unusual.slice(0, mostUnusual)];
  return all.filter(({ from, to }, index) => all.findIndex((one) => one.from === from && one.to === to) === index);
}

/** Multiple of the second largest rate. */
const unusualTimes = 3;
const smallestRate = 0.2;

/** Amounts much larger than the others: they may contain a wrong reading or a start value. */
function unusualIn(list: readonly PlacedReading[], counter: Counter): Break[] {
  const unit = findCounterMedium(counter) === 'electricity' ? perKwh : perM3;
  const steps = listStretches(list).map(({ from, to, amount }) => {
    return { from, to, rate: amount / unit / (Math.max(dayMs, to - from) / hourMs) };
  });
  const [, second] = steps.map(({ rate }) => rate).sort((a, b) => b - a);
  const most = Math.min(
    unusualRate[findCounterMedium(counter)],
    steps.length < 3 || second === undefined ? Infinity : unusualTimes * Math.max(0, second) + smallestRate,
  );
  return steps.filter(({ rate }) => rate > most).sort((a, b) => b.rate - a.rate);
}

/** The step with the highest rate: it contains the error if the counter shows more than the monitor's own sum. */
function steepestIn({ meter, placed }: PlacedMeter, { from, to }: Break): Break[] {
  const steps = mainCounters[meter.role]
    .flatMap((counter) => listStretches(placed.get(counter) ?? []))
    .filter((step) => step.from >= from - dayMs && step.to <= to + hourMs)
    .map((step) => ({ ...step, rate: Math.abs(step.amount) / (step.to - step.from) }));
  const [steepest] = steps.sort((a, b) => b.rate - a.rate);
  return steepest === undefined ? [] : [{ from: steepest.from, to: steepest.to }];
}

/** The midnights inside a time, without its ends. */
function midnightsIn({ from, to }: Break, period: Span): number[] {
  return periodsUntil('day', nextPeriod(findDayAt(from, period)), to).map(({ start }) => start);
}
