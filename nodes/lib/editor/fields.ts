/** Fields of a form that the editor cannot store by itself: numbers, typed inputs, and properties of a later version. */
import { migrated, type Migrations } from '../migrate';
import { type PeriodWord, periodWords, typedValues } from '../shared-config';
import { numberOrText } from './checks';
import { fieldText, type FieldPrefix, textFrom } from './open-form';
import type { TypedInputType } from './red';
import { nameTypedInput } from './widget-names';

/**
 * To be called by `oneditsave`: stores the field's number as a number, where the editor would store it as text. A field that
 * was not touched stays stored as it is, also where an older flow holds the number as text.
 */
export function saveNumber(node: object, property: string, selector: string): void {
  const text = textFrom($(selector).val());
  if (text !== textFrom(Reflect.get(node, property))) Reflect.set(node, property, numberOrText(text));
}

/**
 * To be called last by `oneditsave`: a node of an older version is brought to the newest one as soon as something in it is
 * changed, and stays exactly as it is stored otherwise. Without its field the editor does not look at a property at all.
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

/** Makes a typed input of a property `x` that keeps its type in `xType`; own types come first. */
export function typedField(property: string, ownTypes: readonly TypedInputType[] = []): void {
  const own = ownTypes.map((type) => type.value);
  const types = [...ownTypes, ...typedValues.filter((value) => !own.includes(value))];
  const field = $(`#node-input-${property}`);
  field.typedInput({ types, typeField: `#node-input-${property}Type` });
  nameTypedInput(field);
}

/**
 * Opens the parts of the form that are closed at first, where a property in them is set to something else than at first, or a
 * password is.
 */
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

/** A typed input shows a copy of its field, so a placeholder that changes has to be set on the copy. */
export function setPlaceholder(property: string, text: string): void {
  $(`#node-input-${property}`)
    .next('.red-ui-typedInput-container')
    .find('.red-ui-typedInput-input')
    .attr('placeholder', text);
}

/** The two own types of a date: the period that is running and the one before it. */
export function periodTypes(labels: Readonly<Record<PeriodWord, string>>): TypedInputType[] {
  return periodWords.map((word) => ({ value: word, label: labels[word], hasValue: false }));
}
