/** The rows of span.html, and the period above them: one period, a range, or only what is new. */
import { own } from '../stored/field-rules';
import type { SpanDate } from '../stored/shared-config';
import { createCatalogueText } from './catalogue';
import { periodTypes, setPlaceholder, typedField } from './fields';
import { textFrom } from './open-form';
import type { EditorNode, TypedInputType } from './red';

/** Example of each period; others have no date. */
const exampleDates: Readonly<Record<string, string>> = {
  day: '2026-10-25',
  week: '2026-W43',
  month: '2026-10',
  year: '2026',
};
const dateProperties: readonly SpanDate[] = ['date', 'from', 'to'];

/** The typed inputs offer a list of periods besides their usual sources. */
export function periodChoices<Config>(
  { type }: EditorNode<Config>,
  labels: Readonly<Record<string, string>>,
): TypedInputType[] {
  const text = createCatalogueText(type);
  const shared = { month: text('form.span.month'), year: text('form.span.year') };
  const options = Object.entries({ ...labels, ...shared }).map(([value, label]) => ({ value, label }));
  return [{ value: 'str', label: text('form.period'), icon: 'fa fa-calendar-o', showLabel: false, options }];
}

/** Call from `oneditprepare`. */
export function prepareSpan<Config>({ type }: EditorNode<Config>): void {
  const text = createCatalogueText(type);
  const words = { current: text('form.span.current'), previous: text('form.span.previous') };
  for (const property of dateProperties) typedField(property, periodTypes(words));
  const period = $('#node-input-period');
  period.on('change', () => {
    const example = own(exampleDates, textFrom(period.val())) ?? exampleDates['day'] ?? '';
    for (const property of dateProperties) setPlaceholder(property, example);
  });
  const span = $('#node-input-span');
  span.on('change', () => {
    $('.cemm-span').hide();
    $(`.cemm-span-${textFrom(span.val())}`).show();
  });
}
