/** Globals of the Node-RED editor page. Only the editor's program includes this file. */
import type { Editor, EditableListOptions, Suggestion, TypedInputOptions, TypedInputType } from './red';

declare global {
  const RED: Editor;

  interface JQuery {
    typedInput(action: TypedInputOptions | 'show' | 'hide' | 'enable' | 'disable'): this;
    typedInput(method: 'type' | 'value'): string;
    typedInput(method: 'type' | 'value', value: string): this;
    typedInput(method: 'types', types: readonly (string | TypedInputType)[]): this;
    editableList(options: EditableListOptions): this;
    editableList(method: 'addItem', item: unknown): this;
    autoComplete(options: {
      search: (value: string, done?: (suggestions: Suggestion[]) => void) => Suggestion[] | undefined;
      minLength?: number;
    }): this;
  }
}
