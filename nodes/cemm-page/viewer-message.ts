/** Reads the messages of browsers. A browser can send anything, so everything is checked and limited here. */
import { isRecord, type UnknownRecord } from '../../src/checks/record';
import { periodUnits } from '../../src/calendar/units';
import type { BalancePeriod } from '../cemm-balance/config';
import { languages } from './page/languages';
import type { Question, ViewerMessage } from './page/messages';
import { daySteps } from './page/views';

/** The balances that a browser can ask for. */
const askable = ['now', ...periodUnits, 'bill', 'prices'] as const satisfies readonly (
  BalancePeriod | 'bill' | 'prices'
)[];

/** Questions of one page. */
const mostWants = 16;
const mostBatteries = 10;
const mostPricesCharacters = 20_000;
/** A list of periods with a price by tariff has five levels. */
const mostPricesDepth = 8;
const mostNameCharacters = 100;

const datePattern = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const viewerPattern = /^[\w-]{1,64}$/;

/** A browser, as Dashboard describes it in `msg._client`; two of one address may be two persons behind one proxy. */
export interface Client {
  /** Blank: not known, so that a message to it goes to all. */
  readonly socket: string;
  readonly address: string;
}

/** The client of messages in which Dashboard names no browser. */
export const everyone: Client = { socket: '', address: '' };

/** Null if the message is not of a browser. */
export function readClient(msg: Readonly<UnknownRecord>): Client | null {
  const client = msg['_client'];
  if (client === undefined) return null;
  if (!isRecord(client)) return everyone;
  return { socket: nameIn(client['socketId']), address: nameIn(client['socketIp']) };
}

function nameIn(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, mostNameCharacters) : '';
}

/**
 * Null if it is no message of a viewer. Questions that cannot be read are left out.
 * @param mayPrice false: prices of viewers are left out
 */
export function readViewerMessage(payload: unknown, mayPrice: boolean): ViewerMessage | null {
  if (!isRecord(payload)) return null;
  const { viewer, wants, gone } = payload;
  const language = languages.find((one) => one === payload['language']);
  if (typeof viewer !== 'string' || !viewerPattern.test(viewer) || !Array.isArray(wants)) return null;
  const questions = wants.slice(0, mostWants).flatMap((one: unknown) => readQuestion(one, mayPrice) ?? []);
  return { viewer, wants: questions, ...(language !== undefined && { language }), ...(gone === true && { gone }) };
}

function readQuestion(asked: unknown, mayPrice: boolean): Question | null {
  if (!isRecord(asked)) return null;
  const balance = askable.find((one) => one === asked['balance']);
  if (balance === undefined) return null;
  const { date, from, to, prices, batteries_kwh: batteries } = asked;
  const step = daySteps.find((one) => one === asked['step']);
  return {
    balance,
    ...(balance !== 'prices' && isDate(date) && { date }),
    ...(step !== undefined && { step }),
    ...(balance === 'year' && asked['hours'] === true && { hours: true }),
    ...(balance === 'bill' && {
      ...(isDate(from) && { from }),
      ...(isDate(to) && { to }),
      ...(mayPrice && isPrices(prices) && { prices }),
      ...(isSizes(batteries) && { batteries_kwh: batteries }),
    }),
  };
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && datePattern.test(value);
}

function isPrices(value: unknown): value is unknown[] {
  if (!Array.isArray(value) || value.length > 2 || !isShallow(value, mostPricesDepth)) return false;
  return JSON.stringify(value).length <= mostPricesCharacters;
}

/** Checked before the value is written as JSON, which a value that is nested thousands of times ends. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}

function isSizes(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length <= mostBatteries &&
    value.every((kwh: unknown) => typeof kwh === 'number' && Number.isFinite(kwh))
  );
}
