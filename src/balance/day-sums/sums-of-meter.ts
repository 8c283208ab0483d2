/** The sums of days of one meter, from all of its channels. A CEMM 3.0 shows 0 or nothing for a day that it has lost. */
import { smallest } from '../../checks/extremes';
import { amountsOfDays, idleDays } from './days-of-channel';
import type { KeptDaySum } from '../../store/kept-day-sums';

export interface FieldDays {
  /** Payload field, such as `energy_import_kwh`. */
  readonly field: string;
  /** Ascending. */
  readonly days: readonly KeptDaySum[];
}

interface KnownDay {
  readonly start: number;
  /** End of what the amount is of: of a day that was not over when it was read, that moment. */
  readonly until: number;
  readonly amount: number;
}

/** kWh or m³; two channels with the same amount differ by rounding. */
const tolerance = 0.02;

/** Field → what is known of its days: a field of both tariffs is the sum of these. `today` is the start of the current day. */
export function sumsOfMeter(channels: readonly FieldDays[], today: number): ReadonlyMap<string, readonly KnownDay[]> {
  const amounts = new Map(channels.map(({ field, days }) => [field, amountsOfDays(field, days)]));
  const idle = new Map(channels.map(({ field, days }) => [field, idleDays(field, days)]));
  const days = new Map(channels.flatMap((channel) => channel.days.map(({ start, end }) => [start, end] as const)));
  const readTimes = new Map(
    channels.map((channel) => [channel.field, new Map(channel.days.map(({ start, readAt }) => [start, readAt]))]),
  );
  const fields = channels.map(({ field }) => field);
  const hasFlowed = (field: string, start: number): boolean =>
    (amounts.get(field)?.get(start) ?? []).some((value) => value > 0);
  const knownDays = (whole: string): KnownDay[] => {
    const parts = fields.filter((field) => removeTariff(field) === whole);
    const others = fields.filter((field) => removeTariff(field) !== whole);
    return [...days].flatMap(([start, end]): KnownDay[] => {
      const isRunning = start >= today;
      const amount = amountOn(start, whole, amounts, isRunning);
      const isIdle = parts.some((field) => idle.get(field)?.has(start) === true);
      const isShown = isRunning || isIdle || others.some((field) => hasFlowed(field, start));
      if (amount === null || (amount === 0 && !isShown)) return [];
      const readAt = parts.flatMap((field) => readTimes.get(field)?.get(start) ?? []);
      return [{ start, until: smallest([end, ...readAt]), amount }];
    });
  };
  const wholes = [...new Set(fields.map(removeTariff))];
  return new Map(wholes.map((whole) => [whole, knownDays(whole).sort((a, b) => a.start - b.start)]));
}

/** `energy_import_t1_kwh` → `energy_import_kwh`. */
function removeTariff(field: string): string {
  return field.replace(/_t[12]_kwh$/, '_kwh');
}

/** Null where nothing is known, and where different amounts are and the tariffs do not decide. */
function amountOn(
  start: number,
  whole: string,
  amounts: ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>,
  isRunning: boolean,
): number | null {
  const of = (field: string): readonly number[] => amounts.get(field)?.get(start) ?? [];
  const ofTariff = (tariff: string): readonly number[] =>
    whole.endsWith('_kwh') ? of(whole.replace(/kwh$/, `${tariff}_kwh`)) : [];
  const [low, ...otherLow] = ofTariff('t1');
  const [high, ...otherHigh] = ofTariff('t2');
  const isOne = otherLow.length + otherHigh.length === 0;
  const both = low === undefined || high === undefined || !isOne ? null : Math.round((low + high) * 1e6) / 1e6;
  const own = of(whole);
  const shown = own.filter((value) => value > 0);
  const [only, ...others] = shown;
  // The channels of a day that is not over are read at different moments.
  if (isRunning && only !== undefined) return only;
  if (both !== null && both > 0) {
    if (only === undefined) return both;
    return shown.find((value) => Math.abs(value - both) <= tolerance) ?? null;
  }
  if (only !== undefined) return others.length === 0 ? only : null;
  return own.length > 0 || both !== null ? 0 : null;
}
