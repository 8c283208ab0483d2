/** "Record the next ten deliveries" of the deployed node, and their report. */
import { readMember } from '../../../src/checks/record';
import { numberMember, onClick, post, textMember } from '../../lib/editor/admin-calls';
import type { CatalogueText } from '../../lib/editor/catalogue';
import { prepareReportFile } from '../../lib/editor/report-file';
import { adminRoutes } from '../config';

export function prepareRecordPanel(id: string, text: CatalogueText): void {
  const part = $('#cemm-webhook-report');
  const status = $('#cemm-webhook-record-status');
  const file = prepareReportFile(part);

  const ask = async (url: string, data: object): Promise<unknown> => {
    const reply = await post(url, { id, ...data });
    if (reply.ok) {
      status.text(stateOf(reply.body, text));
      return reply.body;
    }
    status.text(text(reply.word === 'not_deployed' ? 'record.notDeployed' : `form.refused.${reply.word}`));
    return null;
  };

  // Nothing is asked before the user opens this part.
  part.on('toggle', () => {
    if (part.is('[open]')) void ask(adminRoutes.record, { start: false });
  });
  onClick($('#cemm-webhook-record'), async () => {
    file.hide();
    await ask(adminRoutes.record, { start: true });
  });
  onClick($('#cemm-webhook-make-report'), async () => {
    file.hide();
    const made = textMember(await ask(adminRoutes.report, {}), 'file');
    if (made !== null) file.show(made);
  });
}

function stateOf(answer: unknown, text: CatalogueText): string {
  const count = numberMember(answer, 'count') ?? 0;
  const made = textMember(answer, 'file') === null ? '' : ` ${text('form.report.made')}`;
  if (readMember(answer, 'isRecording') === true) return text('record.running', { count }) + made;
  return count === 0 ? text('record.none') : text('record.ended', { count }) + made;
}
