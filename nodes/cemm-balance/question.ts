/** A message that asks for a balance, whatever the node is set to: `{ "balance": "day", "date": … }`. It is read once, here. */
import type { NodeMessage } from 'node-red';
import {
  type AskedBill,
  billBatteries,
  billContracts,
  billPeriod,
  billPrices,
} from '../../src/balance/bill/bill-question';
import type { BilledPrices } from '../../src/balance/bill/bill';
import { type DayRange, type Period, periodContaining, type PeriodUnit } from '../../src/calendar/periods';
import { CemmError } from '../../src/errors';
import type { BalanceStep } from '../../src/model/payload';
import type { Millis } from '../../src/time/units';
import { isAbsent, isRecord, type UnknownRecord } from '../../src/checks/record';
import { convertCalendarErrors, parsePastDate } from '../../src/model/calendar-errors';
import { type AskedStep, askedSteps, type BalanceConfig, type BalancePeriod, balancePeriods } from './config';

const words = [...balancePeriods, 'bill', 'prices'] as const;
type Word = (typeof words)[number];

/** Over a local connection a month takes a minute and a year many: shorter periods do not wait for longer ones. */
const queues: Readonly<Record<Word, 'month' | 'year' | null>> = {
  now: null,
  day: null,
  week: 'month',
  month: 'month',
  year: 'year',
  bill: 'year',
  prices: null,
};

interface Common {
  /** Monitor or installation; null: the node's setting. */
  readonly house: string | null;
  /** Repeated in the answer; null: there is none. */
  readonly id: string | number | null;
  /** The past will be looked at: a year, a bill, and the question of a page. */
  readonly wantsPast: boolean;
  /** The answer comes at once with what is known, and again while it grows. */
  readonly wantsParts: boolean;
}

export interface NowQuestion extends Common {
  readonly balance: 'now';
}

export interface PeriodQuestion extends Common {
  readonly balance: PeriodUnit;
  /** As the message gives it; undefined or null: the current period. */
  readonly date: unknown;
  /** Length of the points. */
  readonly step: BalanceStep;
  /** For a year only. */
  readonly wantsHours: boolean;
}

export interface BillingQuestion extends Common {
  readonly balance: 'bill';
  readonly parts: AskedBill;
}

export interface PricesQuestion extends Common {
  readonly balance: 'prices';
  /** As the message gives them. */
  readonly days: { readonly from: unknown; readonly to: unknown };
}

export type Question = NowQuestion | PeriodQuestion | BillingQuestion | PricesQuestion;

interface Frame {
  readonly timezone: string;
  readonly now: Millis;
}

const mostCharacters = 200;

/**
 * Null if the message asks nothing.
 * @throws {CemmError} INPUT `question`; INPUT `period` for something else than a balance, of a node that adds up messages
 */
export function parseQuestion(config: BalanceConfig, msg: NodeMessage | null): Question | null {
  const payload: unknown = msg?.payload;
  if (!isRecord(payload) || 'schema' in payload) return null;
  const balance = findWord(payload);
  const { from, to, prices, contracts, batteries_kwh: batteries } = payload;
  switch (balance) {
    case undefined:
      if (config.source === 'messages' && 'balance' in payload) throw unknownQuestion();
      return null;
    case 'bill':
      return { ...parseCommon(config, balance, payload), balance, parts: { from, to, prices, contracts, batteries } };
    case 'prices':
      return { ...parseCommon(config, balance, payload), balance, days: { from, to } };
    case 'now':
    case 'day':
    case 'week':
    case 'month':
    case 'year':
      return createQuestion(config, balance, payload);
  }
}

