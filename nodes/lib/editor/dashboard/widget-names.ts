/**
 * Accessible names and keyboard access for Node-RED's widgets: its typed input has no name, and the buttons beside a
 * configuration node are links without an address.
 */
import { createCatalogueText } from '../catalogue';
import { controlOf, type FieldPrefix } from '../problem-lines';

/** Call after the typed input of a field is created: the label belongs to the field, which is hidden now. */
export function nameTypedInput(field: JQuery): void {
  const name = field.attr('id') ?? '';
  const [labelId, shownId, kindId] = [`${name}-label`, `${name}-shown`, `${name}-kind`];
  field.closest('.form-row').children('label').first().attr({ id: labelId, for: shownId });
  controlOf(field).attr('id', shownId);
  const text = createCatalogueText('cemm-connection');
  const widget = field.next('.red-ui-typedInput-container');
  const kind = { id: kindId, 'aria-label': text('form.typeOf'), 'aria-labelledby': `${labelId} ${kindId}` };
  widget.find('.red-ui-typedInput-type-select').attr(kind);
  widget.find('.red-ui-typedInput-option-expand').attr('aria-label', text('form.expand'));
}

/** Call when the form opens. */
export function nameButtons(prefix: FieldPrefix, { type }: { readonly type: string }): void {
  // Icons are letters of a font; screen readers would read them aloud.
  $('.cemm-form i').attr('aria-hidden', 'true');
  for (const [property, definition] of Object.entries(RED.nodes.getType(type)?.defaults ?? {})) {
    if (definition.type === undefined) continue;
    const words = { type: definition.type };
    nameButton($(`#${prefix}-btn-${property}-edit`), RED._('editor.editConfig', words));
    nameButton($(`#${prefix}-btn-${property}-add`), RED._('editor.addNewConfig', words));
  }
}

function nameButton(button: JQuery, name: string): void {
  button.attr({ role: 'button', tabindex: '0', 'aria-label': name });
  button.on('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    button.trigger('click');
  });
}
