/**
 * Requests of the dialogs to the admin routes. Responses are checked member by member, because the server may have another
 * version.
 */
import { readMember } from '../../../src/checks/record';
import { requestHeader } from '../stored/config';
import { own } from '../stored/field-rules';
import type { CatalogueText } from './catalogue';
import {
  checkStep,
  foundEntry,
  meterEntry,
  monitorEntry,
  namedMeterEntry,
  type PriceListAnswer,
  type PriceListEntry,
  priceListEntry,
  priceListState,
} from '../../cemm-connection/admin-answers';
import { listReader, type Reader } from '../answer-readers';

type AdminReply = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly word: string };

const knownErrors: readonly string[] = ['too_many', 'not_deployed', 'key_elsewhere', 'other_origin', 'variable'];

/** `url` is relative, so that a moved admin root and a proxy keep working. Never rejects. */
export function post(url: string, data: object): Promise<AdminReply> {
  return new Promise((resolve) => {
    void $.ajax({
      url,
      method: 'POST',
      contentType: 'application/json',
      headers: { [requestHeader]: 'dialog' },
      data: JSON.stringify(data),
    })
      .done((body: unknown) => {
        resolve({ ok: true, body });
      })
      .fail((xhr) => {
        const word = textMember(xhr.responseJSON, 'error');
        const known = xhr.status === 401 || xhr.status === 403 ? 'forbidden' : 'other';
        resolve({ ok: false, word: word !== null && knownErrors.includes(word) ? word : known });
      });
  });
}

interface Answer {
  /** Undefined if the request was refused. */
  readonly body: unknown;
  /** A sentence in place of an answer; null if there is none. */
  readonly problem: string | null;
}

/**
 * Posts, and says what is wrong. Never rejects.
 * @param keys error code → key of another sentence than that of the code
 */
export async function ask(
  url: string,
  data: object,
  text: CatalogueText,
  keys: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const reply = await post(url, data);
  if (!reply.ok) return { body: undefined, problem: text(`form.refused.${reply.word}`) };
  const error = textMember(reply.body, 'error');
  return { body: reply.body, problem: error === null ? null : text(own(keys, error) ?? `error.${error}`) };
}

/** Runs a button's work, once at a time. The button stays enabled, because a disabled one loses the focus. */
export function onClick(button: JQuery, work: () => Promise<void>): void {
  button.on('click', () => {
    if (button.attr('aria-disabled') === 'true') return;
    button.attr('aria-disabled', 'true');
    void work().finally(() => button.removeAttr('aria-disabled'));
  });
}

export function textMember(value: unknown, name: string): string | null {
  const found = readMember(value, name);
  return typeof found === 'string' ? found : null;
}

export function numberMember(value: unknown, name: string): number | null {
  const found = readMember(value, name);
  return typeof found === 'number' ? found : null;
}

export function listMember(value: unknown, name: string): readonly unknown[] {
  const found = readMember(value, name);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

function readListIn<Entry>(name: string, entry: Reader<Entry>): (answer: unknown) => readonly Entry[] {
  return (answer) => listReader(entry)(readMember(answer, name));
}

export const readFound = readListIn('monitors', foundEntry);
export const readMonitors = readListIn('monitors', monitorEntry);
export const readMeters = readListIn('meters', meterEntry);
export const readHouseMeters = readListIn('meters', namedMeterEntry);
export const readSteps = readListIn('steps', checkStep);

export function readPriceListState(answer: unknown): PriceListAnswer['state'] {
  return priceListState(readMember(answer, 'state')) ?? 'none';
}

/** Null if the answer has no list. */
export function readPriceList(answer: unknown): PriceListEntry | null {
  return priceListEntry(readMember(answer, 'list')) ?? null;
}