/** The question of a poll, and of a message that asks nothing, is as the node is set. */
export function createQuestion(
  config: BalanceConfig,
  balance: BalancePeriod,
  payload: UnknownRecord = {},
): NowQuestion | PeriodQuestion {
  const common = parseCommon(config, balance, payload);
  if (balance === 'now') return { ...common, balance };
  const { date, step, hours } = payload;
  const dayStep = askedSteps.find((one) => one === step) ?? config.step;
  return {
    ...common,
    balance,
    date,
    step: findStep(balance, dayStep),
    wantsHours: balance === 'year' && hours === true,
  };
}

function parseCommon(config: BalanceConfig, balance: Word, payload: UnknownRecord): Common {
  const house = payload['monitor'] ?? payload['installation'];
  const id = parseId(payload['question']);
  const { progress } = payload;
  return {
    house: typeof house === 'string' ? house : null,
    id,
    wantsPast: balance === 'year' || balance === 'bill' || typeof id === 'string',
    wantsParts: queues[balance] !== null && (typeof progress === 'boolean' ? progress : config.progress),
  };
}

function parseId(id: unknown): Common['id'] {
  if (id === undefined || id === null) return null;
  if (typeof id === 'number' && Number.isFinite(id)) return id;
  if (typeof id === 'string' && id.length <= mostCharacters) return id;
  throw new CemmError('INPUT', {
    reason: 'question',
    params: { field: 'msg.payload.question', most: mostCharacters },
  });
}

function findStep(unit: PeriodUnit, dayStep: AskedStep): BalanceStep {
  switch (unit) {
    case 'day':
      return dayStepsOf[dayStep];
    case 'week':
    case 'month':
      return 'P1D';
    case 'year':
      return 'P1M';
  }
}

const dayStepsOf: Readonly<Record<AskedStep, BalanceStep>> = { '1m': 'PT1M', '15m': 'PT15M', '1h': 'PT1H' };

function findWord(payload: UnknownRecord): Word | undefined {
  return words.find((word) => word === payload['balance']);
}

function unknownQuestion(): CemmError {
  return new CemmError('INPUT', {
    reason: 'period',
    params: { field: 'msg.payload.balance', periods: words.join(', ') },
  });
}

/** Null for a short question, and for any other message. */
export function queueOfQuestion(msg: NodeMessage | null): string | null {
  const payload: unknown = msg?.payload;
  const word = isRecord(payload) ? findWord(payload) : undefined;
  return word === undefined ? null : queues[word];
}

/** @throws {CemmError} INPUT `not_begun` or the reason of the CalendarError */
export function findPeriod({ balance, date }: PeriodQuestion, { timezone, now }: Frame): Period {
  const field = 'msg.payload.date';
  const at = isAbsent(date) ? now : parsePastDate(field, date, { timezone, now });
  return convertCalendarErrors(field, () => periodContaining(balance, timezone, at));
}

export interface ParsedBill {
  readonly period: DayRange;
  /** False: the period is the twelve months before the current one. */
  readonly hasDates: boolean;
  readonly batteriesKwh: readonly number[];
  /** Null: those of the node. */
  readonly prices: BilledPrices | null;
}

/** @throws {CemmError} INPUT: `not_begun`, `prices`, `contracts`, `contracts_and_prices`, `batteries`, or the reason of the CalendarError */
export async function parseBill({ parts }: BillingQuestion, { timezone, now }: Frame): Promise<ParsedBill> {
  const names = {
    from: 'msg.payload.from',
    to: 'msg.payload.to',
    prices: 'msg.payload.prices',
    contracts: 'msg.payload.contracts',
    batteries: 'msg.payload.batteries_kwh',
  };
  const frame = { timezone, now, names };
  const days = { period: billPeriod(parts, frame), hasDates: !isAbsent(parts.from) || !isAbsent(parts.to) };
  const batteriesKwh = billBatteries(parts, frame);
  const contracts = await billContracts(parts, frame);
  if (contracts !== null) return { ...days, batteriesKwh, prices: { contracts } };
  return { ...days, batteriesKwh, prices: isAbsent(parts.prices) ? null : { prices: billPrices(parts, frame) } };
}
