/** Parts of the view Now below its flow: today against the usual, the room in this quarter, phases, gas and water. */
import { largest } from '../../../../src/checks/extremes';
import type { BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import type { Comparison } from './comparison';
import type { Bullet, Card, Tile } from './drawn';
import { amountIn, isNumber, toPercent } from './numbers';
import { formatAmount, houseSeries, volumes } from './series';

/** The number of a day, with a mark at that of the other day until the same time; null if one of them is not known. */
export function dayBullet({ formats }: Sheet, balance: BalancePayload, comparison: Comparison): Bullet | null {
  const { field, colour } = houseSeries(balance);
  const [now, before] = [balance.values[field], comparison.valueFor(field)];
  if (!isNumber(now) || !isNumber(before) || now < 0 || before <= 0) return null;
  const whole = 1.15 * Math.max(now, before);
  const format = (value: number): string => formatAmount(formats, field, value, 2);
  return {
    colour: colour ?? 'house',
    value: toPercent(now / whole),
    expected: 0,
    mark: toPercent(before / whole),
    ends: [],
    label: `${format(now)}. ${comparison.name}: ${format(before)}`,
  };
}

/** The room below the month's highest quarter. Nothing where quarters are not read. */
export function roomCards({ say, formats, frame }: Sheet, { peak }: BalancePayload): Card[] {
  if (peak === null || peak.month_w === undefined) return [];
  const { month_w: month, room_w: room = null, expected_w: expected = null } = peak;
  const kw = (watt: number | null): string => formats.amount(watt === null ? null : watt / 1000, 'kW', 2);
  const minutes = Math.max(0, Math.ceil((peak.end - frame.moment) / 60_000));
  const sentence = room === null ? '' : say(room < 0 ? 'roomOver' : 'roomFree', kw(Math.abs(room)));
  const ends = [
    ...(isNumber(expected) ? [say('pair', say('expected'), kw(expected))] : []),
    say('pair', say('monthPeak'), kw(month)),
  ];
  const whole = 1.15 * largest([month ?? 0, expected ?? 0]);
  return [
    cardOf('quarter', say('quarterNow'), {
      note: minutes > 15 ? '' : say('minutesLeft', minutes),
      sentence,
      notes: whole > 0 ? [] : ends,
      bullet:
        whole > 0
          ? {
              colour: 'import',
              value: 0,
              expected: toPercent((expected ?? 0) / whole),
              ends,
              mark: month === null ? null : toPercent(month / whole),
              label: [sentence, ...ends].join('. '),
            }
          : null,
    }),
  ];
}

/** Nothing where the meter sends no phases. */
export function phaseCards({ say, formats }: Sheet, { phases = [] }: BalancePayload): Card[] {
  if (phases.length < 2) return [];
  return [
    cardOf('phases', say('phases'), {
      tiles: phases.map(({ power_w: power, voltage_v: voltage, current_a: current }, index) => ({
        key: `L${index + 1}`,
        name: `L${index + 1}`,
        colour: null,
        ...amountIn(formats.amount(power, 'W', 0)),
        notes: [
          ...(isNumber(voltage) ? [formats.amount(voltage, 'V', 0)] : []),
          ...(isNumber(current) ? [formats.amount(current, 'A', 1)] : []),
        ],
      })),
    }),
  ];
}

/** Gas and water of a day; not the one that is the number of the house. */
export function volumeTiles({ say, formats }: Sheet, balance: BalancePayload): Tile[] {
  const { values, coverage } = balance;
  const house = houseSeries(balance);
  return volumes.flatMap(({ field, name, colour }) => {
    const value = values[field];
    if (!isNumber(value) || field === house.field) return [];
    const share = coverage[field] ?? 1;
    const notes = share < 1 ? [say('measured', formats.percent(share))] : [];
    return [{ key: field, name: say(name), colour, notes, ...amountIn(formats.volume(value)) }];
  });
}
