/** "Check connection": checks the form step by step; the report can be copied. */
import type { CheckStep } from './admin-answers';
import { connectionRoutes } from './config';
import { post, readSteps } from '../lib/editor/admin-calls';
import { openDialogForm } from '../lib/editor/connection-form';
import type { CatalogueText } from '../lib/editor/catalogue';

const marks = { ok: '✓', failed: '✗', skipped: '–' } as const;

/** Shows the panel; the returned function runs a check, as the button does. */
export function prepareCheckPanel(nodeId: string, text: CatalogueText): () => void {
  const button = $('#cemm-check');
  const copy = $('#cemm-check-copy').hide();
  const list = $('#cemm-steps');
  let report = '';
  let runs = 0;

  const run = (): void => {
    const mine = ++runs;
    copy.hide();
    button.prop('disabled', true);
    list.empty().append($('<div>').text(text('connectionCheck.checking')));
    void post(connectionRoutes.check, openDialogForm(nodeId)).then((reply) => {
      if (mine !== runs) return;
      button.prop('disabled', false);
      list.empty();
      if (!reply.ok) {
        list.append($('<div>').text(text(`form.refused.${reply.word}`)));
        return;
      }
      const steps = readSteps(reply.body);
      for (const step of steps) list.append(stepRow(step, text));
      report = [text('connectionCheck.report'), ...steps.map((step) => lineOf(step, text))].join('\n');
      copy.show();
    });
  };

  button.on('click', run);
  copy.on('click', () => {
    RED.clipboard.copyText(report);
    RED.notify(text('connectionCheck.copied'), 'success');
  });
  return run;
}

function stepRow(step: CheckStep, text: CatalogueText): JQuery {
  return $('<div>')
    .addClass(['cemm-step', `cemm-step-${step.state}`])
    .append(
      $('<span>').addClass('cemm-step-mark').text(marks[step.state]),
      $('<span>')
        .addClass('cemm-step-name')
        .text(text(`connectionCheck.step.${step.step}`)),
      $('<span>').addClass('cemm-step-text').text(detailOf(step, text)),
      $('<span>').addClass('cemm-step-ms').text(duration(step)),
    );
}

function lineOf(step: CheckStep, text: CatalogueText): string {
  const parts = [duration(step), detailOf(step, text)].filter((part) => part !== '');
  const line = `${marks[step.state]} ${text(`connectionCheck.step.${step.step}`)}`;
  return parts.length === 0 ? line : `${line}: ${parts.join(' · ')}`;
}

function duration({ ms }: CheckStep): string {
  return ms === null ? '' : `${ms} ms`;
}

function detailOf({ step, state, word, values }: CheckStep, text: CatalogueText): string {
  if (state === 'ok') {
    if (step === 'inventory') return text('connectionCheck.found', { ...values });
    const { generation } = values;
    if (step === 'monitor') return generation === undefined ? '' : text(`connectionCheck.generation.${generation}`);
    const difference = values['own'] === undefined ? 'connectionCheck.difference' : 'connectionCheck.ownDifference';
    return step === 'clock' ? text(difference, { ...values }) : '';
  }
  if (word === null) return '';
  // Codes of errors are in capitals, and every node has a sentence for each.
  return /^[A-Z]/.test(word)
    ? text(`error.${word}`, { ...values })
    : text(`connectionCheck.word.${word}`, { ...values });
}
