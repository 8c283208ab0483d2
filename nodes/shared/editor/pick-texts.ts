/** A monitor and a meter in a few words, for a list to choose from. */
import type { ChannelEntry, MeterEntry, MonitorEntry } from '../../cemm-connection/admin-answers';
import type { Translate } from './text';

export function describeMonitor({ name, version }: MonitorEntry): string {
  return [name, version].filter((part) => part !== null && part !== '').join(' · ');
}

/** What it measures, and its last value where there is one. */
export function describeMeter({ label, role, type, field, value }: MeterEntry, text: Translate): string {
  const kind = role === null ? describeType(type, text) : text(`form.picks.role.${role}`);
  const last = field === null || value === null ? '' : valueWithUnit(field, value);
  return [label ?? '', kind, last].filter((part) => part !== '').join(' · ');
}

/** `electricity` is the one type that says nothing of the role (vendor facts: meters of the public API). */
function describeType(type: string | null, text: Translate): string {
  return type === 'electricity' ? text('form.picks.electricity') : (type ?? '');
}

export function describeChannel({ label, unit }: ChannelEntry): string {
  return [label, unit].filter((part) => part !== null).join(' · ');
}

const units = [
  { ending: '_w', unit: 'W', digits: 0 },
  { ending: '_kwh', unit: 'kWh', digits: 1 },
  { ending: '_m3', unit: 'm³', digits: 2 },
] as const;

/** The unit is the ending of a field's name (contract.md, Fields and units). */
export function valueWithUnit(field: string, value: number): string {
  const known = units.find(({ ending }) => field.endsWith(ending));
  const number = value.toLocaleString(undefined, { maximumFractionDigits: known?.digits ?? 2 });
  return known === undefined ? `${field} ${number}` : `${number} ${known.unit}`;
}

/** MAC addresses are written in several ways. */
export function sameMac(a: string, b: string): boolean {
  const digits = (mac: string): string => mac.toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits(a) === digits(b);
}
