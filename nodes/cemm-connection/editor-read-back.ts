/** "Read the past in the background": how far the deployed connection has read. */
import { post, textMember } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { connectionRoutes } from './config';

export async function showReadBack(id: string, text: CatalogueText): Promise<void> {
  const reply = await post(connectionRoutes.readBack, { id });
  const line = $('#cemm-read-back');
  if (reply.ok) line.text(readBackText(textMember(reply.body, 'state'), textMember(reply.body, 'month'), text));
}

/** @param month such as `2025-03` */
function readBackText(state: string | null, month: string | null, text: CatalogueText): string {
  if (month === null) {
    const key = { waiting: 'waiting', reading: 'begun', done: 'nothing' }[state ?? ''];
    return key === undefined ? '' : text(`readBack.${key}`);
  }
  const middle = new Date(`${month}-15T00:00:00Z`);
  const name = middle.toLocaleDateString(text('language.code'), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return text(state === 'done' ? 'readBack.done' : 'readBack.reading', { month: name });
}
