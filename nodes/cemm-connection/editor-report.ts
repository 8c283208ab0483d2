/** "Make a report": reads everything that the monitor offers, and shows the file. */
import { connectionRoutes } from './config';
import { ask, numberMember, onClick, textMember } from '../lib/editor/admin-calls';
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
    const { body, problem } = await ask(connectionRoutes.report, { ...openDialogForm(nodeId), withDays }, text);
    const made = textMember(body, 'file');
    if (made === null) {
      status.text(problem ?? text('error.NETWORK'));
      return;
    }
    const [read, failed] = [numberMember(body, 'read') ?? 0, numberMember(body, 'failed') ?? 0];
    status.text(text(failed === 0 ? 'form.report.made' : 'report.madeInPart', { read, failed }));
    file.show(made);
  });
}
