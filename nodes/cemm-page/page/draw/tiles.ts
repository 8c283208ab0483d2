/** The numbers of a period: its use with what it is compared with, the parts of it, and how much of them was measured. */
import type { BalanceCost, BalancePayload } from '../../../../src/model/payload';
import { isReading } from '../messages';
import type { Sheet } from './card';
import type { Comparison } from './comparison';
import type { Hero, Tile } from './drawn';
import { knownUntil, totalCost } from './known';
import { amountIn, isNumber, roundTo } from './numbers';
import { partReasons, sayReason } from './reasons';
import { figures, flowDigits, formatAmount, houseSeries, shownFigures, used } from './series';
import type { Slot } from './slots';

/** The parts of the use: of the period, or of the chosen bar. */
export function figuresOf(sheet: Sheet, balance: BalancePayload, slot: Slot | null): Tile[] {
  const { say, formats } = sheet;
  const { values, missing, coverage, estimatedFields = {} } = balance;
  const readField = (field: string): number | null => (slot === null ? values[field] : slot.point?.[field]) ?? null;
  const there = figures.filter(({ field }) => field in values);
  const digits = flowDigits(readField);
  const shown = shownFigures(readField, digits);
  const formatField = (field: string): string => formats.amount(shown(field), 'kWh', digits);
  const notesOf = (field: string): string[] => {
    const [reason, share] = [missing[field], coverage[field]];
    const isKnown = isNumber(readField(field));
    if (slot !== null) return (estimatedFields[field] ?? []).includes(slot.ts) ? [say('estimated')] : [];
    return [
      ...(reason === undefined || isKnown ? [] : [sayReason(say, reason, balance)]),
      ...(isKnown && isNumber(share) && share < 1 ? [say('measured', formats.percent(share))] : []),
      ...(field in estimatedFields ? [say('estimated')] : []),
    ];
  };
  const ofSun = (): string[] =>
    isNumber(shown('energy_production_kwh')) ? [say('ofSun', formatField('energy_production_kwh'))] : [];
  const toBattery = (): string[] =>
    isNumber(shown('energy_battery_charged_kwh')) ? [say('chargedBy', formatField('energy_battery_charged_kwh'))] : [];
  return [
    ...there.map(({ field, name, colour }) => ({
      key: field,
      name: say(name),
      colour,
      ...amountIn(formatField(field)),
      notes: [
        ...(field === 'energy_self_consumed_kwh' ? ofSun() : []),
        ...(field === 'energy_battery_discharged_kwh' ? toBattery() : []),
        ...notesOf(field),
      ],
    })),
    ...(slot === null ? sufficiency(sheet, balance) : []),
  ];
}

/** The number of the house, with what it is compared with, and the cost. */
export function heroOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Hero {
  const { say, formats, frame } = sheet;
  const { values, missing, coverage, cost, period } = balance;
  const { field, name } = houseSeries(balance);
  const shown = values[field] ?? null;
  const digits = flowDigits((one) => values[one]);
  const format = (value: number | null): string => formatAmount(formats, field, value, digits);
  const share = coverage[field];
  const isPart = isNumber(shown) && isNumber(share) && share < 1;
  const moment = knownUntil(frame, balance);
  const isRunning = period !== undefined && moment < period.end;
  const until = period?.unit === 'day' ? say('until', formats.clock(moment)) : untilDay(sheet, moment);
  // While days are still read, earlier ones may follow.
  const first = isReading(balance) ? undefined : balance.since;
  const begun = first === undefined ? '' : say('sinceDay', formats.date(first, { day: 'numeric', month: 'short' }));
  const reason = missing[used.field] ?? missing[field];
  const { text, number, unit } = amountIn(format(shown));
  const atLeast = isPart ? '≥\u00a0' : '';
  return {
    text: atLeast + text,
    number: atLeast + number,
    unit,
    name: [say(name), ...(begun !== '' ? [begun] : isRunning ? [until] : [])].join(', '),
    notes: [
      ...(isNumber(values[used.field]) || reason === undefined
        ? []
        : [say('pair', say('used'), sayReason(say, reason, balance))]),
      ...(isPart ? [say('measured', formats.percent(share))] : []),
      ...comparedNotes(sheet, comparison, field, format),
    ],
    cost: cost === undefined ? null : costTile(sheet, balance, cost, comparison),
  };
}

function untilDay({ say, formats, frame }: Sheet, moment: number): string {
  const [last, today] = [moment, frame.moment].map((ts) => formats.date(ts, { day: 'numeric', month: 'short' }));
  return last === today ? say('upToToday') : say('until', last ?? '');
}

function costTile(sheet: Sheet, balance: BalancePayload, cost: BalanceCost, comparison: Comparison | null): Tile {
  const { say, formats } = sheet;
  const money = (value: number | null): string => formats.money(value, cost.currency);
  const { missing } = balance;
  const parts = partReasons(say, balance, 'cost');
  const reason = missing['cost.total'];
  const total = totalCost(balance);
  const isPart = cost.coverage < 1 && total !== null && parts.length === 0;
  return {
    key: 'cost',
    name: say('cost'),
    colour: null,
    ...amountIn(money(total)),
    notes: [
      ...(reason === undefined || isReading(balance) ? [] : [sayReason(say, reason, balance)]),
      ...parts,
      ...(isPart ? [say('measured', formats.percent(cost.coverage))] : []),
      ...comparedNotes(sheet, comparison, 'cost', money),
    ],
  };
}

/** With the measured share, if it is not all. */
function comparedNotes(
  { say, formats }: Sheet,
  comparison: Comparison | null,
  field: string,
  text: (value: number) => string,
): string[] {
  const value = comparison?.valueFor(field) ?? null;
  if (comparison === null || value === null) return [];
  // A price of a meter that is not there makes the share of a cost 0.
  const share = comparison.shareFor(field === 'cost' ? 'energy_import_kwh' : field);
  const part = share > 0 && share < 1 ? `, ${say('measured', formats.percent(share))}` : '';
  return [say('pair', comparison.name, text(value) + part)];
}

function sufficiency({ say, formats }: Sheet, { values, coverage }: BalancePayload): Tile[] {
  const { self_sufficiency: share, energy_production_kwh: produced } = values;
  if (!isNumber(share) || !isNumber(produced) || roundTo(produced, 1) <= 0) return [];
  const measured = coverage[used.field] ?? 1;
  const notes = measured < 1 ? [say('measured', formats.percent(measured))] : [];
  return [{ key: 'sufficiency', name: say('sufficiency'), ...amountIn(formats.percent(share)), colour: null, notes }];
}
