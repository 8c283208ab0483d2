/** The rows of span.html, and the period above them: one period, all from one to another, or what is new. */
import { datesOfSpan, periodWords, type Span, type SpanConfig, spans, type SpanDate } from '../shared-config';
import { catalogueOf } from './catalogue';
import { date, endIsBeforeStart } from './checks';
import { periodTypes, setPlaceholder, typedField } from './fields';
import { type OpenForm, textFrom } from './open-form';
import type { EditorNode, TypedInputType, Validator } from './red';
import { typedValidator } from './validators';

/** How a day, a month or a year is written; no other period has a date. */
const exampleDates: Readonly<Record<string, string>> = { day: '2026-10-25', month: '2026-10', year: '2026' };
const dateProperties: readonly SpanDate[] = ['date', 'from', 'to'];

/** The dates that the chosen span needs. */
export function datesInUse(form: OpenForm, node: { readonly id: string }): readonly SpanDate[] {
  const span = spans.find((known) => known === form.textOf(node, 'span'));
  return span === undefined ? [] : datesOfSpan[span];
}

/** @param isUsed false where no date counts: what is out of sight is out of use */
export function spanValidators<Config extends SpanConfig>(
  nodeType: string,
  form: OpenForm,
  isUsed: (node: EditorNode<Config>) => boolean,
): Readonly<Record<SpanDate, Validator<Config>>> {
  const text = catalogueOf(nodeType);
  const dateOf = (span: Span, property: SpanDate): Validator<Config> => {
    const validator = typedValidator<Config>(
      nodeType,
      form,
      property,
      (written, node) => (form.textOf(node, 'span') === span ? date(written) : true),
      periodWords,
    );
    return function (value, options) {
      return !isUsed(this) || validator.call(this, value, options);
    };
  };
  const endOfRange = dateOf('range', 'to');
  return {
    date: dateOf('one', 'date'),
    from: dateOf('range', 'from'),
    to(value, options) {
      const result = endOfRange.call(this, value, options);
      if (result !== true || !isUsed(this) || form.textOf(this, 'span') !== 'range') return result;
      const from = { type: form.textOf(this, 'fromType'), text: form.textOf(this, 'from') };
      const to = { type: form.textOf(this, 'toType'), text: textFrom(value) };
      return endIsBeforeStart(from, to) ? text('check.endBeforeStart') : true;
    },
  };
}

/** A period is chosen from a list, or taken from where the other typed inputs take theirs. */
export function periodChoices<Config>(
  node: EditorNode<Config>,
  labels: Readonly<Record<string, string>>,
): TypedInputType[] {
  const shared = { month: node._('form.span.month'), year: node._('form.span.year') };
  const options = Object.entries({ ...labels, ...shared }).map(([value, label]) => ({ value, label }));
  return [{ value: 'str', label: node._('field.period'), icon: 'fa fa-calendar-o', showLabel: false, options }];
}

/** To be called by `oneditprepare`. */
export function prepareSpan<Config>(node: EditorNode<Config>): void {
  const words = { current: node._('form.span.current'), previous: node._('form.span.previous') };
  for (const property of dateProperties) typedField(property, periodTypes(words));
  const period = $('#node-input-period');
  period.on('change', () => {
    const example = exampleDates[textFrom(period.val())] ?? exampleDates['day'] ?? '';
    for (const property of dateProperties) setPlaceholder(property, example);
  });
  const span = $('#node-input-span');
  span.on('change', () => {
    $('.cemm-span').hide();
    $(`.cemm-span-${textFrom(span.val())}`).show();
  });
}
