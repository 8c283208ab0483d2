/** Form fields that the editor cannot store by itself: numbers, typed inputs, and properties added in later versions. */
import type { AnyRules } from '../stored/field-rules';
import { migrated } from '../stored/migrate';
import { type PeriodWord, periodWords, typedValues } from '../stored/shared-config';
import { numberOrText } from './checks';
import { fieldText, textFrom } from './open-form';
import type { FieldPrefix } from './problem-lines';
import type { TypedInputType } from './red';
import { nameTypedInput } from './dashboard/widget-names';

/**
 * Call last in `oneditsave`. Stores numbers as numbers; the editor would store text. A changed node gets all properties and the
 * newest version; an unchanged one stays exactly as stored. The editor compares only properties with a field.
 */
export function saveForm<Config extends { readonly version: number }>(
  node: Partial<Config>,
  prefix: FieldPrefix,
  defaults: Config,
  rules: AnyRules,
): void {
  const current = migrated(defaults, node);
  const shown = Object.entries(current)
    .map(([name, value]) => ({ name, value, field: $(`#${prefix}-${name}`) }))
    .filter(({ field }) => field.length > 0);
  const isTouched = shown.some(({ value, field }) => storedText(field) !== textFrom(value).trim());
  if (isTouched) Reflect.set(node, 'version', current.version);
  for (const { name, field } of shown) {
    if (!isTouched && Reflect.get(node, name) === undefined) field.remove();
    else if (rules[name]?.is === 'number') saveNumber(node, name, field);
  }
}

/** An unchanged field keeps its stored value, even a number stored as text. */
function saveNumber(node: object, property: string, field: JQuery): void {
  const text = textFrom(field.val());
  if (text !== textFrom(Reflect.get(node, property))) Reflect.set(node, property, numberOrText(text));
}

/** The list of configuration nodes has an entry for none. */
function storedText(field: JQuery): string {
  const text = fieldText(field).trim();
  return text === '_ADD_' ? '' : text;
}

/** Creates a typed input for `x` that stores its type in `xType`; custom types come first. */
export function typedField(property: string, ownTypes: readonly TypedInputType[] = []): void {
  const own = ownTypes.map((type) => type.value);
  const types = [...ownTypes, ...typedValues.filter((value) => !own.includes(value))];
  const field = $(`#node-input-${property}`);
  field.typedInput({ types, typeField: `#node-input-${property}Type` });
  nameTypedInput(field);
}

/** Opens closed parts of the form in which a property differs from its initial value, or a password is set. */
export function openUsedParts(prefix: FieldPrefix, node: object, initial: object): void {
  $('.cemm-form details').each((_index, part) => {
    const passwords = $(part).find<HTMLInputElement>('input[type="password"]').toArray();
    const isUsed = Object.entries(initial).some(([property, value]) => {
      const stored: unknown = Reflect.get(node, property);
      return (
        stored !== undefined && textFrom(stored) !== textFrom(value) && $(part).has(`#${prefix}-${property}`).length > 0
      );
    });
    $(part).prop('open', isUsed || passwords.some(({ value }) => value !== ''));
  });
}

/** A typed input shows a copy of its field, so the placeholder is set on the copy. */
export function setPlaceholder(property: string, text: string): void {
  $(`#node-input-${property}`)
    .next('.red-ui-typedInput-container')
    .find('.red-ui-typedInput-input')
    .attr('placeholder', text);
}

/** The two custom types of a date: the current period and the previous one. */
export function periodTypes(labels: Readonly<Record<PeriodWord, string>>): TypedInputType[] {
  return periodWords.map((word) => ({ value: word, label: labels[word], hasValue: false }));
}
