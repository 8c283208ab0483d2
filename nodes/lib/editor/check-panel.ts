/** "Check connection": what the form says is tried step by step, and the ladder can be copied for whoever helps. */
import type { CheckStep } from '../../cemm-connection/admin-answers';
import { connectionRoutes } from '../../cemm-connection/config';
import { post, readSteps } from './admin-calls';
import { openDialogForm } from './form';
import type { Translate } from './catalogue';

const marks = { ok: '✓', failed: '✗', skipped: '–' } as const;

/** Shows the panel; the returned function runs a check, as the button does. */
export function prepareCheckPanel(nodeId: string, text: Translate): () => void {
  const button = $('#cemm-check');
  const copy = $('#cemm-check-copy').hide();
  const ladder = $('#cemm-ladder');
  let report = '';
  let runs = 0;

  const run = (): void => {
    const mine = ++runs;
    copy.hide();
    button.prop('disabled', true);
    ladder.empty().append($('<div>').text(text('ladder.checking')));
    void post(connectionRoutes.check, openDialogForm(nodeId)).then((reply) => {
      if (mine !== runs) return;
      button.prop('disabled', false);
      ladder.empty();
      if (!reply.ok) {
        ladder.append($('<div>').text(text(`form.refused.${reply.word}`)));
        return;
      }
      const steps = readSteps(reply.body);
      for (const step of steps) ladder.append(rungOf(step, text));
      report = [text('ladder.report'), ...steps.map((step) => lineOf(step, text))].join('\n');
      copy.show();
    });
  };

  button.on('click', run);
  copy.on('click', () => {
    RED.clipboard.copyText(report);
    RED.notify(text('ladder.copied'), 'success');
  });
  return run;
}

function rungOf(step: CheckStep, text: Translate): JQuery {
  return $('<div>')
    .addClass(['cemm-rung', `cemm-rung-${step.state}`])
    .append(
      $('<span>').addClass('cemm-rung-mark').text(marks[step.state]),
      $('<span>')
        .addClass('cemm-rung-name')
        .text(text(`ladder.step.${step.step}`)),
      $('<span>').addClass('cemm-rung-text').text(detailOf(step, text)),
      $('<span>').addClass('cemm-rung-ms').text(duration(step)),
    );
}

function lineOf(step: CheckStep, text: Translate): string {
  const parts = [duration(step), detailOf(step, text)].filter((part) => part !== '');
  const line = `${marks[step.state]} ${text(`ladder.step.${step.step}`)}`;
  return parts.length === 0 ? line : `${line}: ${parts.join(' · ')}`;
}

function duration({ ms }: CheckStep): string {
  return ms === null ? '' : `${ms} ms`;
}

function detailOf({ step, state, word, values }: CheckStep, text: Translate): string {
  if (state === 'ok') {
    if (step === 'inventory') return text('ladder.found', { ...values });
    const { generation } = values;
    if (step === 'monitor') return generation === undefined ? '' : text(`ladder.generation.${generation}`);
    const difference = values['own'] === undefined ? 'ladder.difference' : 'ladder.ownDifference';
    return step === 'clock' ? text(difference, { ...values }) : '';
  }
  if (word === null) return '';
  // Codes of errors are in capitals, and every node has a sentence for each.
  return /^[A-Z]/.test(word) ? text(`error.${word}`, { ...values }) : text(`ladder.word.${word}`, { ...values });
}
