/** Form fields that the editor cannot store by itself: numbers, typed inputs, and properties added in later versions. */
import { migrated, type Migrations } from '../migrate';
import { type PeriodWord, periodWords, typedValues } from '../shared-config';
import { numberOrText } from './checks';
import { fieldText, textFrom } from './open-form';
import type { FieldPrefix } from './problem-lines';
import type { TypedInputType } from './red';
import { nameTypedInput } from './widget-names';

/**
 * Call from `oneditsave`. Stores the field's number as a number; the editor would store text. An unchanged field keeps its
 * stored value, even a number stored as text.
 */
export function saveNumber(node: object, property: string, selector: string): void {
  const text = textFrom($(selector).val());
  if (text !== textFrom(Reflect.get(node, property))) Reflect.set(node, property, numberOrText(text));
}

/**
 * Call last in `oneditsave`. A changed node is migrated to the newest version; an unchanged one stays exactly as stored. The
 * editor compares only properties with a field.
 */
export function saveVersion<Config extends { readonly version: number }>(
  node: Partial<Config>,
  prefix: FieldPrefix,
  defaults: Config,
  migrations: Migrations,
): void {
  if ((node.version ?? 1) >= defaults.version) return;
  const current = migrated(defaults, migrations, node);
  const shown = Object.entries(current).map(([name, value]) => ({ name, value, field: $(`#${prefix}-${name}`) }));
  const isTouched = shown.some(({ value, field }) => field.length > 0 && storedText(field) !== textFrom(value).trim());
  if (isTouched) Reflect.set(node, 'version', defaults.version);
  else for (const { name, field } of shown) if (Reflect.get(node, name) === undefined) field.remove();
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
