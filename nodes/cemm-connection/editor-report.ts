/** "Make a report": shows the file in the dialog, and saves it when the user has seen it. Nothing is sent anywhere. */
import { connectionRoutes } from './config';
import { numberMember, onClick, post, textMember } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { openDialogForm } from '../lib/editor/connection-form';

const fileName = 'cemm-report.json';

export function prepareReportPanel(nodeId: string, text: CatalogueText): void {
  const status = $('#cemm-report-status');
  const shown = $('#cemm-report-shown').hide();
  const file = $('#cemm-report-file');

  onClick($('#cemm-report'), async () => {
    shown.hide();
    status.text(text('report.reading'));
    const withDays = $('#cemm-report-days').is(':checked');
    const reply = await post(connectionRoutes.report, { ...openDialogForm(nodeId), withDays });
    if (!reply.ok) {
      status.text(text(`form.refused.${reply.word}`));
      return;
    }
    const made = textMember(reply.body, 'file');
    if (made === null) {
      status.text(text(`error.${textMember(reply.body, 'error') ?? 'NETWORK'}`));
      return;
    }
    const [read, failed] = [numberMember(reply.body, 'read') ?? 0, numberMember(reply.body, 'failed') ?? 0];
    status.text(text(failed === 0 ? 'report.made' : 'report.madeInPart', { read, failed }));
    file.val(made);
    shown.show();
  });

  $('#cemm-report-save').on('click', () => {
    const content = file.val();
    if (typeof content === 'string') save(content);
  });
}

function save(content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
