/** "Check connection": checks the form step by step and shows the result in one line; the report can be copied. */
import type { CheckStep } from './admin-answers';
import { connectionDefaults, connectionRoutes } from './config';
import { ask, onClick, readSteps } from '../lib/editor/admin-calls';
import { openDialogForm } from '../lib/editor/connection-form';
import type { CatalogueText } from '../lib/editor/catalogue';

const marks = { ok: '✓', failed: '✗', skipped: '–' } as const;

export interface CheckPanel {
  /** As the button does. */
  run(): void;
  /** True if a check found no monitor at this address. */
  hasFailed(host: string): boolean;
}

/** Without one of these steps nothing answers there that is a monitor. */
const stepsToMonitor: ReadonlySet<string> = new Set(['name', 'tcp', 'tls', 'http', 'monitor']);

export function prepareCheckPanel(nodeId: string, text: CatalogueText): CheckPanel {
  const button = $('#cemm-check');
  const copy = $('#cemm-check-copy').hide();
  const summary = $('#cemm-summary');
  const list = $('#cemm-steps');
  let report = '';
  let runs = 0;
  let failedHost: string | null = null;

  const run = async (): Promise<void> => {
    const mine = ++runs;
    copy.hide();
    list.empty();
    summary.text(text('connectionCheck.checking'));
    const form = openDialogForm(nodeId);
    const { body, problem } = await ask(connectionRoutes.check, form, text);
    if (mine !== runs) return;
    if (problem !== null) {
      summary.text(problem);
      return;
    }
    const lines = new CheckLines(text, isDefaultService(form));
    const steps = readSteps(body);
    const isMissing = steps.some(({ step, state }) => state === 'failed' && stepsToMonitor.has(step));
    failedHost = isMissing ? (form['host'] ?? '').trim() : null;
    const [first] = summary.text(lines.summaryOf(steps)).closest('.form-row');
    for (const step of steps) list.append(lines.rowOf(step));
    report = [text('connectionCheck.report'), ...steps.map((step) => lines.lineOf(step))].join('\n');
    copy.show();
    first?.scrollIntoView({ block: 'nearest' });
  };

  onClick(button, run);
  copy.on('click', () => {
    RED.clipboard.copyText(report);
    RED.notify(text('connectionCheck.copied'), 'success');
  });
  return { run: () => void run(), hasFailed: (host) => failedHost !== null && host.trim() === failedHost };
}

function isDefaultService({ mode, baseUrl = '' }: Readonly<Record<string, string>>): boolean {
  return mode === 'remote' && baseUrl.trim().replace(/\/?$/, '/') === connectionDefaults.baseUrl;
}

/** The texts of one check. */
class CheckLines {
  constructor(
    private readonly text: CatalogueText,
    /** The default address was not typed, so it has no typing error. */
    private readonly isDefaultService: boolean,
  ) {}

  summaryOf(steps: readonly CheckStep[]): string {
    const failed = steps.find(({ state }) => state === 'failed');
    if (failed === undefined) return `${marks.ok} ${this.text('connectionCheck.summary.works')}`;
    const reason = this.detailOf(failed) || this.nameOf(failed);
    // This step compares the readings, so the connection itself works.
    const [mark, key] = failed.step === 'clock' ? (['ok', 'worksBut'] as const) : (['failed', 'fails'] as const);
    return `${marks[mark]} ${this.text(`connectionCheck.summary.${key}`, { reason })}`;
  }

  rowOf(step: CheckStep): JQuery {
    return $('<div>')
      .addClass(['cemm-step', `cemm-step-${step.state}`])
      .append(
        $('<span>').addClass('cemm-step-mark').text(marks[step.state]),
        $('<span>').addClass('cemm-step-name').text(this.nameOf(step)),
        $('<span>').addClass('cemm-step-text').text(this.detailOf(step)),
        $('<span>').addClass('cemm-step-ms').text(duration(step)),
      );
  }

  lineOf(step: CheckStep): string {
    const parts = [duration(step), this.detailOf(step)].filter((part) => part !== '');
    const line = `${marks[step.state]} ${this.nameOf(step)}`;
    return parts.length === 0 ? line : `${line}: ${parts.join(' · ')}`;
  }

  private nameOf({ step }: CheckStep): string {
    return this.text(`connectionCheck.step.${step}`);
  }

  private detailOf({ step, state, word, values }: CheckStep): string {
    const { text } = this;
    if (state === 'ok') {
      if (step === 'inventory') return text('connectionCheck.found', { ...values });
      const { generation } = values;
      if (step === 'monitor') return generation === undefined ? '' : text(`connectionCheck.generation.${generation}`);
      const difference = values['own'] === undefined ? 'connectionCheck.difference' : 'connectionCheck.ownDifference';
      return step === 'clock' ? text(difference, { ...values }) : '';
    }
    if (word === null) return '';
    if (this.isDefaultService && word.startsWith('NETWORK')) {
      return text('connectionCheck.noInternet', { host: new URL(connectionDefaults.baseUrl).host });
    }
    // Error codes are in capitals; every node has a sentence for each.
    return /^[A-Z]/.test(word)
      ? text(`error.${word}`, { ...values })
      : text(`connectionCheck.word.${word}`, { ...values });
  }
}

function duration({ ms }: CheckStep): string {
  return ms === null ? '' : `${ms} ms`;
}
