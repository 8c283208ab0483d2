/** The moving house: the powers of one moment. */
import type { BalancePayload } from '../../../../src/model/payload';
import { addTo, localTime } from './dates';
import { cardOf, cardsOfAnswer, type Sheet } from './card';
import { isMorning, questionOf } from './choice';
import type { Card, Scene, ScenePart } from './drawn';
import { addingUp, isNumber } from './numbers';
import { barsOf } from './period';
import { readingsCards } from './readings';
import { figuresOf, heroOf, reasonText } from './tiles';
import type { TextKey } from './texts';
import type { Colour } from '../../../lib/colours';

type PartKey = ScenePart['key'];

/** Places in the drawing: of the texts, of the way to the house, and the icon. */
const places: Readonly<Record<PartKey, Pick<ScenePart, 'x' | 'y' | 'way' | 'icon'>>> = {
  house: { x: 220, y: 152, way: '', icon: '' },
  sun: {
    ...{ x: 318, y: 26, way: 'M220 62V82' },
    icon: 'M220 20a15 15 0 1 0 .1 0M220 5v6M220 59v-4M190 35h6M244 35h6M199 14l4 4M241 14l-4 4M199 56l4-4M241 56l-4-4',
  },
  grid: {
    x: 66,
    y: 106,
    way: 'M100 204H150',
    icon: 'M50 226L61 158H71L82 226M46 176V170H86V176M54 206L76 188M78 206L56 188',
  },
  battery: {
    x: 374,
    y: 106,
    way: 'M342 204H290',
    icon: 'M346 168H402V226H346ZM362 168V160H386V168M378 178L366 199H382L370 216',
  },
};

/** Values older than this are grey, also if no newer message says so; deliveries may come every quarter of an hour. */
const oldMs = { requests: 3 * 60_000, deliveries: 45 * 60_000 };

export function nowCards(sheet: Sheet, hasReadings: boolean): Card[] {
  const { say, frame } = sheet;
  const { day: today } = localTime(frame.moment, frame.timezone);
  const moment = cardsOfAnswer(sheet, { balance: 'now' }, say('now'), (balance) => [momentCard(sheet, balance)]);
  const days = [
    { title: say('today'), day: today },
    ...(isMorning(frame) ? [{ title: say('yesterday'), day: addTo(today, -1, 'day') }] : []),
  ].reverse();
  return [
    ...moment,
    ...days.flatMap(({ title, day }) =>
      cardsOfAnswer(sheet, questionOf('day', day), title, (balance) => [
        cardOf(balance.period?.label ?? '', title, {
          ...{ hero: heroOf(sheet, balance, null), tiles: figuresOf(sheet, balance, null) },
          chart: barsOf(sheet, balance, null),
        }),
      ]),
    ),
    ...(hasReadings ? readingsCards(sheet, questionOf('day', today)) : []),
  ];
}

function momentCard(sheet: Sheet, balance: BalancePayload): Card {
  const { say, formats, frame } = sheet;
  const age = frame.moment - balance.ts;
  const since = balance.stale?.since ?? (age > oldMs[ageRule(balance)] ? balance.ts : null);
  const isToday =
    since !== null && localTime(since, frame.timezone).day === localTime(frame.moment, frame.timezone).day;
  const when = since === null || isToday ? '' : `${formats.date(since, { day: 'numeric', month: 'long' })}, `;
  const peak = balance.peak?.expected_w;
  return cardOf('now', say('now'), {
    note: formats.clock(balance.ts),
    isOld: since !== null,
    state: since === null ? '' : say('old', `${when}${formats.clock(since)}`),
    scene: sceneOf(sheet, balance),
    notes: [
      ...reasonsOf(sheet, balance),
      ...(isNumber(peak) ? [say('pair', say('expected'), formats.amount(peak / 1000, 'kW', 2))] : []),
    ],
  });
}

function ageRule({ source }: BalancePayload): keyof typeof oldMs {
  return source.transport === 'webhook' || source.transport === 'public' ? 'deliveries' : 'requests';
}

function sceneOf({ say, formats }: Sheet, { values }: BalancePayload): Scene {
  const { power_import_w: taken = null, power_export_w: given = null } = values;
  const { power_production_w: sun, power_battery_w: stored, power_house_w: house = null } = values;
  const others = [sun, stored].map((value) => (value === undefined ? 0 : value));
  // At one moment a house takes or gives.
  const net = taken === null || given === null ? null : taken - given;
  const all = [house, net, ...others];
  const isLarge = all.some((value) => Math.abs(value ?? 0) >= 10_000);
  const scale = isLarge ? 1000 : 1;
  const scaled = (value: number | null): number | null => (value === null ? null : value / scale);
  const [unit, digits] = isLarge ? ['kW', 2] : ['W', 0];
  const [takes = null, shines = null, discharges = null] = addingUp(
    scaled(house),
    [net, ...others].map(scaled),
    digits,
  );
  const text = (value: number | null): string => formats.amount(value === null ? null : Math.abs(value), unit, digits);
  const part = (key: PartKey, colour: Colour, value: number | null, note = ''): ScenePart => ({
    ...{ key, colour, name: say(key), text: text(value), note, ...places[key] },
    seconds: isNumber(value) && Math.abs(value) * scale >= 1 ? secondsFor(Math.abs(value) * scale) : 0,
    isAway: isNumber(value) && value < 0,
  });
  const noteOf = (value: number | null, below: TextKey, above: TextKey): string =>
    !isNumber(value) || value === 0 ? '' : say(value < 0 ? below : above);
  const isExport = isNumber(takes) && takes < 0;
  const parts = [
    part('house', 'house', scaled(house)),
    ...(sun === undefined
      ? []
      : [{ ...part('sun', 'production', shines), text: formats.amount(shines, unit, digits) }]),
    part('grid', isExport ? 'export' : 'import', takes, noteOf(takes, 'toGrid', 'fromGrid')),
    ...(stored === undefined
      ? []
      : [part('battery', 'battery', discharges, noteOf(discharges, 'charges', 'discharges'))]),
  ];
  return {
    parts,
    label: parts
      .map(({ name, text: value, note }) => [name, value, note].filter((one) => one !== '').join(' '))
      .join('. '),
  };
}

/** Why powers are missing. */
function reasonsOf({ say }: Sheet, { missing }: BalancePayload): string[] {
  const fields = {
    power_house_w: 'house',
    power_production_w: 'sun',
    power_import_w: 'grid',
    power_battery_w: 'battery',
  } as const;
  return Object.entries(fields).flatMap(([field, name]) => {
    const reason = missing[field];
    return reason === undefined ? [] : [say('pair', say(name), say(reasonText(reason)))];
  });
}

/** Faster for more power: 0.3 s for 5 kW and above, 3 s for a few watts. */
function secondsFor(watt: number): number {
  return Math.max(0.3, 3 - 2.7 * Math.sqrt(Math.min(1, watt / 5000)));
}
