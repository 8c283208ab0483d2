/** A typed input for a property `x` that keeps its type in `xType`. */
import { typedValues } from '../meter-config';
import type { TypedInputType } from './red';

/** The ways in which a value can be given in a node of this package, own ones first. */
export function typedField(property: string, ownTypes: readonly TypedInputType[] = []): void {
  const own = ownTypes.map((type) => type.value);
  const types = [...ownTypes, ...typedValues.filter((value) => !own.includes(value))];
  $(`#node-input-${property}`).typedInput({ types, typeField: `#node-input-${property}Type` });
}

/** A typed input shows a copy of its field, so a placeholder that changes has to be set on the copy. */
export function setPlaceholder(property: string, text: string): void {
  $(`#node-input-${property}`)
    .next('.red-ui-typedInput-container')
    .find('.red-ui-typedInput-input')
    .attr('placeholder', text);
}
