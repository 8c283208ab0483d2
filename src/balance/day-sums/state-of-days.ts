/** The sums of days of a CEMM 3.0 in the form of added up messages, so that both make one balance. */
import type { MeterInfo } from '../../model/payload';
import type { MonitorRows } from '../../model/meter-table';
import { toAmount } from '../meters/amounts';
import { unitOfField } from '../meters/field-readings';
import { kindsOfFields } from '../messages/delivered-role';
import { joinStates } from '../messages/join-states';
import {
  type DeliveredMeters,
  emptyField,
  emptyMeter,
  emptyState,
  type MessagesState,
  meterIn,
  type MeterState,
} from '../messages/state';
import { listFieldNames } from './days-of-channel';
import { type FieldDays, sumsOfMeter } from './sums-of-meter';

export interface MeterDays {
  readonly meter: MeterInfo;
  readonly channels: readonly FieldDays[];
}

interface Frame {
  readonly rows: MonitorRows;
  /** Start of the current day. */
  readonly today: number;
  /** When the current day was read. */
  readonly readAt: number;
}

export function stateOfDays(meters: readonly MeterDays[], { rows, today, readAt }: Frame): MessagesState {
  const state = emptyState();
  state.newest = readAt;
  const delivered = new Map<string, DeliveredMeters[string]>();
  for (const { meter, channels } of meters) {
    const { key, role } = meter;
    if (key === undefined) continue;
    const fields = listFieldNames(meter);
    // Only a row makes a device of a consumer, which is no unknown source without one.
    const ofMonitor = role === 'consumption' ? null : role;
    const known = rows.of(key)?.role === 'consumption' ? role : ofMonitor;
    const kinds = role === 'consumption' ? [] : kindsOfFields(fields);
    delivered.set(key, { last: readAt, kinds, ...(known !== null && { role: known }) });
    Object.assign(meterIn(state, key), meterState(meter, fields, sumsOfMeter(channels, today)));
  }
  return { ...state, delivered: Object.fromEntries(delivered) };
}

function meterState(
  { role, name }: MeterInfo,
  fields: readonly string[],
  sums: ReturnType<typeof sumsOfMeter>,
): MeterState {
  const days = [...sums].map(([field, list]) => {
    const windows = list.flatMap(({ start, until, amount }) =>
      until > start ? [[start, [until, toAmount(amount, unitOfField(field))]] as const] : [],
    );
    return [field, { ...emptyField(), days: Object.fromEntries(windows) }] as const;
  });
  return {
    ...emptyMeter(),
    ...(name !== undefined && { title: name }),
    // The list of channels is complete, unlike a delivery.
    ...(role === 'grid' && { offersExport: fields.some((field) => field.startsWith('energy_export')) }),
    offers: [...sums.keys()].sort(),
    fields: Object.fromEntries(days),
  };
}

/** The added up messages of a house with the days that its monitor has added up. Roles that a delivery lacks are those of the monitor. */
export function withDays(messages: MessagesState, days: MessagesState): MessagesState {
  const joined = joinStates({ ...days, newest: Math.min(days.newest, messages.newest) }, messages);
  const delivered = Object.entries(joined.delivered ?? {}).map(([key, meter]) => {
    const role = meter.role ?? (Object.hasOwn(days.delivered ?? {}, key) ? days.delivered?.[key]?.role : undefined);
    return [key, { ...meter, ...(role !== undefined && { role }) }] as const;
  });
  return { ...joined, newest: messages.newest, delivered: Object.fromEntries(delivered) };
}
