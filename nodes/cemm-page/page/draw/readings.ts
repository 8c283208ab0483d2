/** Meter readings, as on the smart meter. */
import { largest } from '../../../../src/checks/extremes';
import { balanceOf, cardOf, type Sheet } from './card';
import type { Question } from '../messages';
import type { Card } from './drawn';
import { chooseUnit } from './series';
import type { TextKey } from './texts';

const counters: readonly { readonly field: string; readonly name: TextKey; readonly code: string }[] = [
  { field: 'energy_import_t1_kwh', name: 'import', code: '1.8.1' },
  { field: 'energy_import_t2_kwh', name: 'import', code: '1.8.2' },
  { field: 'energy_export_t1_kwh', name: 'export', code: '2.8.1' },
  { field: 'energy_export_t2_kwh', name: 'export', code: '2.8.2' },
  { field: 'energy_import_kwh', name: 'import', code: '1.8.0' },
  { field: 'energy_export_kwh', name: 'export', code: '2.8.0' },
  { field: 'energy_production_kwh', name: 'production', code: '' },
  { field: 'gas_m3', name: 'gas', code: '' },
  { field: 'water_m3', name: 'water', code: '' },
];

/** The last readings of a day, each with its time where that is another one; nothing without any. */
export function readingsCards(sheet: Sheet, question: Question): Card[] {
  const { say, formats } = sheet;
  const known = balanceOf(sheet, question)?.counters ?? {};
  const hasTariffs = (known['energy_import_t1_kwh']?.end ?? null) !== null;
  const rows = counters.flatMap(({ field, name, code }) => {
    const end = known[field]?.end ?? null;
    if (end === null || (hasTariffs && code.endsWith('.0'))) return [];
    const [ts, value] = end;
    return [{ ts, meter: `${say(name)} ${code}`.trim(), text: formats.amount(value, chooseUnit(field), 3) }];
  });
  if (rows.length === 0) return [];
  const newest = largest(rows.map(({ ts }) => ts));
  const dayOf = (ts: number): string => formats.date(ts, { day: 'numeric', month: 'short' });
  const nameOf = (meter: string, ts: number): string => {
    const time = formats.clock(ts);
    if (dayOf(ts) !== dayOf(newest)) return `${meter}, ${dayOf(ts)} ${time}`;
    return time === formats.clock(newest) ? meter : `${meter}, ${time}`;
  };
  const title = say('readings');
  const table = {
    heads: [say('costPart'), title],
    rows: rows.map(({ ts, meter, text }) => [nameOf(meter, ts), text]),
    hasSum: false,
  };
  return [cardOf('readings', title, { note: say('readingAt', formats.clock(newest)), table })];
}
