/** The view Now: the flow of this moment, today, the room in this quarter, phases and meter readings. */
import type { BalancePayload } from '../../../../src/model/payload';
import { balanceOf, cardOf, cardsOfAnswer, type Sheet } from './card';
import { daysBack, isMorning, questionOf } from './choice';
import { comparisonOf } from './comparison';
import { addTo, localTime } from './dates';
import type { Card } from './drawn';
import { flowOf } from './flow';
import { formatPeriodTitle } from './header';
import { dayBullet, phaseCards, roomCards, volumeTiles } from './now-parts';
import { barsOf } from './period';
import { priceCards } from './prices';
import { readingsCards } from './readings';
import { periodSentence } from './sentence';
import { nowSentence } from './sentence-now';
import { sayReason } from './reasons';
import { lacksElectricity } from './series';
import { figuresOf, heroOf } from './tiles';

/** Values older than this are grey, also if no newer message says so; deliveries may come every quarter of an hour. */
const oldMs = { ofRequest: 3 * 60_000, ofDelivery: 45 * 60_000 };

export function nowCards(sheet: Sheet, hasReadings: boolean): Card[] {
  const { say, frame } = sheet;
  const { day: today } = localTime(frame.moment, frame.timezone);
  const hasPowers = !lacksElectricity(balanceOf(sheet, questionOf('day', today)));
  const moment = hasPowers
    ? cardsOfAnswer(sheet, { balance: 'now' }, say('now'), (balance) => [
        momentCard(sheet, balance),
        // The quarter of an old moment is over.
        ...(oldSince(sheet, balance) === null ? roomCards(sheet, balance) : []),
        ...phaseCards(sheet, balance).map((card) => ({ ...card, isOld: oldSince(sheet, balance) !== null })),
      ])
    : [];
  const days = [
    { title: say('today'), day: today },
    ...(isMorning(frame) ? [{ title: say('yesterday'), day: addTo(today, -1, 'day') }] : []),
  ].reverse();
  const [first, ...others] = moment;
  return [
    ...(first === undefined ? [] : [first]),
    ...days.flatMap(({ title, day }) =>
      cardsOfAnswer(sheet, questionOf('day', day), title, (balance) => [dayCard(sheet, balance, title, day)]),
    ),
    ...others,
    ...(hasPowers ? priceCards(sheet) : []),
    ...(hasReadings ? readingsCards(sheet, questionOf('day', today)) : []),
  ];
}

/** The number of a day against the same weekday before, until the same time, with its bars. */
function dayCard(sheet: Sheet, balance: BalancePayload, title: string, day: string): Card {
  const weekBefore = addTo(day, -daysBack, 'day');
  const before = balanceOf(sheet, questionOf('day', weekBefore));
  const comparison =
    before === null ? null : comparisonOf(sheet, balance, before, formatPeriodTitle(sheet, 'day', weekBefore));
  return cardOf(balance.period?.label ?? '', title, {
    hero: heroOf(sheet, balance, comparison),
    // In the morning there are two days.
    isTitled: isMorning(sheet.frame),
    sentence: periodSentence(sheet, balance, comparison),
    bullet: comparison === null ? null : dayBullet(sheet, balance, comparison),
    tiles: [...figuresOf(sheet, balance, null), ...volumeTiles(sheet, balance)],
    chart: barsOf(sheet, balance, comparison),
    // Small amounts beside it are in litres.
    notes: lacksElectricity(balance) ? [`m³ ${sheet.say('byHour')}`] : [],
  });
}

/** Epoch ms; null while new values come in. */
function oldSince({ frame }: Sheet, balance: BalancePayload): number | null {
  const age = frame.moment - balance.ts;
  const isDelivered = ['webhook', 'public'].includes(balance.source.transport);
  return balance.stale?.since ?? (age > oldMs[isDelivered ? 'ofDelivery' : 'ofRequest'] ? balance.ts : null);
}

function momentCard(sheet: Sheet, balance: BalancePayload): Card {
  const { say, formats, frame } = sheet;
  const since = oldSince(sheet, balance);
  const isToday =
    since !== null && localTime(since, frame.timezone).day === localTime(frame.moment, frame.timezone).day;
  const when = since === null || isToday ? '' : `${formats.date(since, { day: 'numeric', month: 'long' })}, `;
  return cardOf('now', say('now'), {
    note: formats.clock(balance.ts),
    isOld: since !== null,
    state: since === null ? '' : say('old', `${when}${formats.clock(since)}`),
    sentence: since === null ? nowSentence(sheet, balance) : '',
    flow: flowOf(sheet, balance),
    notes: reasonsOf(sheet, balance),
  });
}

/** Why powers are missing. */
function reasonsOf({ say }: Sheet, balance: BalancePayload): string[] {
  const fields = {
    power_house_w: 'house',
    power_production_w: 'sun',
    power_import_w: 'grid',
    power_battery_w: 'battery',
  } as const;
  const sources = Object.keys(fields).filter((field) => field !== 'power_house_w' && field in balance.values);
  const isAwaited = sources.length > 0 && sources.every((field) => balance.missing[field] === 'not_measured');
  if (isAwaited && balance.source.transport === 'webhook') return [say('nextDelivery')];
  return Object.entries(fields).flatMap(([field, name]) => {
    const reason = balance.missing[field];
    return reason === undefined ? [] : [say('pair', say(name), sayReason(say, reason, balance))];
  });
}
