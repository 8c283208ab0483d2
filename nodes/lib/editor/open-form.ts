/** While a node's dialog is open, its fields are newer than its stored properties, so validators read the fields first. */
import { type FieldPrefix, showProblems } from './problem-lines';
import { nameButtons } from './dashboard/widget-names';

export interface OpenForm {
  readonly prefix: FieldPrefix;
  /** Call from `oneditprepare`. */
  open(node: { readonly id: string; readonly type: string }): void;
  /** Call from `oneditsave`, `oneditcancel` and `oneditdelete`. */
  close(): void;
  isOpen(node: { readonly id: string }): boolean;
  /** The field's text while this node's dialog is open, otherwise the stored value. */
  textOf(node: { readonly id: string }, property: string): string;
}

/**
 * One per node type: the dialogs of a node and of its configuration node can both be open, but not two of one type.
 * @param defaults of the properties that a node lacks
 */
export function openForm(prefix: FieldPrefix, defaults: object): OpenForm {
  let openId: string | null = null;
  return {
    prefix,
    open: (node) => {
      openId = node.id;
      fillIn(prefix, node, defaults);
      nameButtons(prefix, node);
      showProblems(prefix, node);
    },
    close: () => {
      openId = null;
    },
    isOpen: (node) => node.id === openId,
    textOf: (node, property) => {
      const field = node.id === openId ? $(`#${prefix}-${property}`) : $();
      return textFrom(
        field.length > 0 ? field.val() : (Reflect.get(node, property) ?? Reflect.get(defaults, property)),
      );
    },
  };
}

/** The editor leaves the field of a property blank that the node lacks. */
function fillIn(prefix: FieldPrefix, node: object, defaults: object): void {
  for (const [property, value] of Object.entries(defaults)) {
    if (Reflect.get(node, property) !== undefined) continue;
    const field = $(`#${prefix}-${property}`);
    if (field.is(':checkbox')) field.prop('checked', value === true);
    else field.val(textFrom(value));
  }
}

/** A field's text; `true` or `false` for a checkbox. */
export function fieldText(field: JQuery): string {
  return field.is(':checkbox') ? String(field.is(':checked')) : textFrom(field.val());
}

/** A stored value as text: flow files contain strings, numbers and booleans. */
export function textFrom(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
