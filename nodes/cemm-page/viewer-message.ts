/** Reads the messages of browsers. A browser can send anything, so everything is checked and limited here. */
import { isRecord } from '../../src/record';
import { daySteps, type Question, type ViewerMessage, views } from './page/messages';

/** Questions of one viewer. */
const mostWants = 16;
const mostBatteries = 10;
const mostPricesCharacters = 20_000;
/** A list of periods with a price by tariff has five levels. */
const mostPricesDepth = 8;

const datePattern = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const viewerPattern = /^[\w-]{1,64}$/;

/** Null if it is no message of a viewer. Questions that cannot be read are left out. */
export function readViewerMessage(payload: unknown): ViewerMessage | null {
  if (!isRecord(payload)) return null;
  const { viewer, wants, gone } = payload;
  if (typeof viewer !== 'string' || !viewerPattern.test(viewer) || !Array.isArray(wants)) return null;
  const questions = wants.slice(0, mostWants).flatMap((one: unknown) => readQuestion(one) ?? []);
  return { viewer, wants: questions, ...(gone === true && { gone }) };
}

function readQuestion(asked: unknown): Question | null {
  if (!isRecord(asked)) return null;
  const balance = views.find((view) => view === asked['balance']);
  if (balance === undefined) return null;
  const { date, from, to, prices, batteries_kwh: batteries } = asked;
  const step = daySteps.find((one) => one === asked['step']);
  return {
    balance,
    ...(isDate(date) && { date }),
    ...(step !== undefined && { step }),
    ...(balance === 'bill' && {
      ...(isDate(from) && { from }),
      ...(isDate(to) && { to }),
      ...(isPrices(prices) && { prices }),
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
