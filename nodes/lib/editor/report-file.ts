/** The file of a report in a dialog: shown first, and saved when the user has seen it. */
import { saveFile } from './save-file';

interface ReportFile {
  hide(): void;
  show(content: string): void;
}

/** @param part of the dialog: another dialog with a report can be open behind it */
export function prepareReportFile(part: JQuery): ReportFile {
  const shown = part.find('.cemm-report-shown');
  const file = shown.find('textarea');
  shown.find('.cemm-report-save').on('click', () => {
    const content = file.val();
    if (typeof content === 'string') saveFile('cemm-report.json', content, 'application/json');
  });
  return {
    hide() {
      shown.hide();
    },
    show(content) {
      file.val(content);
      shown.show();
      shown[0]?.scrollIntoView({ block: 'center' });
    },
  };
}
