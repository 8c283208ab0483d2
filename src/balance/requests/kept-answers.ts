/**
 * Responses for balances as facts for `src/store`: amounts, how much of each time was measured, and readings of counters, by the
 * minute, because a reading that is some minutes old at midnight divides a quarter of an hour. The name of a fact contains the
 * role of its meter and moments in UTC; nothing depends on zones, choices or prices.
 */
import type { CounterReading } from '../meters/readings';
import { counters, hasAllReadingsAt } from '../meters/readings';
import type { HouseMeter } from '../meters/choice';
import { entryOf } from '../meters/entries';
import type { Shape, Shapes, Slot } from '../meters/shape';
import { isRecord } from '../../record';
import { isDueAfter, isFinalAfter, type PastPeriod } from '../../store/past-rules';
import { packShapes, unpackShapes } from './packed-shapes';
import type { BalanceRequest } from './plan';

export interface KeptAnswer {
  readonly readings: readonly CounterReading[];
  /** Null if the response does not show it. */
  readonly offersExport: boolean | null;
  readonly shapes: Shapes;
  readonly net: readonly Slot[];
}

/** Equal for equal requests, whatever the zone of the connection. */
export function factName({ role }: HouseMeter, { kind, meter, period }: PastRequest): string {
  return `${kind} ${period.start}-${period.end} ${role} ${meter}`;
}

export type PastRequest = Extract<BalanceRequest, { readonly period: unknown }>;

/** True if the response is kept. */
export function isFinalAnswer(answer: KeptAnswer, meter: HouseMeter, request: PastRequest, now: number): boolean {
  return isFinalAfter(pastPeriod(answer, meter, request), now);
}

/** True if a kept response was incomplete and is old enough for another request. */
export function isDue(
  answer: KeptAnswer,
  meter: HouseMeter,
  request: PastRequest,
  { readAt, now }: { readonly readAt: number; readonly now: number },
): boolean {
  return isDueAfter(pastPeriod(answer, meter, request), readAt, now);
}

function pastPeriod(answer: KeptAnswer, meter: HouseMeter, request: PastRequest): PastPeriod {
  const { unit, end } = request.period;
  return { unit, end, isComplete: isComplete(answer, meter, request) };
}

function isComplete({ readings, shapes }: KeptAnswer, meter: HouseMeter, { kind, period }: PastRequest): boolean {
  if (kind === 'totals') return hasAllReadingsAt(readings, meter, period.end);
  const all = Object.values(shapes);
  return all.length > 0 && all.every((shape) => measuredMs(shape) >= period.end - period.start);
}

function measuredMs({ known }: Shape): number {
  let sum = 0;
  for (let slot = 0; slot < known.length; slot += 1) sum += entryOf(known, slot);
  return sum;
}

/** JSON */
export function toKept({ readings, offersExport, shapes, net }: KeptAnswer): object {
  return {
    readings: readings.map(({ counter, ts, amount }) => [counter, ts, amount]),
    offersExport,
    shapes: packShapes(shapes),
    net: net.map(({ start, end, amount, known }) => [start, end, amount, known]),
  };
}

/** Null for anything but the result of `toKept`. */
export function fromKept(value: unknown): KeptAnswer | null {
  if (!isRecord(value)) return null;
  const { offersExport } = value;
  const readings = readingsIn(value['readings']);
  const net = slotsIn(value['net']);
  const shapes = unpackShapes(value['shapes']);
  if (readings === null || net === null || shapes === null) return null;
  if (offersExport !== null && typeof offersExport !== 'boolean') return null;
  return { readings, offersExport, shapes, net };
}

function slotsIn(value: unknown): Slot[] | null {
  return listOf(value, (one): Slot | null => {
    if (!Array.isArray(one) || one.length !== 4 || !one.every(isFiniteNumber)) return null;
    const [start = 0, end = 0, amount = 0, known = 0] = one;
    return { start, end, amount, known };
  });
}

function readingsIn(value: unknown): CounterReading[] | null {
  return listOf(value, (one): CounterReading | null => {
    if (!Array.isArray(one) || one.length !== 3) return null;
    const [name, ts, amount] = one as unknown[];
    const counter = counters.find((known) => known === name);
    return counter !== undefined && isFiniteNumber(ts) && isFiniteNumber(amount) ? { counter, ts, amount } : null;
  });
}

/** Null if one of them is null. */
function listOf<Item>(value: unknown, read: (one: unknown) => Item | null): Item[] | null {
  if (!Array.isArray(value)) return null;
  const found: Item[] = [];
  for (const one of value as unknown[]) {
    const item = read(one);
    if (item === null) return null;
    found.push(item);
  }
  return found;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
