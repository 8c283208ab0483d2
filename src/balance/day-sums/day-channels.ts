/** The channels of a CEMM 3.0 whose days are energies and volumes of the house. */
import type { ChannelInfo, MeterInfo } from '../../model/payload';
import { seriesField } from '../../model/public-meters';
import { isCountedField } from '../meters/field-readings';

/** Kinds of fields of a meter that the balance counts; those of the phases are parts of these. */
const counted = /^(energy_(import|export)(_t[12])?_kwh|(gas|water|volume)_m3)$/;

export interface DayChannel {
  /** Key of the meter. */
  readonly meter: string;
  readonly channel: string;
  readonly field: string;
}

/** The channels of a meter whose values of a day are amounts. */
export function dayChannelsOf({ key, role, channels = [] }: MeterInfo): DayChannel[] {
  if (key === undefined) return [];
  return channels.flatMap((channel) => {
    const { name, semantics } = fieldOfChannel(channel, role);
    const isCounted = isCountedField(name) && counted.test(name) && semantics !== 'average';
    return isCounted ? [{ meter: key, channel: channel.key, field: name }] : [];
  });
}

/** The names of all fields of a meter. */
export function fieldNamesOf({ role, channels = [] }: MeterInfo): string[] {
  return channels.map((channel) => fieldOfChannel(channel, role).name);
}

function fieldOfChannel({ key, unit, aggregation }: ChannelInfo, role: MeterInfo['role']) {
  return seriesField(key, role, unit ?? null, aggregation ?? null);
}
