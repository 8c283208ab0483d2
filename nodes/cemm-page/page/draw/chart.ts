/** Places of bars, lines and labels of a chart, in percent. */
import { largest, smallest } from '../../../../src/checks/extremes';
import type { BalancePayload } from '../../../../src/model/payload';
import { isReading } from '../messages';
import type { Sheet } from './card';
import type { Chart, Column, Rect } from './drawn';
import { isNumber, roundTo } from './numbers';
import { priceLine } from './price-line';
import { pricesAfter } from './prices';
import type { Series } from './series';
import { type Slot, placeBeside, placeSlots } from './slots';
import { stepsThrough } from './steps';

export interface Plan {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** Null: bars. Factor of a value of a line. */
  readonly lineFactor: number | null;
  /** Minutes of a line of quarters, as far as they are known. */
  readonly minutes?: BalancePayload['points'];
  /** Behind the bars, slot by slot, also for those to come. */
  readonly compared?: { readonly balance: BalancePayload; readonly of: Series; readonly name: string } | undefined;
  /** One of several on a row. */
  readonly isSmall?: true;
  /** Said of a bar by a screen reader, beside its name. */
  readonly textOf?: (slot: Slot) => string;
}

type Value = number | null;

/** Null if nothing of it was measured. */
export function chartOf(sheet: Sheet, balance: BalancePayload, plan: Plan): Chart | null {
  const { choice, say, formats, frame } = sheet;
  const all = placeSlots(balance, formats);
  const isBars = plan.lineFactor === null;
  // The mean power of a slot is known when it is over.
  const slots = isBars ? all : all.map((slot) => (slot.end > frame.moment ? { ...slot, point: null } : slot));
  const factor = plan.lineFactor ?? 1;
  const valueIn = (slot: Slot | undefined, field: string): Value => {
    const value = slot?.point?.[field];
    return isNumber(value) ? value * factor : null;
  };
  const minutes = new Map(plan.minutes?.map((point) => [point.ts, point]));
  /** The values of the minutes of a slot, or that of the slot. */
  const finely = (slot: Slot, field: string): Value[] =>
    Array.from({ length: minutes.size > 0 ? 15 : 1 }, (_, index) => {
      const value = minutes.get(slot.ts + index * 60_000)?.[field];
      return isNumber(value) ? value * 60_000 : valueIn(slot, field);
    });
  const series = plan.series.filter(({ field }) => slots.some((slot) => isNumber(valueIn(slot, field))));
  if (series.length === 0) return null;
  const { compared } = plan;
  const others = compared === undefined ? [] : placeBeside(balance, compared.balance, formats);
  const ghostIn = (index: number): Value => (compared === undefined ? null : valueIn(others[index], compared.of.field));
  const hasGhosts = slots.some((_, index) => ghostIn(index) !== null);
  const stacks = slots.map((slot) => stackOf(series, (field) => valueIn(slot, field)));
  const curves = isBars
    ? []
    : series.map(({ colour, field }) => ({ colour, values: slots.flatMap((slot) => finely(slot, field)) }));
  const heights = isBars
    ? stacks.flatMap((stack) => stack.flatMap(({ from, to }) => [from, to]))
    : curves.flatMap(({ values }) => values.map((value) => value ?? 0));
  const ghostHeights = slots.map((_, index) => ghostIn(index) ?? 0);
  const { ticks, place } = scaleThrough([...heights, ...ghostHeights], plan.isSmall === true ? 2 : 4);
  const width = 100 / slots.length;
  const partly = new Set(series.flatMap(({ field }) => balance.estimatedFields?.[field] ?? []));
  const rect = (index: number, inset: number, from: number, to: number): Omit<Rect, 'colour' | 'isPart'> => ({
    x: short((index + inset) * width),
    width: short((1 - 2 * inset) * width),
    y: place(to),
    height: short(place(from) - place(to)),
  });
  const rects = isBars
    ? stacks.flatMap((stack, index) => {
        const isPart = partly.has(slots[index]?.ts ?? NaN);
        return stack.map(({ colour, from, to }): Rect => ({ colour, isPart, ...rect(index, 0.16, from, to) }));
      })
    : [];
  const ghosts = slots.flatMap((_, index): Rect[] => {
    const value = ghostIn(index);
    return isBars && value !== null && value > 0
      ? [{ colour: null, isPart: false, ...rect(index, 0.04, 0, value) }]
      : [];
  });
  const isUnread = (slot: Slot): boolean =>
    isReading(balance) && slot.ts <= frame.moment && series.every(({ field }) => valueIn(slot, field) === null);
  const unread = slots.flatMap((slot, index): Rect[] => {
    if (!isBars || !isUnread(slot)) return [];
    return [{ colour: null, isPart: false, ...rect(index, 0.16, 0, ghostIn(index) ?? (ticks.at(-1) ?? 1) / 2) }];
  });
  const lastPriced = slots.filter(({ point }) => isNumber(point?.['cost_per_kwh'])).at(-1);
  const ahead = pricesAfter(sheet, balance, lastPriced?.end ?? Infinity);
  const price = plan.isSmall === true || !isBars ? null : priceLine(slots, ahead, { formats, zero: place(0) });
  const at = slots[choice.at ?? -1] === undefined ? -1 : (choice.at ?? -1);
  const tickDigits = largest(ticks.map((tick) => `${tick}.`.split('.')[1]?.length ?? 0));
  const drawColumn = (slot: Slot): Column => ({
    name: slot.fullName,
    // One of them is read at most.
    get text() {
      return plan.textOf?.(slot) ?? '';
    },
    isUnknown:
      !isUnread(slot) && slot.end <= frame.moment && series.every(({ field }) => valueIn(slot, field) === null),
  });
  return {
    label: say('points', plan.title),
    unit: plan.unit,
    rects,
    unread,
    ghosts,
    at,
    isSmall: plan.isSmall === true,
    lines: isBars
      ? (price?.lines ?? [])
      : curves.map(({ colour, values }) => ({
          colour,
          d: stepsThrough(values, (index) => short((index * 100) / values.length), place),
        })),
    columns: slots.map(drawColumn),
    ticks: ticks.map((tick) => ({ y: place(tick), text: formats.number(tick, tickDigits) })),
    prices: price?.ticks ?? [],
    marks: slots.flatMap(({ name, isMajor }, index) =>
      name === '' ? [] : [{ x: short((index + 0.5) * width), text: name, isMinor: !isMajor }],
    ),
    legend: [
      ...(hasGhosts && compared !== undefined ? [{ key: 'ghost' as const, name: compared.name }] : []),
      ...(price === null ? [] : [{ key: 'line' as const, name: say('priceLine') }]),
    ],
    now: isBars && plan.isSmall !== true ? nowAt(slots, frame.moment, width) : null,
  };
}

