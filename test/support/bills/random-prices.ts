/** Random prices as people have them. */
import type { Span } from './naive-due';
import type { WrittenPrices } from './naive-costs';
import { localTime, midnights, quarterMs } from './calendar';

export type Draw = () => number;

type UnitPrice = NonNullable<WrittenPrices['import']>;

export function oneIn<Value>(draw: Draw, list: readonly [Value, ...Value[]]): Value {
  return list[Math.floor(draw() * list.length)] ?? list[0];
}

function priceIn(draw: Draw, least: number, most: number): number {
  return Number((least + draw() * (most - least)).toFixed(5));
}

const tariffs = (draw: Draw, least: number, most: number) => ({
  t1: priceIn(draw, least, most),
  t2: priceIn(draw, least, most),
});

/** Prices that change at some midnights, the first one before the period. */
function datedList(draw: Draw, period: Span, least: number, most: number): UnitPrice {
  const days = midnights(...period).slice(1, -1);
  const changes = Array.from(
    { length: 1 + Math.floor(draw() * 3) },
    () => days[Math.floor(draw() * days.length)] ?? period[0],
  );
  const starts = [...new Set([period[0] - 40 * 24 * 4 * quarterMs, ...changes])].sort((a, b) => a - b);
  const byTariff = draw() < 0.3;
  return starts.map((start) => ({ start, value: byTariff ? tariffs(draw, least, most) : priceIn(draw, least, most) }));
}

/** Market prices, some negative; in some lists some are missing. */
function market(draw: Draw, [from, to]: Span, stepMs: number): { start: number; value: number }[] {
  const missing = draw() < 0.3 ? 0.004 : 0;
  const starts = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);
  return starts.map((start) => ({ start, value: priceIn(draw, -0.08, 0.3) })).filter(() => draw() >= missing);
}

const times = ['7-11', '17-22', '22-1', '0:15-2:45', '2-3', '17:30-22', '0-24', '23:45-7'] as const;
const months = ['Nov-Mar', 'Apr-Oct', 'Jun,Jul', 'Oct'] as const;
const days = ['Mon-Fri', 'Sat,Sun', 'Fri-Mon', 'Sun'] as const;

function zones(draw: Draw, least: number, most: number): UnitPrice {
  const list = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => {
    const zone: { value: number; hours?: string; months?: string; days?: string } = {
      value: priceIn(draw, least, most),
    };
    if (draw() < 0.7) zone.hours = oneIn(draw, times);
    if (draw() < 0.4) zone.months = oneIn(draw, months);
    if (draw() < 0.5) zone.days = oneIn(draw, days);
    return zone;
  });
  return draw() < 0.85 ? { value: priceIn(draw, least, most), zones: list } : { zones: list };
}

function energyPrice(draw: Draw, period: Span, least: number, most: number): UnitPrice {
  const isShort = period[1] - period[0] < 70 * 24 * 4 * quarterMs;
  const kinds: readonly [() => UnitPrice, ...(() => UnitPrice)[]] = [
    () => priceIn(draw, least, most),
    () => priceIn(draw, least, most),
    () => tariffs(draw, least, most),
    () => datedList(draw, period, least, most),
    () => zones(draw, least, most),
    () => market(draw, period, 4 * quarterMs),
    () => ({
      list: market(draw, period, isShort ? quarterMs : 4 * quarterMs),
      times: 1.21,
      plus: priceIn(draw, 0, 0.16),
    }),
    () => ({
      list: market(draw, period, isShort ? quarterMs : 4 * quarterMs),
      every: '1h',
      plus: priceIn(draw, -0.02, 0.1),
    }),
  ];
  return oneIn(draw, kinds)();
}

/** @param withPeak sometimes with the capacity tariff */
export function randomPrices(draw: Draw, period: Span, withPeak: boolean): WrittenPrices {
  const prices: { -readonly [Name in keyof WrittenPrices]: WrittenPrices[Name] } = {
    currency: 'EUR',
    import: energyPrice(draw, period, 0.18, 0.36),
  };
  if (draw() < 0.9) prices.export = energyPrice(draw, period, -0.02, 0.12);
  if (draw() < 0.4) prices.export_fee = energyPrice(draw, period, 0.01, 0.06);
  if (draw() < 0.4)
    prices.gas = oneIn<() => UnitPrice>(draw, [
      () => priceIn(draw, 1, 1.6),
      () => market(draw, period, 24 * 4 * quarterMs),
    ])();
  if (draw() < 0.2) prices.water = priceIn(draw, 0.8, 2);
  if (draw() < 0.5) prices.per_day = priceIn(draw, -1.8, 1.3);
  if (draw() < 0.4) prices.per_year = priceIn(draw, -630, 200);
  if (withPeak && draw() < 0.25)
    prices.peak = { per_kw_year: priceIn(draw, 35, 60), at_least_kw: oneIn(draw, [0, 2.5, 9]) };
  return prices;
}

/** First moments of the months of a period, the first one at its start. */
export function monthStarts([from, to]: Span): number[] {
  return midnights(from, to).filter((at) => at < to && (at === from || localTime(at).day === 1));
}
