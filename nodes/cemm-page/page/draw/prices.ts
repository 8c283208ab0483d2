/** The price of this hour and of the next ones, with the cheapest three hours in a row. */
import { largest, smallest } from '../../../../src/checks/extremes';
import type { BalancePayload } from '../../../../src/model/payload';
import { balanceOf, cardOf, type Sheet } from './card';
import { pricesQuestion, questionOf } from './choice';
import { localTime } from './dates';
import type { Card, PriceAhead } from './drawn';
import { amountIn, isNumber, roundTo } from './numbers';
import { stepsThrough } from './steps';

const hourMs = 3_600_000;
const shownMs = 18 * hourMs;
const cheapMs = 3 * hourMs;

/** A price of a kWh from the grid, all in; null: not known. */
export interface PriceSlot {
  readonly ts: number;
  readonly end: number;
  readonly price: number | null;
}

/** The slots of today and tomorrow; empty before they have come. */
function priceSlots(sheet: Sheet): PriceSlot[] {
  const { points = [] } = balanceOf(sheet, pricesQuestion) ?? {};
  return points.flatMap(({ ts, end, price_import: price }) =>
    isNumber(end) && end > ts ? [{ ts, end, price: isNumber(price) ? price : null }] : [],
  );
}

/** Nothing where the price is always the same, or not known. */
export function priceCards(sheet: Sheet): Card[] {
  const { say, formats, frame } = sheet;
  const { day } = localTime(frame.moment, frame.timezone);
  const currency = balanceOf(sheet, questionOf('day', day))?.cost?.currency;
  const slots = priceSlots(sheet).filter(({ ts, end }) => end > frame.moment && ts < frame.moment + shownMs);
  const known = slots.map(({ price }) => price).filter(isNumber);
  if (currency === undefined || known.length < 2 || largest(known) === smallest(known)) return [];
  const price = (value: number | null | undefined): string => formats.money(value, currency, 3);
  const time = ({ ts, end }: Pick<PriceSlot, 'ts' | 'end'>): string =>
    `${formats.clock(ts)}–\u2060${formats.clock(end)}`;
  const [first] = slots;
  const cheap = cheapest(slots);
  const ofCheap = cheap.map((slot) => slot.price).filter(isNumber);
  const from = cheap[0]?.ts ?? 0;
  const end = cheap.at(-1)?.end ?? 0;
  const isTomorrow = localTime(from, frame.timezone).day !== day;
  const range = [...new Set([smallest(ofCheap), largest(ofCheap)].map(price))].join(' – ');
  const words = [time({ ts: from, end }), ...(isTomorrow ? [say('tomorrow')] : [])].join(' ');
  return [
    cardOf('price', say('price'), {
      note: say('perKwh'),
      tiles: [{ key: 'price', name: say('now'), colour: null, notes: [], ...amountIn(price(first?.price)) }],
      prices: drawnPrices(slots, cheap, {
        label: slots.map((slot) => `${time(slot)} ${price(slot.price)}`).join(', '),
        clock: (ts) => formats.clock(ts),
      }),
      notes: cheap.length === 0 ? [] : [`${say('pair', say('cheapest'), words)}, ${range}`],
    }),
  ];
}

/** The slots of the cheapest three hours in a row; empty where no such hours are known. */
function cheapest(slots: readonly PriceSlot[]): readonly PriceSlot[] {
  const runs = slots.flatMap(({ ts }, index) => {
    const run = slots.slice(index).filter(({ end }) => end <= ts + cheapMs);
    const isWhole = run.at(-1)?.end === ts + cheapMs && run.every(({ price }) => price !== null);
    return isWhole ? [{ run, sum: run.reduce((sum, { price }) => sum + (price ?? 0), 0) }] : [];
  });
  const [best] = [...runs].sort((a, b) => a.sum - b.sum);
  return best?.run ?? [];
}

/** Hours between two names below the line. */
const nameEvery = 6;

function drawnPrices(
  slots: readonly PriceSlot[],
  cheap: readonly PriceSlot[],
  { label, clock }: { readonly label: string; readonly clock: (ts: number) => string },
): PriceAhead {
  const start = slots[0]?.ts ?? 0;
  const end = slots.at(-1)?.end ?? start + 1;
  const x = (ts: number): number => roundTo((100 * (ts - start)) / (end - start), 3);
  const prices = slots.map(({ price }) => price);
  const known = prices.filter(isNumber);
  const [low, high] = [Math.min(0, smallest(known)), Math.max(0.01, largest(known))];
  const y = (price: number): number => roundTo(100 * (1 - (price - low) / (1.08 * (high - low))), 2);
  const [first, last] = [cheap[0], cheap.at(-1)];
  return {
    label,
    d: stepsThrough(prices, (index) => x(slots[index]?.ts ?? end), y),
    now: x(slots[0]?.end ?? start),
    cheap: first === undefined || last === undefined ? null : { x: x(first.ts), width: x(last.end) - x(first.ts) },
    marks: slots.flatMap(({ ts }) =>
      ts > start && ts % (nameEvery * hourMs) === 0 ? [{ x: x(ts), text: clock(ts) }] : [],
    ),
  };
}

/** The prices of the hours of a day that are to come: a balance has no costs of them. */
export function pricesAfter(sheet: Sheet, { period }: BalancePayload, from: number): PriceSlot[] {
  return period?.unit === 'day' ? priceSlots(sheet).filter(({ ts, end }) => ts >= from && end <= period.end) : [];
}
