/** While a node's dialog is open, its fields are ahead of its stored properties: a validator has to look there first. */
import { showProblems } from './problem-lines';
import { nameButtons } from './widget-names';

export type FieldPrefix = 'node-input' | 'node-config-input';

export interface OpenForm {
  /** To be called by `oneditprepare`. */
  open(node: { readonly id: string; readonly type: string }): void;
  /** To be called by `oneditsave`, `oneditcancel` and `oneditdelete`. */
  close(): void;
  isOpen(node: { readonly id: string }): boolean;
  /** What the field says while this node's dialog is open, else what the node stores. */
  textOf(node: { readonly id: string }, property: string): string;
}

/** One per node type: a node and its configuration node have dialogs above each other, two of a type do not. */
export function openForm(prefix: FieldPrefix): OpenForm {
  let openId: string | null = null;
  return {
    open: (node) => {
      openId = node.id;
      nameButtons(prefix, node);
      showProblems(prefix, node);
    },
    close: () => {
      openId = null;
    },
    isOpen: (node) => node.id === openId,
    textOf: (node, property) => {
      const field = node.id === openId ? $(`#${prefix}-${property}`) : $();
      return textFrom(field.length > 0 ? field.val() : Reflect.get(node, property));
    },
  };
}

/** What a field says; a checkbox says `true` or `false`. */
export function fieldText(field: JQuery): string {
  return field.is(':checkbox') ? String(field.is(':checked')) : textFrom(field.val());
}

/** The text of a stored value: flow files hold strings, numbers and booleans. */
export function textFrom(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
