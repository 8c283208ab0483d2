/** Asks this Node-RED to do something: relative addresses only, so that a moved admin root and a proxy keep working. */
import { requestHeader } from '../admin';

export type Reply = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly word: string };

const refusals: readonly string[] = ['too_many', 'not_deployed', 'key_elsewhere', 'other_origin'];

/** Never rejects. */
export function post(url: string, data: object): Promise<Reply> {
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
        resolve({ ok: false, word: word !== null && refusals.includes(word) ? word : known });
      });
  });
}

/** A member of an answer, whatever it is. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export function textMember(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

export function numberMember(value: unknown, name: string): number | null {
  const found = member(value, name);
  return typeof found === 'number' ? found : null;
}

export function listMember(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}
