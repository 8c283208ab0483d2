/** Places of bars, lines and labels of a chart, in percent. */
import { largest, smallest } from '../../../../src/extremes';
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import type { Chart, Line, Rect } from './drawn';
import { digitsFor, isNumber } from './numbers';
import type { Series } from './series';
import { type Slot, slotsOf } from './slots';

interface Plan {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** Null: bars. Factor of a value of a line. */
  readonly lineFactor: number | null;
  /** Drawn as a line over the bars, slot by slot. */
  readonly compared?: { readonly balance: BalancePayload; readonly of: Series; readonly name: string } | undefined;
}

type Value = number | null;

/** Null if nothing of it was measured. */
export function chartOf({ choice, say, formats, frame }: Sheet, balance: BalancePayload, plan: Plan): Chart | null {
  const all = slotsOf(balance, formats);
  // The mean power of a slot is known when it is over.
  const slots =
    plan.lineFactor === null ? all : all.map((slot) => (slot.end > frame.moment ? { ...slot, point: null } : slot));
  const factor = plan.lineFactor ?? 1;
  const valueIn = (slot: Slot | undefined, field: string): Value => {
    const value = slot?.point?.[field];
    return isNumber(value) ? value * factor : null;
  };
  const series = plan.series.filter(({ field }) => slots.some((slot) => isNumber(valueIn(slot, field))));
  if (series.length === 0) return null;
  const isBars = plan.lineFactor === null;
  const comparedField = plan.compared?.of.field ?? '';
  const others = plan.compared === undefined ? [] : slotsOf(plan.compared.balance, formats);
  const compared = others.some((slot) => valueIn(slot, comparedField) !== null) ? others : [];
  const stacks = slots.map((slot) => stackOf(series, (field) => valueIn(slot, field)));
  const heights = isBars
    ? stacks.flatMap((stack) => stack.flatMap(({ from, to }) => [from, to]))
    : slots.flatMap((slot) => series.map(({ field }) => valueIn(slot, field) ?? 0));
  const ticks = ticksFor([...heights, ...compared.map((slot) => valueIn(slot, comparedField) ?? 0)]);
  const [lowest = 0, highest = 1] = [ticks[0], ticks.at(-1)];
  const place = (value: number): number => short((100 * (highest - value)) / (highest - lowest));
  const width = 100 / slots.length;
  const rects = isBars
    ? stacks.flatMap((stack, index) =>
        stack.map(({ colour, from, to }): Rect => ({
          ...{ colour, x: short((index + 0.12) * width), width: short(0.76 * width) },
          ...{ y: place(to), height: short(place(from) - place(to)) },
        })),
      )
    : [];
  const lineOf = (colour: Line['colour'], from: readonly (Slot | undefined)[], field: string): Line => ({
    colour,
    d: lineThrough(
      from.map((slot) => valueIn(slot, field)),
      (value, index) => `${short((index + 0.5) * width)} ${place(value)}`,
    ),
  });
  const lines = isBars ? [] : series.map(({ colour, field }) => lineOf(colour, slots, field));
  if (compared.length > 0)
    lines.push(
      lineOf(
        'house',
        slots.map((_, index) => compared[index]),
        comparedField,
      ),
    );
  const at = slots[choice.at ?? -1] === undefined ? -1 : (choice.at ?? -1);
  const digits = isBars ? digitsFor([highest, lowest]) : 0;
  const legend = [
    ...series.map(({ name, colour, field }) => ({ name: say(name), colour, value: valueIn(slots[at], field) })),
    ...(plan.compared === undefined || compared.length === 0
      ? []
      : [
          // The bars have the parts of the use, the line its sum.
          ...(plan.series.includes(plan.compared.of)
            ? []
            : [{ name: say(plan.compared.of.name), colour: null, value: valueIn(slots[at], comparedField) }]),
          {
            name: `${say(plan.compared.of.name)}, ${plan.compared.name}`,
            colour: 'house' as const,
            value: valueIn(compared[at], comparedField),
          },
        ]),
  ].map(({ name, colour, value }) => ({
    ...{ name, colour },
    text: at < 0 ? '' : formats.amount(value, plan.unit, Math.max(digits, isBars ? 2 : 0)),
  }));
  const atName = slots[at]?.fullName ?? '';
  const tickDigits = largest(ticks.map((tick) => `${tick}.`.split('.')[1]?.length ?? 0));
  return {
    label: say('points', plan.title),
    ...{ unit: plan.unit, rects, lines, legend, at, atName },
    columns: slots.map(({ fullName }) => fullName),
    ticks: ticks.map((tick) => ({ y: place(tick), text: formats.number(tick, tickDigits) })),
    marks: slots.flatMap(({ name, isMajor }, index) =>
      name === '' ? [] : [{ x: short((index + 0.5) * width), text: name, isMinor: !isMajor }],
    ),
    atText: at < 0 ? '' : [atName, ...legend.map(({ name, text }) => `${name} ${text}`)].join(', '),
  };
}

/** Three decimals of a percent are less than a pixel. */
function short(value: number): number {
  return Number(value.toFixed(3));
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

/** About four round numbers, from 0 or below to above the highest value. */
function ticksFor(values: readonly number[]): number[] {
  const high = Math.max(0, largest(values));
  const lowest = Math.min(0, smallest(values));
  // The use of an inverter at night needs no line of its own.
  const low = -lowest < high / 50 ? 0 : lowest;
  const span = high - low === 0 ? 1 : high - low;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = ([1, 2, 5].find((times) => times * power * 4 >= span) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toFixed(6)));
}

/** A missing value interrupts the line. */
function lineThrough(values: readonly Value[], at: (value: number, index: number) => string): string {
  return values
    .map((value, index) => (value === null ? '' : `${isNumber(values[index - 1]) ? 'L' : 'M'}${at(value, index)}`))
    .join('');
}
