/**
 * Moves the dates of a report by whole weeks, to a year with the same calendar: days keep their weekday, months their beginning,
 * and the clocks change on the same days.
 */
import { periodContaining } from '../calendar/periods';
import { toLocalTime } from '../calendar/zone';
import { dayMs, millis, type Millis } from '../time/units';

const weekMs = 7 * dayMs;
const firstYear = 2012;
const lastYear = 2090;

/**
 * The milliseconds to add to each date.
 * @param random 0 inclusive to 1 exclusive
 */
export function chooseMove(at: Millis, timezone: string, random: () => number): number {
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const moves = years.map((year) => moveTo(year, at, timezone)).filter((move) => move !== 0 && move % weekMs === 0);
  while (moves.length > 0) {
    const [move = 0] = moves.splice(Math.floor(random() * moves.length), 1);
    if (hasSameCalendar(at, move, timezone)) return move;
  }
  return 0;
}

/** From the beginning of the year of `at` to that of another year. */
function moveTo(year: number, at: Millis, timezone: string): number {
  const middle = millis(Date.UTC(year, 6, 1));
  return periodContaining('year', timezone, middle).start - periodContaining('year', timezone, at).start;
}

/** Compares the local date and time of each day of the year, and of the month before it. */
function hasSameCalendar(at: Millis, move: number, timezone: string): boolean {
  const { start, end } = periodContaining('year', timezone, at);
  for (let moment = start - 31 * dayMs; moment < end; moment += dayMs) {
    const [before, after] = [toLocalTime(timezone, millis(moment)), toLocalTime(timezone, millis(moment + move))];
    if (after - before !== move || (moment >= start && monthAndDay(before) !== monthAndDay(after))) return false;
  }
  return true;
}

function monthAndDay(local: number): string {
  return new Date(local).toISOString().slice(5, 10);
}
