/** A list of rows in the dialog, with a button that adds one: the meters of the house, and its contracts. */
export interface ListedRow {
  readonly element: JQuery;
  focus(): void;
}

export interface RowListOptions<Texts, Row extends ListedRow> {
  /** Words of the button below the list, and the name of the link that removes a row. */
  readonly words: { readonly add: string; readonly remove: string };
  /** The texts of a row as it is stored; of anything else, those of an empty row. */
  readonly textsOf: (stored: unknown) => Texts;
  readonly createRow: (texts: Texts) => Row;
  readonly onChange: () => void;
}

export interface RowList<Texts, Row> {
  readonly rows: () => Row[];
  readonly add: (texts: Texts) => void;
  /** @param stored rows of the node, as a flow file has them */
  readonly fill: (stored: unknown) => void;
}

/**
 * The stored rows, if the form has the same ones: rows by hand may have their members in another order.
 * @param rows those of the form
 * @param written a stored row as the form writes it; null: it says nothing
 */
export function unchangedRows(
  stored: unknown,
  rows: readonly object[],
  written: (row: unknown) => object | null,
): readonly unknown[] {
  return Array.isArray(stored) && JSON.stringify(stored.map(written)) === JSON.stringify(rows) ? stored : rows;
}

/** @param list the empty list of the form */
export function prepareRowList<Texts extends object, Row extends ListedRow>(
  list: JQuery,
  { words, textsOf, createRow, onChange }: RowListOptions<Texts, Row>,
): RowList<Texts, Row> {
  const fieldsOf = new Map<HTMLElement, Row>();
  const rows = (): Row[] =>
    list
      .children()
      .toArray()
      .flatMap((item) => fieldsOf.get(item) ?? []);
  const add = (texts: Texts): void => {
    list.editableList('addItem', texts);
  };

  list.editableList({
    addButton: words.add,
    removable: true,
    sortable: false,
    height: 'auto',
    addItem: (container, _index, texts) => {
      const item = container.closest('li').get(0);
      if (item === undefined) return;
      const row = createRow(textsOf(texts));
      container.append(row.element);
      // A link of Node-RED, without a text.
      $(item).find('.red-ui-editableList-item-remove').attr('aria-label', words.remove);
      fieldsOf.set(item, row);
      onChange();
    },
    removeItem: () => {
      setTimeout(onChange, 0);
    },
  });
  list.closest('.red-ui-editableList').on('click', '.red-ui-editableList-addButton', () => {
    rows().at(-1)?.focus();
  });
  return {
    rows,
    add,
    fill: (stored) => {
      for (const row of Array.isArray(stored) ? (stored as readonly unknown[]) : []) add(textsOf(row));
    },
  };
}
