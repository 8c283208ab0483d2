/**
 * The year of a contract, from its anniversary or from 1 January: the days that are over count as they were, and the others as the same
 * local dates of the year before.
 */
import { type DayRange, dayRange, periodContaining, periodsUntil, startOfDate } from '../../calendar/periods';
import { toLocalTime } from '../../calendar/zone';
import { type Millis, millis } from '../../time/units';
import type { BilledContract, Time } from '../prices/contracts';

/** A date of the year, and the day whose energy counts for it. Epoch ms. */
export interface YearDay {
  /** First moment of the date. */
  readonly date: number;
  readonly start: Millis;
  /** Exclusive. */
  readonly end: Millis;
  readonly isOver: boolean;
}

export interface ContractYear {
  readonly contract: BilledContract;
  readonly timezone: string;
  readonly start: Millis;
  /** Exclusive. */
  readonly end: Millis;
  /** The days whose energy is needed: a year until yesterday. */
  readonly measured: DayRange;
}

/** The year of the first contract that runs, else of the first one; null without any. */
export function contractYear(contracts: readonly BilledContract[], now: Millis, timezone: string): ContractYear | null {
  const running = contracts.flatMap((contract) => {
    const time = contract.runs.find((run) => run.start <= now && now < run.end);
    return time === undefined ? [] : { contract, time };
  })[0];
  const contract = running?.contract ?? contracts[0];
  if (contract === undefined) return null;
  const today = periodContaining('day', timezone, now);
  const first = running === undefined ? newYear : findAnniversary(running.time, timezone);
  const { year } = toYearDate(today.start, timezone);
  const begun = startOfYearDate(year, first, timezone);
  const from = begun <= now ? year : year - 1;
  const yearAgo = startOfYearDate(year - 1, toYearDate(today.start, timezone), timezone);
  return {
    contract,
    timezone,
    start: startOfYearDate(from, first, timezone),
    end: startOfYearDate(from + 1, first, timezone),
    measured: dayRange(timezone, yearAgo, millis(today.start - 1)),
  };
}

/** Every date of the year; 28 February counts for a 29 February that the year before does not have. */
export function daysOfYear(year: ContractYear): YearDay[] {
  const { timezone, measured } = year;
  return periodsUntil('day', year, year.end).map((day) => {
    const isOver = day.end <= measured.end;
    const date = toYearDate(day.start, timezone);
    const at = isOver ? day.start : startOfYearDate(date.year - 1, date, timezone);
    const { start, end } = periodContaining('day', timezone, at);
    return { date: day.start, start, end, isOver };
  });
}

interface YearDate {
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
}

const newYear: YearDate = { month: 0, day: 1 };

/** A contract whose first day is not known has no anniversary. */
function findAnniversary({ start }: Time, timezone: string): YearDate {
  return Number.isFinite(start) ? toYearDate(start, timezone) : newYear;
}

function toYearDate(moment: number, timezone: string): YearDate & { readonly year: number } {
  const local = new Date(toLocalTime(timezone, millis(moment)));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate() };
}

/** First moment of the date in a year: of 28 February for a 29 February that it does not have. */
function startOfYearDate(year: number, { month, day }: YearDate, timezone: string): Millis {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return startOfDate(timezone, year, month, Math.min(day, lastDay));
}
