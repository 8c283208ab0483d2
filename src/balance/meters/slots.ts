/** The slots of a meter out of payloads: minutes, days or months of a series, and the windows of deliveries. */
import { periodContaining } from '../../calendar/periods';
import { stepLength } from '../../calendar/slots';
import type { PeriodSeriesPayload, SeriesPoint, WebhookReading } from '../../model/payload';
import { dayMs, millis, minuteMs } from '../../protocol/time';
import {
  amountOf,
  amountOfAverage,
  PER_KWH,
  PER_M3,
  perUnit,
  type Amount,
  type BalanceRole,
  type Quantity,
} from './amounts';
import { LEAST_KNOWN, shapeOf, type Shapes, type Slot } from './shape';

/** Of a day series of a meter of this role: import and export of the grid apart, by the sign of each minute. */
export function shapesOf(series: PeriodSeriesPayload, role: BalanceRole): Shapes {
  const length = stepLength(series.period.step);
  if (length === null) return {};
  const shapes: Shapes = {};
  for (const { quantity, of } of columnsOf[role]) {
    const slots = series.points.flatMap((point): Slot[] => {
      const amount = of(point, length);
      const end = Math.min(series.period.end, point.ts + length);
      return amount === null ? [] : [{ start: point.ts, end, amount, known: end - point.ts }];
    });
    shapes[quantity] = shapeOf(slots);
  }
  return shapes;
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
  gas: [{ quantity: 'gas', of: volume('gas', 'gas_m3', 'gas_lpm') }],
  water: [{ quantity: 'water', of: volume('water', 'water_m3', 'flow_lpm') }],
};

function average(quantity: Quantity, field: string): ColumnOfRole['of'] {
  return (point, length) => {
    const value = point[field] ?? null;
    return value === null ? null : amountOfAverage(value, quantity, length);
  };
}

/** As an amount of the slot where there is one, else as a flow; a pulse meter of gas has `flow_lpm`. */
function volume(quantity: Quantity, field: string, flow: string): ColumnOfRole['of'] {
  return (point, length) => {
    const amount = point[field] ?? null;
    if (amount !== null) return amountOf(amount, perUnit(quantity));
    const mean = point[flow] ?? point['flow_lpm'] ?? null;
    return mean === null ? null : amountOfAverage(mean, quantity, length);
  };
}

/** What a monitor pushed of one meter: amounts of `last/15minutes`, `last/hour` and `last/day`. */
export function deliveredSlots(readings: readonly WebhookReading[], meter: string, role: BalanceRole): DeliveredSlot[] {
  return readings.flatMap((reading): DeliveredSlot[] => {
    const { topic, value, window } = reading;
    const length = windowLengths.get(topic);
    const found = deliveredFields[role].find(({ field }) => field === reading.field);
    if (reading.meter !== meter || length === undefined || found === undefined) return [];
    if (value === null || window === undefined) return [];
    const { quantity, sign } = found;
    const amount = sign * amountOf(value, perUnit(quantity));
    return [{ quantity, field: reading.field, length, start: window.start, end: window.end, amount }];
  });
}

type WindowLength = 'quarter' | 'hour' | 'day';

export interface DeliveredSlot extends Omit<Slot, 'known'> {
  readonly quantity: Quantity;
  readonly field: string;
  readonly length: WindowLength;
}

const windowLengths: ReadonlyMap<string, WindowLength> = new Map([
  ['last/15minutes', 'quarter'],
  ['last/hour', 'hour'],
  ['last/day', 'day'],
]);

/** An inverter's own import is what it uses itself. */
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
  gas: [{ field: 'gas_m3', quantity: 'gas', sign: 1 }],
  water: [{ field: 'water_m3', quantity: 'water', sign: 1 }],
};

/** m³, on average over a day or month. */
const mostPerDay = { gas: 100, water: 5 } as const;

/**
 * Gas or water of a month by its days, or of a year by its months, as the monitor adds it up itself. A gas meter may have been
 * silent for hours of the slot that is running: only its readings tell (`knownUntil`). Water is counted by the monitor itself.
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
    // Some monitors send the reading of the meter instead: far more than a house uses.
    const most = (mostPerDay[column.quantity === 'gas' ? 'gas' : 'water'] * (step.end - step.start)) / dayMs;
    if (amount === null || end <= point.ts || amount > most * PER_M3) return [];
    const isOpen = column.quantity === 'gas' && end < step.end;
    return [{ start: point.ts, end, amount, known: isOpen ? LEAST_KNOWN : end - point.ts }];
  });
  return { [column.quantity]: shapeOf(slots) };
}

/** What a month or year of a meter says of its days or months: import − export, or production. */
export function netOf(series: PeriodSeriesPayload): Slot[] {
  const { period, points } = series;
  if (period.step !== 'P1D' && period.step !== 'P1M') return [];
  return points.flatMap(({ ts, ...values }, index): Slot[] => {
    const value = values['energy_net_kwh'] ?? null;
    const end = points[index + 1]?.ts ?? period.end;
    return value === null ? [] : [{ start: ts, end, amount: amountOf(value, PER_KWH), known: end - ts }];
  });
}