/** Null before and after the slots. */
function nowAt(slots: readonly Slot[], moment: number, width: number): number | null {
  const index = slots.findIndex(({ ts, end }) => moment >= ts && moment < end);
  const slot = slots[index];
  return slot === undefined ? null : short((index + (moment - slot.ts) / (slot.end - slot.ts)) * width);
}

/** Three decimals of a percent are less than a pixel; a curve has thousands of them, and `toFixed` is slow. */
export function short(value: number): number {
  return Math.round(value * 1000) / 1000;
}

interface Part {
  readonly colour: Rect['colour'];
  readonly from: number;
  readonly to: number;
}

/** Bars upon each other, those below zero from zero down. A value below zero, such as own use of an inverter, has no bar. */
function stackOf(series: readonly Series[], valueOf: (field: string) => Value): Part[] {
  let [top, bottom] = [0, 0];
  return series.flatMap(({ field, colour, isBelow }): Part[] => {
    const value = valueOf(field);
    if (value === null || value <= 0) return [];
    if (isBelow) {
      bottom -= value;
      return [{ colour, from: bottom, to: bottom + value }];
    }
    top += value;
    return [{ colour, from: top - value, to: top }];
  });
}

export interface Scale {
  readonly ticks: readonly number[];
  /** In percent, from the top. */
  readonly place: (value: number) => number;
}

export function scaleThrough(values: readonly number[], count: number): Scale {
  const ticks = ticksFor(values, count);
  const [lowest = 0, highest = 1] = [ticks[0], ticks.at(-1)];
  return { ticks, place: (value) => short((100 * (highest - value)) / (highest - lowest)) };
}

/** Some round numbers, from 0 or below to above the highest value. */
function ticksFor(values: readonly number[], count: number): number[] {
  const high = Math.max(0, largest(values));
  const lowest = Math.min(0, smallest(values));
  // The use of an inverter at night needs no line of its own.
  const low = -lowest < high / 50 ? 0 : lowest;
  const span = high - low === 0 ? 1 : high - low;
  // Longer texts have no room beside a chart.
  const power = Math.max(0.01, 10 ** Math.floor(Math.log10(span / count)));
  const step = ([1, 2, 5].find((times) => times * power * count >= span) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => roundTo((first + index) * step, 6));
}
