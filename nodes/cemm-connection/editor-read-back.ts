/** "Read the past in the background": how far the deployed connection has read. */
import { post, textMember } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { connectionRoutes } from './config';
import { readBackText } from './read-back-text';

export async function showReadBack(id: string, text: CatalogueText): Promise<void> {
  const reply = await post(connectionRoutes.readBack, { id });
  const line = $('#cemm-read-back');
  if (reply.ok) line.text(readBackText(textMember(reply.body, 'state'), textMember(reply.body, 'month'), text));
}
