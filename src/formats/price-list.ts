/**
 * Format `price-list`: the answers of EnergyZero (`base`, the market price of the public interface, and `Prices` of the one before it),
 * enever.nl (`data`) and Tibber (`priceInfo`) as the list of a price. Where their shapes were read: test/recorded/price-sources.json.
 */
import { otherMoment, parseDate } from '../calendar/dates';
import { CalendarError, toLocalTime } from '../calendar/zone';
import { CemmError } from '../errors';
import { type Millis, millis, minuteMs } from '../time/units';
import { isRecord, readMember } from '../checks/record';
import type { Formatted } from './formatted';

/** As a list of prices takes it. */
export interface ListedPrice {
  /** Epoch ms. */
  readonly start: number;
  readonly value: number;
}

/** Largest text of an answer, in characters. */
const mostCharacters = 1_000_000;
const mostEntries = 10_000;

interface Source {
  /** The entries; null for an answer of another source. */
  readonly entries: (answer: unknown) => readonly unknown[] | null;
  readonly start: string;
  /** The property, or those on the way to it. */
  readonly value: readonly string[];
}

const sources: readonly Source[] = [
  { entries: (answer) => listIn(answer, ['base']), start: 'start', value: ['price', 'value'] },
  { entries: (answer) => listIn(answer, ['Prices']), start: 'readingDate', value: ['price'] },
  { entries: (answer) => listIn(answer, ['data']), start: 'datum', value: ['prijs'] },
  { entries: tibberEntries, start: 'startsAt', value: ['total'] },
];

/**
 * Ascending, of one answer or a list of answers, such as today's and tomorrow's.
 * @param timezone of times without an offset; others have to have its offset or be UTC
 * @throws {CemmError} INPUT `price_list`
 */
export function priceListOf(answer: unknown, timezone: string): Formatted<readonly ListedPrice[]>[] {
  const answers: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const prices = new Map<number, number>();
  for (const [index, one] of answers.entries()) {
    const place = answers.length === 1 ? '' : `[${index}]`;
    for (const { start, value } of pricesIn(parseAnswer(one, place), place, timezone)) {
      if (prices.has(start) && prices.get(start) !== value) {
        throw wrongList([place, new Date(start).toISOString()].filter((part) => part !== '').join('.'));
      }
      prices.set(start, value);
    }
  }
  const list = [...prices].map(([start, value]) => ({ start, value })).sort((a, b) => a.start - b.start);
  if (list.length === 0) throw wrongList('payload');
  return [{ topic: 'cemm/prices', payload: list }];
}

/** @param place of the answer in the list of answers; blank for one answer */
function pricesIn(answer: unknown, place: string, timezone: string): ListedPrice[] {
  for (const { entries, start, value } of sources) {
    const found = entries(answer);
    if (found === null) continue;
    if (found.length > mostEntries) throw wrongList(place || 'payload');
    let before = -Infinity;
    return found.map((entry, index): ListedPrice => {
      if (!isRecord(entry)) throw wrongList(`${place}[${index}]`);
      const first = parsePriceTime(entry[start], `${place}[${index}].${start}`, timezone);
      // A local time that occurs twice is the second one behind the first.
      const second = first > before ? null : otherMoment(entry[start], timezone, first);
      before = second !== null && second > before ? second : first;
      return {
        start: before,
        value: parsePriceNumber(value.reduce(readMember, entry), `${place}[${index}].${value.join('.')}`),
      };
    });
  }
  throw wrongList(place || 'payload');
}

/** The object, also of the text of an answer. */
function parseAnswer(answer: unknown, place: string): unknown {
  if (typeof answer !== 'string') return answer;
  if (answer.length > mostCharacters) throw wrongList(place || 'payload');
  try {
    return JSON.parse(answer);
  } catch {
    throw wrongList(place || 'payload');
  }
}

function tibberEntries(answer: unknown): readonly unknown[] | null {
  const homes = listIn(answer, ['data', 'viewer', 'homes']);
  const [home] = homes ?? [];
  if (homes === null || home === undefined) return null;
  const of = (day: 'today' | 'tomorrow'): readonly unknown[] =>
    listIn(home, ['currentSubscription', 'priceInfo', day]) ?? [];
  return [...of('today'), ...of('tomorrow')];
}

function listIn(value: unknown, path: readonly string[]): readonly unknown[] | null {
  const found = path.reduce(readMember, value);
  return Array.isArray(found) ? found : null;
}

/** EnergyZero and enever.nl write numbers as text. */
function parsePriceNumber(written: unknown, place: string): number {
  const isNumber = typeof written === 'string' && /^-?\d+(?:\.\d+)?$/.test(written);
  const value = isNumber ? Number(written) : written;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrongList(place);
  return value;
}

function parsePriceTime(written: unknown, place: string, timezone: string): Millis {
  try {
    if (typeof written !== 'string') throw wrongList(place);
    const at = parseDate(written, timezone);
    const [, sign, hours = '0', minutes = '0'] =
      /([+-])(\d{2}):?(\d{2})?$/.exec(written.slice('yyyy-mm-ddThh:mm'.length)) ?? [];
    if (sign === undefined) return at;
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
    const isOfZone = Math.round((toLocalTime(timezone, at) - millis(at)) / minuteMs) === offset;
    if (!isOfZone && offset !== 0) throw wrongList(place);
    return at;
  } catch (thrown) {
    if (thrown instanceof CalendarError) throw wrongList(place);
    throw thrown;
  }
}

/** @param path the wrong property */
function wrongList(path: string): CemmError {
  return new CemmError('INPUT', { reason: 'price_list', params: { path } });
}
