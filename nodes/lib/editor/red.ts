/**
 * Types of the used part of Node-RED's editor (4.1 and 5). `@types/node-red` lacks the second argument of validators, typed
 * input's error messages and autoComplete, and types much of the rest as `any`.
 */

/** A node in the editor: its stored properties and those that the editor adds. */
export type EditorNode<Config> = Config & {
  readonly id: string;
  readonly type: string;
  /** Translates a key of the node's own catalogue. */
  _(key: string, values?: Record<string, string | number>): string;
};

/**
 * Called with the value of the form or of the flow file. With two declared parameters it may return a sentence; with fewer, the
 * editor shows only a red frame.
 */
export type Validator<Config> = (
  this: EditorNode<Config>,
  value: unknown,
  options: { readonly label?: string },
) => boolean | string;

export interface PropertyDefinition<Config> {
  value: unknown;
  /** Type of the configuration node whose id the property holds. */
  type?: string;
  required?: boolean;
  validate?: Validator<Config>;
}

export interface NodeDefinition<Config> {
  category: string;
  color?: `#${string}`;
  icon?: string;
  defaults: Readonly<Record<string, PropertyDefinition<Config>>>;
  credentials?: Record<string, { type: 'text' | 'password'; validate?: Validator<Config> }>;
  inputs?: 0 | 1;
  outputs?: number;
  align?: 'left' | 'right';
  paletteLabel?: string | ((this: EditorNode<Config>) => string);
  label?: string | ((this: EditorNode<Config>) => string);
  labelStyle?: string | ((this: EditorNode<Config>) => string);
  inputLabels?: string | ((this: EditorNode<Config>, port: number) => string);
  outputLabels?: string | string[] | ((this: EditorNode<Config>, port: number) => string | undefined);
  oneditprepare?: (this: EditorNode<Config>) => void;
  /** Called before the editor reads the form. */
  oneditsave?: (this: EditorNode<Config>) => void;
  oneditcancel?: (this: EditorNode<Config>) => void;
  oneditdelete?: (this: EditorNode<Config>) => void;
  oneditresize?: (this: EditorNode<Config>, size: { width: number; height: number }) => void;
}

export interface Suggestion {
  value: string;
  label?: string | HTMLElement | JQuery;
}

export interface TypedInputType {
  value: string;
  label?: string;
  icon?: string;
  /** False: the icon stands for the label. */
  showLabel?: boolean;
  hasValue?: boolean;
  options?: readonly (string | { value: string; label: string })[];
  /** Custom types only; not together with `options` or `hasValue: false`. */
  autoComplete?: (value: string, done: (suggestions: Suggestion[]) => void) => void;
  validate?: (value: string, options: { label?: string }) => boolean | string;
}

export interface TypedInputOptions {
  default?: string;
  types: readonly (string | TypedInputType)[];
  typeField?: string | JQuery;
}

export interface EditableListOptions {
  /** Text of the button. */
  addButton: string;
  removable: true;
  sortable: false;
  height: 'auto';
  /** Fills in a row; an item of the button is an empty object. */
  addItem: (container: JQuery, index: number, item: unknown) => void;
  removeItem: () => void;
}

/** A node found by its id; its properties come from a flow file and are unchecked. */
export type AnyNode = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

interface Link {
  readonly source: AnyNode;
  readonly sourcePort: number;
  readonly target: AnyNode;
}

interface Imported {
  readonly nodes: readonly AnyNode[];
  readonly links: readonly Link[];
  /** New flows. */
  readonly workspaces: readonly AnyNode[];
}

/** One step of the undo history. */
export type HistoryEvent =
  | {
      t: 'add';
      nodes: readonly string[];
      links: readonly Link[];
      workspaces: readonly AnyNode[];
      dirty: boolean;
    }
  | { t: 'createGroup'; groups: readonly AnyNode[]; dirty: boolean }
  | { t: 'edit'; node: AnyNode; changes: Readonly<Record<string, unknown>>; changed: boolean; dirty: boolean }
  | { t: 'multi'; events: readonly HistoryEvent[]; dirty: boolean };

/** A registered node type. */
interface KnownType {
  readonly defaults: Readonly<
    Record<string, { readonly value: unknown; readonly type?: string; readonly validate?: Validator<object> }>
  >;
  readonly credentials?: Readonly<Record<string, { readonly validate?: Validator<object> }>>;
}

interface Question {
  readonly modal: true;
  readonly fixed: true;
  readonly buttons: readonly { readonly text: string; readonly class?: string; readonly click: () => void }[];
}

export interface Editor {
  _(key: string | readonly string[], values?: Record<string, string | number>): string;
  readonly nodes: {
    registerType<Config>(type: string, definition: NodeDefinition<Config>): void;
    node(id: string): AnyNode | null | undefined;
    eachConfig(visit: (node: AnyNode) => boolean | undefined): void;
    /** Generates an id. */
    id(): string;
    /** Undefined for a type that is not installed. */
    getType(type: string): KnownType | undefined;
    /** The flow of this id; undefined for the template of a subflow. */
    workspace(id: string): AnyNode | undefined;
    filterNodes(filter: { z?: string; type?: string }): AnyNode[];
    filterLinks(filter: { target?: { readonly id: string }; source?: { readonly id: string } }): Link[];
    import(nodes: readonly object[]): Imported;
    addLink(link: Link): void;
    /** Adds the node to the users of its configuration nodes. */
    updateConfigNodeUsers(node: AnyNode, options: { readonly action: 'add' }): void;
    dirty(): boolean;
    dirty(value: boolean): void;
  };
  readonly editor: {
    validateNode(node: AnyNode): boolean;
    /** Opens the dialog of a configuration node; the name of the property is blank without one. */
    editConfig(property: string, type: string, id: string): void;
    /** Opens a text editor on top of the dialog. */
    editJSON(options: { value: string; focus: true; complete: (json: string) => void }): void;
  };
  readonly events: {
    on(event: 'deploy' | 'flows:loaded' | 'workspace:clear', listener: () => void): void;
    on(event: 'nodes:add', listener: (node: AnyNode) => void): void;
  };
  readonly utils: {
    /** True, or why a value does not fit the type of a typed input. */
    validateTypedProperty(value: unknown, type: string, options?: { label?: string }): true | string | false;
  };
  readonly popover: { tooltip(element: JQuery, text: string): unknown };
  readonly history: { push(event: HistoryEvent): void };
  readonly view: { redraw(updateActive: boolean, isAtOnce?: boolean): void };
  /** Undefined if the nodes cannot be in one group. */
  readonly group: { createGroup(nodes: readonly AnyNode[]): AnyNode | undefined };
  readonly actions: {
    list(): readonly { readonly id: string }[];
    invoke(name: string): void;
  };
  /** A text is shown as HTML. */
  notify(text: string | JQuery, type?: 'success' | 'warning' | 'error' | 'compact'): unknown;
  /** A question; it stays until `close`. */
  notify(text: string, question: Question): { close: () => void };
  readonly clipboard: { copyText(text: string): void };
  readonly settings: {
    readonly httpNodeRoot?: string;
    /** Set by nodes/cemm-connection/runtime.ts: the language of the nodes if none is chosen. */
    readonly cemmConnectionLanguage?: string;
    /** Node type → property → default, by the administrator in settings.js (Node-RED 4.1.9). */
    readonly nodeDefaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}
