/** What Node-RED's page offers to every script. Only the editor's program may see it: elsewhere there is no such page. */
import type { Editor, Suggestion, TypedInputOptions, TypedInputType } from './red';

declare global {
  const RED: Editor;

  interface JQuery {
    typedInput(action: TypedInputOptions | 'show' | 'hide' | 'enable' | 'disable'): this;
    typedInput(method: 'type' | 'value'): string;
    typedInput(method: 'type' | 'value', value: string): this;
    typedInput(method: 'types', types: readonly (string | TypedInputType)[]): this;
    autoComplete(options: {
      search: (value: string, done?: (suggestions: Suggestion[]) => void) => Suggestion[] | undefined;
      minLength?: number;
    }): this;
  }
}
