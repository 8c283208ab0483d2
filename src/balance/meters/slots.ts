/** Converts payloads to the slots of a meter: minutes, days or months of a series, and the windows of deliveries. */
import { periodContaining } from '../../calendar/periods';
import { stepLength } from '../../calendar/slots';
import type { PeriodSeriesPayload, SeriesPoint, WebhookReading } from '../../model/payload';
import { dayMs, millis, minuteMs } from '../../time/units';
import {
  toAmount,
  amountOfAverage,
  perKwh,
  perM3,
  perUnit,
  type Amount,
  type BalanceRole,
  type Quantity,
} from './amounts';
import { counterLike, isCountedField, isVolume, unitOfField } from './field-readings';
import { canFlow, isPossible } from './breaks';
import type { SeriesUnit } from '../../protocol/responses';
import { weighBothWays } from './both-ways';
import { deliveredSums } from './delivered-sums';
import { deliveredValues } from './delivered-values';
import { emptyShape, firstSlots, leastKnown, toShape, type Shapes, type Slot } from './shape';

/** Shapes of the day series of a meter. Import and export at the grid are separated by the sign of each minute. */
export function buildShapes(series: PeriodSeriesPayload, role: BalanceRole): Shapes {
  const length = stepLength(series.period.step);
  if (length === null) return {};
  const shapes: Shapes = {};
  for (const { quantity, of } of columnsOf[role]) {
    // A year has half a million minutes: the loop makes no object for any of them.
    const shape = emptyShape(series.points.length);
    let count = 0;
    for (const point of series.points) {
      const amount = of(point, length);
      // A minute of a million W is an error of the monitor, and as good as not recorded.
      if (amount === null || !canFlow(quantity, amount, length)) continue;
      const end = Math.min(series.period.end, point.ts + length);
      shape.starts[count] = point.ts;
      shape.ends[count] = end;
      shape.amounts[count] = amount;
      shape.known[count] = end - point.ts;
      count += 1;
    }
    shapes[quantity] = firstSlots(shape, count);
  }
  return weighBothWays(shapes);
}

interface ColumnOfRole {
  readonly quantity: Quantity;
  readonly of: (point: SeriesPoint, length: number) => Amount | null;
}

const columnsOf: Readonly<Record<BalanceRole, readonly ColumnOfRole[]>> = {
  grid: [
    { quantity: 'import', of: average('import', 'power_import_w') },
    { quantity: 'export', of: average('export', 'power_export_w') },
  ],
  production: [{ quantity: 'production', of: average('production', 'power_production_w') }],
  battery: [
    { quantity: 'charged', of: oneWay('charged', 'power_battery_w', -1) },
    { quantity: 'discharged', of: oneWay('discharged', 'power_battery_w', 1) },
  ],
  consumption: [
    { quantity: 'used', of: oneWay('used', 'power_w', 1) },
    { quantity: 'returned', of: oneWay('returned', 'power_w', -1) },
  ],
  gas: [{ quantity: 'gas', of: volume('gas', 'gas_m3', 'gas_lpm') }],
  water: [{ quantity: 'water', of: volume('water', 'water_m3', 'flow_lpm') }],
};

function average(quantity: Quantity, field: string): ColumnOfRole['of'] {
  return (point, length) => {
    const value = point[field] ?? null;
    return value === null ? null : amountOfAverage(value, quantity, length);
  };
}

/** The power of a battery or a device in one direction. */
function oneWay(quantity: Quantity, field: string, sign: 1 | -1): ColumnOfRole['of'] {
  return (point, length) => {
    const value = point[field] ?? null;
    return value === null ? null : amountOfAverage(Math.max(0, sign * value), quantity, length);
  };
}

/** Uses the volume of the slot, otherwise the flow; a pulse meter for gas has `flow_lpm`. */
function volume(quantity: Quantity, field: string, flow: string): ColumnOfRole['of'] {
  return (point, length) => {
    const amount = point[field] ?? null;
    if (amount !== null) return toAmount(amount, perUnit(quantity));
    const mean = point[flow] ?? point['flow_lpm'] ?? null;
    return mean === null ? null : amountOfAverage(mean, quantity, length);
  };
}

