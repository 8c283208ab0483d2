/**
 * Reads a message of the node. On a dashboard that is not protected, a visitor can send a forged one to all browsers, so every
 * part is checked, and a link leads to a path of this site only.
 */
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import type { BalancePayload } from '../../../src/model/payload';
import { languages, type Texts } from './languages';
import { type Answer, type Failure, type PageMessage, type PageSettings, pageVersion } from './messages';
import { viewsIn } from './views';

/** Null if it is something else, such as a message of a viewer. */
export function readPageMessage(payload: unknown): PageMessage | null {
  if (!isRecord(payload) || payload['page'] !== pageVersion) return null;
  const { settings, timezone, house, dialog, answers, texts, failure } = payload;
  const read = readFailure(failure);
  return {
    page: pageVersion,
    settings: readSettings(settings),
    timezone: isZone(timezone) ? timezone : null,
    house: typeof house === 'string' ? house : null,
    ...(isOwnPath(dialog) && { dialog }),
    answers: isRecord(answers) ? readAnswers(answers) : {},
    texts: isRecord(texts) ? readTexts(texts) : {},
    ...(read !== null && { failure: read }),
  };
}

function readSettings(settings: unknown): PageSettings {
  const { views: offered, language, readings, changePrices } = isRecord(settings) ? settings : {};
  return {
    views: viewsIn(Array.isArray(offered) ? offered : []),
    language: typeof language === 'string' ? language : '',
    readings: readings === true,
    changePrices: changePrices === true,
  };
}

function readTexts(texts: UnknownRecord): NonNullable<PageMessage['texts']> {
  return Object.fromEntries(
    languages.flatMap((language) => {
      const ofLanguage = texts[language];
      return isTexts(ofLanguage) ? [[language, ofLanguage]] : [];
    }),
  );
}

function isTexts(texts: unknown): texts is Texts {
  return isRecord(texts) && Object.values(texts).every((text) => typeof text === 'string');
}

function readAnswers(answers: UnknownRecord): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([key, answer]) => {
      const read = isRecord(answer) ? readAnswer(answer) : null;
      return read === null ? [] : [[key, read]];
    }),
  );
}

function readAnswer({ state, since, progress, balance, at, ...failure }: UnknownRecord): Answer | null {
  if (state === 'waiting' && isFiniteNumber(since)) {
    const [done, all] = Array.isArray(progress) ? (progress as readonly unknown[]) : [];
    return { state, since, ...(isFiniteNumber(done) && isFiniteNumber(all) && { progress: [done, all] as const }) };
  }
  if (state === 'answered' && isBalance(balance) && isFiniteNumber(at)) {
    return { state, balance, at, ...(isFiniteNumber(since) && { since }) };
  }
  const failed = state === 'failed' ? readFailure({ at, ...failure }) : null;
  return failed === null ? null : { state: 'failed', ...failed, ...(isBalance(balance) && { balance }) };
}

function readFailure(failure: unknown): Failure | null {
  if (!isRecord(failure)) return null;
  const { code, message, at } = failure;
  return typeof code === 'string' && typeof message === 'string' && isFiniteNumber(at) ? { code, message, at } : null;
}

/** The node has checked its parts. */
function isBalance(balance: unknown): balance is BalancePayload {
  return isRecord(balance) && balance['kind'] === 'balance';
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isZone(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** A browser reads `//` and `/\` as another host, and leaves out control characters. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])[!-~]*$/.test(value);
}
