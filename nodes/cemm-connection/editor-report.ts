/** "Make a report": reads everything that the monitor offers, and shows the file. */
import { connectionRoutes } from './config';
import { numberMember, onClick, post, textMember } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { prepareReportFile } from '../lib/editor/report-file';
import { openDialogForm } from '../lib/editor/connection-form';

export function prepareReportPanel(nodeId: string, text: CatalogueText): void {
  const status = $('#cemm-report-status');
  const file = prepareReportFile($('#cemm-report-part'));

  onClick($('#cemm-report'), async () => {
    file.hide();
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
    status.text(text(failed === 0 ? 'form.report.made' : 'report.madeInPart', { read, failed }));
    file.show(made);
  });
}