/** The amounts of one meter that a monitor pushed, in any role: of the last quarter and hour, and of days, months and years. */
export function deliveredSlots(readings: readonly WebhookReading[], timezone: string): DeliveredSlot[] {
  const topics = deliveredValues(readings);
  const fields = new Set([...topics.values()].flatMap((values) => [...values.keys()]).filter(isCountedField));
  return [...fields].flatMap((field): DeliveredSlot[] => {
    const convertAmount = (value: number): Amount => toAmount(value, unitOfField(field));
    const short = [...windowLengths].flatMap(([topic, length]): DeliveredSlot[] => {
      const { value, window } = topics.get(topic)?.get(field) ?? {};
      if (value === undefined || window === undefined) return [];
      const { start, end } = window;
      const amount = convertAmount(value);
      if (!canFlow(isVolume(field) ? 'gas' : 'import', amount, end - start)) return [];
      return [{ field, length, start, since: start, end, amount }];
    });
    const long = deliveredSums(topics, readings, field, timezone).flatMap(
      ({ unit, start, since, end, value }): DeliveredSlot[] =>
        isPossible(counterLike(field), convertAmount(value), end - (since ?? start))
          ? [{ field, length: unit, start, since, end, amount: convertAmount(value) }]
          : [],
    );
    return [...short, ...long];
  });
}

type WindowLength = 'quarter' | 'hour' | SeriesUnit;

export interface DeliveredSlot extends Omit<Slot, 'known'> {
  readonly field: string;
  readonly length: WindowLength;
  /** Start of what is in the amount: the start of the slot or later; null if it is not known. */
  readonly since: number | null;
}

const windowLengths: ReadonlyMap<string, 'quarter' | 'hour'> = new Map([
  ['last/15minutes', 'quarter'],
  ['last/hour', 'hour'],
] as const);

/** The import of an inverter is its own use. */
export const deliveredFields: Readonly<
  Record<BalanceRole, readonly { readonly field: string; readonly quantity: Quantity; readonly sign: 1 | -1 }[]>
> = {
  grid: [
    { field: 'energy_import_kwh', quantity: 'import', sign: 1 },
    { field: 'energy_export_kwh', quantity: 'export', sign: 1 },
  ],
  production: [
    { field: 'energy_export_kwh', quantity: 'production', sign: 1 },
    { field: 'energy_import_kwh', quantity: 'production', sign: -1 },
  ],
  battery: [
    { field: 'energy_import_kwh', quantity: 'charged', sign: 1 },
    { field: 'energy_export_kwh', quantity: 'discharged', sign: 1 },
  ],
  consumption: [
    { field: 'energy_import_kwh', quantity: 'used', sign: 1 },
    { field: 'energy_export_kwh', quantity: 'returned', sign: 1 },
  ],
  gas: [{ field: 'gas_m3', quantity: 'gas', sign: 1 }],
  water: [{ field: 'water_m3', quantity: 'water', sign: 1 }],
};

/** m³ per day, as an average over a day or month. */
const mostPerDay = { gas: 100, water: 5 } as const;

/**
 * Gas or water of a month by day, or of a year by month, from the monitor's own sums. In the current slot, a gas meter may have
 * sent nothing for hours: only its readings show until when the sum is valid (`knownUntil`). The monitor counts water itself.
 */
export function volumesOf(series: PeriodSeriesPayload, role: BalanceRole): Shapes {
  const { period, points, source } = series;
  const [column] = role === 'gas' || role === 'water' ? columnsOf[role] : [];
  if (column === undefined || period.unit === 'day') return {};
  const past = Math.floor(source.fetchedAt / minuteMs) * minuteMs;
  const slots = points.flatMap((point): Slot[] => {
    const amount = column.of(point, 0);
    const step = periodContaining(period.unit === 'month' ? 'day' : 'month', period.timezone, millis(point.ts));
    const end = Math.min(step.end, past);
    // Some monitors send the meter reading instead: far more than a house uses.
    const most = (mostPerDay[column.quantity === 'gas' ? 'gas' : 'water'] * (step.end - step.start)) / dayMs;
    if (amount === null || end <= point.ts || amount > most * perM3) return [];
    const isOpen = column.quantity === 'gas' && end < step.end;
    return [{ start: point.ts, end, amount, known: isOpen ? leastKnown : end - point.ts }];
  });
  return { [column.quantity]: toShape(slots) };
}

/** The monitor's own days or months of a month or year: import − export, or production. */
export function readNetSlots(series: PeriodSeriesPayload): Slot[] {
  const { period, points } = series;
  if (period.step !== 'P1D' && period.step !== 'P1M') return [];
  return points.flatMap(({ ts, ...values }, index): Slot[] => {
    const value = values['energy_net_kwh'] ?? null;
    const end = points[index + 1]?.ts ?? period.end;
    return value === null ? [] : [{ start: ts, end, amount: toAmount(value, perKwh), known: end - ts }];
  });
}
