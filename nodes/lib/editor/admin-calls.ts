/**
 * Requests of the dialogs to the admin routes. Responses are checked member by member, because the server may have another
 * version.
 */
import { readMember } from '../../../src/checks/record';
import { requestHeader } from '../stored/config';
import { own } from '../stored/field-rules';
import type { CatalogueText } from './catalogue';
import {
  type CheckStep,
  type FoundEntry,
  meterDirections,
  type MeterEntry,
  type MonitorEntry,
  type ListedTime,
  type NamedMeterEntry,
  type PriceListEntry,
  priceListStates,
} from '../../cemm-connection/admin-answers';

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

export function readFound(answer: unknown): FoundEntry[] {
  return listMember(answer, 'monitors').flatMap((entry) => {
    const host = textMember(entry, 'host');
    const monitor = monitorOf(entry);
    return host === null || monitor === null
      ? []
      : [{ ...monitor, host, verified: readMember(entry, 'verified') === true }];
  });
}

export function readMonitors(answer: unknown): MonitorEntry[] {
  return listMember(answer, 'monitors').flatMap((entry) => monitorOf(entry) ?? []);
}

function monitorOf(entry: unknown): MonitorEntry | null {
  const mac = textMember(entry, 'mac');
  if (mac === null) return null;
  return {
    mac,
    name: textMember(entry, 'name'),
    type: textMember(entry, 'type'),
    version: textMember(entry, 'version'),
  };
}

export function readMeters(answer: unknown): MeterEntry[] {
  return listMember(answer, 'meters').flatMap((entry) => {
    const alias = textMember(entry, 'alias');
    if (alias === null) return [];
    return [
      {
        alias,
        label: textMember(entry, 'label'),
        channels: listMember(entry, 'channels').flatMap((channel) => {
          const key = textMember(channel, 'key');
          return key === null ? [] : [{ key, label: textMember(channel, 'label'), unit: textMember(channel, 'unit') }];
        }),
        type: textMember(entry, 'type'),
        role: textMember(entry, 'role'),
        field: textMember(entry, 'field'),
        value: numberMember(entry, 'value'),
      },
    ];
  });
}

export function readHouseMeters(answer: unknown): NamedMeterEntry[] {
  return listMember(answer, 'meters').flatMap((entry) => {
    const [meter] = readMeters({ meters: [entry] });
    if (meter === undefined) return [];
    const counts = meterDirections.find((known) => known === textMember(entry, 'counts')) ?? null;
    return [{ ...meter, monitor: textMember(entry, 'monitor') ?? '', counts }];
  });
}

export function readSteps(answer: unknown): CheckStep[] {
  return listMember(answer, 'steps').flatMap((entry) => {
    const step = textMember(entry, 'step');
    const state = textMember(entry, 'state');
    if (step === null || (state !== 'ok' && state !== 'failed' && state !== 'skipped')) return [];
    const values = readMember(entry, 'values');
    const numbers = typeof values === 'object' && values !== null ? Object.entries(values) : [];
    return [
      {
        step,
        state,
        ms: numberMember(entry, 'ms'),
        word: textMember(entry, 'word'),
        values: Object.fromEntries(numbers.filter((pair): pair is [string, number] => typeof pair[1] === 'number')),
      },
    ];
  });
}

type PriceListState = (typeof priceListStates)[number];

export function readPriceListState(answer: unknown): PriceListState {
  return priceListStates.find((known) => known === textMember(answer, 'state')) ?? 'none';
}

/** Null if the answer has no list. */
export function readPriceList(answer: unknown): PriceListEntry | null {
  const list = readMember(answer, 'list');
  const [currency, timezone] = [textMember(list, 'currency'), textMember(list, 'timezone')];
  const [from, now] = [numberMember(list, 'from'), numberMember(list, 'now')];
  if (currency === null || timezone === null || from === null || now === null) return null;
  return {
    currency,
    timezone,
    from,
    now,
    isImport: readMember(list, 'isImport') === true,
    until: numberMember(list, 'until'),
    holes: listMember(list, 'holes').flatMap((entry) => readTime(entry) ?? []),
    holeCount: numberMember(list, 'holeCount') ?? 0,
    day: listMember(list, 'day').flatMap((entry) => {
      const time = readTime(entry);
      return time === null ? [] : [{ ...time, value: numberMember(entry, 'value') }];
    }),
  };
}

function readTime(entry: unknown): ListedTime | null {
  const [start, end] = [numberMember(entry, 'start'), numberMember(entry, 'end')];
  return start === null || end === null ? null : { start, end };
}
