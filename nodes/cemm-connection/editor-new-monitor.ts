/** "This is my new monitor": the one that answers at the address takes the place of the one that was expected there. */
import { readMember } from '../../src/checks/record';
import { connectionRoutes } from './config';
import { ask, onClick, textMember } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { openDialogForm } from '../lib/editor/connection-form';
import { textFrom } from '../lib/editor/open-form';

export function prepareNewMonitor(nodeId: string, text: CatalogueText): void {
  const status = $('#cemm-new-monitor-status');
  const mac = $('#node-config-input-mac');

  onClick($('#cemm-new-monitor'), async () => {
    status.text(text('newMonitor.reading'));
    const { body, problem } = await ask(connectionRoutes.newMonitor, openDialogForm(nodeId), text);
    const monitor = textMember(body, 'mac');
    if (monitor === null) {
      status.text(problem ?? text('error.NOT_A_MONITOR'));
      return;
    }
    const written = textFrom(mac.val()).trim();
    const isOther = written !== '' && written !== monitor;
    if (isOther) mac.val(monitor).trigger('change');
    const isUsed = readMember(body, 'isUsed') === true;
    const sentences = [text(isUsed ? 'newMonitor.used' : 'newMonitor.found', { monitor })];
    if (isOther || !isUsed) sentences.push(text('newMonitor.deploy'));
    status.text(sentences.join(' '));
  });
}
