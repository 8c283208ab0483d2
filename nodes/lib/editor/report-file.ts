/** The file of a report in a dialog: shown first, and saved when the user has seen it. */

interface ReportFile {
  hide(): void;
  show(content: string): void;
}

const fileName = 'cemm-report.json';

/** @param part of the dialog: another dialog with a report can be open behind it */
export function prepareReportFile(part: JQuery): ReportFile {
  const shown = part.find('.cemm-report-shown');
  const file = shown.find('textarea');
  shown.find('.cemm-report-save').on('click', () => {
    const content = file.val();
    if (typeof content === 'string') save(content);
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

function save(content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
