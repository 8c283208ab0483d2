/**
 * Shows the problem of each field below it. Node-RED itself shows a red frame, and the sentence only to a mouse and not over a
 * typed input.
 */
import type { EditorNode, Validator } from './red';

export type FieldPrefix = 'node-input' | 'node-config-input';

interface CheckedField {
  readonly name: string;
  readonly validate: Validator<object>;
}

interface OpenNode {
  readonly id: string;
  readonly type: string;
}

/** True if no field of the open dialog has a problem. Shows the problems that were not shown while somebody typed. */
export function isValidForm(node: OpenNode): boolean {
  const prefix = 'node-input';
  const results = checkedFields(node).flatMap(({ name, validate }) => {
    const field = $(`#${prefix}-${name}`);
    if (field.length === 0) return [];
    const result = validate.call(node as EditorNode<object>, readFieldValue(field), {});
    show(field, result, false);
    return [result === true];
  });
  return results.every((isRight) => isRight);
}

function checkedFields({ type }: OpenNode): CheckedField[] {
  const { defaults = {}, credentials = {} } = RED.nodes.getType(type) ?? {};
  return Object.entries({ ...defaults, ...credentials }).flatMap(([name, { validate }]): CheckedField[] =>
    validate === undefined ? [] : [{ name, validate }],
  );
}

/** Call when the form opens; the lines follow every field from then on. */
export function showProblems(prefix: FieldPrefix, node: OpenNode): void {
  const fields = checkedFields(node);
  const form = $(`#${prefix}-name`).closest('.cemm-form');
  const refresh = (isTyping: boolean): void => {
    for (const { name, validate } of fields) {
      const field = $(`#${prefix}-${name}`);
      if (field.length > 0) show(field, validate.call(node as EditorNode<object>, readFieldValue(field), {}), isTyping);
    }
  };
  let isDue = false;
  form.on('change', () => {
    if (isDue) return;
    isDue = true;
    whenReleased(() => {
      isDue = false;
      refresh(false);
    });
  });
  form.on('input keyup', () => {
    refresh(true);
  });
}

/** The value in the form in which the editor passes it to a validator. */
function readFieldValue(field: JQuery): unknown {
  return field.is(':checkbox') ? field.is(':checked') : field.val();
}

/** A line that appears between press and release of the mouse would move the button away. */
function whenReleased(act: () => void): void {
  setTimeout(() => {
    if (document.querySelector(':active') === null) act();
    else whenReleased(act);
  }, 20);
}

/** @param isTyping true: a new problem is not shown yet, but a visible line is updated */
function show(field: JQuery, result: boolean | string, isTyping: boolean): void {
  const row = field.closest('.form-row');
  const line = row.children('.cemm-problem');
  const isWrong = result !== true;
  if (isTyping && isWrong && line.length === 0) return;
  const control = controlOf(field);
  if (!isWrong) {
    line.remove();
    control.removeAttr('aria-invalid aria-describedby');
    return;
  }
  const sentence = typeof result === 'string' ? result : '';
  const id = `${field.attr('id') ?? ''}-problem`;
  // Node-RED 5 replaces the field's label with the sentence.
  field.removeAttr('aria-label');
  control.attr({ 'aria-invalid': 'true', 'aria-describedby': id });
  if (line.length > 0) line.text(sentence);
  else placeLine(row, $('<div>').addClass('cemm-problem').attr({ id, role: 'status' }).text(sentence));
}

function placeLine(row: JQuery, line: JQuery): void {
  const below = row.children('.cemm-hint, .cemm-picks').first();
  if (below.length > 0) line.insertBefore(below);
  else line.appendTo(row);
}

/** The visible input: a typed input hides the field and shows its own. */
export function controlOf(field: JQuery): JQuery {
  const shown = field.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input');
  return shown.length > 0 ? shown : field;
}
