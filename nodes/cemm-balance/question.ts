/** A message that asks for a balance, whatever the node is set to: `{ "balance": "day", "date": … }`. */
import type { NodeMessage } from 'node-red';
import { billBatteries, billContracts, billPeriod, billPrices } from '../../src/balance/bill/bill-question';
import type { BillQuestion } from '../../src/balance/bill/bill';
import { isAbsent } from '../../src/balance/prices/price-values';
import type { BilledContract } from '../../src/balance/prices/contracts';
import type { Prices } from '../../src/balance/prices/prices';
import { type DayRange, type Period, periodContaining, type PeriodUnit, type Span } from '../../src/calendar/periods';
import { CemmError } from '../../src/errors';
import type { BalancePayload } from '../../src/model/payload';
import type { Millis } from '../../src/time/units';
import { isRecord, type UnknownRecord } from '../../src/checks/record';
import { convertCalendarErrors, parsePastDate } from '../../src/model/calendar-errors';
import { type AskedStep, askedSteps, type BalanceConfig, balancePeriods } from './config';

const words = [...balancePeriods, 'bill', 'prices'] as const;

/** Over a local connection a month takes a minute and a year many: shorter periods do not wait for longer ones. */
const queues: Readonly<Record<(typeof words)[number], 'month' | 'year' | null>> = {
  now: null,
  day: null,
  week: 'month',
  month: 'month',
  year: 'year',
  bill: 'year',
  prices: null,
};

export interface Question {
  readonly balance: (typeof words)[number];
  /** Monitor or installation; null: the node's setting. */
  readonly house: string | null;
  /** Repeated in the answer. */
  readonly question: string | number | null;
  readonly asked: UnknownRecord;
}

interface Frame {
  readonly timezone: string;
  readonly now: Millis;
}

const mostCharacters = 200;

/**
 * Null if the message asks nothing.
 * @throws {CemmError} INPUT `question`
 */
export function questionIn(msg: NodeMessage | null): Question | null {
  const payload: unknown = msg?.payload;
  if (!isRecord(payload) || 'schema' in payload) return null;
  const balance = words.find((word) => word === payload['balance']);
  if (balance === undefined) return null;
  const house = payload['monitor'] ?? payload['installation'];
  return {
    balance,
    house: typeof house === 'string' ? house : null,
    question: repeated(payload['question']),
    asked: payload,
  };
}

/** The error of a message that asks for something else. */
export function unknownQuestion(): CemmError {
  return new CemmError('INPUT', {
    reason: 'period',
    params: { field: 'msg.payload.balance', periods: words.join(', ') },
  });
}

/** Null for a short question, and for any other message. */
export function queueOfQuestion(msg: NodeMessage | null): string | null {
  const payload: unknown = msg?.payload;
  const word = isRecord(payload) ? words.find((one) => one === payload['balance']) : undefined;
  return word === undefined ? null : queues[word];
}

/** True if the answer comes at once with what is known, and again while it grows: by the question, otherwise by the node. */
export function progressAsked(
  question: Question | null,
  { progress }: BalanceConfig,
  unit: Question['balance'],
): boolean {
  const asked = question?.asked['progress'];
  return queues[unit] !== null && (typeof asked === 'boolean' ? asked : progress);
}

/** True if the question about a year asks for its hours. */
export function hoursAsked(question: Question | null): boolean {
  return question?.balance === 'year' && question.asked['hours'] === true;
}

/** True for a year, a bill, and a question of a page: the past will be looked at. */
export function wantsPast(question: Question | null, unit: Question['balance']): boolean {
  return unit === 'year' || unit === 'bill' || typeof question?.question === 'string';
}

/** The length of the points of a day: that of the question, otherwise that of the node. */
export function stepAsked(question: Question | null, { step }: BalanceConfig): { readonly step: AskedStep } {
  return { step: askedSteps.find((one) => one === question?.asked['step']) ?? step };
}

/** @throws {CemmError} INPUT `not_begun` or the reason of the CalendarError */
export function periodAsked({ asked }: Question, unit: PeriodUnit, { timezone, now }: Frame): Period {
  const field = 'msg.payload.date';
  const { date } = asked;
  const at = date === undefined || date === null ? now : parsePastDate(field, date, { timezone, now });
  return convertCalendarErrors(field, () => periodContaining(unit, timezone, at));
}

/**
 * @param ofNode for a question that has neither contracts nor prices
 * @throws {CemmError} INPUT: `not_begun`, `prices`, `contracts`, `contracts_and_prices`, `batteries`, or the reason of the CalendarError
 */
export async function billAsked(
  { asked }: Question,
  { timezone, now }: Frame,
  ofNode: PricesOfNode,
): Promise<BillQuestion & { readonly period: DayRange; readonly hasDates: boolean }> {
  const { from, to, prices, contracts, batteries_kwh: batteries } = asked;
  const names = {
    from: 'msg.payload.from',
    to: 'msg.payload.to',
    prices: 'msg.payload.prices',
    contracts: 'msg.payload.contracts',
    batteries: 'msg.payload.batteries_kwh',
  };
  const frame = { timezone, now, names };
  const period = billPeriod({ from, to }, frame);
  const hasDates = !isAbsent(from) || !isAbsent(to);
  const batteriesKwh = billBatteries({ batteries }, frame);
  const given = await billContracts({ contracts, prices }, frame);
  if (given !== null) return { period, hasDates, contracts: given, batteriesKwh };
  if (!isAbsent(prices)) return { period, hasDates, prices: billPrices({ prices }, frame), batteriesKwh };
  const own = await ofNode.contracts(period);
  if (own !== null) return { period, hasDates, contracts: own, batteriesKwh };
  const both = await ofNode.prices(period);
  // The bills then differ by netting alone.
  return { period, hasDates, prices: [both, both], batteriesKwh };
}

/** True if the question names the days of its bill. */
export function hasDates({ asked }: Question): boolean {
  return !isAbsent(asked['from']) || !isAbsent(asked['to']);
}

/** A question for the bill of a range of days. */
export function withDates(question: Question, { label }: DayRange): Question {
  const [from, to] = label.split('/');
  return { ...question, asked: { ...question.asked, from, to } };
}

/** The prices that a bill counts if the question has neither contracts nor prices. */
export interface PricesOfNode {
  /** Null if the node has prices of its own, or the connection no contracts. */
  readonly contracts: (period: Span) => Promise<readonly BilledContract[] | null>;
  readonly prices: (period: Span) => Promise<Prices | null>;
}

export function answering(question: Question | null, payload: BalancePayload): BalancePayload {
  const repeats = question?.question ?? null;
  return repeats === null ? payload : { ...payload, question: repeats };
}

function repeated(question: unknown): string | number | null {
  if (question === undefined || question === null) return null;
  if (typeof question === 'number' && Number.isFinite(question)) return question;
  if (typeof question === 'string' && question.length <= mostCharacters) return question;
  throw new CemmError('INPUT', {
    reason: 'question',
    params: { field: 'msg.payload.question', most: mostCharacters },
  });
}
